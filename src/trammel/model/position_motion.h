// A position by other coordinates than Cartesian ones (position_form.h) as a motion: nothing turns.
#pragma once

#include "trammel/model/motion_form.h"
#include "trammel/model/position_form.h"

namespace trammel::model {

template <class S>
class PositionMotion final : public MotionForm<S> {
 public:
  using typename MotionForm<S>::Columns;
  using typename MotionForm<S>::Derivatives;

  explicit PositionMotion(std::shared_ptr<const PositionForm<S>> form) : form_(std::move(form)) {}

  std::string_view name() const override { return form_->name(); }
  int size() const override { return S::dimension; }
  bool is_length(int i) const override { return form_->is_length(i); }
  Pose<S> pose(const double* q) const override {
    Pose<S> X;
    X.p = form_->position(q);
    return X;
  }
  void differentiate(const double* q, Derivatives& at) const override {
    at.X = pose(q);
    for (int i = 0; i < S::dimension; ++i) {
      at.first[static_cast<std::size_t>(i)] = sliding<S>(form_->first(q, i));
      for (int j = 0; j < S::dimension; ++j) {
        at.second[static_cast<std::size_t>(i * MotionForm<S>::most + j)] =
            sliding<S>(form_->second(q, i, j));
      }
    }
  }
  void third(const double* q, const double* v, Columns& sums) const override {
    for (int i = 0; i < S::dimension; ++i) {
      sums[static_cast<std::size_t>(i)] = sliding<S>(form_->third(q, i, v));
    }
  }
  void coordinates_of(const Pose<S>& X, double* q) const override { form_->coordinates_of(X.p, q); }
  double distance_from_singularity(const double* q, double size_of_model) const override {
    return form_->distance_from_singularity(q, size_of_model);
  }

 private:
  std::shared_ptr<const PositionForm<S>> form_;
};

}  // namespace trammel::model
