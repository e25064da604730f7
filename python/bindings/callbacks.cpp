#include "callbacks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

namespace trammel::python {
namespace py = pybind11;
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The GIL, for as long as this lives. Cheaper than pybind11's, as threads of Python's own or
/// threads that it knows are all that call here.
class HeldGil {
 public:
  HeldGil() : state_(PyGILState_Ensure()) {}
  ~HeldGil() { PyGILState_Release(state_); }
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;
  HeldGil(HeldGil&&) = delete;
  HeldGil& operator=(HeldGil&&) = delete;

 private:
  PyGILState_STATE state_;
};

std::string shape_text(const py::object& result) {
  if (py::hasattr(result, "shape")) {
    return fmt::format("an array of shape {}", std::string(py::str(result.attr("shape"))));
  }
  const std::string type = Py_TYPE(result.ptr())->tp_name;
  if (!PySequence_Check(result.ptr()))
    return type == "NoneType" ? "None" : "a value of type " + type;
  return fmt::format("a {} of {} values", type, py::len(result));
}

std::string wanted_text(std::size_t rows, std::size_t count) {
  if (rows > 0) return fmt::format("{} rows of {} numbers", rows, count);
  if (count == 0) return "a number";
  return fmt::format("a sequence of {} {}", count, count == 1 ? "number" : "numbers");
}

/// Numbers of a sequence; false when there is something else in it or another count.
bool read_numbers(PyObject* object, std::size_t count, double* out) {
  const auto fast = py::reinterpret_steal<py::object>(PySequence_Fast(object, "no sequence"));
  if (!fast) return false;
  if (static_cast<std::size_t>(PySequence_Fast_GET_SIZE(fast.ptr())) != count) return false;
  PyObject** items = PySequence_Fast_ITEMS(fast.ptr());
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = PyFloat_AsDouble(items[i]);
    if (out[i] == -1.0 && PyErr_Occurred() != nullptr) return false;
  }
  return true;
}

}  // namespace

py::object taken_error() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return py::reinterpret_steal<py::object>(value);
}

void CallbackState::fail(std::string callback, std::string call) {
  py::object error = taken_error();
  stop_ = true;
  if (failed_) return;
  callback_ = std::move(callback);
  call_ = std::move(call);
  failure_time_ = time;
  exception_ = std::move(error);
  message_ = fmt::format("{} raised {} in the step after t = {:.6g} s", callback_,
                         Py_TYPE(exception_.ptr())->tp_name, time);
  failed_ = true;
}

py::object CallbackState::failure() const {
  if (!failed_) return py::none();
  return py::make_tuple(callback_, call_, failure_time_, exception_);
}

PythonFunction::PythonFunction(std::string name,
                               py::object value,
                               py::object derivatives,
                               std::size_t outputs,
                               CallbackState& state)
    : name_(std::move(name)),
      value_(std::move(value)),
      derivatives_(std::move(derivatives)),
      outputs_(outputs),
      state_(state) {}

bool PythonFunction::Memory::holds(Arguments x) const {
  return !numbers.empty() && std::equal(x.begin(), x.end(), arguments.begin(), arguments.end());
}

void PythonFunction::fail(Arguments x) {
  state_.fail(fmt::format("function '{}'", name_),
              fmt::format("{}({:.6g})", name_, fmt::join(x.begin(), x.end(), ", ")));
}

