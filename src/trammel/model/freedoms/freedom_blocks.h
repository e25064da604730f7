// Freedoms: blocks of coordinates with their manifold, owned by whoever needs them (a body its
// pose, a point mass its position).
//
//     vector         q in R^n: retraction q + x; lengths, angles, or numbers such as the amplitudes
//                    of modes
//     spatial pose   position and Euler parameters e: p + x_p, e exp(x_r / 2); velocities are those
//                    of the position in world axes and the angular velocity in body axes
//
// A planar pose (x, y, angle) is a vector. The rotational part comes last in each block.
#pragma once

#include <vector>

#include "trammel/system/state.h"

namespace trammel::model {

enum class Manifold { vector, spatial_pose };

struct FreedomBlock {
  int q = 0;  ///< first coordinate
  int v = 0;  ///< first velocity
  int translations = 0;
  int rotations = 0;
  int numbers = 0;  ///< neither
  Manifold manifold = Manifold::vector;

  int velocities() const { return translations + rotations + numbers; }
  int coordinates() const { return velocities() + (manifold == Manifold::spatial_pose ? 1 : 0); }
};

/// Blocks one after the other, which together are all freedoms of a system.
class FreedomBlocks {
 public:
  void reserve(std::size_t blocks) { blocks_.reserve(blocks); }
  /// Behind those that are there: its places are filled in.
  const FreedomBlock& add(FreedomBlock block);

  const std::vector<FreedomBlock>& all() const { return blocks_; }
  int coordinates() const { return coordinates_; }
  int velocities() const { return velocities_; }
  /// True for velocities that turn something.
  bool is_rotation(int velocity) const;

  /// Retraction: q moved by x. q_moved may be q itself.
  void retract(const system::Vector& q, const system::Vector& x, system::Vector& q_moved) const;
  /// Logarithm: the shortest x by which `from` moves to `to`.
  void logarithm(const system::Vector& from, const system::Vector& to, system::Vector& x) const;
  /// Inverse tangent operator of the retraction at x, times delta.
  void inverse_tangent(const system::Vector& x,
                       const system::Vector& delta,
                       system::Vector& dx) const;

  std::size_t memory_bytes() const { return blocks_.capacity() * sizeof(FreedomBlock); }

 private:
  std::vector<FreedomBlock> blocks_;
  int coordinates_ = 0;
  int velocities_ = 0;
  bool flat_ = true;  ///< vectors all of them
};

}  // namespace trammel::model
