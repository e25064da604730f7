// Coordinates that people have names for, seen through the observables of a model.
//
// Every observable `x` with a partner `x_rate` (joint coordinates, sensors) is a coordinate c(q, t)
// with its rate c' = C(q, t) v + c_t; so are positions of bodies with their velocities, and the
// angles of planar bodies. Rates are linear in v, so that their rows C follow exactly from
// observations. Whatever the model's own coordinates are, these names are the same.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/dense_matrices.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

struct NamedCoordinate {
  std::string name;
  std::string unit;
  std::size_t value = 0;  ///< index of its observable
  std::size_t rate = 0;
  bool of_joint = true;  ///< a joint coordinate or a sensor, no coordinate of a body
};

/// Observations of one system, with the memory they need.
class Observer {
 public:
  explicit Observer(model::ModelSystem& system);

  const model::ModelSystem& system() const { return system_; }
  const std::vector<model::Quantity>& quantities() const { return quantities_; }
  const std::vector<NamedCoordinate>& coordinates() const { return coordinates_; }

  /// All observables of a motion.
  const std::vector<double>& observe(const system::Motion& motion);
  /// c' of the listed coordinates.
  Vector rates(const std::vector<NamedCoordinate>& list, const system::Motion& motion);
  /// Their rows C, one per coordinate.
  Matrix gradients(const std::vector<NamedCoordinate>& list, const system::State& state);
  /// The coordinate of this name. InputError with the nearest known name when there is none.
  const NamedCoordinate& find(const std::string& name) const;

 private:
  model::ModelSystem& system_;
  std::vector<model::Quantity> quantities_;
  std::vector<NamedCoordinate> coordinates_;
  std::vector<double> values_;
};

/// Rows of `rows` (k x n), picked one after the other so that each is as far as possible from the
/// span of those before it on the space spanned by the columns of `basis`: indices of at most
/// `count` rows. A row of which less than `least` of the longest row (scaled) is left is no choice.
std::vector<int> independent_rows(
    const Matrix& rows, const Matrix& basis, const Vector& scale, int count, double least);

/// Joint coordinates (or, where these do not suffice, others) that describe the motions spanned by
/// `allowed`, best first: what one could drive.
std::vector<std::string> suitable_inputs(Observer& observer,
                                         const system::State& state,
                                         const Matrix& allowed);

}  // namespace trammel::analysis
