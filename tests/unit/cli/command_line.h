// Runs the program `trammel` in a folder of its own and looks at what it prints and leaves behind.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support/scratch_folder.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trammel::cli::testing {

struct Answer {
  int code = -1;    ///< exit code
  int signal = 0;   ///< that ended it, if any
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A folder that disappears, and the program running in it.
class Folder : public support::ScratchFolder {
 public:
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name, std::ios::binary) << text;
  }

  /// Starts the program (or `program`); `prepare` is called in the child just before.
  pid_t start(const std::vector<std::string>& arguments,
              const std::function<void()>& prepare = {},
              const std::string& program = TRAMMEL_CLI) const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    if (::chdir(path().c_str()) != 0) ::_exit(126);
    redirect(".out", STDOUT_FILENO);
    redirect(".err", STDERR_FILENO);
    if (prepare) prepare();
    ::execvp(program.c_str(), pointers.data());
    ::_exit(127);
  }

  Answer wait(pid_t child) const {
    int status = 0;
    ::waitpid(child, &status, 0);
    Answer answer;
    if (WIFEXITED(status)) answer.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) answer.signal = WTERMSIG(status);
    answer.out = contents_of(path() / ".out");
    answer.err = contents_of(path() / ".err");
    return answer;
  }

  Answer run(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }

  /// Another program, e.g. a shell.
  Answer run_program(const std::string& program, const std::vector<std::string>& arguments) const {
    return wait(start(arguments, {}, program));
  }

 private:
  void redirect(const char* name, int descriptor) const {
    const int file =
        ::open((path() / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(file, descriptor);
  }
};

}  // namespace trammel::cli::testing
