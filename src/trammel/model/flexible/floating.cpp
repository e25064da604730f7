#include "trammel/model/flexible/floating.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/model/block_element.h"
#include "trammel/model/flexible/damping.h"
#include "trammel/model/flexible/element_load.h"
#include "trammel/model/flexible/field_frame.h"
#include "trammel/model/flexible/mesh.h"

namespace trammel::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

/// The deformation that an amplitude is: a component of p_i, p'_i, p_j or p'_j.
struct Deformation {
  int row = 0;
  int component = 0;
};

/// Of the amplitudes of an element, those of its first node before those of its second.
std::vector<Deformation> deformations(const FlexibleBody& body, int element) {
  if (body.element == "bar") {
    if (element == 0) return {{2, 0}};
    return {{0, 0}, {2, 0}};
  }
  if (element == 0) return {{1, 0}, {2, 0}, {2, 1}, {3, 0}, {3, 1}};
  return {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {3, 0}, {3, 1}};
}

/// Without deformation, in the frame.
EndVectors at_rest(const ElementProperties& element, int number) {
  const double x = number * element.length;
  EndVectors X;
  X << x, 0.0, 1.0, 0.0, x + element.length, 0.0, 1.0, 0.0;
  return X;
}

class FloatingElement final : public BlockElement<Planar> {
 public:
  FloatingElement(const ElementProperties& element, const FlexibleBody& body, int number)
      : e_(element),
        X0_(at_rest(element, number)),
        f_(deformations(body, number)),
        N_(element.mass * mass_integrals(element)),
        c_(element.mass * shape_mean(element)),
        K_a_(axial_stiffness(element)),
        K_t_(beam_stiffness(element)) {
    const bool center = body.weight == FloatingWeight::center;
    weight_ = center ? EndWeights(element.mass * shape(element, 0.5)) : c_;
  }

  void forces(const Motion& on, Column f) const override {
    const Place at = place(on);
    const double w = on.node(0).w;
    const Vector2d S = at.X.transpose() * c_;
    const Vector2d S_rate = at.X_rate.transpose() * c_;
    f.head<2>() = w * w * at.A * S - 2.0 * w * at.A_theta * S_rate + e_.mass * on.gravity;
    f[2] = -2.0 * w * at.X_rate.cwiseProduct(N_ * at.X).sum() +
           on.gravity.dot(at.A_theta * (at.X.transpose() * weight_));
    add_deformations(N_ * (w * w * at.X + 2.0 * w * turned_back(at.X_rate)) - elastic(at.X) +
                         weight_ * (at.A.transpose() * on.gravity).transpose(),
                     f);
  }

  bool mass(const Motion& on, Square M) const override {
    const Place at = place(on);
    const EndVectors N_X = N_ * at.X;
    const Vector2d turn = at.A_theta * (at.X.transpose() * c_);
    M.topLeftCorner<2, 2>().diagonal().setConstant(e_.mass);
    M.block<2, 1>(0, 2) = turn;
    M.block<1, 2>(2, 0) = turn.transpose();
    M(2, 2) = at.X.cwiseProduct(N_X).sum();
    for (int k = 0; k < amplitudes(); ++k) {
      const Deformation& d = deformation(k);
      const Vector2d shift = c_[d.row] * at.A.col(d.component);
      M.block<2, 1>(0, 3 + k) = shift;
      M.block<1, 2>(3 + k, 0) = shift.transpose();
      M(2, 3 + k) = M(3 + k, 2) = perpendicular(N_X.row(d.row).transpose())[d.component];
      for (int l = 0; l < amplitudes(); ++l) {
        if (deformation(l).component == d.component)
          M(3 + k, 3 + l) = N_(d.row, deformation(l).row);
      }
    }
    return true;
  }

