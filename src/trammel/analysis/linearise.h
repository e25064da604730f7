// Linearisation of constrained equations of motion about any motion, in independent coordinates.
//
// Small changes x (of q, along move), y (of v), mu (of lambda), w (of z), u (inputs) obey
//
//     [M  G^T - H] [y' ]   [-K x - D y + F w + b u]
//     [G     0   ] [mu ] = [-P x - Q y            ]      x' = y + B x
//     w' = S_q x + S_v y + S_z w + s_u u
//
// on the space G_h x = 0 (holonomic rows), G y + W x = 0 (all rows), with
//     K = dr/dq (curvature of the constraints included: d(G^T lambda)/dq), D = dr/dv, H =
//     dh/dlambda, W = d(G v + g_t)/dq,  P = d(G a + gamma)/dq,  Q = d gamma/dv.
// Coordinates xi = C x and rates eta = R x + C y of linear_coordinates.h solve these for x and y,
// so that
//     d/dt (xi, eta, w) = A (xi, eta, w) + B u,    outputs = C (xi, eta, w) + D u.
//
// K, D, M, G are the exact tangents of the contract; the others are central differences of order 8
// of exact functions. About a motion that is steady in its coordinates A is constant; `drift` says
// how far it is not.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trammel/analysis/dense_matrices.h"
#include "trammel/analysis/watch.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

struct LinearName {
  std::string name;
  std::string unit;
};

struct StateSpace {
  std::vector<LinearName> states;  ///< coordinates, rates, first-order states
  std::vector<LinearName> inputs;
  std::vector<LinearName> outputs;
  Matrix A;
  Matrix B;
  Matrix C;
  Matrix D;
};

/// A number of the model as input: the model compiled with another value of it.
struct ParameterInput {
  LinearName name;
  double value = 0.0;
  std::function<std::unique_ptr<model::ModelSystem>(double)> with;
};

struct LinearOptions {
  std::vector<std::string> coordinates;  ///< wanted first; the rest is chosen
  std::vector<std::string> loads;        ///< inputs: a load along each of these coordinates
  std::vector<ParameterInput> parameters;
  std::vector<std::string> outputs;  ///< names or patterns of observables
  EarlyEnd end = {};                 ///< RunError when it is reached, looked at between the parts
};

struct Linearisation : StateSpace {
  int coordinates = 0;        ///< states: coordinates first,
  int rates = 0;              ///< then rates, then first-order states
  Matrix displacements;       ///< x of each state, n_v rows
  double unsteadiness = 0.0;  ///< largest second derivative of a coordinate, over its scale, 1/s^2
  double drift = 0.0;  ///< change of A over a tenth of the model's size or of a radian, relative
};

Linearisation linearise(model::ModelSystem& system,
                        const system::Motion& motion,
                        const LinearOptions& options);

}  // namespace trammel::analysis
