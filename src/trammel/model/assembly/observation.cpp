#include "trammel/model/assembly/observation.h"

#include <algorithm>
#include <array>

#include "trammel/model/elements/joint_wrench.h"
#include "trammel/model/frame_observables.h"

namespace trammel::model {
namespace {

using system::Vector;

void observe_rotations(const Node<Planar>& node,
                       const Planar::Kinematics& k,
                       const Vector& /*q*/,
                       const Vector& a,
                       double*& out) {
  write(out, k.angle);
  write(out, k.w);
  write(out, a[node.v + 2]);
}

// Euler parameters as they are: their sign goes with the motion.
void observe_rotations(const Node<Spatial>& node,
                       const Spatial::Kinematics& k,
                       const Vector& q,
                       const Vector& a,
                       double*& out) {
  if (node.is_carried()) {
    const Eigen::Quaterniond e(k.R);
    write(out, e.w());
    write<3>(out, e.vec());
  } else {
    for (int i = 0; i < 4; ++i) write(out, q[node.q + 3 + i]);
  }
  write<3>(out, k.w);
  write<3>(out, a.segment<3>(node.v + 3));
}

// Position, velocity and acceleration of the body frame's origin from those of the mass centre.
void observe_origin(const Node<Planar>& node,
                    const Planar::Kinematics& k,
                    const Vector& a,
                    double*& out) {
  const double alpha = node.freedoms == Planar::freedoms ? a[node.v + 2] : 0.0;
  const Eigen::Vector2d arm = k.R * node.origin;
  write<2>(out, k.p + arm);
  write<2>(out, k.v + k.w * perpendicular(arm));
  write<2>(out, a.segment<2>(node.v) + alpha * perpendicular(arm) - k.w * k.w * arm);
}

void observe_origin(const Node<Spatial>& node,
                    const Spatial::Kinematics& k,
                    const Vector& a,
                    double*& out) {
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();
  if (node.freedoms == Spatial::freedoms) alpha = a.segment<3>(node.v + 3);
  write<3>(out, k.p + k.R * node.origin);
  write<3>(out, k.v + k.R * k.w.cross(node.origin));
  write<3>(out, a.segment<3>(node.v) +
                    k.R * (alpha.cross(node.origin) + k.w.cross(k.w.cross(node.origin))));
}

template <class S>
class Observation {
 public:
  Observation(Evaluator<S>& evaluator, const system::Motion& motion, double* values)
      : evaluator_(evaluator),
        groups_(*evaluator.groups()),
        m_(evaluator.mechanism()),
        motion_(motion),
        first_(values),
        out_(values),
        now_(evaluator.nodes().moving(motion)) {}

  void write_all() {
    for (std::size_t i = 1; i < m_.nodes.size(); ++i) write_body(i);
    for (const NamedAmplitudes& set : m_.amplitudes) {
      for (int k = 0; k < set.places.count; ++k) {
        write(out_, motion_.state.q[set.places.q + k]);
        write(out_, motion_.state.v[set.places.v + k]);
      }
    }
    std::size_t wrapping = 0;
    for (const MechanismJoint<S>& joint : m_.joints) write_joint(joint, wrapping);
    for (const NamedForce<S>& named : m_.forces) {
      const Force<S>& force = *named.force;
      force.measure(now_.at(force.node_a()), now_.at(force.node_b()), now_.t, out_);
      out_ += named.channels;
    }
    groups_.elements.measure(now_, out_);
    groups_.connections.measure(now_, out_);
    write_couplings();
    write_laws();
    for (std::size_t i = 0; i < m_.joint_frictions.size(); ++i) {
      write(out_, groups_.frictions.load(i, now_));
      write(out_, groups_.frictions.normal_load(i, now_));
    }
    write_sensors();
    for (const double z : motion_.state.z) write(out_, z);
    for (const NamedOutput<S>& output : m_.outputs) {
      write(out_, output.formula.value(now_.loaded_place(), now_.work));
    }
    if (!m_.channel_formulas.empty()) write_channel_formulas();
  }

 private:
  void write_body(std::size_t i) {
    const Node<S>& body = m_.nodes[i];
    const typename S::Kinematics& k = now_.kinematics[i];
    observe_origin(body, k, *now_.a, out_);
    if (body.freedoms == S::freedoms) observe_rotations(body, k, *now_.q, *now_.a, out_);
  }

  // Load and gap.
  void write_contact(const MechanismJoint<S>& joint) {
    const ContactRow& contact = *joint.contact;
    write(out_, contact.load(motion_.lambda[contact.row]));
    for (int c = joint.first_constraint; c < joint.first_constraint + joint.constraints; ++c) {
      const auto index = static_cast<std::size_t>(c);
      const int place = contact.row - m_.first_row[index];
      if (place < 0 || place >= m_.constraints[index]->rows()) continue;
      typename Constraint<S>::Rows g;
      typename Constraint<S>::Jacobian G;
      m_.constraints[index]->linearise(now_.at(joint.a.node), now_.at(joint.b.node), now_.t, g, G);
      write(out_, contact.gap(g[place]));
      return;
    }
  }

