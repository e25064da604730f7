// Owners for what the HDF5 C library hands out.
#pragma once

#include <mutex>
#include <utility>

#include <hdf5.h>

namespace trammel::results::hdf5 {

/// The library looks for a file of this name even when the contents are in memory. There is none,
/// and nobody can make one: /dev/null is no folder.
inline constexpr const char* image_name = "/dev/null/image";

/// Closes an identifier of the library when it goes out of scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  void reset() {
    // Nothing can be lost here: files are only read, or made in memory.
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }

  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// While this lives, the library prints no error stack (our errors are our own) and works for this
/// thread alone.
class Silence {
 public:
  Silence() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }

  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Text in UTF-8: of a fixed number of bytes padded with zeros, or of any length (0).
inline Handle string_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), bytes == 0 ? H5T_VARIABLE : bytes);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  if (bytes > 0) H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

}  // namespace trammel::results::hdf5
