// What every command is built from: the tree of options, and what the shells may complete.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace trammel::cli {

/// Exit codes: everything went well; the computation failed; the input was wrong; the results are
/// there but doubtful, where that was asked for (--strict).
constexpr int exit_ok = 0;
constexpr int exit_failed = 1;
constexpr int exit_wrong_input = 2;
constexpr int exit_doubtful = 3;

/// What a shell offers for the value of an option or argument.
struct Completion {
  enum class Kind { nothing, file, words, channels };
  Kind kind = Kind::nothing;
  std::vector<std::string> words;  ///< file name endings ("yaml"), or the words themselves
};

inline Completion model_files() {
  return {Completion::Kind::file, {"yaml", "yml", "json"}};
}
inline Completion results_files() {
  return {Completion::Kind::file, {"h5", "csv"}};
}
inline Completion files(std::vector<std::string> endings) {
  return {Completion::Kind::file, std::move(endings)};
}
inline Completion words(std::vector<std::string> list) {
  return {Completion::Kind::words, std::move(list)};
}
/// The channels of the results file that stands before it on the command line.
inline Completion channel_names() {
  return {Completion::Kind::channels, {}};
}

struct Interface {
  CLI::App app;
  std::map<const CLI::Option*, Completion> completions;
  std::function<int()> action;  ///< set when the command line was understood; gives the exit code

  const Completion& completion(const CLI::Option* option) const;
};

/// Makes a subcommand with its place in the help. `examples` are lines "command   # what it does".
CLI::App* add_command(Interface& interface,
                      const std::string& group,
                      const std::string& name,
                      const std::string& description,
                      const std::string& examples);

/// Calls `run(options)` when the command was given.
template <class Options>
void set_action(Interface& interface,
                CLI::App* command,
                std::shared_ptr<Options> options,
                int (*run)(const Options&)) {
  command->callback(
      [&interface, options, run] { interface.action = [options, run] { return run(*options); }; });
}

}  // namespace trammel::cli
