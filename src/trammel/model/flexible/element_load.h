// What elements of planar bars and beams let people see.
#pragma once

#include <vector>

#include "trammel/model/force.h"

namespace trammel::model {

/// By which whoever watches runs finds these numbers among the channels.
inline constexpr const char* strain_description = "of the centre line, at the middle";
inline constexpr const char* turn_description =
    "largest turn of its sections against the floating frame";

/// Stress resultants of an element. The moment is E I times the curvature, positive when the centre
/// line turns to the left; the shear force is its slope.
struct ElementLoad {
  double strain = 0.0;       ///< of the centre line, at the middle
  double axial_force = 0.0;  ///< N, at the middle
  double moment_start = 0.0;
  double moment_end = 0.0;
  double shear_force = 0.0;
  double energy = 0.0;  ///< stored, J
};

inline std::vector<Quantity> load_quantities(bool is_bar) {
  std::vector<Quantity> list{{"strain", "", "", strain_description},
                             {"axial_force", "N", "", "at the middle, positive when it pulls"},
                             {"energy", "J", "", "stored by deformation"}};
  if (is_bar) return list;
  list.push_back({"moment_start", "N m", "", "of bending, at the end towards the start"});
  list.push_back({"moment_end", "N m", "", "of bending, at the end towards the tip"});
  list.push_back({"shear_force", "N", "", "slope of the moment"});
  return list;
}

inline void write_load(const ElementLoad& load, bool is_bar, double* values) {
  values[0] = load.strain;
  values[1] = load.axial_force;
  values[2] = load.energy;
  if (is_bar) return;
  values[3] = load.moment_start;
  values[4] = load.moment_end;
  values[5] = load.shear_force;
}

}  // namespace trammel::model