  void tangent(const Motion& on,
               const Eigen::Ref<const Eigen::VectorXd>& a,
               Square K,
               Square D) const override {
    const Place at = place(on);
    const double w = on.node(0).w;
    const double alpha = a[2];
    const Vector2d a_R = a.head<2>();
    EndVectors X_acceleration = EndVectors::Zero();
    for (int k = 0; k < amplitudes(); ++k) {
      X_acceleration(deformation(k).row, deformation(k).component) = a[3 + k];
    }
    const Vector2d S = at.X.transpose() * c_;
    const Vector2d S_rate = at.X_rate.transpose() * c_;
    const Vector2d S_acceleration = X_acceleration.transpose() * c_;
    const Vector2d W = at.X.transpose() * weight_;

    // By theta: rows R and theta, then those of the deformations.
    K.block<2, 1>(0, 2) = -alpha * at.A * S + at.A_theta * S_acceleration - w * w * at.A_theta * S -
                          2.0 * w * at.A * S_rate;
    K(2, 2) = -a_R.dot(at.A * S) + on.gravity.dot(at.A * W);
    D.block<2, 1>(0, 2) = -2.0 * w * at.A * S + 2.0 * at.A_theta * S_rate;
    D(2, 2) = 2.0 * at.X_rate.cwiseProduct(N_ * at.X).sum();
    const EndVectors by_angle = c_ * (at.A_theta.transpose() * a_R).transpose() -
                                weight_ * (at.A_theta.transpose() * on.gravity).transpose();
    const EndVectors by_rate = -N_ * (2.0 * w * at.X + 2.0 * turned_back(at.X_rate));
    // By the deformations: rows R and theta.
    const EndVectors turn =
        N_ * (2.0 * alpha * at.X + 2.0 * w * at.X_rate + turned_back(X_acceleration)) + by_angle;
    const EndVectors turn_by_rate = 2.0 * w * N_ * at.X;
    for (int k = 0; k < amplitudes(); ++k) {
      const Deformation& d = deformation(k);
      K(3 + k, 2) = by_angle(d.row, d.component);
      D(3 + k, 2) = by_rate(d.row, d.component);
      K.block<2, 1>(0, 3 + k) = c_[d.row] * (alpha * at.A_theta - w * w * at.A).col(d.component);
      D.block<2, 1>(0, 3 + k) = 2.0 * w * c_[d.row] * at.A_theta.col(d.component);
      K(2, 3 + k) = turn(d.row, d.component);
      D(2, 3 + k) = turn_by_rate(d.row, d.component);
    }
    add_deformation_tangent(w, alpha, K, D);
  }

  double potential(const Motion& on) const override {
    const Place at = place(on);
    return energy(at.X) - on.gravity.dot(e_.mass * on.node(0).p) -
           on.gravity.dot(at.A * (at.X.transpose() * weight_));
  }

  std::vector<Quantity> quantities() const override {
    std::vector<Quantity> list = load_quantities(e_.is_bar);
    if (!e_.is_bar) list.push_back({"section_turn", "rad", "", turn_description});
    return list;
  }
  void measure(const Motion& on, double* values) const override {
    const EndVectors X = place(on).X;
    const EndVectors load = elastic(X);
    const double strain = (X - X0_).col(0).dot(shape_slope(e_, 0.5)) / e_.length;
    write_load({.strain = strain,
                .axial_force = e_.axial * strain,
                .moment_start = -load(1, 1),
                .moment_end = load(3, 1),
                .shear_force = (load(1, 1) + load(3, 1)) / e_.length,
                .energy = energy(X)},
               e_.is_bar, values);
    if (e_.is_bar) return;
    constexpr int turn = 6;  // behind the loads
    values[turn] =
        std::max(std::abs(std::atan2(X(1, 1), X(1, 0))), std::abs(std::atan2(X(3, 1), X(3, 0))));
  }

 private:
  struct Place {
    Matrix2d A;
    Matrix2d A_theta;
    EndVectors X;
    EndVectors X_rate;
  };

  Place place(const Motion& on) const {
    Place at{on.node(0).R, {}, X0_, EndVectors::Zero()};
    at.A_theta << perpendicular(at.A.col(0)), perpendicular(at.A.col(1));
    int k = 0;
    for (int set = 0; set < static_cast<int>(on.footing.amplitudes.size()); ++set) {
      const auto value = on.amplitudes(set);
      const auto rate = on.rates(set);
      for (Eigen::Index i = 0; i < value.size(); ++i, ++k) {
        at.X(deformation(k).row, deformation(k).component) += value[i];
        at.X_rate(deformation(k).row, deformation(k).component) = rate[i];
      }
    }
    return at;
  }

