#include "trammel/model/forces/distributed_load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "trammel/expression/compile.h"
#include "trammel/expression/scanner.h"
#include "trammel/math/rotation.h"
#include "trammel/model/forces/formula_text.h"
#include "trammel/model/forces/quadrature.h"

namespace trammel::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

const std::array<const char*, 3> axis_names{"x", "y", "z"};
constexpr const char* surface_kind = "surface_load";
constexpr const char* volume_kind = "volume_load";

bool is_distributed(const Item& item) {
  return item.type == surface_kind || item.type == volume_kind;
}

std::vector<LoadPoint> load_points(Space space, const Item& item) {
  return item.type == surface_kind ? surface_points(space, item.values)
                                   : volume_points(space, item.values);
}

template <class Bodies>
auto* body_of(const Item& item, Bodies& bodies) {
  const auto find = [&](std::string_view name) {
    const auto found = std::find_if(bodies.begin(), bodies.end(),
                                    [&](const Body& body) { return body.name == name; });
    return found == bodies.end() ? nullptr : &*found;
  };
  const Attachment parts =
      split_attachment(item.attachments.front(), [&](auto name) { return find(name) != nullptr; });
  return find(parts.body);
}

// By number: names of items may have dots, those of frames have none.
std::string frame_name(const Item& item, const Description& description, std::size_t point) {
  const auto& list = description.forces;
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Item& each) { return each.name == item.name; });
  return fmt::format("load_{}_point_{}", found - list.begin() + 1, point);
}

// The load's frame in its body.
Frame load_frame(const Item& item, const Body& body) {
  Frame frame;
  if (item.at) {
    frame.rotation = body.orientation.normalized().conjugate();
    frame.position = frame.rotation * (*item.at - body.position);
    return frame;
  }
  const std::string& attachment = item.attachments.front();
  if (attachment == body.name) return frame;
  const std::string_view name = std::string_view(attachment).substr(body.name.size() + 1);
  return *std::find_if(body.frames.begin(), body.frames.end(),
                       [&](const Frame& each) { return each.name == name; });
}

void add_frames(const Item& item,
                const Description& description,
                const Frame& base,
                std::vector<Frame>& frames) {
  const Space space = description.space;
  const std::vector<LoadPoint> points = load_points(space, item);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const LoadPoint& point = points[k];
    Frame frame{frame_name(item, description, k + 1), base.position + base.rotation * point.place,
                base.rotation};
    frames.push_back(frame);
    frame.name += "_n";
    if (space == Space::planar) {
      // About z alone, also for opposite directions.
      const double angle = std::atan2(-point.normal.x(), point.normal.y());
      frame.rotation = base.rotation * Eigen::AngleAxisd(angle, Vector3d::UnitZ());
    } else {
      frame.rotation = base.rotation * math::shortest_rotation(Vector3d::UnitZ(), point.normal);
    }
    if (item.type == surface_kind) frames.push_back(frame);
  }
}

// ---- formulas of one point

class PointText {
 public:
  PointText(const Item& item,
            const Description& description,
            const Body& body,
            std::size_t number,
            LoadPoint point)
      : space_(description.space),
        surface_(item.type == surface_kind),
        name_(body.name + "." + frame_name(item, description, number)),
        point_(std::move(point)) {}

  const std::string& name() const { return name_; }
  std::string normal_name() const { return name_ + "_n"; }
  const LoadPoint& point() const { return point_; }
  std::string weight() const {
    const int power = (space_ == Space::planar ? 1 : 2) + (surface_ ? 0 : 1);
    return fmt::format("({:.17g} m^{})", point_.weight, power);
  }

  /// The user's formula here.
  std::string placed(const std::string& formula) const {
    return fmt::format("({})", expression::with_names_replaced(formula, [&](std::string_view name) {
                         return replacement(name);
                       }));
  }

 private:
  std::string replacement(std::string_view name) const {
    const bool planar = space_ == Space::planar;
    const auto last = static_cast<std::size_t>(name.back() - 'x');
    const bool is_axis = last < (planar ? 2U : 3U);
    if (name.size() == 1 && is_axis) return fmt::format("{}.position.{}", name_, name);
    if (name.size() == 1 && name >= "u" && name <= "w") {
      return fmt::format("({:.17g} m)", point_.place[name[0] - 'u']);
    }
    if (name.size() == 2 && name[0] == 'v' && is_axis) {
      return fmt::format("{}.velocity.{}", name_, name[1]);
    }
    if (!surface_ || name.size() != 2) return std::string(name);
    if (name == "vn") {
      return fmt::format("{}.own_velocity.{}", normal_name(), planar ? 'y' : 'z');
    }
    if (name[0] != 'n' || !is_axis) return std::string(name);
    if (!planar) return fmt::format("{}.rotation.{}z", normal_name(), name[1]);
    return name[1] == 'x' ? fmt::format("(-sin({}.angle))", normal_name())
                          : fmt::format("(cos({}.angle))", normal_name());
  }

