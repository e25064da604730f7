// What a kind of joint allows, as data: the chain of elementary joints that leads from its first
// frame to its second. Whoever counts in relative coordinates reads it (hinge.h); the
// rows of the same joint forbid exactly what the chain does not allow.
//
// Elementary joints turn about or slide along an axis of the frame behind the one before them:
// chain_of({slide_x, slide_y, turn_z}) is a plane on a plane. What depends on the values of a joint
// (the length of a rod, the lead of a screw) is set by its `arrange`.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace trammel::model {

struct Planar;
struct Spatial;
/// In elementary_joint.h.
template <class S>
struct ElementaryChain;
template <class S>
struct JointPlace;

enum class ElementaryKind {
  turn,   ///< q: angle about its axis
  slide,  ///< q: way along its axis
  screw,  ///< q: angle about its axis, with the way lead q along it
  ball,   ///< q: unit quaternion
  form    ///< q: several coordinates that act at once (motion_form.h)
};

/// An elementary joint before it has a place.
struct ElementaryMotion {
  ElementaryKind kind = ElementaryKind::turn;
  char axis = 'z';  ///< of turns, slides and screws: 'x', 'y' or 'z'
};

/// "turn_z", "slide_x", "ball" ...
std::string to_string(const ElementaryMotion& motion);

namespace elementary {
inline constexpr ElementaryMotion turn_x{ElementaryKind::turn, 'x'};
inline constexpr ElementaryMotion turn_z{ElementaryKind::turn, 'z'};
inline constexpr ElementaryMotion slide_x{ElementaryKind::slide, 'x'};
inline constexpr ElementaryMotion slide_y{ElementaryKind::slide, 'y'};
inline constexpr ElementaryMotion slide_z{ElementaryKind::slide, 'z'};
inline constexpr ElementaryMotion screw_z{ElementaryKind::screw, 'z'};
inline constexpr ElementaryMotion ball{ElementaryKind::ball};
}  // namespace elementary

/// Completes the chain of a joint by its values; may also turn the frames of the place.
template <class S>
using Arrange = void (*)(JointPlace<S>& place, ElementaryChain<S>& chain);

/// Has no default: every kind of joint tells it.
class AllowedMotion {
 public:
  AllowedMotion(std::vector<ElementaryMotion> chain,
                Arrange<Planar> arrange_planar,
                Arrange<Spatial> arrange_spatial,
                std::string no_chain = {});

  /// Whether the joint can be a hinge of a spanning tree; otherwise it can only close loops.
  bool is_chain() const { return no_chain_.empty(); }
  /// Why it is none.
  const std::string& no_chain() const { return no_chain_; }
  /// As long as the values ask for nothing else.
  const std::vector<ElementaryMotion>& chain() const { return chain_; }
  /// The chain of a joint with its values; `place` is where its frames are then.
  template <class S>
  ElementaryChain<S> arranged(JointPlace<S>& place) const;

 private:
  std::vector<ElementaryMotion> chain_;
  Arrange<Planar> arrange_planar_ = nullptr;
  Arrange<Spatial> arrange_spatial_ = nullptr;
  std::string no_chain_;
};

AllowedMotion chain_of(std::initializer_list<ElementaryMotion> chain);
AllowedMotion chain_of(std::initializer_list<ElementaryMotion> chain, Arrange<Planar> arrange);
AllowedMotion chain_of(std::initializer_list<ElementaryMotion> chain, Arrange<Spatial> arrange);
/// A joint that can only close loops, and why, as the end of a sentence.
AllowedMotion closes_loops_only(std::string because);

}  // namespace trammel::model
