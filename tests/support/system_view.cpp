#include "support/system_view.h"

#include <algorithm>
#include <stdexcept>

#include <Eigen/SVD>

#include "trammel/constraint_handling/consistent_start.h"

namespace trammel::support {

using Eigen::MatrixXd;
using Eigen::Vector3d;

MatrixXd dense(const system::KktMatrix& matrix) {
  const system::KktPattern& pattern = *matrix.pattern;
  MatrixXd result = MatrixXd::Zero(pattern.size(), pattern.size());
  for (int column = 0; column < pattern.size(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const int row = pattern.row[entry];
      result(row, column) = matrix.values[entry];
      if (row >= pattern.velocities) result(column, row) = matrix.values[entry];
    }
  }
  return result;
}

system::Motion at_rest(const system::MechanicalSystem& system, const system::State& state) {
  system::Motion motion;
  motion.state = state;
  motion.a.setZero(system.sizes().v);
  motion.lambda.setZero(system.sizes().multipliers());
  return motion;
}

MatrixXd tangent_matrix(system::MechanicalSystem& system,
                        const system::Motion& motion,
                        const system::Weights& weights,
                        const system::Vector* step) {
  system::KktMatrix matrix(system.pattern());
  system.tangent(motion, weights, step, matrix);
  return dense(matrix);
}

MatrixXd constraint_jacobian(system::MechanicalSystem& system, const system::State& state) {
  const MatrixXd whole =
      tangent_matrix(system, at_rest(system, state), system::Weights{.acceleration = 1.0});
  return whole.bottomLeftCorner(system.sizes().multipliers(), system.sizes().v);
}

int rank_of(const MatrixXd& matrix, double tolerance) {
  if (matrix.size() == 0) return 0;
  const Eigen::JacobiSVD<MatrixXd> svd(matrix);
  const Eigen::VectorXd& values = svd.singularValues();
  return static_cast<int>((values.array() > tolerance * values[0]).count());
}

MatrixXd allowed_velocities(const MatrixXd& G) {
  if (G.rows() == 0) return MatrixXd::Identity(G.cols(), G.cols());
  const Eigen::JacobiSVD<MatrixXd> svd(G, Eigen::ComputeFullV);
  return svd.matrixV().rightCols(G.cols() - rank_of(G));
}

system::State assembled(model::ModelSystem& system) {
  constraint_handling::ConsistentStart start(system);
  system::State state = system.described_state();
  const bool closed = start.positions(state, system.fixed_positions()).converged;
  if (!closed || !start.velocities(state, system.fixed_velocities()).converged) {
    throw std::runtime_error("the test's model cannot be assembled");
  }
  return state;
}

Observation observe(model::ModelSystem& system, const system::Motion& motion) {
  const std::vector<model::Quantity> quantities = system.observables();
  std::vector<double> values(quantities.size());
  system.observe(motion, values.data());
  Observation observation;
  for (std::size_t i = 0; i < values.size(); ++i) observation[quantities[i].name] = values[i];
  return observation;
}

Vector3d observed_vector(const Observation& observation, const std::string& name) {
  const auto scalar = observation.find(name);
  if (scalar != observation.end()) return {0.0, 0.0, scalar->second};
  const auto z = observation.find(name + ".z");
  return {observation.at(name + ".x"), observation.at(name + ".y"),
          z == observation.end() ? 0.0 : z->second};
}

BodyMotion body_motion(const Observation& observation, const std::string& body) {
  BodyMotion motion;
  if (body == "ground") return motion;
  motion.p = observed_vector(observation, body + ".position");
  motion.v = observed_vector(observation, body + ".velocity");
  motion.acceleration = observed_vector(observation, body + ".acceleration");
  if (observation.contains(body + ".angle")) {
    motion.R = Eigen::AngleAxisd(observation.at(body + ".angle"), Vector3d::UnitZ());
  } else if (observation.contains(body + ".orientation.e0")) {
    const auto e = [&](const char* number) {
      return observation.at(body + ".orientation.e" + number);
    };
    motion.R = Eigen::Quaterniond(e("0"), e("1"), e("2"), e("3")).toRotationMatrix();
  } else {
    return motion;  // a point mass
  }
  motion.w = motion.R * observed_vector(observation, body + ".angular_velocity");
  motion.angular_acceleration =
      motion.R * observed_vector(observation, body + ".angular_acceleration");
  return motion;
}

Wrench operator+(const Wrench& a, const Wrench& b) {
  return {a.force + b.force, a.moment + b.moment};
}

namespace {

std::string body_of(const std::string& attachment) {
  return attachment.substr(0, attachment.find('.'));
}

const model::Item& find_joint(const model::Description& description, const std::string& name) {
  return *std::find_if(description.joints.begin(), description.joints.end(),
                       [&](const model::Item& item) { return item.name == name; });
}

// The second attachment's point in the world. With `at`, it is fixed in the body where the
// described configuration puts it.
Vector3d joint_point(const model::Description& description,
                     const Observation& observation,
                     const model::Item& joint) {
  const std::string name = body_of(joint.attachments[1]);
  const BodyMotion motion = body_motion(observation, name);
  if (!joint.at) return motion.point(frame_of(description, joint.attachments[1]).position);
  if (name == "ground") return *joint.at;
  for (const model::Body& body : description.bodies) {
    if (body.name == name) {
      return motion.point(body.orientation.conjugate() * (*joint.at - body.position));
    }
  }
  throw std::runtime_error("no body " + name);
}

}  // namespace

model::Frame frame_of(const model::Description& description, const std::string& attachment) {
  const auto dot = attachment.find('.');
  if (dot == std::string::npos) return {};
  const std::vector<model::Frame>* frames = &description.ground_frames;
  for (const model::Body& body : description.bodies) {
    if (body.name == body_of(attachment)) frames = &body.frames;
  }
  return *std::find_if(frames->begin(), frames->end(), [&](const model::Frame& frame) {
    return frame.name == attachment.substr(dot + 1);
  });
}

Wrench joint_wrench(const model::Description& description,
                    const Observation& observation,
                    const std::string& joint,
                    const std::string& body) {
  const model::Item& item = find_joint(description, joint);
  const Vector3d point = joint_point(description, observation, item);
  Wrench wrench;
  wrench.force = observed_vector(observation, joint + ".reaction.force");
  wrench.moment =
      observed_vector(observation, joint + ".reaction.torque") + point.cross(wrench.force);
  if (body_of(item.attachments[1]) == body) return wrench;
  return {-wrench.force, -wrench.moment};
}

}  // namespace trammel::support
