// What an element or a carried frame stands on: nodes, and amplitudes (further numbers among the
// freedoms, such as those of modes). Its local unknowns are the velocities of both, in this order:
// S::freedoms for each node, then those of each set of amplitudes.
#pragma once

#include <vector>

#include "trammel/model/space.h"
#include "trammel/system/state.h"

namespace trammel::model {

/// Where it stands in the system.
struct Footing {
  struct Amplitudes {
    int q = 0;  ///< first coordinate
    int v = 0;  ///< first velocity
    int count = 0;
  };

  std::vector<int> nodes;
  std::vector<Amplitudes> amplitudes;
  /// Velocity that each local unknown is in the numbering of the assembly; -1: of none, since it
  /// belongs to the ground or is the turn of a point mass.
  std::vector<int> places;

  int size() const { return static_cast<int>(places.size()); }
};

/// How that moves, as the element or frame sees it: by its own numbers.
template <class S>
struct FootingMotion {
  const Footing& footing;
  const std::vector<typename S::Kinematics>& kinematics;  ///< of all nodes
  const system::Vector& q;
  const system::Vector& v;
  double t = 0.0;
  typename S::Point gravity = S::Point::Zero();
  double factor = 1.0;  ///< that of the element (PlacedElement::factor)

  const typename S::Kinematics& node(int i) const {
    return kinematics[static_cast<std::size_t>(footing.nodes[static_cast<std::size_t>(i)])];
  }
  auto amplitudes(int i) const {
    const Footing::Amplitudes& set = footing.amplitudes[static_cast<std::size_t>(i)];
    return q.segment(set.q, set.count);
  }
  auto rates(int i) const {
    const Footing::Amplitudes& set = footing.amplitudes[static_cast<std::size_t>(i)];
    return v.segment(set.v, set.count);
  }
  /// Of all local unknowns.
  void velocities(Eigen::Ref<Eigen::VectorXd> local) const {
    Eigen::Index next = 0;
    for (const int number : footing.nodes) {
      const typename S::Kinematics& k = kinematics[static_cast<std::size_t>(number)];
      local.segment<S::freedoms>(next) << k.v, k.w;
      next += S::freedoms;
    }
    for (const Footing::Amplitudes& set : footing.amplitudes) {
      local.segment(next, set.count) = v.segment(set.v, set.count);
      next += set.count;
    }
  }
};

/// local = x at the places of a footing; zero where it has none.
inline void gather(const Footing& footing,
                   const system::Vector& x,
                   Eigen::Ref<Eigen::VectorXd> local) {
  for (int i = 0; i < footing.size(); ++i) {
    const int place = footing.places[static_cast<std::size_t>(i)];
    local[i] = place < 0 ? 0.0 : x[place];
  }
}

/// x at the places += factor * local.
inline void scatter(const Footing& footing,
                    const Eigen::Ref<const Eigen::VectorXd>& local,
                    double factor,
                    system::Vector& x) {
  for (int i = 0; i < footing.size(); ++i) {
    const int place = footing.places[static_cast<std::size_t>(i)];
    if (place >= 0) x[place] += factor * local[i];
  }
}

}  // namespace trammel::model
