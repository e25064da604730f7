#include "trammel/model/flexible/inertial.h"

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/bar.h"
#include "trammel/model/flexible/damping.h"
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

  std::string discrete_obstacle() const override {
    if (inertia_ == InertialMass::constant) return {};
    return "its mass depends on the angles of its nodes (mass: constant does not)";
  }
  // Along the chord as a bar; moments are the means of both ends, and the angle alpha of the chord
  // D changes by g . (D_1 - D_0) with g = perp(D_0 + D_1)/2 times alpha's change over D_0 x D_1.
  void forces_between(const Motion& from,
                      const Motion& middle,
                      const Motion& to,
                      Column f) const override {
    const Strain a = strain(from);
    const Strain b = strain(to);
    const Vector2d begin = a.d * a.r.segment<2>(3);
    const Vector2d end = b.d * b.r.segment<2>(3);
    const double turn = (to.node(0).angle - b.e_i) - (from.node(0).angle - a.e_i);
    constexpr double small = 1e-4;  // the next term is below round-off
    const double per_area =
        (std::abs(turn) < small ? 1.0 + turn * turn / 6.0 : turn / std::sin(turn)) / (a.d * b.d);
    const double M_i = 0.5 * (a.M_i + b.M_i);
    const double M_j = 0.5 * (a.M_j + b.M_j);
    const Vector2d pull =
        0.5 * e_.axial / e_.length * (1.0 - 2.0 * e_.length / (a.d + b.d)) * (begin + end);
    const Vector2d across = 0.5 * (M_i + M_j) * per_area * perpendicular(Vector2d(begin + end));
    const double couple = mean_[1] * normal_.dot(middle.gravity);
    f.segment<2>(0) = pull - across + mean_[0] * middle.gravity;
    f.segment<2>(3) = across - pull + mean_[2] * middle.gravity;
    f[2] = couple - M_i;
    f[5] = -couple - M_j;
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
    double e_i = 0.0;  ///< angle of the first section against the chord
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
    const double e_i = phi_i - alpha + 0.5 * e_.bend;
    const double e_j = phi_j - alpha - 0.5 * e_.bend;
    s.e_i = e_i;
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

/// Stretch, and angles of both ends against the chord.
class InertialStrains {
 public:
  explicit InertialStrains(const ElementProperties& element) : e_(element) {}

  StrainRows::Matrix stiffness() const {
    const double unit = e_.bending / (e_.length * (1.0 + e_.shear));
    const double near = (4.0 + e_.shear) * unit;
    const double far = (2.0 - e_.shear) * unit;
    StrainRows::Matrix E(3, 3);
    E << e_.axial * e_.length, 0.0, 0.0, 0.0, near, far, 0.0, far, near;
    return E;
  }
  StrainRows::Matrix rows(const FootingMotion<Planar>& on) const {
    const Vector2d delta = on.node(1).p - on.node(0).p;
    const double d = delta.norm();
    StrainRows::Matrix B = of_chord(delta / (d * e_.length), perpendicular(delta) / (d * d));
    B(1, 2) = B(2, 5) = 1.0;
    return B;
  }
  StrainRows::Matrix change(const FootingMotion<Planar>& on, const StrainRows::Column& x) const {
    const Vector2d delta = on.node(1).p - on.node(0).p;
    const double d = delta.norm();
    const Vector2d n = delta / d;
    const Vector2d shift = x.segment<2>(3) - x.head<2>();
    const double along = n.dot(shift);
    return of_chord((shift - along * n) / (d * e_.length),
                    perpendicular(Vector2d(shift - 2.0 * along * n)) / (d * d));
  }

 private:
  /// From derivatives of the stretch and of the chord's angle by the chord.
  static StrainRows::Matrix of_chord(const Vector2d& stretch, const Vector2d& angle) {
    StrainRows::Matrix B = StrainRows::Matrix::Zero(3, 6);
    B.block<1, 2>(0, 0) = -stretch.transpose();
    B.block<1, 2>(0, 3) = stretch.transpose();
    for (int row = 1; row < 3; ++row) {
      B.block<1, 2>(row, 0) = angle.transpose();
      B.block<1, 2>(row, 3) = -angle.transpose();
    }
    return B;
  }

  ElementProperties e_;
};

std::shared_ptr<const BlockElement<Planar>> inertial_damping(const FlexibleBody& body, int k) {
  if (body.element == "bar") return bar_damping(body, BarLaw::inertial, k);
  return strain_damping(InertialStrains(element_properties(body, k)), body.viscosity);
}

void build_inertial(const FlexibleBody& body, Description& description) {
  if (body.element == "bar") return add_bars(body, BarLaw::inertial, description);
  for (int k = 0; k <= body.elements; ++k) description.bodies.push_back(mesh_node(body, k));
  for (int k = 0; k < body.elements; ++k) {
    description.elements.push_back(
        {.name = element_name(body, k),
         .bodies = {node_name(body, k), node_name(body, k + 1)},
         .planar = std::make_shared<InertialBeam>(element_properties(body, k), body.mass,
                                                  angle_at(body, (k + 0.5) / body.elements))});
  }
  for (const FlexibleFrame& frame : mesh_frames(body)) {
    description.bodies.push_back(inertial_frame_along(body, frame));
  }
}

}  // namespace

Carrier inertial_carrier(const FlexibleBody& body, const MeshPlace& place) {
  const ElementProperties element = element_properties(body, place.element);
  const auto field = [&](const EndWeights& weights) {
    return InertialField(weights, place.xi, element.is_bar, line_angle(body));
  };
  Carrier carrier{.bodies = {node_name(body, place.element), node_name(body, place.element + 1)}};
  carrier.planar = std::make_shared<FieldFrame<InertialField>>(
      field(shape(element, place.xi)), field(section_direction(element, place.xi)));
  return carrier;
}

Body inertial_frame_along(const FlexibleBody& body, const FlexibleFrame& frame) {
  return mesh_frame(body, frame, inertial_carrier(body, mesh_place(body, frame.along)));
}

FlexibleKind inertial_frame() {
  return {.name = "inertial",
          .space = Space::planar,
          .summary = "positions and angles of the nodes in the inertial frame (IRF)",
          .elements = {"bar", "euler_bernoulli", "timoshenko"},
          .build = build_inertial,
          .carrier = inertial_carrier,
          .damping = inertial_damping};
}

}  // namespace trammel::model
