#include "trammel/model/flexible/ancf.h"

#include <array>

#include <fmt/format.h>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/bar.h"
#include "trammel/model/flexible/element_load.h"
#include "trammel/model/flexible/field_frame.h"
#include "trammel/model/flexible/mesh.h"

namespace trammel::model {
namespace {

using Eigen::Vector2d;
using Eight = Eigen::Matrix<double, 8, 1>;

/// As local unknowns: those of each row one after the other.
Eight flat(const EndVectors& x) {
  return x.transpose().reshaped();
}

class AncfBeam final : public BlockElement<Planar> {
 public:
  explicit AncfBeam(const ElementProperties& element)
      : e_(element),
        N_(element.mass * mass_integrals(element)),
        mean_(element.mass * shape_mean(element)),
        K_t_(beam_stiffness(element)) {
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const GaussPoint& point = gauss_points()[i];
      slopes_[i] = shape_slope(element, point.xi) / element.length;
      weights_[i] = point.weight * element.axial * element.length;
    }
  }

  void forces(const Motion& on, Column f) const override {
    const EndVectors Q = coordinates(on);
    EndVectors load = mean_ * on.gravity.transpose() - K_t_ * Q;
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const Vector2d tangent = Q.transpose() * slopes_[i];
      load -= weights_[i] * strain(tangent) * slopes_[i] * tangent.transpose();
    }
    f = flat(load);
  }

  bool mass(const Motion& /*on*/, Square M) const override {
    spread(N_, M);
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square /*D*/) const override {
    const EndVectors Q = coordinates(on);
    Eigen::Matrix4d across = K_t_;
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const Vector2d tangent = Q.transpose() * slopes_[i];
      across += weights_[i] * strain(tangent) * slopes_[i] * slopes_[i].transpose();
      const Eight row = flat(slopes_[i] * tangent.transpose());
      K += weights_[i] * row * row.transpose();
    }
    spread(across, K);
  }
  bool depends_on_velocity() const override { return false; }

  double potential(const Motion& on) const override {
    const EndVectors Q = coordinates(on);
    return energy(Q) - on.gravity.dot(Q.transpose() * mean_);
  }

  std::vector<Quantity> quantities() const override { return load_quantities(false); }
  void measure(const Motion& on, double* values) const override {
    const EndVectors Q = coordinates(on);
    const EndVectors load = K_t_ * Q;
    const auto moment = [&](int row) {
      const Vector2d slope = Q.row(row).normalized();
      return perpendicular(slope).dot(load.row(row));
    };
    const double middle = strain(Q.transpose() * slopes_[slopes_.size() / 2]);
    write_load({.strain = middle,
                .axial_force = e_.axial * middle,
                .moment_start = -moment(1),
                .moment_end = moment(3),
                .shear_force = (moment(1) + moment(3)) / e_.length,
                .energy = energy(Q)},
               false, values);
  }

 private:
  static EndVectors coordinates(const Motion& on) {
    EndVectors Q;
    for (int k = 0; k < 2; ++k) {
      const auto set = on.amplitudes(k);
      Q.row(2 * k) = set.head<2>();
      Q.row(2 * k + 1) = set.tail<2>();
    }
    return Q;
  }
  static double strain(const Vector2d& tangent) { return 0.5 * (tangent.squaredNorm() - 1.0); }
  /// Adds A times the unit matrix of the plane.
  static void spread(const Eigen::Matrix4d& A, Square& K) {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        K(2 * a, 2 * b) += A(a, b);
        K(2 * a + 1, 2 * b + 1) += A(a, b);
      }
    }
  }
  double energy(const EndVectors& Q) const {
    double sum = 0.5 * Q.cwiseProduct(K_t_ * Q).sum();
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const double eps = strain(Q.transpose() * slopes_[i]);
      sum += 0.5 * weights_[i] * eps * eps;
    }
    return sum;
  }

  ElementProperties e_;
  Eigen::Matrix4d N_;  ///< mass integrals, kg
  EndWeights mean_;    ///< kg
  Eigen::Matrix4d K_t_;
  std::array<EndWeights, 5> slopes_;  ///< ds/dx at the points
  std::array<double, 5> weights_{};   ///< E A L times theirs
};

/// A sum of positions and slopes of one or two nodes.
class AncfField {
 public:
  using Complex = std::complex<double>;
  using Motion = FootingMotion<Planar>;
  using Direction = Eigen::Ref<const Eigen::VectorXd>;

