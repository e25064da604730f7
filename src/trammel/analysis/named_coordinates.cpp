#include "trammel/analysis/named_coordinates.h"

#include <map>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::analysis {
namespace {

// The observable that is the rate of `name`, by the naming of observables: "pin.angle_rate",
// "rod.velocity.x" for "rod.position.x", "rod.angular_velocity" for "rod.angle".
std::string rate_name(const std::string& name) {
  const std::size_t position = name.rfind(".position.");
  if (position != std::string::npos) return name.substr(0, position) + ".velocity." + name.back();
  const std::string angle = ".angle";
  if (name.size() > angle.size() &&
      name.compare(name.size() - angle.size(), angle.size(), angle) == 0) {
    return name.substr(0, name.size() - angle.size()) + ".angular_velocity";
  }
  return {};
}

}  // namespace

Observer::Observer(model::ModelSystem& system)
    : system_(system), quantities_(system.observables()), values_(quantities_.size()) {
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < quantities_.size(); ++i) index[quantities_[i].name] = i;
  for (const bool of_joint : {true, false}) {
    for (std::size_t i = 0; i < quantities_.size(); ++i) {
      const model::Quantity& quantity = quantities_[i];
      const auto rate = index.find(of_joint ? quantity.name + "_rate" : rate_name(quantity.name));
      if (rate == index.end()) continue;
      coordinates_.push_back({quantity.name, quantity.unit, i, rate->second, of_joint});
    }
  }
}

const std::vector<double>& Observer::observe(const system::Motion& motion) {
  system_.observe(motion, values_.data());
  return values_;
}

Vector Observer::rates(const std::vector<NamedCoordinate>& list, const system::Motion& motion) {
  observe(motion);
  Vector rates(static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    rates[static_cast<Eigen::Index>(i)] = values_[list[i].rate];
  }
  return rates;
}

Matrix Observer::gradients(const std::vector<NamedCoordinate>& list, const system::State& state) {
  const int n = system_.sizes().v;
  system::Motion motion = motion_of(system_, state);
  motion.state.v.setZero();
  const Vector at_rest = rates(list, motion);
  Matrix gradients(static_cast<Eigen::Index>(list.size()), n);
  for (int i = 0; i < n; ++i) {
    motion.state.v.setZero();
    motion.state.v[i] = 1.0;
    gradients.col(i) = rates(list, motion) - at_rest;
  }
  return gradients;
}

const NamedCoordinate& Observer::find(const std::string& name) const {
  std::vector<std::string> known;
  for (const NamedCoordinate& coordinate : coordinates_) {
    if (coordinate.name == name) return coordinate;
    known.push_back(coordinate.name);
  }
  throw core::InputError(fmt::format("'{}' is no coordinate of this model", name),
                         core::suggestion(name, known));
}

// Rows are compared by what is left of their own sizes: angles, lengths and numbers alike, however
// large the model is.
std::vector<int> independent_rows(
    const Matrix& rows, const Matrix& basis, const Vector& scale, int count, double least) {
  Matrix rest = rows * basis;
  std::vector<int> picked;
  if (rest.rows() == 0 || rest.cols() == 0) return picked;
  const Vector sizes = (rows * scale.asDiagonal()).rowwise().norm();
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    rest.row(i) *= sizes[i] > 0.0 ? 1.0 / sizes[i] : 0.0;
  }
  while (static_cast<int>(picked.size()) < count) {
    Eigen::Index best = 0;
    const double size = rest.rowwise().norm().maxCoeff(&best);
    if (!(size > least)) break;
    picked.push_back(static_cast<int>(best));
    const Eigen::RowVectorXd direction = rest.row(best) / size;
    rest -= (rest * direction.transpose()) * direction;
    rest.row(best).setZero();
  }
  return picked;
}

std::vector<std::string> suitable_inputs(Observer& observer,
                                         const system::State& state,
                                         const Matrix& allowed) {
  std::vector<std::string> names;
  Matrix rest = allowed;
  for (const bool of_joint : {true, false}) {
    std::vector<NamedCoordinate> list;
    for (const NamedCoordinate& coordinate : observer.coordinates()) {
      if (coordinate.of_joint == of_joint) list.push_back(coordinate);
    }
    const Matrix gradients = observer.gradients(list, state);
    const auto wanted = static_cast<int>(rest.cols());
    constexpr double least = 1e-3;
    const std::vector<int> picked =
        independent_rows(gradients, rest, observer.system().displacement_scale(), wanted, least);
    Matrix rows(static_cast<Eigen::Index>(picked.size()), rest.cols());
    for (std::size_t i = 0; i < picked.size(); ++i) {
      names.push_back(list[static_cast<std::size_t>(picked[i])].name);
      rows.row(static_cast<Eigen::Index>(i)) = gradients.row(picked[i]) * rest;
    }
    rest = rest * subspaces(rows, Vector::Ones(rest.cols())).allowed;
    if (rest.cols() == 0) break;
  }
  return names;
}

}  // namespace trammel::analysis
