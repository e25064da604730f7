// What a kinematic connection was reduced to.
#pragma once

#include <string>
#include <vector>

namespace trammel::model {

struct KinematicReduction {
  std::string connection;
  std::string joint;                   ///< kind of the catalogue that does the same; or empty
  std::string obstacle;                ///< why there is none
  int freedoms = 0;                    ///< that it leaves between its bodies
  int idle = 0;                        ///< freedoms of internal nodes that no body feels
  int rows = 0;                        ///< holonomic constraint rows between the bodies
  int velocity_rows = 0;               ///< nonholonomic ones
  std::vector<std::string> nodes;      ///< internal ones
  std::vector<std::string> redundant;  ///< rows that say nothing new, by element and row
};

}  // namespace trammel::model
