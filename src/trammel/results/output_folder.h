// A folder of files that belong together, all of them or none:
//
// - the files are written into a hidden folder beside it, which takes the final name in one step;
// - a folder that it replaces stays until everything else that belongs to it is written, too, and
//   comes back when that fails; only files of ours are ever removed with it;
// - after an error nothing is left behind.
#pragma once

#include <filesystem>
#include <functional>

namespace trammel::results {

class OutputFolder {
 public:
  using Recognise = std::function<bool(const std::filesystem::path& file)>;

  /// InputError when `path` exists and may not be replaced, is no folder, holds something that is
  /// not recognised as ours, or when a folder cannot be made there.
  OutputFolder(std::filesystem::path path, bool overwrite, Recognise is_ours);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Where the files are to be written.
  const std::filesystem::path& work() const { return work_; }
  /// They take their final place, for the time being. RunError when that fails.
  void publish();
  /// They stay there, and the folder of before goes.
  void keep();

 private:
  int exchange();
  void remove_ours(const std::filesystem::path& folder) const;

  std::filesystem::path path_;
  std::filesystem::path work_;  ///< from publish() on, what was there before
  Recognise is_ours_;
  bool replaces_ = false;
  bool published_ = false;
  bool kept_ = false;
};

}  // namespace trammel::results
