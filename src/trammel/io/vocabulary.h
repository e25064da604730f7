// The words of the model file that other folders define: kinds of joints, forces, integrators and
// linear solvers, as plain data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/model/field.h"

namespace trammel::io {

struct Kind {
  std::string name;
  std::string summary;  ///< one line
  std::vector<model::Field> fields{};
  std::optional<model::Space> space{};  ///< empty: for planar and spatial models
  int attachments = 0;                  ///< frames it acts on: none, 1 (`on`) or 2 (`between`)
  std::optional<model::Mirroring> mirroring{};  ///< empty: nothing to mirror, or no image
};

struct Vocabulary {
  std::vector<Kind> joints;
  std::vector<Kind> forces;
  std::vector<Kind> couplings;
  std::vector<Kind> drives;
  std::vector<Kind> sensors;
  std::vector<Kind> integrators;
  std::vector<Kind> solvers;
};

/// Joints and forces from the registries of the model; the caller adds integrators and solvers.
Vocabulary model_vocabulary();

/// What a connection may be made of: joints, forces between frames, those along coordinates, and
/// loads on one frame.
std::vector<Kind> element_kinds(const Vocabulary& vocabulary);

/// Null when there is no such kind for that space.
const Kind* find_kind(const std::vector<Kind>& kinds, model::Space space, std::string_view name);

/// The names of the kinds for that space.
std::vector<std::string> kind_names(const std::vector<Kind>& kinds, model::Space space);

}  // namespace trammel::io
