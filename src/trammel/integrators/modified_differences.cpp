#include "trammel/integrators/modified_differences.h"

#include <algorithm>

namespace trammel::integrators {

using system::Vector;

void ModifiedDifferences::begin(double t, const Vector& value, int count) {
  phi_.assign(static_cast<std::size_t>(count), Vector::Zero(value.size()));
  phi_[0] = value;
  carry_ = value;
  scratch_ = value;
  time_.fill(t);
  available_ = 1;
}

void ModifiedDifferences::betas(double h, int count, std::array<double, most>& beta) const {
  beta[0] = 1.0;
  for (int j = 1; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    beta[i] = beta[i - 1] * (h + psi(j - 1)) / psi(j);
  }
}

void ModifiedDifferences::add(double h, const Vector& value, int used) {
  const int room = static_cast<int>(phi_.size());
  // The new value allows one difference more than there were.
  const int last = std::min({used + 1, available_, room - 1});
  std::array<double, most> beta{};
  betas(h, last, beta);
  carry_ = value;
  for (int j = 0; j < last; ++j) {
    const auto i = static_cast<std::size_t>(j);
    scratch_ = carry_ - beta[i] * phi_[i];
    phi_[i].swap(carry_);
    carry_.swap(scratch_);
  }
  phi_[static_cast<std::size_t>(last)].swap(carry_);
  std::rotate(time_.rbegin(), time_.rbegin() + 1, time_.rend());
  time_[0] = time_[1] + h;
  available_ = last + 1;
}

void ModifiedDifferences::replace_head(std::vector<Vector>& values) {
  const Eigen::Index rows = values[0].size();
  const auto count = static_cast<std::size_t>(available_);
  double product = 1.0;
  phi_[0].head(rows) = values[0];
  for (std::size_t level = 1; level < count; ++level) {
    for (std::size_t i = 0; i + level < count; ++i) {
      values[i] = (values[i] - values[i + 1]) / (time_[i] - time_[i + level]);
    }
    product *= psi(static_cast<int>(level));
    phi_[level].head(rows) = product * values[0];
  }
}

void ModifiedDifferences::value(double s, int terms, Vector& value) const {
  value = phi_[0];
  double c = 1.0;
  for (int j = 1; j < terms; ++j) {
    c *= (s + psi(j - 1)) / psi(j);
    value += c * phi_[static_cast<std::size_t>(j)];
  }
}

void ModifiedDifferences::rate(double s, int terms, Vector& rate) const {
  rate.setZero(phi_[0].size());
  double c = 1.0;
  double d = 0.0;
  for (int j = 1; j < terms; ++j) {
    d = (d * (s + psi(j - 1)) + c) / psi(j);
    c *= (s + psi(j - 1)) / psi(j);
    rate += d * phi_[static_cast<std::size_t>(j)];
  }
}

std::size_t ModifiedDifferences::memory_bytes() const {
  return (phi_.size() + 2) * static_cast<std::size_t>(carry_.size()) * sizeof(double);
}

}  // namespace trammel::integrators