  int amplitudes() const { return static_cast<int>(f_.size()); }
  const Deformation& deformation(int k) const { return f_[static_cast<std::size_t>(k)]; }
  void add_deformations(const EndVectors& load, Column& f) const {
    for (int k = 0; k < amplitudes(); ++k) {
      f[3 + k] += load(deformation(k).row, deformation(k).component);
    }
  }
  /// (y, -x) of every row (x, y).
  static EndVectors turned_back(const EndVectors& x) {
    EndVectors turned;
    turned << x.col(1), -x.col(0);
    return turned;
  }
  EndVectors elastic(const EndVectors& X) const {
    EndVectors load;
    load << K_a_ * (X - X0_).col(0), K_t_ * X.col(1);
    return load;
  }
  double energy(const EndVectors& X) const {
    return 0.5 * (X - X0_).cwiseProduct(elastic(X)).sum();
  }
  /// d(M a - f)/df of the rows of the deformations.
  void add_deformation_tangent(double w, double alpha, Square& K, Square& D) const {
    for (int k = 0; k < amplitudes(); ++k) {
      const Deformation& row = deformation(k);
      for (int l = 0; l < amplitudes(); ++l) {
        const Deformation& column = deformation(l);
        const double inertia = N_(row.row, column.row);
        if (row.component == column.component) {
          const Eigen::Matrix4d& stiffness = row.component == 0 ? K_a_ : K_t_;
          K(3 + k, 3 + l) += stiffness(row.row, column.row) - w * w * inertia;
        } else {
          const double sign = row.component == 0 ? 1.0 : -1.0;
          K(3 + k, 3 + l) -= sign * alpha * inertia;
          D(3 + k, 3 + l) -= sign * 2.0 * w * inertia;
        }
      }
    }
  }

  ElementProperties e_;
  EndVectors X0_;
  std::vector<Deformation> f_;
  Eigen::Matrix4d N_;  ///< kg
  EndWeights c_;       ///< kg
  Eigen::Matrix4d K_a_;
  Eigen::Matrix4d K_t_;
  EndWeights weight_;  ///< kg; where the weight acts
};

/// f = R + e^(i theta) u, or without R, where u is u0 and a sum of amplitudes.
class FloatingField {
 public:
  using Complex = std::complex<double>;
  using Motion = FootingMotion<Planar>;
  using Direction = Eigen::Ref<const Eigen::VectorXd>;

  FloatingField(bool with_origin, Complex rest, std::vector<Complex> weights)
      : with_origin_(with_origin), rest_(rest), w_(std::move(weights)) {}

  Complex value(const Motion& on) const {
    const Complex R(on.node(0).p.x(), on.node(0).p.y());
    return (with_origin_ ? R : Complex(0.0)) + turn(on) * shape_at(on);
  }
  Complex along(const Motion& on, const Direction& x) const {
    const Complex R(x[0], x[1]);
    return (with_origin_ ? R : Complex(0.0)) +
           turn(on) * (i * x[2] * shape_at(on) + shape_along(x));
  }
  Complex along(const Motion& on, const Direction& x, const Direction& y) const {
    return turn(on) *
           (-x[2] * y[2] * shape_at(on) + i * (x[2] * shape_along(y) + y[2] * shape_along(x)));
  }
  Complex along(const Motion& on,
                const Direction& x,
                const Direction& y,
                const Direction& z) const {
    return -turn(on) * (i * x[2] * y[2] * z[2] * shape_at(on) + x[2] * y[2] * shape_along(z) +
                        y[2] * z[2] * shape_along(x) + z[2] * x[2] * shape_along(y));
  }
  static double angle(const Motion& on) { return on.node(0).angle; }

 private:
  static constexpr Complex i{0.0, 1.0};

  static Complex turn(const Motion& on) { return {on.node(0).R(0, 0), on.node(0).R(1, 0)}; }
  Complex shape_at(const Motion& on) const {
    Complex sum = rest_;
    std::size_t k = 0;
    for (int set = 0; set < static_cast<int>(on.footing.amplitudes.size()); ++set) {
      const auto value = on.amplitudes(set);
      for (Eigen::Index each = 0; each < value.size(); ++each) sum += w_[k++] * value[each];
    }
    return sum;
  }
  Complex shape_along(const Direction& x) const {
    Complex sum = 0.0;
    for (std::size_t k = 0; k < w_.size(); ++k) sum += w_[k] * x[3 + static_cast<Eigen::Index>(k)];
    return sum;
  }

  bool with_origin_;
  Complex rest_;
  std::vector<Complex> w_;
};

std::string shape_name(const FlexibleBody& body, int k) {
  return fmt::format("{}.shape_{}", body.name, k);
}

/// Sets of amplitudes of an element.
std::vector<std::string> shapes_of(const FlexibleBody& body, int element) {
  std::vector<std::string> names;
  if (element > 0 || body.element != "bar") names.push_back(shape_name(body, element));
  names.push_back(shape_name(body, element + 1));
  return names;
}