  Space space_;
  bool surface_;
  std::string name_;
  LoadPoint point_;
};

// Formulas of kinds with local names are used as they are written; a plain number is in SI units.
std::string with_unit(const std::string& formula, const core::Dimension& dimension) {
  try {
    const expression::Quantity plain = expression::evaluate(formula, expression::Scope{});
    if (plain.dimension == core::dimension::none) {
      return fmt::format("{:.17g} {}", plain.value, core::si_unit(dimension));
    }
  } catch (const expression::ExpressionError&) {
    return formula;  // not a number: it names something, or is wrong and told with the law
  }
  return formula;
}

core::Dimension intensity(Space space, bool is_surface) {
  core::Dimension extent = core::dimension::length;
  if (space == Space::spatial) extent = extent * core::dimension::length;
  if (!is_surface) extent = extent * core::dimension::length;
  return core::dimension::force / extent;
}

// ---- laws

LawSet pressure_laws(const Item& item, const Description& description, const Body& body) {
  LawSet set;
  const Space space = description.space;
  const std::vector<LoadPoint> points = load_points(space, item);
  const std::string pressure = with_unit(text(item.values, "pressure"), intensity(space, true));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PointText point(item, description, body, k + 1, points[k]);
    const std::string load = fmt::format("{}*{}", point.weight(), point.placed(pressure));
    set.laws.push_back({.along = fmt::format("{}.own_velocity.{}", point.normal_name(),
                                             space == Space::planar ? 'y' : 'z'),
                        .formula = "-" + load,
                        .dimension = core::dimension::force});
  }
  return set;
}

LawSet component_laws(const Item& item, const Description& description, const Body& body) {
  LawSet set;
  const Space space = description.space;
  const int axes = space == Space::planar ? 2 : 3;
  const bool world = text(item.values, "axes") == "world";
  const char* const prefix = item.type == surface_kind ? "traction_" : "force_";
  const std::vector<LoadPoint> points = load_points(space, item);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PointText point(item, description, body, k + 1, points[k]);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(axes); ++axis) {
      const std::string field = std::string(prefix) + axis_names[axis];
      if (!has(item.values, field)) continue;
      const std::string formula =
          with_unit(text(item.values, field), intensity(space, item.type == surface_kind));
      const std::string load = fmt::format("{}*{}", point.weight(), point.placed(formula));
      set.laws.push_back(
          {.along = fmt::format("{}.{}.{}", point.name(), world ? "position" : "own_velocity",
                                axis_names[axis]),
           .formula = load,
           .dimension = core::dimension::force});
    }
  }
  return set;
}

bool has_components(const Item& item) {
  return std::any_of(axis_names.begin(), axis_names.end(), [&](const char* axis) {
    return has(item.values, std::string("traction_") + axis) ||
           has(item.values, std::string("force_") + axis);
  });
}

const Body& loaded_body(const Item& item, const Description& description) {
  const Body* body = body_of(item, description.bodies);
  if (body == nullptr) {
    throw core::InputError("a load on the ground moves nothing", "name a body or a frame on it");
  }
  if (body->kind == BodyKind::point) {
    throw core::InputError(fmt::format("the point mass '{}' has no extent", body->name),
                           "use a force, or make it a rigid body");
  }
  return *body;
}

LawSet surface_laws(const Item& item, const Description& description) {
  const Body& body = loaded_body(item, description);
  const bool pressure = has(item.values, "pressure");
  if (pressure == has_components(item)) {
    throw core::InputError(
        pressure ? "both a pressure and tractions are given" : "no load is given",
        pressure ? "make two loads of them" : "give 'pressure', or traction_x, traction_y ...");
  }
  return pressure ? pressure_laws(item, description, body)
                  : component_laws(item, description, body);
}

LawSet volume_laws(const Item& item, const Description& description) {
  const Body& body = loaded_body(item, description);
  if (!has_components(item)) {
    throw core::InputError("no load is given", "give force_x, force_y ...");
  }
  return component_laws(item, description, body);
}

