// What is seen of points and frames: names and values to acceleration level, for bodies and
// sensors.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/mechanism.h"

namespace trammel::model {

inline void write(double*& out, double value) {
  *out++ = value;
}

template <int n>
void write(double*& out, const Eigen::Matrix<double, n, 1>& value) {
  for (int i = 0; i < n; ++i) *out++ = value[i];
}

/// "name.x", "name.y" ...
void add_components(std::vector<Quantity>& list,
                    const std::string& name,
                    int count,
                    const std::string& unit,
                    const std::string& frame,
                    const std::string& description);

/// Names of a rigid body's rotational quantities.
void add_rotations(std::vector<Quantity>& list, const std::string& body, const Planar&);
void add_rotations(std::vector<Quantity>& list, const std::string& body, const Spatial&);

/// Internal nodes of connections have no mass and no accelerations of their own.
template <class S>
bool has_acceleration(const Mechanism<S>& mechanism, const Measure<S>& measure);

/// J a + v^T H v: the derivative of a measure's rate J v, with H that of J.
template <class S>
double second_rate(const Mechanism<S>& mechanism,
                   const Measure<S>& measure,
                   const Place<S>& place,
                   const system::Vector& a);

/// A sensor of a whole frame has the names of a body.
template <class S>
void add_frame_quantities(const Mechanism<S>& mechanism,
                          const NamedFrame<S>& sensor,
                          std::vector<Quantity>& list);

/// One number per quantity, with the coordinates of the system and the accelerations of all nodes;
/// `out` moves on.
template <class S>
void observe_frame(const Mechanism<S>& mechanism,
                   const NamedFrame<S>& sensor,
                   const Place<S>& place,
                   const system::Vector& q,
                   const system::Vector& a,
                   double*& out);

}  // namespace trammel::model
