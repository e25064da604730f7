#include "trammel/model/flexible/bar.h"

#include <fmt/format.h>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/damping.h"
#include "trammel/model/flexible/element_load.h"
#include "trammel/model/flexible/inertial_field.h"
#include "trammel/model/flexible/mesh.h"

namespace trammel::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

class PlanarBar final : public BlockElement<Planar> {
 public:
  PlanarBar(const ElementProperties& element, BarLaw law) : e_(element), law_(law) {}

  void forces(const Motion& on, Column f) const override {
    const Vector2d delta = on.node(1).p - on.node(0).p;
    const double d = delta.norm();
    const Vector2d pull = tension(d) / d * delta;
    const Vector2d weight = 0.5 * e_.mass * on.gravity;
    f.segment<2>(0) = pull + weight;
    f.segment<2>(3) = weight - pull;
  }

  bool mass(const Motion& /*on*/, Square M) const override {
    for (int i = 0; i < 2; ++i) {
      M(i, i) = M(3 + i, 3 + i) = e_.mass / 3.0;
      M(i, 3 + i) = M(3 + i, i) = e_.mass / 6.0;
    }
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square /*D*/) const override {
    const Vector2d delta = on.node(1).p - on.node(0).p;
    const double d = delta.norm();
    const Vector2d n = delta / d;
    const double across = tension(d) / d;
    const Matrix2d k = (stiffness(d) - across) * n * n.transpose() + across * Matrix2d::Identity();
    K.block<2, 2>(0, 0) = K.block<2, 2>(3, 3) = k;
    K.block<2, 2>(0, 3) = K.block<2, 2>(3, 0) = -k;
  }
  bool depends_on_velocity() const override { return false; }

  bool lumped_mass(const Motion& /*on*/, Column m) const override {
    for (const int i : {0, 1, 3, 4}) m[i] = 0.5 * e_.mass;
    return true;
  }

  double potential(const Motion& on) const override {
    const double d = (on.node(1).p - on.node(0).p).norm();
    return energy(d) - 0.5 * e_.mass * on.gravity.dot(on.node(0).p + on.node(1).p);
  }

  std::string discrete_obstacle() const override { return {}; }
  // The mean of both ends times 2 (U(d_1) - U(d_0))/(d_1^2 - d_0^2), a quotient of polynomials.
  void forces_between(const Motion& from,
                      const Motion& middle,
                      const Motion& to,
                      Column f) const override {
    const Vector2d begin = from.node(1).p - from.node(0).p;
    const Vector2d end = to.node(1).p - to.node(0).p;
    const Vector2d pull = secant(begin.norm(), end.norm()) * (begin + end);
    const Vector2d weight = 0.5 * e_.mass * middle.gravity;
    f.segment<2>(0) = pull + weight;
    f.segment<2>(3) = weight - pull;
  }

  std::vector<Quantity> quantities() const override { return load_quantities(true); }
  void measure(const Motion& on, double* values) const override {
    const double d = (on.node(1).p - on.node(0).p).norm();
    write_load({.strain = strain(d), .axial_force = tension(d), .energy = energy(d)}, true, values);
  }

 private:
  double strain(double d) const {
    const double L = e_.length;
    return law_ == BarLaw::green ? (d * d - L * L) / (2.0 * L * L) : (d - L) / L;
  }
  double tension(double d) const {
    const double force = e_.axial * strain(d);
    return law_ == BarLaw::inertial ? force : force * d / e_.length;
  }
  double stiffness(double d) const {
    const double L = e_.length;
    if (law_ == BarLaw::inertial) return e_.axial / L;
    if (law_ == BarLaw::ancf) return e_.axial * (2.0 * d - L) / (L * L);
    return e_.axial * (3.0 * d * d - L * L) / (2.0 * L * L * L);
  }
  /// (U(b) - U(a))/(b^2 - a^2).
  double secant(double a, double b) const {
    const double L = e_.length;
    if (law_ == BarLaw::inertial) return 0.5 * e_.axial / L * (1.0 - 2.0 * L / (a + b));
    if (law_ == BarLaw::green) return 0.25 * e_.axial / L * (strain(a) + strain(b));
    return e_.axial / (6.0 * L * L) * (2.0 * (a * a + a * b + b * b) / (a + b) - 3.0 * L);
  }
  double energy(double d) const {
    const double L = e_.length;
    const double stretch = d - L;
    if (law_ == BarLaw::ancf) {
      return e_.axial * stretch * stretch * (2.0 * d + L) / (6.0 * L * L);
    }
    return 0.5 * e_.axial * L * strain(d) * strain(d);
  }

  ElementProperties e_;
  BarLaw law_;
};

/// eps(d): of the length alone, or Green's.
class BarStrains {
 public:
  BarStrains(const ElementProperties& element, BarLaw law)
      : axial_(element.axial), length_(element.length), green_(law == BarLaw::green) {}

  StrainRows::Matrix stiffness() const {
    return StrainRows::Matrix::Constant(1, 1, axial_ * length_);
  }
  StrainRows::Matrix rows(const FootingMotion<Planar>& on) const {
    const Vector2d delta = on.node(1).p - on.node(0).p;
    return row(green_ ? Vector2d(delta / (length_ * length_))
                      : Vector2d(delta / (delta.norm() * length_)));
  }
  StrainRows::Matrix change(const FootingMotion<Planar>& on, const StrainRows::Column& x) const {
    const Vector2d shift = x.segment<2>(3) - x.head<2>();
    if (green_) return row(shift / (length_ * length_));
    const Vector2d delta = on.node(1).p - on.node(0).p;
    const double d = delta.norm();
    const Vector2d n = delta / d;
    return row((shift - n.dot(shift) * n) / (d * length_));
  }

 private:
  static StrainRows::Matrix row(const Vector2d& along) {
    StrainRows::Matrix B(1, 6);
    B << -along.x(), -along.y(), 0.0, along.x(), along.y(), 0.0;
    return B;
  }

  double axial_;
  double length_;
  bool green_;
};

std::string bar_name(int k) {
  return fmt::format("bar_{}", k + 1);
}

}  // namespace

std::shared_ptr<const BlockElement<Planar>> bar_damping(const FlexibleBody& body,
                                                        BarLaw law,
                                                        int k) {
  return strain_damping(BarStrains(element_properties(body, k), law), body.viscosity);
}

void add_bars(const FlexibleBody& body, BarLaw law, Description& description) {
  for (int k = 0; k <= body.elements; ++k) {
    Body node = mesh_node(body, k);
    node.kind = BodyKind::point;
    node.shapes.clear();
    description.bodies.push_back(std::move(node));
  }
  for (int k = 0; k < body.elements; ++k) {
    const ElementProperties element = element_properties(body, k);
    description.elements.push_back({.name = element_name(body, k),
                                    .bodies = {node_name(body, k), node_name(body, k + 1)},
                                    .planar = std::make_shared<PlanarBar>(element, law)});
    // The bar itself, drawn between the points.
    const double middle = (k + 0.5) / body.elements;
    Body drawn = inertial_frame_along(body, {.name = bar_name(k), .along = middle});
    drawn.shapes = {mesh_shape(body, -0.5 * element.length, element.length)};
    description.bodies.push_back(std::move(drawn));
  }
  for (const FlexibleFrame& frame : body.frames) {
    description.bodies.push_back(inertial_frame_along(body, frame));
  }
}

}  // namespace trammel::model
