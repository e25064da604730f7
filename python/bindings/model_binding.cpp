#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "errors.h"
#include "model_handle.h"
#include "parts.h"
#include "vocabulary.h"
#include <pybind11/stl.h>

#include "trammel/core/names.h"
#include "trammel/expression/compile.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/format_model.h"
#include "trammel/io/include_files.h"
#include "trammel/io/keys.h"
#include "trammel/io/text_file.h"
#include "trammel/results/output_file.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

// ---- the tree of a file as Python objects

py::object scalar(const io::Node& node) {
  const std::string& text = node.text;
  if (node.quoted || text.empty()) return py::str(text);
  if (text == "true") return py::bool_(true);
  if (text == "false") return py::bool_(false);
  const char* end = text.data() + text.size();
  long long whole = 0;
  if (const auto read = std::from_chars(text.data(), end, whole);
      read.ec == std::errc{} && read.ptr == end) {
    return py::int_(whole);
  }
  double number = 0.0;
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc{} && read.ptr == end && std::isfinite(number)) {
    return py::float_(number);
  }
  return py::str(text);
}

// Nesting is limited by the parser.
py::object node_to_python(const io::Node& node) {  // NOLINT(misc-no-recursion)
  const io::Node& here = io::resolved(node);
  if (here.kind == io::NodeKind::scalar) return scalar(here);
  if (here.kind == io::NodeKind::map) {
    py::dict map;
    for (const io::Entry& entry : here.entries)
      map[py::str(entry.key)] = node_to_python(*entry.value);
    return map;
  }
  if (here.kind == io::NodeKind::sequence) {
    py::list list;
    for (const io::Entry& entry : here.entries) list.append(node_to_python(*entry.value));
    return list;
  }
  return py::none();
}

// Included files become part of the tree.
py::object parse(std::string text, const std::string& name, bool allow_outside) {
  core::Diagnostics diagnostics;
  io::Tree tree = io::parse_tree(std::move(text), name, diagnostics);
  if (tree.root != nullptr && tree.root->kind == io::NodeKind::map) {
    io::SourceFiles files(name, allow_outside);
    io::add_included_files(tree, files, diagnostics);
  }
  diagnostics.throw_if_errors();
  py::object result = tree.root == nullptr ? py::none() : node_to_python(*tree.root);
  if (py::isinstance<py::dict>(result) && result.contains("include")) {
    result.attr("pop")("include");
  }
  return result;
}

// The files that a text includes, also over others, as far as they can be read.
std::vector<std::string> included_files(std::string text, const std::string& name) {
  io::SourceFiles files(name, true);
  try {
    core::Diagnostics diagnostics;
    io::Tree tree = io::parse_tree(std::move(text), name, diagnostics);
    if (tree.root != nullptr && tree.root->kind == io::NodeKind::map) {
      io::add_included_files(tree, files, diagnostics);
    }
  } catch (const core::InputError&) {
    // Mistakes are told when the model is checked or run.
  }
  std::vector<std::string> paths;
  for (const io::SourceFile& each : files.list()) paths.push_back(each.path);
  return paths;
}

// ---- the words of the model file

const std::vector<io::Kind>* kinds_of(const io::Vocabulary& vocabulary, const std::string& place) {
  const std::vector<std::pair<const char*, const std::vector<io::Kind>*>> lists{
      {"joints", &vocabulary.joints},          {"forces", &vocabulary.forces},
      {"couplings", &vocabulary.couplings},    {"drives", &vocabulary.drives},
      {"sensors", &vocabulary.sensors},        {"integrators", &vocabulary.integrators},
      {"simulation", &vocabulary.integrators}, {"solvers", &vocabulary.solvers}};
  for (const auto& [name, list] : lists) {
    if (place == name) return list;
  }
  return nullptr;
}

model::Space space_named(const std::string& name) {
  return name == "planar" ? model::Space::planar : model::Space::spatial;
}

using KeyRow = std::tuple<std::string, std::string, std::string, std::string>;

