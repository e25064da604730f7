#include "support/moved_model.h"

namespace trammel::support {

model::Description moved_away(model::Description d, const Eigen::Vector3d& offset) {
  for (model::Body& body : d.bodies) body.position += offset;
  for (model::Frame& frame : d.ground_frames) frame.position += offset;
  model::Frame here;
  here.name = "here";
  here.position = offset;
  d.ground_frames.push_back(here);
  for (auto* items : {&d.joints, &d.forces, &d.couplings, &d.drives, &d.sensors}) {
    for (model::Item& item : *items) {
      if (item.at) {
        *item.at += offset;  // its attachments name bodies
        continue;
      }
      for (std::string& attachment : item.attachments) {
        if (attachment == "ground") attachment = "ground.here";
      }
    }
  }
  return d;
}

}  // namespace trammel::support
