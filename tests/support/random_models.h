// Random models from fixed seeds, for laws that hold for every model: bodies with an off-centre
// mass, frames with any offset and orientation, field values drawn from the table of fields.
#pragma once

#include <random>
#include <string>

#include "trammel/model/kinds.h"
#include "trammel/system/state.h"

namespace trammel::support {

/// Draws numbers; draw into named values first where the order of evaluation is open.
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  double uniform(double low, double high);
  bool coin() { return uniform(0.0, 1.0) < 0.5; }
  /// Components between -size and size; planar vectors have z = 0.
  Eigen::Vector3d vector(model::Space space, double size = 1.0);
  /// A turn by at most `angle` about any axis; planar: about z.
  Eigen::Quaterniond rotation(model::Space space, double angle);
  system::Vector values(Eigen::Index count, double size = 1.0);

 private:
  std::mt19937 generator_;
};

/// Values for every required field, and for about half of those that have a fallback or are
/// optional.
model::Values random_values(const std::vector<model::Field>& fields,
                            model::Space space,
                            Random& random);

/// A rigid body made of five point masses, anywhere, moving anyhow.
model::Body random_body(std::string name, model::Space space, Random& random);

/// What stands at one end of a joint or force. Carried: a body that three others and two amplitudes
/// carry (carried_frames.h).
enum class Side { body, ground, point, carried };

/// Two things, "a" and "b" (or the ground), each with a frame "mark" of any offset and orientation.
/// b is placed so that the frames nearly coincide: apart by at most `gap` (m and rad), or that far
/// from the place given in frame a.
struct RandomPair {
  model::Description description;
  std::string mark_a;  ///< "a.mark" or "ground.mark"
  std::string mark_b;
  double distance = 0.0;  ///< of the frames' origins
};
RandomPair random_pair(model::Space space,
                       Side a,
                       Side b,
                       double gap,
                       Random& random,
                       const Eigen::Vector3d& place = Eigen::Vector3d::Zero());

/// Makes a body of the description carried, by three bodies and two amplitudes that are added and
/// placed so that it stands where it is described, its centre of mass in the origin.
void carry_body(const std::string& name, Random& random, model::Description& description);

/// A pair with a joint (a force) of that kind, with random values, called "item". Forces on one
/// frame act on b.
model::Description random_joint(const model::JointKind& kind, Side a, Side b, Random& random);
model::Description random_force(const model::ForceKind& kind, Side a, Side b, Random& random);

/// A tree of bodies that has every joint kind and every force kind of the space, and a point mass
/// on a rod and a spring. It is not assembled.
model::Description random_mechanism(model::Space space, Random& random);

/// The same with a carried body that has mass, a joint and springs, and modes that move it.
model::Description random_carrying_mechanism(model::Space space, Random& random);

}  // namespace trammel::support
