#include "trammel/model/flexible/inertial.h"

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/bar.h"
#include "trammel/model/flexible/element_load.h"
#include "trammel/model/flexible/inertial_field.h"
#include "trammel/model/flexible/mesh.h"

namespace trammel::model {
namespace {

using Eigen::Vector2d;
using Six = Eigen::Matrix<double, 6, 1>;

Vector2d unit_slope(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

class InertialBeam final : public BlockElement<Planar> {
 public:
  /// `rest`: the angle of the described beam.
  InertialBeam(const ElementProperties& element, InertialMass inertia, double rest)
      : e_(element),
        inertia_(inertia),
        N_(element.mass * mass_integrals(element)),
        mean_(element.mass * shape_mean(element)),
        normal_(perpendicular(unit_slope(rest))) {
    const double unit = element.bending / (element.length * (1.0 + element.shear));
    near_ = (4.0 + element.shear) * unit;
    far_ = (2.0 - element.shear) * unit;
  }

  void forces(const Motion& on, Column f) const override {
    const Strain s = strain(on);
    f = -(s.N * s.r - (s.M_i + s.M_j) * s.alpha + s.M_i * Six::Unit(2) + s.M_j * Six::Unit(5));
    if (inertia_ == InertialMass::constant) {
      const double couple = mean_[1] * normal_.dot(on.gravity);
      f.segment<2>(0) += mean_[0] * on.gravity;
      f.segment<2>(3) += mean_[2] * on.gravity;
      f[2] += couple;
      f[5] -= couple;
      return;
    }
    f -= transposed(on, inertial(bias(on)) - mean_ * on.gravity.transpose());
  }

  bool mass(const Motion& on, Square M) const override {
    for (int k = 0; k < 2; ++k) {
      for (int l = 0; l < 2; ++l) {
        M(3 * k, 3 * l) = M(3 * k + 1, 3 * l + 1) = N_(2 * k, 2 * l);
        M(3 * k + 2, 3 * l + 2) = N_(2 * k + 1, 2 * l + 1);
      }
    }
    if (inertia_ == InertialMass::constant) return true;
    M(2, 5) = M(5, 2) = N_(1, 3) * std::cos(on.node(0).angle - on.node(1).angle);
    for (int k = 0; k < 2; ++k) {
      for (int l = 0; l < 2; ++l) {
        const Vector2d coupling = N_(2 * k, 2 * l + 1) * normal(on, l);
        M.block<2, 1>(3 * k, 3 * l + 2) = coupling;
        M.block<1, 2>(3 * l + 2, 3 * k) = coupling.transpose();
      }
    }
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& a,
               Square K,
               Square D) const override {
    const Strain s = strain(on);
    const Six g_i = Six::Unit(2) - s.alpha;
    const Six g_j = Six::Unit(5) - s.alpha;
    const Six z = -s.d * s.alpha;
    K += e_.axial / e_.length * s.r * s.r.transpose() + s.N / s.d * z * z.transpose();
    K += near_ * (g_i * g_i.transpose() + g_j * g_j.transpose()) +
         far_ * (g_i * g_j.transpose() + g_j * g_i.transpose());
    K -= (s.M_i + s.M_j) / (s.d * s.d) * (s.r * z.transpose() + z * s.r.transpose());
    if (inertia_ == InertialMass::constant) return;

    // Of B^T (N (B a + b) - weight), with B and b those of the slopes t.
    const EndVectors load =
        inertial(accelerations(on, a) + bias(on)) - mean_ * on.gravity.transpose();
    for (int k = 0; k < 2; ++k) {
      const Vector2d t = unit_slope(on.node(k).angle);
      const double w = on.node(k).w;
      const int turn = 3 * k + 2;
      EndVectors change = EndVectors::Zero();
      change.row(2 * k + 1) = -a[turn] * t - w * w * normal(on, k);
      K.col(turn) += transposed(on, inertial(change));
      K(turn, turn) -= load.row(2 * k + 1).dot(t);
      change.row(2 * k + 1) = -2.0 * w * t;
      D.col(turn) += transposed(on, inertial(change));
    }
  }
  bool depends_on_velocity() const override { return inertia_ == InertialMass::consistent; }

  double potential(const Motion& on) const override {
    const double stored = strain(on).energy;
    if (inertia_ == InertialMass::constant) {
      return stored - on.gravity.dot(mean_[0] * on.node(0).p + mean_[2] * on.node(1).p) -
             mean_[1] * normal_.dot(on.gravity) * (on.node(0).angle - on.node(1).angle);
    }
    EndVectors line;
    for (int k = 0; k < 2; ++k) {
      line.row(2 * k) = on.node(k).p;
      line.row(2 * k + 1) = unit_slope(on.node(k).angle);
    }
    return stored - on.gravity.dot(line.transpose() * mean_);
  }

  std::vector<Quantity> quantities() const override { return load_quantities(false); }
  void measure(const Motion& on, double* values) const override {
    const Strain s = strain(on);
    write_load({.strain = s.N / e_.axial,
                .axial_force = s.N,
                .moment_start = -s.M_i,
                .moment_end = s.M_j,
                .shear_force = (s.M_i + s.M_j) / e_.length,
                .energy = s.energy},
               false, values);
  }

 private:
  struct Strain {
    double d = 0.0;
    double N = 0.0;    ///< axial force
    double M_i = 0.0;  ///< moments on the nodes
    double M_j = 0.0;
    double energy = 0.0;
    Six r;      ///< derivative of d
    Six alpha;  ///< of the angle of the chord
  };

  Strain strain(const Motion& on) const {
    const Vector2d delta = on.node(1).p - on.node(0).p;
    Strain s;
    s.d = delta.norm();
    const Vector2d n = delta / s.d;
    s.r << -n, 0.0, n, 0.0;
    s.alpha << -perpendicular(n), 0.0, perpendicular(n), 0.0;
    s.alpha /= s.d;
    const double phi_i = on.node(0).angle;
    const double phi_j = on.node(1).angle;
    const double alpha = nearest_turn(std::atan2(delta.y(), delta.x()), 0.5 * (phi_i + phi_j));
    const double stretch = (s.d - e_.length) / e_.length;
    const double e_i = phi_i - alpha;
    const double e_j = phi_j - alpha;
    s.N = e_.axial * stretch;
    s.M_i = near_ * e_i + far_ * e_j;
    s.M_j = far_ * e_i + near_ * e_j;
    s.energy = 0.5 * (s.N * e_.length * stretch + s.M_i * e_i + s.M_j * e_j);
    return s;
  }

  static Vector2d normal(const Motion& on, int k) {
    return perpendicular(unit_slope(on.node(k).angle));
  }
  EndVectors inertial(const EndVectors& x) const { return N_ * x; }
  /// B^T x: from loads on positions and slopes to those on the nodes.
  static Six transposed(const Motion& on, const EndVectors& x) {
    Six f;
    for (int k = 0; k < 2; ++k) {
      f.segment<2>(3 * k) = x.row(2 * k);
      f[3 * k + 2] = x.row(2 * k + 1).dot(normal(on, k));
    }
    return f;
  }
  /// B a.
  static EndVectors accelerations(const Motion& on, const Eigen::Ref<const Eigen::VectorXd>& a) {
    EndVectors x;
    for (int k = 0; k < 2; ++k) {
      x.row(2 * k) = a.segment<2>(3 * k);
      x.row(2 * k + 1) = a[3 * k + 2] * normal(on, k);
    }
    return x;
  }
  /// Accelerations of the slopes at any velocity.
  static EndVectors bias(const Motion& on) {
    EndVectors x = EndVectors::Zero();
    for (int k = 0; k < 2; ++k) {
      x.row(2 * k + 1) = -on.node(k).w * on.node(k).w * unit_slope(on.node(k).angle);
    }
    return x;
  }

  ElementProperties e_;
  InertialMass inertia_;
  Eigen::Matrix4d N_;  ///< mass integrals, kg
  EndWeights mean_;    ///< kg
  Vector2d normal_;    ///< of the described beam
  double near_ = 0.0;  ///< moment on a node by its own angle
  double far_ = 0.0;   ///< and by the other
};

void build_inertial(const FlexibleBody& body, Description& description) {
  if (body.element == "bar") return add_bars(body, BarLaw::inertial, description);
  const auto beam =
      std::make_shared<InertialBeam>(element_properties(body), body.mass, line_angle(body));
  for (int k = 0; k <= body.elements; ++k) description.bodies.push_back(mesh_node(body, k));
  for (int k = 0; k < body.elements; ++k) {
    description.elements.push_back({.name = element_name(body, k),
                                    .bodies = {node_name(body, k), node_name(body, k + 1)},
                                    .planar = beam});
  }
  for (const FlexibleFrame& frame : mesh_frames(body)) {
    description.bodies.push_back(inertial_frame_along(body, frame));
  }
}

}  // namespace

Body inertial_frame_along(const FlexibleBody& body, const FlexibleFrame& frame) {
  const ElementProperties element = element_properties(body);
  const MeshPlace place = mesh_place(body, frame.along);
  const auto field = [&](const EndWeights& weights) {
    return InertialField(weights, place.xi, element.is_bar, line_angle(body));
  };
  Carrier carrier{.bodies = {node_name(body, place.element), node_name(body, place.element + 1)}};
  carrier.planar = std::make_shared<FieldFrame<InertialField>>(
      field(shape(element, place.xi)), field(section_direction(element, place.xi)));
  return mesh_frame(body, frame, std::move(carrier));
}

FlexibleKind inertial_frame() {
  return {.name = "inertial",
          .space = Space::planar,
          .summary = "positions and angles of the nodes in the inertial frame (IRF)",
          .elements = {"bar", "euler_bernoulli", "timoshenko"},
          .build = build_inertial};
}

}  // namespace trammel::model
