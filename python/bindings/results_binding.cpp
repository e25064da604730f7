#include <array>
#include <filesystem>

#include "errors.h"
#include "output_argument.h"
#include "parts.h"
#include "report_argument.h"
#include "report_text.h"
#include "results_file.h"
#include "results_handle.h"
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "trammel/report/page.h"
#include "trammel/results/reader.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

using Handle = std::shared_ptr<ResultsHandle>;

// A look at the numbers, which the array keeps alive; it cannot be written through.
py::array array_of(std::span<const double> numbers, const py::object& owner) {
  py::array_t<double> array(static_cast<py::ssize_t>(numbers.size()), numbers.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array column(const py::object& self, const std::string& name) {
  return array_of(py::cast<const ResultsHandle&>(self).table.column(name), self);
}

py::array column_at(const py::object& self, std::size_t index) {
  return array_of(py::cast<const ResultsHandle&>(self).table.column(index), self);
}

py::list channels(const ResultsHandle& results) {
  py::list list;
  for (const results::Channel& each : results.table.channels) {
    list.append(py::make_tuple(each.name, each.unit, each.frame, each.description));
  }
  return list;
}

py::dict information(const ResultsHandle& results) {
  const results::RunInformation& info = results.table.info;
  py::dict all = py::cast(info.more);
  all["model_name"] = info.model_name;
  all["model_text"] = info.model_text;
  all["method"] = info.method;
  all["software"] = info.software;
  all["started"] = info.started;
  return all;
}

// Those that stand in the results.
void take_doubts(ResultsHandle& results) {
  const report::RunNotes stored = report::notes_of(results.table.info);
  results.notes.judged = stored.judged;
  results.notes.doubts = stored.doubts;
}

std::pair<Handle, py::list> read_results(const std::string& path,
                                         const std::vector<std::string>& channels) {
  core::Diagnostics warnings;
  const std::lock_guard<std::mutex> lock(results_file_mutex());
  auto handle = std::make_shared<ResultsHandle>();
  handle->table = results::read(path, channels, &warnings);
  if (channels.empty()) cli::add_scene(handle->table.info, path, &warnings);
  take_doubts(*handle);
  return {handle, to_python(warnings.list())};
}

std::string page(const ResultsHandle& results, std::size_t budget) {
  const results::Table& table = results.table;
  return report::page(table.info.model_name,
                      report::make_pack(table, results.notes, {.budget = budget}));
}

// Everything of it, for pickle.
py::tuple state_of(const ResultsHandle& self) {
  const results::Table& table = self.table;
  const results::RunInformation& info = table.info;
  py::list columns;
  for (const std::vector<double>& each : table.columns) {
    columns.append(py::array_t<double>(static_cast<py::ssize_t>(each.size()), each.data()));
  }
  return py::make_tuple(
      channels(self),
      py::array_t<double>(static_cast<py::ssize_t>(table.time.size()), table.time.data()), columns,
      static_cast<int>(table.outcome), table.message, table.statistics,
      py::make_tuple(info.model_name, info.model_text, info.method, info.software, info.started,
                     info.more, info.scene),
      py::make_tuple(self.notes.warnings, self.notes.facts, self.notes.left_out));
}

Handle handle_of(const py::tuple& state) {
  using Numbers = std::vector<double>;
  auto handle = std::make_shared<ResultsHandle>();
  results::Table& table = handle->table;
  for (const auto& row : state[0].cast<std::vector<std::array<std::string, 4>>>()) {
    table.channels.push_back({row[0], row[1], row[2], row[3]});
  }
  const auto numbers = [](const py::handle& array) {
    const auto values = py::cast<py::array_t<double>>(array);
    return Numbers(values.data(), values.data() + values.size());
  };
  table.time = numbers(state[1]);
  for (const py::handle column : state[2].cast<py::list>()) {
    table.columns.push_back(numbers(column));
  }
  table.outcome = static_cast<results::Outcome>(state[3].cast<int>());
  table.message = state[4].cast<std::string>();
  table.statistics = state[5].cast<std::map<std::string, double>>();
  const auto info = state[6].cast<py::tuple>();
  table.info = {.model_name = info[0].cast<std::string>(),
                .model_text = info[1].cast<std::string>(),
                .method = info[2].cast<std::string>(),
                .software = info[3].cast<std::string>(),
                .started = info[4].cast<std::string>(),
                .more = info[5].cast<std::map<std::string, std::string>>(),
                .scene = info[6].cast<std::string>()};
  const auto notes = state[7].cast<py::tuple>();
  handle->notes.warnings = notes[0].cast<std::vector<std::string>>();
  handle->notes.facts = notes[1].cast<std::vector<std::pair<std::string, std::string>>>();
  handle->notes.left_out = notes[2].cast<std::size_t>();
  take_doubts(*handle);
  return handle;
}

}  // namespace

void bind_results(py::module_& module) {
  py::class_<ResultsHandle, Handle>(module, "ResultsHandle")
      .def(py::pickle(&state_of, &handle_of))
      .def("time", [](const py::object& self) { return column(self, "time"); })
      .def("column", &column, py::arg("name"))
      .def("column_at", &column_at, py::arg("index"))
      .def("channels", &channels)
      .def("select",
           [](const ResultsHandle& self, const std::vector<std::string>& patterns) {
             return self.table.select(patterns);
           })
      .def("interesting",
           [](const ResultsHandle& self) { return cli::interesting_channels(self.table.channels); })
      .def_property_readonly(
          "outcome",
          [](const ResultsHandle& self) { return results::to_string(self.table.outcome); })
      .def_property_readonly("message",
                             [](const ResultsHandle& self) { return self.table.message; })
      .def_property_readonly("statistics",
                             [](const ResultsHandle& self) { return self.table.statistics; })
      .def_property_readonly("facts", [](const ResultsHandle& self) { return self.notes.facts; })
      .def_property_readonly("judged", [](const ResultsHandle& self) { return self.notes.judged; })
      .def_property_readonly("doubts", [](const ResultsHandle& self) { return self.notes.doubts; })
      .def_property_readonly("notes", [](const ResultsHandle& self) { return self.notes.warnings; })
      .def("information", &information)
      .def("page", &page, py::arg("budget"), py::call_guard<py::gil_scoped_release>())
      .def(
          "report",
          [](const ResultsHandle& self, const std::string& path, bool overwrite) {
            report::write_report(path, self.table, self.notes, overwrite);
          },
          py::arg("path"), py::arg("overwrite"), py::call_guard<py::gil_scoped_release>())
      .def(
          "save",
          [](const ResultsHandle& self, const std::string& path, bool overwrite) {
            const std::lock_guard<std::mutex> lock(results_file_mutex());
            cli::OutputSink sink(path, overwrite);
            results::write(self.table, sink);
          },
          py::arg("path"), py::arg("overwrite"), py::call_guard<py::gil_scoped_release>());
  module.def("read_results", &read_results, py::arg("path"),
             py::arg("channels") = std::vector<std::string>{});
}

}  // namespace trammel::python
