#include "trammel/model/flexible/ancf.h"

#include <array>

#include <fmt/format.h>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/bar.h"
#include "trammel/model/flexible/damping.h"
#include "trammel/model/flexible/element_load.h"
#include "trammel/model/flexible/field_frame.h"
#include "trammel/model/flexible/inertial_field.h"
#include "trammel/model/flexible/mesh.h"

namespace trammel::model {
namespace {

using Eigen::Vector2d;
using Eight = Eigen::Matrix<double, 8, 1>;

/// As local unknowns: those of each row one after the other.
Eight flat(const EndVectors& x) {
  return x.transpose().reshaped();
}

/// Integrals of the axial energy. The centre line has r' = g_0 d + g_1 r'_i + g_2 r'_j with
/// d = r_j - r_i, three vectors x_k, so that with c_ijkl = E A L int g_i g_j g_k g_l over xi
///
///     H_ij = sum_kl c_ijkl x_k x_l^T      G_ij = (trace H_ij - E A L int g_i g_j)/2
///     dU/dx_i = sum_j G_ij x_j            d^2 U/dx_i dx_j = G_ij 1 + H_ij
///
/// The bending energy is a quadratic form of the x_k too, and is part of G.
class AncfIntegrals {
 public:
  static constexpr int vectors = 3;
  static constexpr int pairs = 6;  ///< 00, 01, 02, 11, 12, 22
  using OfPairs = Eigen::Matrix<double, pairs, 1>;
  using Vectors = std::array<Vector2d, vectors>;

  AncfIntegrals(const ElementProperties& element, const Eigen::Matrix4d& bending) {
    constexpr std::array rows{2, 1, 3};  // of d, r'_i and r'_j among the ends
    products_.setZero();
    constant_.setZero();
    for (const GaussPoint& point : gauss_points()) {
      const EndWeights slope = shape_slope(element, point.xi) / element.length;
      OfPairs squares;
      for_pairs([&](int pair, std::size_t i, std::size_t j) {
        squares[pair] = slope[rows[i]] * slope[rows[j]];
      });
      const double weight = point.weight * element.axial * element.length;
      products_ += weight * squares * squares.transpose();
      constant_ += weight * squares;
    }
    for_pairs([&](int pair, std::size_t i, std::size_t j) {
      if (i != j) products_.col(pair) *= 2.0;
      constant_[pair] = bending(rows[i], rows[j]) - 0.5 * constant_[pair];
    });
  }

  template <class Visit>
  static void for_pairs(const Visit& visit) {
    int pair = 0;
    for (std::size_t i = 0; i < vectors; ++i) {
      for (std::size_t j = i; j < vectors; ++j) visit(pair++, i, j);
    }
  }

  static Vectors vectors_of(const EndVectors& Q) {
    return {Vector2d(Q.row(2) - Q.row(0)), Vector2d(Q.row(1)), Vector2d(Q.row(3))};
  }

  /// The load on the ends, dU/dq.
  EndVectors slope(const EndVectors& Q) const {
    const Vectors x = vectors_of(Q);
    return slope(x, dots_of(x));
  }
  /// The same between two ends of a step: strains are the means of theirs. They are quadratic in q,
  /// and so the work over the step is the change of U.
  EndVectors slope_between(const EndVectors& from, const EndVectors& to) const {
    return slope(vectors_of(0.5 * (from + to)),
                 0.5 * (dots_of(vectors_of(from)) + dots_of(vectors_of(to))));
  }

  /// d^2 U/dq^2 times a factor, of blocks for r_i, r'_i, r_j, r'_j.
  Eigen::Matrix<double, 8, 8> curvature(const EndVectors& Q, double factor) const {
    const Vectors x = vectors_of(Q);
    Eigen::Matrix<double, pairs, 3> parts;  // xx, xy and yy of x_k x_l^T, symmetric
    for_pairs([&](int pair, std::size_t i, std::size_t j) {
      parts(pair, 0) = x[i].x() * x[j].x();
      parts(pair, 1) = 0.5 * (x[i].x() * x[j].y() + x[j].x() * x[i].y());
      parts(pair, 2) = x[i].y() * x[j].y();
    });
    Eigen::Matrix<double, pairs, 3> H = products_ * parts;
    const OfPairs G = constant_ + 0.5 * (H.col(0) + H.col(2));
    H.col(0) += G;
    H.col(2) += G;
    H *= factor;
    Eigen::Matrix<double, 8, 8> K;
    constexpr std::array<std::array<int, 3>, 3> pair_of{{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}};
    constexpr std::array<std::size_t, 4> vector_of{0, 1, 0, 2};
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        const int pair = pair_of[vector_of[a]][vector_of[b]];
        const double sign = (a == 0) != (b == 0) ? -1.0 : 1.0;
        const auto row = static_cast<Eigen::Index>(2 * a);
        const auto column = static_cast<Eigen::Index>(2 * b);
        K(row, column) = sign * H(pair, 0);
        K(row + 1, column) = K(row, column + 1) = sign * H(pair, 1);
        K(row + 1, column + 1) = sign * H(pair, 2);
      }
    }
    return K;
  }

