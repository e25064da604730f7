#include "errors.h"

#include <exception>

namespace trammel::python {
namespace py = pybind11;
namespace {

py::object class_named(const char* name) {
  return py::module_::import("trammel.errors").attr(name);
}

void raise(const char* name, const py::object& error) {
  PyErr_SetObject(class_named(name).ptr(), error.ptr());
}

}  // namespace

py::list to_python(const std::vector<core::Diagnostic>& diagnostics) {
  const py::object type = class_named("Diagnostic");
  py::list list;
  for (const core::Diagnostic& each : diagnostics) {
    const char* severity = each.severity == core::Severity::error ? "error" : "warning";
    list.append(type(severity, each.path, each.message, each.remedy, each.file, each.line,
                     each.column, core::to_string(each)));
  }
  return list;
}

void translate_errors() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const core::InputError& error) {
      raise("InputError", class_named("InputError")(error.what(), to_python(error.diagnostics())));
    } catch (const core::RunError& error) {
      raise("RunError", class_named("RunError")(error.what(), error.remedy()));
    }
  });
}

}  // namespace trammel::python
