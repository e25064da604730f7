// Sensors: named quantities for formulas and outputs.
//     distance      |p_b - p_a|
//     displacement  s_a . (p_b - p_a), s an axis of the first frame
//     angle         of frame b against frame a about an axis of frame a
//     euler_angle   one of the three angles of a sequence of turns, see euler_coordinate.h
//     frame         all of the motion of frame b as seen from frame a, see frame_motion.h
//     formula       of any channels: accelerations, reactions, loads ...; outputs only
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

SensorKind distance_sensor();
SensorKind displacement_sensor();
SensorKind planar_angle_sensor();
SensorKind spatial_angle_sensor();
SensorKind euler_angle_sensor();
SensorKind frame_sensor();
SensorKind formula_sensor();

}  // namespace trammel::model