 private:
  static OfPairs dots_of(const Vectors& x) {
    OfPairs dots;
    for_pairs([&](int pair, std::size_t i, std::size_t j) { dots[pair] = x[i].dot(x[j]); });
    return dots;
  }
  EndVectors slope(const Vectors& x, const OfPairs& dots) const {
    const OfPairs G = constant_ + 0.5 * (products_ * dots);
    const Vector2d along = G[0] * x[0] + G[1] * x[1] + G[2] * x[2];
    EndVectors load;
    load.row(0) = -along;
    load.row(1) = G[1] * x[0] + G[3] * x[1] + G[4] * x[2];
    load.row(2) = along;
    load.row(3) = G[2] * x[0] + G[4] * x[1] + G[5] * x[2];
    return load;
  }

  Eigen::Matrix<double, pairs, pairs> products_;  ///< c_ijkl, twice where k and l differ
  OfPairs constant_;
};

class AncfBeam final : public BlockElement<Planar> {
 public:
  explicit AncfBeam(const ElementProperties& element)
      : e_(element),
        N_(element.mass * mass_integrals(element)),
        mean_(element.mass * shape_mean(element)),
        K_t_(beam_stiffness(element)),
        integrals_(element, K_t_) {
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const GaussPoint& point = gauss_points()[i];
      slopes_[i] = shape_slope(element, point.xi) / element.length;
      weights_[i] = point.weight * element.axial * element.length;
    }
  }

  void forces(const Motion& on, Column f) const override {
    const EndVectors Q = coordinates(on);
    f = flat(mean_ * on.gravity.transpose() - integrals_.slope(Q));
  }

  bool mass(const Motion& /*on*/, Square M) const override {
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) M(2 * a, 2 * b) = M(2 * a + 1, 2 * b + 1) = N_(a, b);
    }
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
               Square K,
               Square /*D*/) const override {
    K = integrals_.curvature(coordinates(on), 1.0);
  }
  bool depends_on_velocity() const override { return false; }

  bool residual(const Motion& on,
                const Eigen::Ref<const Eigen::VectorXd>& a,
                Column r) const override {
    const EndVectors Q = coordinates(on);
    const EndVectors A = a.head<8>().reshaped<Eigen::RowMajor>(4, 2);
    r = flat(integrals_.slope(Q) + N_ * A - mean_ * on.gravity.transpose());
    return true;
  }

  bool weighted_tangent(const Motion& on,
                        const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
                        const system::Weights& weights,
                        Square K) const override {
    Eigen::Matrix<double, 8, 8> local =
        weights.position != 0.0 ? integrals_.curvature(coordinates(on), weights.position)
                                : Eigen::Matrix<double, 8, 8>::Zero();
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        local(2 * a, 2 * b) += weights.acceleration * N_(a, b);
        local(2 * a + 1, 2 * b + 1) += weights.acceleration * N_(a, b);
      }
    }
    K = local;
    return true;
  }

  double potential(const Motion& on) const override {
    const EndVectors Q = coordinates(on);
    return energy(Q) - on.gravity.dot(Q.transpose() * mean_);
  }

  std::string discrete_obstacle() const override { return {}; }
  void forces_between(const Motion& from,
                      const Motion& middle,
                      const Motion& to,
                      Column f) const override {
    f = flat(mean_ * middle.gravity.transpose() -
             integrals_.slope_between(coordinates(from), coordinates(to)));
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
  AncfIntegrals integrals_;
  std::array<EndWeights, 5> slopes_;  ///< ds/dx at the points
  std::array<double, 5> weights_{};   ///< E A L times theirs
};

