// Python code that a computation calls, and what becomes of it when it raises.
//
// The library knows nothing of Python exceptions. A callback that raises is remembered here, the
// run is asked to stop, and functions give NaN from then on, so that the run ends in its own way:
// results are kept, files are closed. The binding raises afterwards.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include "trammel/model/description.h"

namespace trammel::python {

/// Takes the Python error that is set, as an exception object with its traceback.
pybind11::object taken_error();

/// The first exception raised by Python code in a computation. Made, read and destroyed with the
/// GIL; fail() needs it, too.
class CallbackState {
 public:
  bool failed() const { return failed_; }
  /// Set to end the run after the present step.
  std::atomic<bool>& stop() { return stop_; }
  /// Time of the last recorded row, s.
  double time = 0.0;

  /// Takes over the Python error that is set. `callback` names what raised: "function 'brake'".
  void fail(std::string callback, std::string call);
  /// {callback, call, time, exception}, or None.
  pybind11::object failure() const;
  /// Text for results files.
  const std::string& message() const { return message_; }

 private:
  std::atomic<bool> failed_{false};
  std::atomic<bool> stop_{false};
  std::string callback_;
  std::string call_;
  std::string message_;
  double failure_time_ = 0.0;
  pybind11::object exception_;
};

/// One Python function of numbers, with one or several numbers as its value.
class PythonFunction {
 public:
  using Arguments = std::span<const double>;

  /// `outputs` is 0 for a plain number, else the length of the sequence it returns.
  PythonFunction(std::string name,
                 pybind11::object value,
                 pybind11::object derivatives,
                 std::size_t outputs,
                 CallbackState& state);

  bool has_derivatives() const { return !derivatives_.is_none(); }
  double value(Arguments x, std::size_t output);
  /// The derivatives of one output by all arguments.
  void gradient(Arguments x, std::size_t output, std::span<double> out);

 private:
  /// What was computed last: the outputs of one call are asked for one after the other.
  struct Memory {
    std::vector<double> arguments;
    std::vector<double> numbers;
    bool holds(Arguments x) const;
  };

  bool call(const pybind11::object& callable, Arguments x, pybind11::object& result);
  /// Fills `count` numbers, over rows if `rows` is not 0; false and failed when they are not that.
  bool read(const pybind11::object& result, std::size_t rows, std::size_t count, double* out);
  bool wrong_shape(const pybind11::object& result, std::size_t rows, std::size_t count);
  void fail(Arguments x);

  std::string name_;
  pybind11::object value_;
  pybind11::object derivatives_;
  std::size_t outputs_;
  CallbackState& state_;
  Memory values_;
  Memory gradients_;
};

/// The functions of a Python model. Must outlive every description and system it was added to.
class FunctionSet {
 public:
  /// Entries (name, callable, derivatives or None, number of arguments or None, names of outputs).
  FunctionSet(const pybind11::list& functions, CallbackState& state);

  void add_to(model::Description& description) const;

 private:
  struct Entry {
    std::string name;
    std::optional<std::size_t> count;
    std::vector<std::string> outputs;
    std::unique_ptr<PythonFunction> function;
  };
  std::vector<Entry> entries_;
};

}  // namespace trammel::python