bool PythonFunction::call(const py::object& callable, Arguments x, py::object& result) {
  // The first place is scratch memory for the interpreter (PEP 590).
  std::array<PyObject*, expression::UserFunction::most_arguments + 1> arguments{};
  for (std::size_t i = 0; i < x.size(); ++i) arguments[i + 1] = PyFloat_FromDouble(x[i]);
  result = py::reinterpret_steal<py::object>(PyObject_Vectorcall(
      callable.ptr(), arguments.data() + 1, x.size() | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
  for (std::size_t i = 0; i < x.size(); ++i) Py_DECREF(arguments[i + 1]);
  if (result) return true;
  fail(x);
  return false;
}

bool PythonFunction::wrong_shape(const py::object& result, std::size_t rows, std::size_t count) {
  PyErr_Clear();
  PyErr_SetString(PyExc_TypeError, fmt::format("it returned {}; {} is wanted", shape_text(result),
                                               wanted_text(rows, count))
                                       .c_str());
  return false;
}

bool PythonFunction::read(const py::object& result,
                          std::size_t rows,
                          std::size_t count,
                          double* out) {
  if (rows == 0) return read_numbers(result.ptr(), count, out) || wrong_shape(result, rows, count);
  const auto fast = py::reinterpret_steal<py::object>(PySequence_Fast(result.ptr(), "no rows"));
  if (!fast || static_cast<std::size_t>(PySequence_Fast_GET_SIZE(fast.ptr())) != rows) {
    return wrong_shape(result, rows, count);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    PyObject* row = PySequence_Fast_GET_ITEM(fast.ptr(), static_cast<Py_ssize_t>(i));
    if (!read_numbers(row, count, out + i * count)) return wrong_shape(result, rows, count);
  }
  return true;
}

double PythonFunction::value(Arguments x, std::size_t output) {
  if (state_.failed()) return not_a_number;
  const HeldGil gil;
  if (outputs_ > 0 && values_.holds(x)) return values_.numbers[output];
  py::object result;
  if (!call(value_, x, result)) return not_a_number;
  if (outputs_ == 0) {
    if (PyFloat_CheckExact(result.ptr())) return PyFloat_AS_DOUBLE(result.ptr());
    // Arrays of one number are numbers to NumPy, but a mistake here.
    const bool sequence = PySequence_Check(result.ptr()) != 0 && py::len_hint(result) > 0;
    const double number = sequence ? -1.0 : PyFloat_AsDouble(result.ptr());
    if (!sequence && (number != -1.0 || PyErr_Occurred() == nullptr)) return number;
    wrong_shape(result, 0, 0);
    fail(x);
    return not_a_number;
  }
  values_.numbers.resize(outputs_);
  values_.arguments.assign(x.begin(), x.end());
  if (read(result, 0, outputs_, values_.numbers.data())) return values_.numbers[output];
  fail(x);
  return not_a_number;
}

void PythonFunction::gradient(Arguments x, std::size_t output, std::span<double> out) {
  std::fill(out.begin(), out.end(), not_a_number);
  if (state_.failed()) return;
  const HeldGil gil;
  const std::size_t n = x.size();
  if (!(outputs_ > 0 && gradients_.holds(x))) {
    py::object result;
    if (!call(derivatives_, x, result)) return;
    gradients_.numbers.resize(std::max<std::size_t>(1, outputs_) * n);
    gradients_.arguments.assign(x.begin(), x.end());
    if (!read(result, outputs_, n, gradients_.numbers.data())) {
      fail(x);
      return;
    }
  }
  std::copy_n(gradients_.numbers.data() + output * n, n, out.begin());
}

FunctionSet::FunctionSet(const py::list& functions, CallbackState& state) {
  for (const py::handle each : functions) {
    const auto parts = py::cast<py::tuple>(each);
    Entry entry{.name = py::cast<std::string>(parts[0]),
                .count = py::cast<std::optional<std::size_t>>(parts[3]),
                .outputs = py::cast<std::vector<std::string>>(parts[4]),
                .function = nullptr};
    entry.function = std::make_unique<PythonFunction>(entry.name, parts[1], parts[2],
                                                      entry.outputs.size(), state);
    entries_.push_back(std::move(entry));
  }
}

void FunctionSet::add_to(model::Description& description) const {
  for (const Entry& entry : entries_) {
    PythonFunction* function = entry.function.get();
    const std::size_t outputs = std::max<std::size_t>(1, entry.outputs.size());
    for (std::size_t i = 0; i < outputs; ++i) {
      const std::string name =
          entry.outputs.empty() ? entry.name : fmt::format("{}.{}", entry.name, entry.outputs[i]);
      const auto value = [function, i](PythonFunction::Arguments x) {
        return function->value(x, i);
      };
      expression::UserFunction::Fill gradient;
      if (function->has_derivatives()) {
        gradient = [function, i](PythonFunction::Arguments x, std::span<double> out) {
          function->gradient(x, i, out);
        };
      }
      description.add_function({name, entry.count, value, gradient});
    }
  }
}

}  // namespace trammel::python
