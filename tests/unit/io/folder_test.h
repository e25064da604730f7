// Tests that read model files with other files beside them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/scratch_folder.h"
#include "test_models.h"
#include <gtest/gtest.h>

#include "trammel/io/model_file.h"

namespace trammel::io::test {

namespace fs = std::filesystem;

/// A folder of files that goes with the test.
class FolderTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "parts"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  ModelFile read(const std::string& name) const {
    return read_model_file(path(name), test::vocabulary());
  }
  /// "file:line: message" of every mistake, files without the folder.
  std::vector<std::string> mistakes(const std::string& name) const {
    std::vector<std::string> list;
    try {
      read(name);
    } catch (const core::InputError& error) {
      for (const core::Diagnostic& each : error.diagnostics()) {
        std::string text =
            each.file + ":" + std::to_string(each.line) + ": " + each.message + "; " + each.remedy;
        const std::string begin = folder_.path().string() + "/";
        for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin)) {
          text.erase(at, begin.size());
        }
        list.push_back(text);
      }
    }
    return list;
  }

  support::ScratchFolder folder_;
};

}  // namespace trammel::io::test