  void write_joint(const MechanismJoint<S>& joint, std::size_t& wrapping) {
    const typename S::Kinematics& a = now_.at(joint.a.node);
    const typename S::Kinematics& b = now_.at(joint.b.node);
    for (const auto& named : joint.coordinates) {
      double value = named.coordinate->value(a, b);
      if (named.coordinate->wraps()) value = nearest_turn(value, now_.history.turns[wrapping++]);
      write(out_, value);
      write(out_, named.coordinate->rate(a, b));
    }
    for (const auto& output : joint.outputs) write(out_, output.coordinate->value(a, b));
    for (const auto& rate : joint.rates) write(out_, rate.direction->rate(a, b));
    if (joint.contact) write_contact(joint);

    const auto wrench = groups_.joints.reaction(joint, now_);
    const typename S::Point force = wrench.template head<S::dimension>();
    const auto torque = moment_at(b, joint.b.l, wrench);
    write<S::dimension>(out_, force);
    const Eigen::Matrix<double, S::dimension, S::dimension> to_joint =
        (a.R * joint.a.axes).transpose();
    if constexpr (S::space == Space::planar) {
      write(out_, torque);
      write<2>(out_, to_joint * force);
    } else {
      write<3>(out_, torque);
      write<3>(out_, to_joint * force);
      write<3>(out_, to_joint * torque);
    }
  }

  void write_couplings() {
    const Place<S> place = now_.loaded_place();
    for (const NamedRelation<S>& named : m_.relations) {
      write(out_, groups_.couplings.load(named, now_));
      if (named.contact) write(out_, named.relation.formula().value(place, now_.work));
      if (!named.drive) continue;
      const double by_time = named.relation.time_derivative(place, now_.work);
      write(out_, motion_.lambda[named.row] * by_time);
    }
  }

  void write_laws() {
    const Place<S> place = now_.loaded_place();
    const std::vector<NamedLaw<S>>& laws = m_.laws;
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (!laws[i].is_hidden()) {
        write(out_, laws[i].law.magnitude(place, now_.work));
        continue;
      }
      // The sum over all laws of the force, which act on one body.
      Eigen::Matrix<double, S::freedoms, 1> wrench = Eigen::Matrix<double, S::freedoms, 1>::Zero();
      const int body = laws[i].law.nodes().nodes().front();
      const std::string& name = laws[i].name;
      for (; i < laws.size() && laws[i].name == name; ++i) {
        laws[i].law.evaluate(place, now_.work);
        wrench += now_.work.row.template head<S::freedoms>();
      }
      --i;
      const auto& node = m_.nodes[static_cast<std::size_t>(body)];
      write<S::dimension>(out_, wrench.template head<S::dimension>());
      const auto moment = moment_at(now_.at(body), node.origin, wrench);
      if constexpr (S::space == Space::planar) {
        write(out_, moment);
      } else {
        write<3>(out_, moment);
      }
    }
  }

  void write_sensors() {
    const Place<S> place = now_.loaded_place();
    for (const NamedSensor<S>& sensor : m_.sensors) {
      const Measure<S>& measure = sensor.measure;
      write(out_, measured(measure, place));
      write(out_, measure.direction->rate(now_.at(measure.node_a), now_.at(measure.node_b)));
      if (has_acceleration(m_, measure)) write(out_, second_rate(m_, measure, place, *now_.a));
    }
    for (const NamedFrame<S>& sensor : m_.frames) {
      observe_frame(m_, sensor, place, *now_.q, *now_.a, out_);
    }
  }

  // Of all channels before them.
  void write_channel_formulas() {
    const system::Energy energy = evaluator_.energy(motion_.state);
    const system::Power power = evaluator_.power(motion_);
    const std::array<double, energy_balance_entries.size()> balance{
        energy.kinetic,   energy.potential, energy.kinetic + energy.potential,
        power.dissipated, power.loads,      power.drives};
    const Place<S> place = now_.loaded_place();
    const auto input = [&](int channel) {
      if (channel >= 0) return first_[channel];
      if (channel == -1) return motion_.state.t;
      const auto further = static_cast<std::size_t>(-2 - channel);
      if (further < balance.size()) return balance[further];
      return measured(m_.channel_measures[further - balance.size()], place);
    };
    for (const ChannelFormula& formula : m_.channel_formulas) {
      now_.work.inputs.resize(formula.channels.size());
      std::transform(formula.channels.begin(), formula.channels.end(), now_.work.inputs.begin(),
                     input);
      write(out_, formula.program->value(now_.work.inputs, now_.work.program));
    }
  }

  Evaluator<S>& evaluator_;
  const ElementGroups<S>& groups_;
  const Mechanism<S>& m_;
  const system::Motion& motion_;
  const double* first_;
  double* out_;
  Instant<S> now_;
};

}  // namespace

template <class S>
void observe(Evaluator<S>& evaluator, const system::Motion& motion, double* values) {
  double* out = values;
  Observation<S>(evaluator, motion, out).write_all();
}

template void observe(Evaluator<Planar>&, const system::Motion&, double*);
template void observe(Evaluator<Spatial>&, const system::Motion&, double*);

}  // namespace trammel::model
