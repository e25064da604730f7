// Motions by several coordinates that act at once: where a frame stands, X(q), with everything that
// a tree of hinges needs of it [Sol1983, 3.2.2 and 7.2].
//
// Twists about the origin of the frame in which X is seen, in its axes (twist.h):
//     dX/dq_i X^-1 = s_i,   s_ij = ds_i/dq_j,   s_ij - s_ji = s_j x s_i
//     V = sum s_i v_i,      V' = sum s_i v_i' + sum s_ij v_i v_j
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "trammel/model/pose.h"
#include "trammel/model/twist.h"

namespace trammel::model {

/// A twist that is seen in a frame, as one of the frame in which that stands.
Twist<Planar> carried(const Pose<Planar>& frame, const Twist<Planar>& s);
Twist<Spatial> carried(const Pose<Spatial>& frame, const Twist<Spatial>& s);

template <class S>
class MotionForm {
 public:
  static constexpr int most = S::freedoms;
  using Columns = std::array<Twist<S>, most>;

  struct Derivatives {
    Pose<S> X;
    Columns first;                             ///< s_i
    std::array<Twist<S>, most * most> second;  ///< s_ij at i * most + j
  };

  MotionForm() = default;
  virtual ~MotionForm() = default;
  MotionForm(const MotionForm&) = delete;
  MotionForm(MotionForm&&) = delete;
  MotionForm& operator=(const MotionForm&) = delete;
  MotionForm& operator=(MotionForm&&) = delete;

  virtual std::string_view name() const = 0;
  virtual int size() const = 0;
  virtual bool is_length(int i) const = 0;
  /// Not finite where there is none.
  virtual Pose<S> pose(const double* q) const = 0;
  virtual void differentiate(const double* q, Derivatives& at) const = 0;
  /// sum_jk s_ijk v_j v_k. Only tangents need it: here by differences of s_ij, of fourth order.
  virtual void third(const double* q, const double* v, Columns& sums) const;
  /// The q with pose(q) = X.
  virtual void coordinates_of(const Pose<S>& X, double* q) const = 0;
  /// From 0, where the s_i are dependent, to 1: their smallest singular value as a share of the
  /// largest, lengths measured by the model's size.
  virtual double distance_from_singularity(const double* q, double size_of_model) const;
};

/// X^-1: s_i becomes -Ad(X^-1) s_i, s_ij becomes -Ad(X^-1) s_ji.
template <class S>
class ReversedMotion final : public MotionForm<S> {
 public:
  using typename MotionForm<S>::Derivatives;

  explicit ReversedMotion(std::shared_ptr<const MotionForm<S>> form) : form_(std::move(form)) {}

  std::string_view name() const override { return form_->name(); }
  int size() const override { return form_->size(); }
  bool is_length(int i) const override { return form_->is_length(i); }
  Pose<S> pose(const double* q) const override { return inverse(form_->pose(q)); }
  void differentiate(const double* q, Derivatives& at) const override;
  void coordinates_of(const Pose<S>& X, double* q) const override {
    form_->coordinates_of(inverse(X), q);
  }
  double distance_from_singularity(const double* q, double size_of_model) const override {
    return form_->distance_from_singularity(q, size_of_model);
  }

 private:
  std::shared_ptr<const MotionForm<S>> form_;
};

}  // namespace trammel::model
