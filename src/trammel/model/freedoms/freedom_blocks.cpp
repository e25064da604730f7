#include "trammel/model/freedoms/freedom_blocks.h"

#include <algorithm>

#include "trammel/math/rotation.h"

namespace trammel::model {

using system::Vector;

const FreedomBlock& FreedomBlocks::add(FreedomBlock block) {
  block.q = coordinates_;
  block.v = velocities_;
  coordinates_ += block.coordinates();
  velocities_ += block.velocities();
  flat_ = flat_ && block.manifold == Manifold::vector;
  blocks_.push_back(block);
  return blocks_.back();
}

bool FreedomBlocks::is_rotation(int velocity) const {
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), velocity,
                       [](int value, const FreedomBlock& block) { return value < block.v; });
  if (after == blocks_.begin()) return false;
  const FreedomBlock& block = *std::prev(after);
  const int turn = velocity - block.v - block.translations;
  return turn >= 0 && turn < block.rotations;
}

void FreedomBlocks::retract(const Vector& q, const Vector& x, Vector& q_moved) const {
  if (flat_) {
    q_moved = q + x;
    return;
  }
  q_moved.resize(q.size());
  for (const FreedomBlock& block : blocks_) {
    if (block.manifold == Manifold::vector) {
      const int n = block.velocities();
      q_moved.segment(block.q, n) = q.segment(block.q, n) + x.segment(block.v, n);
      continue;
    }
    q_moved.segment<3>(block.q) = q.segment<3>(block.q) + x.segment<3>(block.v);
    const double* e = q.data() + block.q + 3;
    const Eigen::Quaterniond turned =
        Eigen::Quaterniond(e[0], e[1], e[2], e[3]) * math::exponential(x.segment<3>(block.v + 3));
    // First-order renormalisation: round-off is all there is to remove.
    const double factor = 1.5 - 0.5 * turned.squaredNorm();
    q_moved[block.q + 3] = factor * turned.w();
    q_moved.segment<3>(block.q + 4) = factor * turned.vec();
  }
}

void FreedomBlocks::logarithm(const Vector& from, const Vector& to, Vector& x) const {
  if (flat_) {
    x = to - from;
    return;
  }
  x.resize(velocities_);
  for (const FreedomBlock& block : blocks_) {
    if (block.manifold == Manifold::vector) {
      const int n = block.velocities();
      x.segment(block.v, n) = to.segment(block.q, n) - from.segment(block.q, n);
      continue;
    }
    x.segment<3>(block.v) = to.segment<3>(block.q) - from.segment<3>(block.q);
    const double* f = from.data() + block.q + 3;
    const double* e = to.data() + block.q + 3;
    x.segment<3>(block.v + 3) =
        math::logarithm(Eigen::Quaterniond(f[0], f[1], f[2], f[3]).conjugate() *
                        Eigen::Quaterniond(e[0], e[1], e[2], e[3]));
  }
}

void FreedomBlocks::inverse_tangent(const Vector& x, const Vector& delta, Vector& dx) const {
  if (flat_) {
    dx = delta;
    return;
  }
  dx.resize(delta.size());
  for (const FreedomBlock& block : blocks_) {
    if (block.manifold == Manifold::vector) {
      dx.segment(block.v, block.velocities()) = delta.segment(block.v, block.velocities());
      continue;
    }
    dx.segment<3>(block.v) = delta.segment<3>(block.v);
    dx.segment<3>(block.v + 3) =
        math::inverse_tangent_operator(x.segment<3>(block.v + 3)) * delta.segment<3>(block.v + 3);
  }
}

}  // namespace trammel::model
