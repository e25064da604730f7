// Every kind of joint and force that says it has a mirror image behaves in a mirrored model as the
// mirror image of the original.
#include "support/random_models.h"
#include "support/system_view.h"
#include <gtest/gtest.h>

#include "trammel/io/moved_values.h"
#include "trammel/model/model_system.h"

namespace trammel::io {
namespace {

using model::Description;
using model::Space;
using support::Side;
using system::Vector;

constexpr unsigned seeds = 8;

Transform mirror_in(int axis) {
  Transform transform;
  transform.signs[axis] = -1.0;
  return transform;
}

const model::Item& item_of(const Description& d) {
  return d.forces.empty() ? d.joints.front() : d.forces.front();
}

// With an axis_b the zero angle of some kinds depends on directions chosen for the user.
bool must_be_refused(const model::Mirroring& mirroring, const Description& d) {
  return !mirroring.unless().empty() && item_of(d).values.contains(mirroring.unless());
}

// The angle of screws and rotational springs means something for aligned axes only, which random
// models do not have.
bool has_no_meaning(const Description& d) {
  const std::string& type = item_of(d).type;
  return d.space == Space::spatial && (type == "screw" || type == "rotational_spring");
}

void expect_refused(const Transform& transform, const Description& d) {
  const Vocabulary words = model_vocabulary();
  model::Item item = item_of(d);
  const Kind& kind = *find_kind(d.forces.empty() ? words.joints : words.forces, d.space, item.type);
  EXPECT_NE(move_values(transform, kind, "item", item.values), "") << item.type;
}

Description mirrored(const Transform& transform, Description d) {
  const Vocabulary words = model_vocabulary();
  for (model::Body& body : d.bodies) EXPECT_EQ(move(transform, d.space, body), "");
  for (model::Frame& frame : d.ground_frames) move(transform, frame);
  for (model::Item& joint : d.joints) {
    const Kind& kind = *find_kind(words.joints, d.space, joint.type);
    EXPECT_EQ(move_values(transform, kind, "joint", joint.values), "");
  }
  for (model::Item& force : d.forces) {
    const Kind& kind = *find_kind(words.forces, d.space, force.type);
    EXPECT_EQ(move_values(transform, kind, "force", force.values), "");
  }
  return d;
}

// Velocities, accelerations and forces of bodies with all their freedoms.
Vector mirrored_velocity(const Transform& t, Space space, const Vector& v) {
  Vector result = v;
  const Eigen::Index size = space == Space::planar ? 3 : 6;
  for (Eigen::Index i = 0; i < v.size(); i += size) {
    if (space == Space::planar) {
      result.segment<2>(i).array() *= t.signs.head<2>().array();
      result[i + 2] *= t.handedness();
    } else {
      result.segment<3>(i) = t.mirrored(v.segment<3>(i));
      result.segment<3>(i + 3) = t.mirrored_axial(v.segment<3>(i + 3));
    }
  }
  return result;
}

Vector mirrored_position(const Transform& t, Space space, const Vector& q) {
  if (space == Space::planar) return mirrored_velocity(t, space, q);
  Vector result = q;
  for (Eigen::Index i = 0; i < q.size(); i += 7) {
    result.segment<3>(i) = t.mirrored(q.segment<3>(i));
    result.segment<3>(i + 4) = t.mirrored_axial(q.segment<3>(i + 4));
  }
  return result;
}

void expect_mirror_image(const Transform& t, const Description& description) {
  const auto original = model::compile(description);
  const auto image = model::compile(mirrored(t, description));
  const Space space = description.space;
  const system::State state = support::assembled(*original);
  const system::State seen{state.t, mirrored_position(t, space, state.q),
                           mirrored_velocity(t, space, state.v), state.z};
  Vector f;
  Vector expected;
  original->forces(state, f);
  image->forces(seen, expected);
  const double load = 1.0 + f.norm();
  EXPECT_NEAR((mirrored_velocity(t, space, f) - expected).norm() / load, 0.0, 1e-10);

  Vector rows;
  image->position_constraint(seen, rows);
  EXPECT_NEAR(rows.norm(), 0.0, 1e-8);
  image->velocity_constraint(seen, rows);
  EXPECT_NEAR(rows.norm(), 0.0, 1e-8);
  // The allowed velocities of the original are those of the image.
  const Eigen::MatrixXd allowed =
      support::allowed_velocities(support::constraint_jacobian(*original, state));
  const Eigen::MatrixXd G = support::constraint_jacobian(*image, seen);
  EXPECT_EQ(support::rank_of(G), G.cols() - allowed.cols());
  for (Eigen::Index i = 0; i < allowed.cols(); ++i) {
    const Vector v = mirrored_velocity(t, space, allowed.col(i));
    EXPECT_NEAR((G * v).norm(), 0.0, 1e-8 * (1.0 + G.norm()));
  }
}

template <class Kinds, class Model>
int check(const Kinds& kinds, Model random_model) {
  int checked = 0;
  for (const auto& kind : kinds) {
    if (!kind.mirroring.is_possible()) continue;
    ++checked;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(testing::Message()
                   << kind.name << ", " << model::to_string(kind.space) << ", seed " << seed);
      for (const int axis : {0, 1, 2}) {
        if (axis == 2 && kind.space == Space::planar) continue;
        support::Random random(seed);
        const Description description = random_model(kind, random);
        if (must_be_refused(kind.mirroring, description)) {
          expect_refused(mirror_in(axis), description);
        } else if (!has_no_meaning(description)) {
          expect_mirror_image(mirror_in(axis), description);
        }
      }
    }
  }
  return checked;
}

TEST(MirrorLaws, HoldForJoints) {
  const auto model = [](const model::JointKind& kind, support::Random& random) {
    return support::random_joint(kind, Side::body, Side::body, random);
  };
  EXPECT_GE(check(model::joint_kinds(), model), 26);
}

TEST(MirrorLaws, HoldForForces) {
  const auto model = [](const model::ForceKind& kind, support::Random& random) {
    Description d = support::random_force(kind, Side::body, Side::body, random);
    d.forces.front().values.erase("wind");  // of the world: not mirrored
    return d;
  };
  EXPECT_GE(check(model::force_kinds(), model), 26);
}

}  // namespace
}  // namespace trammel::io
