#include "trammel/analysis/plugins.h"

#include <cstring>
#include <filesystem>
#include <set>

#include <dlfcn.h>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/version.h"

namespace trammel::analysis {
namespace {

// In a Python module the functions of Trammel are known to nobody else, unless it says so.
void offer_own_functions() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&load_plugin), &here) == 0) return;
  ::dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  ::dlerror();  // the program itself needs no offer
}

template <class Function>
Function function_of(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
}

[[noreturn]] void refuse(const std::string& path, const std::string& why, const char* remedy) {
  throw core::InputError(fmt::format("the plugin '{}' cannot be used: {}", path, why), remedy);
}

}  // namespace

void load_plugin(const std::string& path) {
  static std::set<std::string> loaded;
  std::error_code error;
  const std::filesystem::path place = std::filesystem::canonical(path, error);
  if (error) refuse(path, error.message(), "give the path of a shared library (.so)");
  if (loaded.contains(place.string())) return;
  offer_own_functions();
  void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    refuse(path, ::dlerror(), "compile it with the CMake target trammel::plugin of this version");
  }
  const auto version_of = function_of<const char* (*)()>(library, "trammel_version");
  const auto registers = function_of<void (*)()>(library, "trammel_register");
  if (version_of == nullptr || registers == nullptr) {
    ::dlclose(library);
    refuse(path, "it has no functions trammel_version and trammel_register",
           "write them as extern \"C\"; see docs/own_parts.md");
  }
  if (std::strcmp(version_of(), version) != 0) {
    const std::string made_for = version_of();
    ::dlclose(library);
    refuse(path, fmt::format("it was made for Trammel {}, this is {}", made_for, version),
           "compile it again with the headers of this version");
  }
  // It stays: its code is part of the program from now on.
  loaded.insert(place.string());
  registers();
}

}  // namespace trammel::analysis