// Name, unit, default and meaning of every key of "bodies", "joints" ... in a space. Of sections
// with kinds those of all kinds, unless one is named.
std::vector<KeyRow> keys(const std::string& place, const std::string& in, const std::string& type) {
  const model::Space space = space_named(in);
  const auto& top = io::find_section("model").keys;
  std::vector<io::Key> list = io::keys_in(top, space);
  if (place != "model") {
    list = io::keys_in(io::find_section(io::find_key(top, place).section).keys, space);
    const io::Vocabulary vocabulary = cli::full_vocabulary();
    if (const auto* kinds = kinds_of(vocabulary, place)) {
      for (const io::Kind& kind : *kinds) {
        if (kind.space.value_or(space) != space || (!type.empty() && kind.name != type)) continue;
        for (const model::Field& field : kind.fields) list.push_back(io::key_of(field, space));
      }
    }
  }
  std::vector<KeyRow> rows;
  for (const io::Key& key : list) {
    rows.emplace_back(key.name, io::unit_of(key), key.fallback, key.description);
  }
  return rows;
}

py::list kinds(const std::string& place) {
  const io::Vocabulary vocabulary = cli::full_vocabulary();
  const auto* list = kinds_of(vocabulary, place);
  py::list result;
  if (list == nullptr) return result;
  for (const io::Kind& kind : *list) {
    std::vector<KeyRow> fields;
    const model::Space space = kind.space.value_or(model::Space::spatial);
    for (const model::Field& field : kind.fields) {
      const io::Key key = io::key_of(field, space);
      fields.emplace_back(key.name, io::unit_of(key), key.fallback, key.description);
    }
    result.append(py::make_tuple(kind.name, kind.summary,
                                 kind.space ? py::cast(model::to_string(*kind.space)) : py::none(),
                                 fields));
  }
  return result;
}

std::pair<double, std::string> quantity(const std::string& text) {
  try {
    const expression::Quantity found = expression::evaluate(text, expression::Scope{});
    return {found.value, core::si_unit(found.dimension)};
  } catch (const expression::ExpressionError& error) {
    throw core::InputError({expression::to_diagnostic(error, text, {})});
  }
}

std::shared_ptr<ModelHandle> read_model(std::string text,
                                        const std::string& name,
                                        const io::Overrides& overrides,
                                        bool allow_outside) {
  return std::make_shared<ModelHandle>(io::read_model_text(
      std::move(text), name, cli::full_vocabulary(), {overrides, allow_outside}));
}

}  // namespace

model::Description described(const ModelHandle& model, const FunctionSet& functions) {
  model::Description description = model.description;
  functions.add_to(description);
  return description;
}

std::unique_ptr<model::ModelSystem> compile(const ModelHandle& model,
                                            const model::Description& description,
                                            formulation::HingeDrives drives) {
  try {
    return formulation::compile_model(description, drives).system;
  } catch (const core::InputError& mistakes) {
    std::vector<core::Diagnostic> located = mistakes.diagnostics();
    for (core::Diagnostic& diagnostic : located) model.locate(diagnostic);
    throw core::InputError(std::move(located));
  }
}

void bind_model(py::module_& module) {
  py::class_<ModelHandle, std::shared_ptr<ModelHandle>>(module, "ModelHandle")
      .def_property_readonly("name", [](const ModelHandle& m) { return m.description.name; })
      .def_property_readonly("warnings",
                             [](const ModelHandle& m) { return to_python(m.warnings); });
  module.def("read", &read_model, py::arg("text"), py::arg("name"),
             py::arg("overrides") = io::Overrides{}, py::arg("allow_outside") = false);
  module.def("parse", &parse, py::arg("text"), py::arg("name"), py::arg("allow_outside") = false);
  module.def("format", &io::format_model, py::arg("text"), py::arg("name") = "model");
  module.def(
      "write_model",
      [](const std::string& path, const std::string& text, bool overwrite,
         const std::vector<std::string>& inputs) {
        results::check_output_path(path, results::FileKind::model, overwrite,
                                   {inputs.begin(), inputs.end()});
        results::write_whole(path, results::FileKind::model, text, overwrite);
      },
      py::arg("path"), py::arg("text"), py::arg("overwrite"), py::arg("inputs"));
  module.def("read_text", &io::read_text_file, py::arg("path"));
  module.def("included_files", &included_files, py::arg("text"), py::arg("name"));
  module.def("keys", &keys, py::arg("place"), py::arg("space"), py::arg("type") = "");
  module.def("kinds", &kinds, py::arg("place"));
  module.def("quantity", &quantity, py::arg("text"));
  module.def("suggestion", &core::suggestion, py::arg("word"), py::arg("known"));
}

}  // namespace trammel::python