  AncfField(const EndWeights& weights, int nodes, double rest)
      : w_(weights), nodes_(nodes), rest_(rest) {}

  Complex value(const Motion& on) const {
    Complex sum = 0.0;
    for (int k = 0; k < nodes_; ++k) {
      const auto set = on.amplitudes(k);
      sum += w_[2 * k] * Complex(set[0], set[1]) + w_[2 * k + 1] * Complex(set[2], set[3]);
    }
    return sum;
  }
  Complex along(const Motion& /*on*/, const Direction& x) const {
    Complex sum = 0.0;
    for (int i = 0; i < 2 * nodes_; ++i) sum += w_[i] * Complex(x[2 * i], x[2 * i + 1]);
    return sum;
  }
  static Complex along(const Motion& /*on*/, const Direction& /*x*/, const Direction& /*y*/) {
    return 0.0;
  }
  static Complex along(const Motion& /*on*/,
                       const Direction& /*x*/,
                       const Direction& /*y*/,
                       const Direction& /*z*/) {
    return 0.0;
  }
  /// That of the described beam; whole turns are counted by the assembly.
  double angle(const Motion& /*on*/) const { return rest_; }

 private:
  EndWeights w_;
  int nodes_;
  double rest_;
};

std::string coordinates_name(const FlexibleBody& body, int k) {
  return fmt::format("{}.coordinates_{}", body.name, k);
}

Amplitudes coordinates_of(const FlexibleBody& body, int k) {
  const double along = static_cast<double>(k) / body.elements;
  const Eigen::Vector3d slope = (body.tip - body.start).normalized();
  Amplitudes set{.name = coordinates_name(body, k)};
  set.value.resize(4);
  set.value << point_at(body, along).head<2>(), slope.head<2>();
  set.rate.resize(4);
  set.rate << velocity_at(body, along).head<2>(), body.angular_velocity.cross(slope).head<2>();
  set.units = {"m", "m", "", ""};
  return set;
}

std::shared_ptr<const CarriedFrame<Planar>> ancf_frame(const FlexibleBody& body,
                                                       const EndWeights& position,
                                                       const EndWeights& direction,
                                                       int nodes) {
  const double rest = line_angle(body);
  return std::make_shared<FieldFrame<AncfField>>(AncfField(position, nodes, rest),
                                                 AncfField(direction, nodes, rest));
}

void build_ancf(const FlexibleBody& body, Description& description) {
  if (body.element == "bar") {
    const bool green = body.strain == BarStrain::green;
    return add_bars(body, green ? BarLaw::green : BarLaw::ancf, description);
  }
  const ElementProperties element = element_properties(body);
  const auto beam = std::make_shared<AncfBeam>(element);
  const auto at_node = ancf_frame(body, EndWeights::Unit(0), EndWeights::Unit(1), 1);
  for (int k = 0; k <= body.elements; ++k) {
    description.amplitudes.push_back(coordinates_of(body, k));
    Body node = mesh_node(body, k);
    node.carrier = Carrier{.bodies = {}, .amplitudes = {coordinates_name(body, k)}};
    node.carrier->planar = at_node;
    description.bodies.push_back(std::move(node));
  }
  for (int k = 0; k < body.elements; ++k) {
    description.elements.push_back(
        {.name = element_name(body, k),
         .amplitudes = {coordinates_name(body, k), coordinates_name(body, k + 1)},
         .planar = beam});
  }
  for (const FlexibleFrame& frame : mesh_frames(body)) {
    const MeshPlace place = mesh_place(body, frame.along);
    Carrier carrier{.bodies = {},
                    .amplitudes = {coordinates_name(body, place.element),
                                   coordinates_name(body, place.element + 1)}};
    carrier.planar =
        ancf_frame(body, shape(element, place.xi), section_direction(element, place.xi), 2);
    description.bodies.push_back(mesh_frame(body, frame, std::move(carrier)));
  }
}

}  // namespace

FlexibleKind ancf() {
  return {.name = "ancf",
          .space = Space::planar,
          .summary = "positions and slopes of the nodes, simplified (ANCF-S)",
          .elements = {"bar", "euler_bernoulli", "timoshenko"},
          .build = build_ancf};
}

}  // namespace trammel::model