Amplitudes shape_amplitudes(const FlexibleBody& body, int k) {
  Amplitudes set{.name = shape_name(body, k)};
  if (body.element == "bar") {
    set.units = {"m"};
  } else if (k == 0) {
    set.units = {""};
  } else {
    set.units = {"m", "m", "", ""};
  }
  set.value.setZero(static_cast<Eigen::Index>(set.units.size()));
  set.rate = set.value;
  return set;
}

/// A body at a place of an element.
Carrier floating_carrier(const FlexibleBody& body, const MeshPlace& place) {
  const ElementProperties element = element_properties(body, place.element);
  const EndVectors rest = at_rest(element, place.element);
  const std::vector<Deformation> amplitudes = deformations(body, place.element);
  const auto field = [&](bool with_origin, const EndWeights& weights) {
    std::vector<std::complex<double>> w;
    for (const Deformation& d : amplitudes) {
      w.push_back(weights[d.row] *
                  (d.component == 0 ? std::complex<double>(1.0) : std::complex<double>(0.0, 1.0)));
    }
    const Vector2d u = rest.transpose() * weights;
    return FloatingField(with_origin, {u.x(), u.y()}, std::move(w));
  };
  Carrier carrier{.bodies = {node_name(body, 0)}, .amplitudes = shapes_of(body, place.element)};
  carrier.planar = std::make_shared<FieldFrame<FloatingField>>(
      field(true, shape(element, place.xi)), field(false, section_direction(element, place.xi)));
  return carrier;
}

void build_floating(const FlexibleBody& body, Description& description) {
  description.bodies.push_back(mesh_node(body, 0));
  for (int k = body.element == "bar" ? 1 : 0; k <= body.elements; ++k) {
    description.amplitudes.push_back(shape_amplitudes(body, k));
  }
  for (int k = 0; k < body.elements; ++k) {
    description.elements.push_back(
        {.name = element_name(body, k),
         .bodies = {node_name(body, 0)},
         .amplitudes = shapes_of(body, k),
         .planar = std::make_shared<FloatingElement>(element_properties(body, k), body, k)});
    Body node = mesh_node(body, k + 1);
    node.carrier = floating_carrier(body, {k, 1.0});
    description.bodies.push_back(std::move(node));
  }
  for (const FlexibleFrame& frame : mesh_frames(body)) {
    description.bodies.push_back(
        mesh_frame(body, frame, floating_carrier(body, mesh_place(body, frame.along))));
  }
}

/// The deformations themselves.
class FloatingStrains {
 public:
  FloatingStrains(const ElementProperties& element, std::vector<Deformation> amplitudes)
      : K_a_(axial_stiffness(element)), K_t_(beam_stiffness(element)), f_(std::move(amplitudes)) {}

  StrainRows::Matrix stiffness() const {
    StrainRows::Matrix E = StrainRows::Matrix::Zero(size(), size());
    for (Eigen::Index k = 0; k < size(); ++k) {
      for (Eigen::Index l = 0; l < size(); ++l) {
        const Deformation& row = f_[static_cast<std::size_t>(k)];
        const Deformation& column = f_[static_cast<std::size_t>(l)];
        if (row.component != column.component) continue;
        E(k, l) = (row.component == 0 ? K_a_ : K_t_)(row.row, column.row);
      }
    }
    return E;
  }
  StrainRows::Matrix rows(const FootingMotion<Planar>& /*on*/) const {
    StrainRows::Matrix B = StrainRows::Matrix::Zero(size(), 3 + size());
    B.rightCols(size()).setIdentity();
    return B;
  }
  StrainRows::Matrix change(const FootingMotion<Planar>& /*on*/,
                            const StrainRows::Column& /*x*/) const {
    return StrainRows::Matrix::Zero(size(), 3 + size());
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(f_.size()); }

  Eigen::Matrix4d K_a_;
  Eigen::Matrix4d K_t_;
  std::vector<Deformation> f_;
};

std::shared_ptr<const BlockElement<Planar>> floating_damping(const FlexibleBody& body, int k) {
  return strain_damping(FloatingStrains(element_properties(body, k), deformations(body, k)),
                        body.viscosity);
}

}  // namespace

FlexibleKind floating_frame() {
  return {.name = "floating",
          .space = Space::planar,
          .summary = "a frame at the start and small deformations in it (FRF)",
          .elements = {"bar", "euler_bernoulli", "timoshenko"},
          .build = build_floating,
          .carrier = floating_carrier,
          .damping = floating_damping};
}

}  // namespace trammel::model
