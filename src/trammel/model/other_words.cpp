#include "trammel/model/other_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "trammel/core/names.h"

namespace trammel::model {
namespace {

struct OtherWord {
  std::string_view word;
  std::string_view kind;
};

// A word may mean a joint in one section and a force in another: the known kinds decide.
constexpr std::array words{
    OtherWord{"pin", "revolute"},
    OtherWord{"hinge", "revolute"},
    OtherWord{"pivot", "revolute"},
    OtherWord{"translational", "prismatic"},
    OtherWord{"translation", "prismatic"},
    OtherWord{"slider", "prismatic"},
    OtherWord{"sliding", "prismatic"},
    OtherWord{"weld", "fixed"},
    OtherWord{"rigid", "fixed"},
    OtherWord{"rod", "distance"},
    OtherWord{"link", "distance"},
    OtherWord{"ball", "spherical"},
    OtherWord{"ball_joint", "spherical"},
    OtherWord{"cardan", "universal"},
    OtherWord{"hooke", "universal"},
    OtherWord{"homokinetic", "constant_velocity"},
    OtherWord{"cv", "constant_velocity"},
    OtherWord{"helical", "screw"},
    OtherWord{"lead_screw", "screw"},
    OtherWord{"slot", "pin_in_slot"},
    OtherWord{"inline", "point_on_line"},
    OtherWord{"inplane", "point_on_plane"},
    OtherWord{"cam", "cam_roller"},
    OtherWord{"floating", "free"},
    OtherWord{"load", "force"},
    OtherWord{"moment", "torque"},
    OtherWord{"damper", "spring"},
    OtherWord{"spring_damper", "spring"},
    OtherWord{"shock_absorber", "spring"},
    OtherWord{"torsion_spring", "rotational_spring"},
    OtherWord{"torsional_spring", "rotational_spring"},
    OtherWord{"rotational_damper", "rotational_spring"},
    OtherWord{"motor", "dc_motor"},
    OtherWord{"servo", "position_servo"},
    OtherWord{"cylinder", "hydraulic_cylinder"},
    OtherWord{"hydraulic", "hydraulic_cylinder"},
    OtherWord{"rubber_mount", "bushing"},
    OtherWord{"mount", "bushing"},
    OtherWord{"gas_strut", "gas_spring"},
    OtherWord{"end_stop", "coordinate_stop"},
    OtherWord{"stop", "coordinate_stop"},
    OtherWord{"friction", "joint_friction"},
    OtherWord{"floor", "plane_contact"},
    OtherWord{"contact", "plane_contact"},
    OtherWord{"tyre", "tyre_spring"},
    OtherWord{"tire", "tyre_spring"},
    OtherWord{"controller", "pid"},
    OtherWord{"nonlinear_spring", "table_spring"},
    OtherWord{"rk45", "dormand-prince"},
    OtherWord{"dopri5", "dormand-prince"},
    OtherWord{"ode45", "dormand-prince"},
    OtherWord{"chung-hulbert", "generalized-alpha"},
    OtherWord{"trapezoidal", "newmark"},
    OtherWord{"bossak", "wbz"},
    OtherWord{"gear", "bdf"},
    OtherWord{"ida", "bdf"},
    OtherWord{"dassl", "bdf"},
    OtherWord{"abm", "adams"},
    OtherWord{"runge-kutta", "rk4"},
};

struct Elsewhere {
  std::string_view word;
  std::string_view where;
};

constexpr std::array elsewhere{
    Elsewhere{"motor",
              "a motor with a given motion belongs under 'drives', one with a voltage is the force "
              "'dc_motor'; the joint it turns is a 'revolute'"},
    Elsewhere{"actuator", "actuators are forces: put it under 'forces'"},
    Elsewhere{"spring", "springs and dampers are forces: put it under 'forces'"},
    Elsewhere{"damper",
              "springs and dampers are forces: put it under 'forces', with type 'spring'"},
    Elsewhere{"bushing", "bushings are forces: put it under 'forces'"},
    Elsewhere{"contact", "contacts are forces: put it under 'forces'"},
    Elsewhere{"friction", "friction is a force: put it under 'forces'"},
    Elsewhere{"gear", "gears are couplings of two angles: put it under 'couplings'"},
    Elsewhere{"belt", "belts are couplings of two angles: put it under 'couplings'"},
    Elsewhere{"rack_and_pinion",
              "a rack is a coupling of an angle and a way: put it under "
              "'couplings'"},
    Elsewhere{"torque", "torques are forces: put it under 'forces'"},
    Elsewhere{"force", "put it under 'forces'"},
};

std::string plain_word(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c == ' ' || c == '-' ? '_' : static_cast<char>(std::tolower(c));
  });
  return text;
}

bool contains(const std::vector<std::string>& known, std::string_view name) {
  return std::find(known.begin(), known.end(), name) != known.end();
}

}  // namespace

std::vector<std::string> other_words(std::string_view kind) {
  std::vector<std::string> list;
  for (const OtherWord& each : words) {
    if (each.kind == kind) list.emplace_back(each.word);
  }
  return list;
}

std::string meaning(std::string_view word, const std::vector<std::string>& known) {
  const std::string text = plain_word(word);
  for (const OtherWord& each : words) {
    if (plain_word(each.word) == text && contains(known, each.kind)) return std::string(each.kind);
  }
  return {};
}

std::string kind_suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (const std::string kind = meaning(word, known); !kind.empty()) {
    return fmt::format("did you mean '{}'?", kind);
  }
  if (core::nearest_name(word, known).empty()) {
    const std::string text = plain_word(word);
    for (const Elsewhere& each : elsewhere) {
      if (each.word == text) return std::string(each.where);
    }
  }
  return core::suggestion(word, known);
}

}  // namespace trammel::model
