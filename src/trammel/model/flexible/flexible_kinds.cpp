#include "trammel/model/flexible/flexible_kinds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/model/flexible/ancf.h"
#include "trammel/model/flexible/floating.h"
#include "trammel/model/flexible/inertial.h"

namespace trammel::model {
namespace {

constexpr int most_elements = 100'000;

std::vector<FlexibleKind> all_flexible_kinds() {
  return {inertial_frame(), ancf(), floating_frame()};
}

/// One for all of a body, whose nodes would be coloured one by one.
std::string default_color(std::size_t number) {
  constexpr std::array colors{"#5ea5a8", "#d9a54a", "#8f86b5", "#c97b6b", "#6f93b8", "#7fab86"};
  return colors.at(number % colors.size());
}

class FlexibleCheck {
 public:
  FlexibleCheck(const FlexibleBody& body, core::Diagnostics& diagnostics)
      : body_(body), diagnostics_(diagnostics), path_("flexible." + body.name) {}

  void run(Space space) {
    const FlexibleKind* kind = find_flexible_kind(space, body_.formulation);
    if (kind == nullptr) {
      error("formulation",
            fmt::format("there is no formulation '{}' in {} models", body_.formulation,
                        to_string(space)),
            core::suggestion(body_.formulation, flexible_formulations(space)));
    } else if (std::find(kind->elements.begin(), kind->elements.end(), body_.element) ==
               kind->elements.end()) {
      error("element", fmt::format("'{}' has no element '{}'", kind->name, body_.element),
            core::suggestion(body_.element, kind->elements));
    }
    check_extent();
    check_material();
    check_section();
    check_frames();
  }

 private:
  void error(const std::string& key, std::string message, std::string remedy) {
    diagnostics_.error(path_ + "." + key, std::move(message), std::move(remedy));
  }
  void positive(const char* key, const char* what, double value, const char* unit) {
    if (value > 0.0 && std::isfinite(value)) return;
    error(key, fmt::format("the {} is {:g} {}", what, value, unit), "give a value above zero");
  }

  void check_extent() {
    if (body_.elements < 1 || body_.elements > most_elements) {
      error("elements", fmt::format("the body has {} elements", body_.elements),
            fmt::format("give a number from 1 to {}", most_elements));
    }
    if (!body_.start.allFinite() || !body_.tip.allFinite() || !body_.velocity.allFinite() ||
        !body_.angular_velocity.allFinite()) {
      error("start", "an initial value is not finite", "give finite numbers");
    } else if (!(body_.length() > 0.0)) {
      error("tip", "start and tip are the same point: the elements have no length",
            "give two different points");
    }
  }

  void check_material() {
    const Material& material = body_.material;
    positive("material", "density", material.density, "kg/m^3");
    positive("material", "Young's modulus", material.youngs_modulus, "Pa");
    if (!(material.poissons_ratio > -1.0 && material.poissons_ratio <= 0.5)) {
      error("material", fmt::format("Poisson's ratio is {:g}", material.poissons_ratio),
            "give a value above -1 and up to 0.5");
    }
  }

  void check_section() {
    const CrossSection& section = body_.section;
    positive("section", "area", section.area, "m^2");
    if (body_.element == "bar") return;
    positive("section", "second moment of area", section.second_moment, "m^4");
    positive("section", "shear factor", section.shear_factor, "");
  }

  void check_frames() {
    std::set<std::string> names;
    for (int k = 0; k <= body_.elements; ++k) {
      names.insert(node_name(body_, k).substr(body_.name.size() + 1));
    }
    for (const FlexibleFrame& frame : body_.frames) {
      const std::string key = "frames." + frame.name;
      if (is_drawn_name(frame.name)) {
        error(key,
              fmt::format("frames called '{}' are those by which the line is drawn", frame.name),
              "choose another name");
      }
      if (!names.insert(frame.name).second) {
        error(key, fmt::format("the name '{}' is used twice", frame.name),
              "choose another one; nodes are called start, node_1 ... and tip");
      }
      if (!(frame.along >= 0.0 && frame.along <= 1.0)) {
        error(key + ".along", fmt::format("{:g} is not along the body", frame.along),
              "give a share of its length from 0 (start) to 1 (tip)");
      }
      if (!frame.position.allFinite()) {
        error(key, "the position is not finite", "give finite numbers");
      }
    }
  }

  const FlexibleBody& body_;
  core::Diagnostics& diagnostics_;
  std::string path_;
};

}  // namespace

std::string node_name(const FlexibleBody& body, int k) {
  if (k == 0) return body.name + ".start";
  if (k == body.elements) return body.name + ".tip";
  return fmt::format("{}.node_{}", body.name, k);
}

std::string element_name(const FlexibleBody& body, int k) {
  return fmt::format("{}.element_{}", body.name, k + 1);
}

std::string drawn_name(int k) {
  return fmt::format("line_{}", k);
}

bool is_drawn_name(std::string_view name) {
  return name.rfind("line_", 0) == 0;
}

const std::vector<FlexibleKind>& flexible_kinds() {
  static const std::vector<FlexibleKind> list = all_flexible_kinds();
  return list;
}

const FlexibleKind* find_flexible_kind(Space space, std::string_view name) {
  const auto& kinds = flexible_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const FlexibleKind& kind) {
    return kind.space == space && kind.name == name;
  });
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string> flexible_formulations(Space space) {
  std::vector<std::string> names;
  for (const FlexibleKind& kind : flexible_kinds()) {
    if (kind.space == space) names.push_back(kind.name);
  }
  return names;
}

std::vector<std::string> flexible_elements(Space space) {
  std::vector<std::string> names;
  for (const FlexibleKind& kind : flexible_kinds()) {
    if (kind.space != space) continue;
    for (const std::string& element : kind.elements) {
      if (std::find(names.begin(), names.end(), element) == names.end()) names.push_back(element);
    }
  }
  return names;
}

void check(const FlexibleBody& body, Space space, core::Diagnostics& diagnostics) {
  FlexibleCheck(body, diagnostics).run(space);
}

void add_flexible_body(FlexibleBody body, Description& description) {
  core::Diagnostics diagnostics;
  check(body, description.space, diagnostics);
  diagnostics.throw_if_errors();
  if (body.color.empty()) body.color = default_color(description.flexible_bodies.size());
  find_flexible_kind(description.space, body.formulation)->build(body, description);
  description.flexible_bodies.push_back(std::move(body));
}

}  // namespace trammel::model
