// The registries: every kind of joint and force that a model file may name.
//
// A new joint or force is one file pair that defines its kind, one line in kinds.cpp, its test and
// its page. The laws of tests/support apply to it the moment the line stands.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"
#include "trammel/model/field.h"

namespace trammel::model {

template <class S>
class JointAssembly;
template <class S>
class Force;
template <class S>
struct NodeFrame;
struct Planar;
struct Spatial;

/// A kind of joint of one space; the builder of the other space stays null.
struct JointKind {
  std::string name;
  Space space = Space::spatial;
  std::string summary;  ///< one line
  std::vector<Field> fields;
  int freedoms = 0;  ///< relative degrees of freedom it leaves
  void (*build_planar)(const Values& values, JointAssembly<Planar>& joint) = nullptr;
  void (*build_spatial)(const Values& values, JointAssembly<Spatial>& joint) = nullptr;
};

struct ForceKind {
  std::string name;
  Space space = Space::spatial;
  std::string summary;
  std::vector<Field> fields;
  int attachments = 2;  ///< 2: between frames a and b; 1: on frame b, with a the ground
  std::unique_ptr<Force<Planar>> (*build_planar)(const Values& values,
                                                 const NodeFrame<Planar>& a,
                                                 const NodeFrame<Planar>& b) = nullptr;
  std::unique_ptr<Force<Spatial>> (*build_spatial)(const Values& values,
                                                   const NodeFrame<Spatial>& a,
                                                   const NodeFrame<Spatial>& b) = nullptr;
};

const std::vector<JointKind>& joint_kinds();
const std::vector<ForceKind>& force_kinds();

/// Null when there is no such kind for that space.
const JointKind* find_joint_kind(Space space, std::string_view name);
const ForceKind* find_force_kind(Space space, std::string_view name);

/// Completes `values` by the fallbacks and reports unknown names, missing or wrong values.
void check_values(const std::vector<Field>& fields,
                  Space space,
                  const std::string& path,
                  Values& values,
                  core::Diagnostics& diagnostics);

/// Everything that is wrong with a description, with fallbacks filled in where values are missing:
/// names, attachments, mass properties, directions, unconnected frames. Errors carry paths such as
/// "joints.pin.axis".
void check(Description& description, core::Diagnostics& diagnostics);

}  // namespace trammel::model
