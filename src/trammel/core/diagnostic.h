// What is wrong with an input, told so that a person can mend it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace trammel::core {

enum class Severity { error, warning };

/// One mistake or doubt. `path` is the user's own name for the thing ("joints.pin.axis"); file,
/// line and column are filled in by whoever knows the source text (line 0: not from a file).
struct Diagnostic {
  Severity severity = Severity::error;
  std::string path;
  std::string message;  ///< what is wrong, with the offending value
  std::string remedy;   ///< what to do about it
  std::string file;
  int line = 0;
  int column = 0;
};

/// "file:line:column: error: joints.pin.axis: axis has length 0; give a direction, e.g. [0, 0, 1]"
std::string to_string(const Diagnostic& diagnostic);

/// Wrong input: every mistake that was found, thrown at the border of the library. Exit code 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  explicit InputError(std::string message, std::string remedy = {});

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A computation that could not be finished: what, where, when and what to try. Exit code 1.
class RunError : public std::runtime_error {
 public:
  RunError(const std::string& what, const std::string& remedy);

  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

/// Collects mistakes so that all of them can be told at once.
class Diagnostics {
 public:
  void error(std::string path, std::string message, std::string remedy = {});
  void warning(std::string path, std::string message, std::string remedy = {});
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }

  bool has_errors() const;
  const std::vector<Diagnostic>& list() const { return list_; }
  /// Throws InputError with everything collected, if any of it is an error.
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace trammel::core
