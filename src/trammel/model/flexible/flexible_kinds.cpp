#include "trammel/model/flexible/flexible_kinds.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/model/flexible/ancf.h"
#include "trammel/model/flexible/beam_shape.h"
#include "trammel/model/flexible/damping.h"
#include "trammel/model/flexible/flexible_color.h"
#include "trammel/model/flexible/floating.h"
#include "trammel/model/flexible/floating_body.h"
#include "trammel/model/flexible/geometrically_exact.h"
#include "trammel/model/flexible/inertial.h"
#include "trammel/model/flexible/spread_load.h"

namespace trammel::model {
namespace {

constexpr int most_elements = 100'000;

std::vector<FlexibleKind> all_flexible_kinds() {
  return {inertial_frame(), ancf(), floating_frame(), geometrically_exact(),
          spatial_floating_frame()};
}

/// Elements and sets of amplitudes have channels by these names.
bool is_part_name(std::string_view name) {
  const auto is = [&](std::string_view part) {
    return name.size() > part.size() && name.substr(0, part.size()) == part &&
           name.find_first_not_of("0123456789", part.size()) == std::string_view::npos;
  };
  return is("element_") || is("shape_") || is("coordinates_");
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
    if (space == Space::planar) check_arc();  // beam_line.h tells of arcs in space
    check_damping();
    check_frames();
    check_loads();
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
    check_section("section", body_.section);
    if (body_.tip_section) check_section("tip_section", *body_.tip_section);
  }
  void check_section(const char* key, const CrossSection& section) {
    positive(key, "area", section.area, "m^2");
    if (body_.element == "bar") return;
    positive(key, "second moment of area", section.second_moment, "m^4");
    positive(key, "shear factor", section.shear_factor, "");
  }

  void check_arc() {
    if (!body_.through) return;
    const bool straight = body_.element == "bar" || body_.formulation != "inertial";
    if (straight) {
      error("through",
            fmt::format("a {} in the formulation '{}' is straight",
                        body_.element == "bar" ? "bar" : "beam", body_.formulation),
            "leave 'through' out, or take beams with 'formulation: inertial'");
    }
    const double turn = std::abs(centre_line_turn(body_));
    if (!body_.through->allFinite() || *body_.through == body_.start ||
        *body_.through == body_.tip) {
      error("through", "the point is no other than start and tip",
            "give a point of the arc between them");
    } else if (!(turn < 2.0 * M_PI * (1.0 - 1e-9))) {
      error("through", "the arc closes to a circle", "give a point between start and tip");
    } else if (turn / body_.elements > 0.5 * M_PI) {
      error("elements",
            fmt::format("each element bends by {:.0f} degrees, unloaded",
                        turn / body_.elements * 180.0 / M_PI),
            "take more elements: at most 90 degrees each, better ten");
    }
  }

  void not_negative(const char* key, const char* what, double value, const char* unit) {
    if (value >= 0.0 && std::isfinite(value)) return;
    error(key, fmt::format("the {} is {:g} {}", what, value, unit),
          "give zero or a positive value");
  }
  void check_damping() {
    not_negative("viscosity", "viscosity", body_.viscosity, "s");
    not_negative("mass_damping", "damping by mass", body_.mass_damping, "1/s");
  }

  void check_loads() {
    std::set<std::string> names;
    for (const SpreadLoad& load : body_.loads) {
      const std::string key = "loads." + load.name;
      if (!names.insert(load.name).second) {
        error(key, fmt::format("the name '{}' is used twice", load.name), "choose another one");
      }
      if (!(load.from >= 0.0 && load.to <= 1.0 && load.from < load.to)) {
        error(key, fmt::format("nothing is loaded from {:g} to {:g}", load.from, load.to),
              "give shares of the length, 0 to 1, the smaller one first");
      }
      if (!load.force.allFinite() || !load.force_end.allFinite()) {
        error(key, "the load is not finite", "give finite numbers");
      }
    }
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
      if (is_part_name(frame.name)) {
        error(key,
              fmt::format("'{}.{}' is what the channels of the body's own parts are called",
                          body_.name, frame.name),
              "choose another name than element_1, shape_1 or coordinates_1");
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

/// Of its elements, which are those of the description from the first on.
void add_element_damping(const FlexibleBody& body,
                         const FlexibleKind& kind,
                         std::size_t first,
                         Description& description) {
  for (int k = 0; k < body.elements; ++k) {
    PlacedElement damped = description.elements[first + static_cast<std::size_t>(k)];
    if (body.mass_damping > 0.0) {
      damped.name = fmt::format("{}.mass_damping_{}", body.name, k + 1);
      PlacedElement placed = damped;
      placed.planar = std::make_shared<MassDamping>(damped.planar, body.mass_damping);
      description.elements.push_back(std::move(placed));
    }
    if (body.viscosity > 0.0) {
      damped.name = fmt::format("{}.viscosity_{}", body.name, k + 1);
      damped.planar = kind.damping(body, k);
      description.elements.push_back(std::move(damped));
    }
  }
}

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
  if (body.color.empty()) body.color = flexible_color(description.flexible_bodies.size());
  const FlexibleKind& kind = *find_flexible_kind(description.space, body.formulation);
  const std::size_t first = description.elements.size();
  kind.build(body, description);
  if (kind.damping != nullptr) {
    add_element_damping(body, kind, first, description);
    add_spread_loads(body, kind, description);
  }
  description.flexible_bodies.push_back(std::move(body));
}

}  // namespace trammel::model
