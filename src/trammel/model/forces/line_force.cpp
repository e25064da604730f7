#include "trammel/model/forces/line_force.h"

namespace trammel::model {

template <class S>
LineForce<S>::LineForce(const NodeFrame<S>& a,
                        const NodeFrame<S>& b,
                        std::unique_ptr<const LineLaw> law)
    : Force<S>(a.node, b.node), distance_(PointPair<S>{a, b}), law_(std::move(law)) {}

template <class S>
void LineForce<S>::evaluate(const Kinematics& a,
                            const Kinematics& b,
                            double /*t*/,
                            PairVector<S>& f) const {
  distance_.jacobian(a, b, f);
  f *= -law_->tension(distance_.value(a, b), distance_.rate(a, b)).total;
}

template <class S>
void LineForce<S>::tangent(const Kinematics& a,
                           const Kinematics& b,
                           double /*t*/,
                           PairMatrix<S>& f_q,
                           PairMatrix<S>& f_v) const {
  const Tension T = law_->tension(distance_.value(a, b), distance_.rate(a, b));
  PairVector<S> J;
  PairMatrix<S> H;
  distance_.jacobian(a, b, J);
  distance_.derivative(a, b, H);
  const PairVector<S> rate_q = H.transpose() * pair_velocity<S>(a, b);
  const PairVector<S> T_q = T.by_length * J + T.by_rate * rate_q;
  f_q = -T.total * H;
  f_q.noalias() -= J * T_q.transpose();
  f_v.noalias() = (-T.by_rate * J) * J.transpose();
}

template <class S>
double LineForce<S>::potential(const Kinematics& a, const Kinematics& b) const {
  return law_->potential(distance_.value(a, b));
}

template <class S>
ForcePower LineForce<S>::power(const Kinematics& a, const Kinematics& b, double /*t*/) const {
  const double rate = distance_.rate(a, b);
  const Tension T = law_->tension(distance_.value(a, b), rate);
  return {.dissipated = (T.total - T.elastic) * rate};
}

template <class S>
std::vector<Quantity> LineForce<S>::quantities() const {
  return {{"length", "m", "", "distance of the two points"},
          {"rate", "m/s", "", "rate of the length"},
          {"tension", "N", "", "force, positive when pulling"}};
}

template <class S>
void LineForce<S>::measure(const Kinematics& a,
                           const Kinematics& b,
                           double /*t*/,
                           double* values) const {
  values[0] = distance_.value(a, b);
  values[1] = distance_.rate(a, b);
  values[2] = law_->tension(values[0], values[1]).total;
}

template class LineForce<Planar>;
template class LineForce<Spatial>;

}  // namespace trammel::model