// ---- fields

Field length_field(const char* name, const char* description) {
  return {.name = name,
          .dimension = core::dimension::length,
          .description = description,
          .sign = Sign::positive,
          .optional = true};
}

std::vector<Field> shape_fields(Space space, bool is_surface) {
  const auto& shapes = is_surface ? surface_shapes(space) : volume_shapes(space);
  std::vector<Field> fields{Field{.name = "shape",
                                  .kind = FieldKind::choice,
                                  .description = "shape about the frame's origin",
                                  .choices = shapes}};
  if (!(space == Space::planar && is_surface)) {
    fields.push_back({.name = "size",
                      .kind = FieldKind::numbers,
                      .dimension = core::dimension::length,
                      .description = "sides of a rectangle (x, y) or box (x, y, z)",
                      .sign = Sign::positive,
                      .optional = true});
    fields.push_back({.name = "inner_radius",
                      .dimension = core::dimension::length,
                      .description = "of a hole in a disc or solid cylinder",
                      .fallback = 0.0,
                      .sign = Sign::non_negative});
  }
  fields.push_back(length_field("radius", "of what is round"));
  if (!(space == Space::planar && !is_surface)) {
    fields.push_back(length_field(
        "length", space == Space::planar ? "of a segment, along x" : "of a cylinder, along z"));
  }
  if (space == Space::planar && is_surface) {
    fields.push_back({.name = "from",
                      .dimension = core::dimension::angle,
                      .description = "where an arc begins, from the x axis",
                      .fallback = 0.0});
    fields.push_back({.name = "to",
                      .dimension = core::dimension::angle,
                      .description = "where it ends",
                      .fallback = 2.0 * std::numbers::pi});
  }
  fields.push_back({.name = "order",
                    .description = "points of the quadrature a direction, 1 to 16: exact for "
                                   "polynomials of degree 2 order - 1",
                    .fallback = 3.0,
                    .sign = Sign::positive});
  return fields;
}

Field load_field(const std::string& name,
                 const core::Dimension& dimension,
                 const char* description,
                 bool is_surface) {
  std::vector<std::string> names{"x", "y", "z", "u", "v", "w", "vx", "vy", "vz"};
  if (is_surface) names.insert(names.end(), {"vn", "nx", "ny", "nz"});
  return {.name = name,
          .kind = FieldKind::formula,
          .dimension = dimension,
          .description = description,
          .optional = true,
          .variables = std::move(names)};
}

ForceKind distributed(Space space, bool is_surface) {
  std::vector<Field> fields = shape_fields(space, is_surface);
  const bool planar = space == Space::planar;
  const core::Dimension dimension = intensity(space, is_surface);
  if (is_surface) {
    fields.push_back(
        load_field("pressure", dimension, "load against the normal; a formula of the place", true));
  }
  for (std::size_t axis = 0; axis < (planar ? 2U : 3U); ++axis) {
    fields.push_back(load_field(
        std::string(is_surface ? "traction_" : "force_") + axis_names[axis], dimension,
        is_surface ? "load along the axis; a formula of the place"
                   : "force per volume (planar: area) along the axis; a formula of the place",
        is_surface));
  }
  fields.push_back({.name = "axes",
                    .kind = FieldKind::choice,
                    .description = "axes of the components: the world's, or the frame's",
                    .fallback = std::string("world"),
                    .choices = {"world", "body"}});
  return {.name = is_surface ? surface_kind : volume_kind,
          .space = space,
          .summary = is_surface ? "pressure or traction over a surface of a body"
                                : "force spread over a volume of a body",
          .fields = std::move(fields),
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 1,
          .laws = is_surface ? surface_laws : volume_laws,
          .has_local_names = true};
}

}  // namespace

ForceKind surface_load(Space space) {
  return distributed(space, true);
}

ForceKind volume_load(Space space) {
  return distributed(space, false);
}

bool has_distributed_loads(const Description& description) {
  return std::any_of(description.forces.begin(), description.forces.end(), is_distributed);
}

void place_load_points(Description& description) {
  for (const Item& item : description.forces) {
    if (!is_distributed(item)) continue;
    Body* body = body_of(item, description.bodies);
    if (body == nullptr) continue;  // refused with its laws
    const Frame base = load_frame(item, *body);
    try {
      add_frames(item, description, base, body->frames);
    } catch (const core::InputError&) {
      continue;  // the same mistake is told with its laws
    }
  }
}

}  // namespace trammel::model
