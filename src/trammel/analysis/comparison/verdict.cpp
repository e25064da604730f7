#include "trammel/analysis/comparison/verdict.h"

#include <algorithm>
#include <cmath>

namespace trammel::analysis::comparison {
namespace {

constexpr std::array<const char*, 4> words{"stable", "oscillates", "drifts", "fails"};

}  // namespace

std::string to_string(Verdict verdict) {
  return words[static_cast<std::size_t>(verdict)];
}

Verdict verdict_from_string(const std::string& text) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (text == words[i]) return static_cast<Verdict>(i);
  }
  return Verdict::fails;
}

void SawToothWatch::add(const system::Vector& x) {
  if (x.size() == 0) return;
  low_ = count_ == 0 ? x : low_.cwiseMin(x).eval();
  high_ = count_ == 0 ? x : high_.cwiseMax(x).eval();
  std::rotate(last_.begin(), last_.begin() + 1, last_.end());
  last_.back() = x;
  ++count_;
  if (count_ < static_cast<long>(last_.size())) return;
  std::rotate(differences_.begin(), differences_.begin() + 1, differences_.end());
  differences_.back() = (last_[3] - 3.0 * last_[2] + 3.0 * last_[1] - last_[0]) / 8.0;
  if (count_ + 1 < static_cast<long>(last_.size() + differences_.size())) return;
  const double w = amplitude();
  largest_ = std::max(largest_, w);
  if (count_ <= steps_ / 5) first_fifth_ = std::max(first_fifth_, w);
  if (count_ > steps_ - steps_ / 5) last_fifth_ = std::max(last_fifth_, w);
}

// Of the last differences, in the component where it is largest.
double SawToothWatch::amplitude() const {
  double found = 0.0;
  for (Eigen::Index i = 0; i < low_.size(); ++i) {
    double least = std::abs(differences_[0][i]);
    for (std::size_t k = 1; k < differences_.size(); ++k) {
      const bool alternates = differences_[k][i] * differences_[k - 1][i] < 0.0;
      least = alternates ? std::min(least, std::abs(differences_[k][i])) : 0.0;
      if (!alternates) break;
    }
    found = std::max(found, least);
  }
  return found;
}

double SawToothWatch::relative() const {
  if (count_ == 0) return 0.0;
  const double range = (high_ - low_).maxCoeff();
  return range > 0.0 ? largest_ / range : 0.0;
}

bool SawToothWatch::grew() const {
  return last_fifth_ > 10.0 * first_fifth_;
}

bool SawToothWatch::oscillates(const Limits& limits) const {
  return relative() > limits.saw_tooth || (grew() && relative() > limits.growing);
}

}  // namespace trammel::analysis::comparison
