#include "trammel/model/forces/gravity_field.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::model {
namespace {

constexpr core::Dimension acceleration = core::dimension::acceleration;

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

// x, y and z as words of their own become "<body>.mass_center.x" ...
std::string placed(const std::string& formula, const std::string& body) {
  std::string result;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const char c = formula[i];
    const bool alone = (i == 0 || !in_word(formula[i - 1])) &&
                       (i + 1 == formula.size() || !in_word(formula[i + 1]));
    if (c >= 'x' && c <= 'z' && alone) {
      result += fmt::format("{}.mass_center.{}", body, c);
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<const Body*> chosen_bodies(const Item& item, const Description& description) {
  std::vector<const Body*> list;
  if (!has(item.values, "bodies")) {
    for (const Body& body : description.bodies) list.push_back(&body);
    return list;
  }
  for (const std::string& name : texts(item.values, "bodies")) {
    const auto found = std::find_if(description.bodies.begin(), description.bodies.end(),
                                    [&](const Body& body) { return body.name == name; });
    if (found == description.bodies.end()) {
      std::vector<std::string> names;
      for (const Body& body : description.bodies) names.push_back(body.name);
      throw core::InputError(fmt::format("there is no body '{}'", name),
                             core::suggestion(name, names));
    }
    list.push_back(&*found);
  }
  return list;
}

const char* const field_axes[] = {"x", "y", "z"};

LawText force_component(const Body& body, int axis, const std::string& formula) {
  return {.along = fmt::format("{}.mass_center.{}", body.name, field_axes[axis]),
          .formula = fmt::format("({:.17g} kg)*({})", body.mass.mass, formula),
          .quantity = fmt::format("{}.{}", body.name, field_axes[axis]),
          .dimension = core::dimension::force};
}

LawSet field_laws(const Item& item, const Description& description) {
  LawSet set;
  const int axes = description.space == Space::planar ? 2 : 3;
  for (const Body* body : chosen_bodies(item, description)) {
    std::string potential;
    if (has(item.values, "potential")) {
      potential = fmt::format("({:.17g} kg)*({})", body->mass.mass,
                              placed(text(item.values, "potential"), body->name));
    }
    for (int axis = 0; axis < axes; ++axis) {
      const std::string name = std::string("field_") + field_axes[axis];
      if (!has(item.values, name)) continue;
      set.laws.push_back(force_component(*body, axis, placed(text(item.values, name), body->name)));
      // The energy of a body belongs to all its components: it is booked once.
      set.laws.back().potential = std::exchange(potential, {});
    }
  }
  if (set.laws.empty()) {
    throw core::InputError("no component of the field is given", "give field_x, field_y ...");
  }
  return set;
}

LawSet central_laws(const Item& item, const Description& description) {
  LawSet set;
  const int axes = description.space == Space::planar ? 2 : 3;
  const Eigen::Vector3d center = vector(item.values, "center");
  const double strength = number(item.values, "strength");
  for (const Body* body : chosen_bodies(item, description)) {
    std::string square;
    std::vector<std::string> offsets;
    for (int axis = 0; axis < axes; ++axis) {
      offsets.push_back(fmt::format("(1*{}.mass_center.{} - {:.17g}*1)", body->name,
                                    field_axes[axis], center[axis]));
      square += (axis == 0 ? "" : " + ") + offsets.back() + "^2";
    }
    for (int axis = 0; axis < axes; ++axis) {
      const std::string formula = fmt::format("({:.17g})*{}/({})^1.5", -strength,
                                              offsets[static_cast<std::size_t>(axis)], square);
      set.laws.push_back(force_component(*body, axis, formula));
    }
    set.laws[set.laws.size() - static_cast<std::size_t>(axes)].potential =
        fmt::format("({:.17g})/sqrt({})", -strength * body->mass.mass, square);
  }
  return set;
}

Field bodies_field() {
  return {.name = "bodies",
          .kind = FieldKind::quantities,
          .description = "names of the bodies it acts on; all when left out",
          .optional = true};
}

}  // namespace

ForceKind gravity_field(Space space) {
  std::vector<Field> fields;
  for (int axis = 0; axis < (space == Space::planar ? 2 : 3); ++axis) {
    fields.push_back(Field{.name = std::string("field_") + field_axes[axis],
                           .kind = FieldKind::formula,
                           .dimension = acceleration,
                           .description = "acceleration along the world axis; x, y, z are the "
                                          "body's centre of mass",
                           .optional = true,
                           .variables = {"x", "y", "z"}});
  }
  fields.push_back(Field{.name = "potential",
                         .kind = FieldKind::formula,
                         .dimension = core::dimension::velocity * core::dimension::velocity,
                         .description = "energy per mass whose negative gradient the field is",
                         .optional = true,
                         .variables = {"x", "y", "z"}});
  fields.push_back(bodies_field());
  return {.name = "gravity_field",
          .space = space,
          .summary = "gravity by formulas of the place, on all or chosen bodies",
          .fields = std::move(fields),
          .mirroring = not_mirrored("its field stands in the world, not in the copy"),
          .attachments = 0,
          .laws = field_laws,
          .has_local_names = true};
}

ForceKind central_gravity(Space space) {
  constexpr core::Dimension volume =
      core::dimension::length * core::dimension::length * core::dimension::length;
  return {.name = "central_gravity",
          .space = space,
          .summary = "pull of a point mass at a fixed place, on all or chosen bodies",
          .fields = {Field{.name = "strength",
                           .dimension = volume / (core::dimension::time * core::dimension::time),
                           .description = "G M of the attracting mass",
                           .sign = Sign::positive},
                     Field{.name = "center",
                           .kind = FieldKind::vector,
                           .dimension = core::dimension::length,
                           .description = "where it is, world axes",
                           .fallback = Eigen::Vector3d(Eigen::Vector3d::Zero())},
                     bodies_field()},
          .mirroring = not_mirrored("its field stands in the world, not in the copy"),
          .attachments = 0,
          .laws = central_laws,
          .has_local_names = true};
}

}  // namespace trammel::model