/// Green's strain at the points of Gauss, and d, r'_i, r'_j turned back by the angle of the chord
/// d: complex numbers e_k = x_k conj(u) with u = d/|d|, whose energy of bending is that of the x_k.
class AncfStrains {
 public:
  explicit AncfStrains(const ElementProperties& element) : K_t_(beam_stiffness(element)) {
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const GaussPoint& point = gauss_points()[i];
      slopes_[i] = shape_slope(element, point.xi) / element.length;
      weights_[i] = point.weight * element.axial * element.length;
    }
  }

  StrainRows::Matrix stiffness() const {
    StrainRows::Matrix E = StrainRows::Matrix::Zero(count, count);
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      E(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) = weights_[i];
    }
    constexpr std::array rows{2, 1, 3};
    for (int k = 0; k < 3; ++k) {
      for (int l = 0; l < 3; ++l) {
        for (int part = 0; part < 2; ++part) {
          E(points + 2 * k + part, points + 2 * l + part) =
              K_t_(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(l)]);
        }
      }
    }
    return E;
  }

  StrainRows::Matrix rows(const FootingMotion<Planar>& on) const {
    const EndVectors Q = ends_of(on);
    StrainRows::Matrix B(count, 8);
    for (int p = 0; p < points; ++p) put_row(B, p, Q.transpose() * slope(p));
    const Turned x = vectors(Q);
    const Complex back = std::conj(x[0]) / std::abs(x[0]);
    for (int i = 0; i < 8; ++i) {
      const Turned v = vectors(unit(i));
      const double turn = std::imag(v[0] / x[0]);
      for (std::size_t k = 0; k < 3; ++k) put(B, k, i, back * (v[k] - I * turn * x[k]));
    }
    return B;
  }

  StrainRows::Matrix change(const FootingMotion<Planar>& on,
                            const StrainRows::Column& along) const {
    const EndVectors Q = ends_of(on);
    const EndVectors Y = along.reshaped<Eigen::RowMajor>(4, 2);
    StrainRows::Matrix B(count, 8);
    for (int p = 0; p < points; ++p) put_row(B, p, Y.transpose() * slope(p));
    const Turned x = vectors(Q);
    const Turned y = vectors(Y);
    const Complex back = std::conj(x[0]) / std::abs(x[0]);
    const double turn_y = std::imag(y[0] / x[0]);
    for (int i = 0; i < 8; ++i) {
      const Turned v = vectors(unit(i));
      const double turn = std::imag(v[0] / x[0]);
      const double both = -std::imag(v[0] * y[0] / (x[0] * x[0]));
      for (std::size_t k = 0; k < 3; ++k) {
        put(B, k, i,
            -back * (I * (turn_y * v[k] + turn * y[k] + both * x[k]) + turn * turn_y * x[k]));
      }
    }
    return B;
  }

 private:
  using Complex = std::complex<double>;
  using Turned = std::array<Complex, 3>;
  static constexpr Complex I{0.0, 1.0};
  static constexpr int points = 5;
  static constexpr int count = points + 6;

  static EndVectors ends_of(const FootingMotion<Planar>& on) {
    EndVectors Q;
    for (int k = 0; k < 2; ++k) {
      const auto set = on.amplitudes(k);
      Q.row(2 * k) = set.head<2>();
      Q.row(2 * k + 1) = set.tail<2>();
    }
    return Q;
  }
  static Turned vectors(const EndVectors& Q) {
    return {Complex(Q(2, 0) - Q(0, 0), Q(2, 1) - Q(0, 1)), Complex(Q(1, 0), Q(1, 1)),
            Complex(Q(3, 0), Q(3, 1))};
  }
  static EndVectors unit(int i) {
    EndVectors x = EndVectors::Zero();
    x(i / 2, i % 2) = 1.0;
    return x;
  }
  const EndWeights& slope(int p) const { return slopes_[static_cast<std::size_t>(p)]; }
  /// Of the strain at a point, whose tangent is t.
  void put_row(StrainRows::Matrix& B, int p, const Vector2d& t) const {
    B.row(p) = flat(slope(p) * t.transpose()).transpose();
  }
  static void put(StrainRows::Matrix& B, std::size_t k, int column, Complex value) {
    const auto row = static_cast<Eigen::Index>(points + 2 * k);
    B(row, column) = value.real();
    B(row + 1, column) = value.imag();
  }

  Eigen::Matrix4d K_t_;
  std::array<EndWeights, points> slopes_;
  std::array<double, points> weights_{};
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

Carrier ancf_carrier(const FlexibleBody& body, const MeshPlace& place) {
  if (body.element == "bar") return inertial_carrier(body, place);
  const ElementProperties element = element_properties(body, place.element);
  Carrier carrier{.bodies = {},
                  .amplitudes = {coordinates_name(body, place.element),
                                 coordinates_name(body, place.element + 1)}};
  carrier.planar =
      ancf_frame(body, shape(element, place.xi), section_direction(element, place.xi), 2);
  return carrier;
}

BarLaw bar_law(const FlexibleBody& body) {
  return body.strain == BarStrain::green ? BarLaw::green : BarLaw::ancf;
}

void build_ancf(const FlexibleBody& body, Description& description) {
  if (body.element == "bar") return add_bars(body, bar_law(body), description);
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
         .planar = std::make_shared<AncfBeam>(element_properties(body, k))});
  }
  for (const FlexibleFrame& frame : mesh_frames(body)) {
    description.bodies.push_back(
        mesh_frame(body, frame, ancf_carrier(body, mesh_place(body, frame.along))));
  }
}

std::shared_ptr<const BlockElement<Planar>> ancf_damping(const FlexibleBody& body, int k) {
  if (body.element == "bar") return bar_damping(body, bar_law(body), k);
  return strain_damping(AncfStrains(element_properties(body, k)), body.viscosity);
}

}  // namespace

FlexibleKind ancf() {
  return {.name = "ancf",
          .space = Space::planar,
          .summary = "positions and slopes of the nodes, simplified (ANCF-S)",
          .elements = {"bar", "euler_bernoulli", "timoshenko"},
          .build = build_ancf,
          .carrier = ancf_carrier,
          .damping = ancf_damping};
}

}  // namespace trammel::model
