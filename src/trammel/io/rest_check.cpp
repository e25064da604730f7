#include "trammel/io/rest_check.h"

#include <algorithm>
#include <set>
#include <string>

#include "trammel/expression/scanner.h"
#include "trammel/model/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::io {
namespace {

using model::Item;

// Names of parts with mistakes, and of whatever names them.
class Doubtful {
 public:
  /// "joints.left.pin.axis" puts "left" in doubt, and with it all that begins with "left.".
  void add_path(const std::string& path) {
    const std::size_t dot = path.find('.');
    if (dot == std::string::npos) return;
    names_.insert(path.substr(dot + 1, path.find('.', dot + 1) - dot - 1));
  }

  bool named_in(std::string_view text) const {
    const auto names = expression::names_in(text);
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return names_.contains(std::string(name.substr(0, name.find('.'))));
    });
  }

  bool concerns(const Item& item) const {
    if (named_in(item.name)) return true;
    const auto& ends = item.attachments;
    if (std::any_of(ends.begin(), ends.end(), [&](const auto& end) { return named_in(end); })) {
      return true;
    }
    return std::any_of(item.values.begin(), item.values.end(), [&](const auto& entry) {
      if (const auto* text = std::get_if<std::string>(&entry.second)) return named_in(*text);
      const auto* list = std::get_if<std::vector<std::string>>(&entry.second);
      return list != nullptr && std::any_of(list->begin(), list->end(),
                                            [&](const auto& text) { return named_in(text); });
    });
  }

  /// Takes out what is concerned; true when something was.
  bool take_out(std::vector<Item>& items) {
    const std::size_t before = items.size();
    std::erase_if(items, [&](const Item& item) {
      if (!concerns(item)) return false;
      names_.insert(item.name.substr(0, item.name.find('.')));
      return true;
    });
    return items.size() < before;
  }

  bool take_out(model::Description& d) {
    bool changed = false;
    for (auto* items : {&d.joints, &d.forces, &d.couplings, &d.drives, &d.sensors}) {
      changed = take_out(*items) || changed;
    }
    const std::size_t states = d.states.size();
    std::erase_if(d.states, [&](const model::StateVariable& state) {
      const bool out = named_in(state.name) || named_in(state.rate);
      if (out) names_.insert(state.name);
      return out;
    });
    const std::size_t connections = d.connections.size();
    std::erase_if(d.connections, [&](const model::Connection& connection) {
      const auto concerned = [&](const Item& item) { return concerns(item); };
      const bool out =
          named_in(connection.name) ||
          std::any_of(connection.elements.begin(), connection.elements.end(), concerned);
      if (out) names_.insert(connection.name);
      return out;
    });
    return changed || d.states.size() < states || d.connections.size() < connections;
  }

 private:
  std::set<std::string> names_;
};

// A body with a mistake keeps its place and frames, with a mass that does.
void mend_bodies(const std::vector<core::Diagnostic>& mistakes, model::Description& d) {
  for (model::Body& body : d.bodies) {
    const std::string path = "bodies." + body.name;
    const bool wrong = std::any_of(mistakes.begin(), mistakes.end(), [&](const auto& mistake) {
      return mistake.path == path || mistake.path.rfind(path + ".", 0) == 0;
    });
    if (wrong) body.mass = {1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  }
}

bool is_body(const core::Diagnostic& mistake) {
  return mistake.path.rfind("bodies.", 0) == 0;
}

}  // namespace

std::vector<core::Diagnostic> mistakes_of_rest(model::Description description,
                                               const std::vector<core::Diagnostic>& known) {
  Doubtful doubtful;
  std::vector<core::Diagnostic> mistakes = known;
  // What is wrong may take others along; each pass leaves something out, or ends.
  constexpr int most_passes = 20;
  for (int i = 0; i < most_passes; ++i) {
    mend_bodies(mistakes, description);
    for (const core::Diagnostic& mistake : mistakes) {
      if (mistake.severity == core::Severity::error && !is_body(mistake)) {
        doubtful.add_path(mistake.path);
      }
    }
    while (doubtful.take_out(description)) {
    }
    core::Diagnostics left;
    model::check(description, left);
    if (!left.has_errors()) break;
    if (i + 1 == most_passes) return {};
    mistakes = left.list();
  }
  try {
    model::compile(std::move(description));
  } catch (const core::InputError& error) {
    return error.diagnostics();
  }
  return {};
}

}  // namespace trammel::io
