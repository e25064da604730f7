// What a kinematic connection was reduced to.
#pragma once

#include <string>
#include <vector>

namespace trammel::model {

struct KinematicReduction {
  std::string connection;
  std::string joint;                     ///< kind of the catalogue that does the same; or empty
  bool is_hinge = false;                 ///< whether it may be a branch of a tree
  std::vector<std::string> coordinates;  ///< of a hinge that is none of the catalogue: "pin.angle"
  std::string obstacle;                  ///< why it is no hinge
  int node_a = 0;                        ///< numbers of its bodies, the ground is 0
  int node_b = 0;
  int freedoms = 0;                    ///< that it leaves between its bodies
  int idle = 0;                        ///< freedoms of internal nodes that no body feels
  int rows = 0;                        ///< holonomic constraint rows between the bodies
  int velocity_rows = 0;               ///< nonholonomic ones
  std::vector<std::string> nodes;      ///< internal ones
  std::vector<std::string> redundant;  ///< rows that say nothing new, by element and row
};

}  // namespace trammel::model
