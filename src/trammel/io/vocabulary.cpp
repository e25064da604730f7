#include "trammel/io/vocabulary.h"

#include <algorithm>

#include "trammel/model/connections/element_kinds.h"
#include "trammel/model/kinds.h"

namespace trammel::io {
namespace {

bool belongs(const Kind& kind, model::Space space) {
  return !kind.space || *kind.space == space;
}

}  // namespace

Vocabulary model_vocabulary() {
  Vocabulary vocabulary;
  for (const model::JointKind& kind : model::joint_kinds()) {
    vocabulary.joints.push_back(
        {kind.name, kind.summary, kind.fields, kind.space, 2, kind.mirroring});
  }
  for (const model::ForceKind& kind : model::force_kinds()) {
    vocabulary.forces.push_back(
        {kind.name, kind.summary, kind.fields, kind.space, kind.attachments, kind.mirroring});
  }
  for (const model::CouplingKind& kind : model::coupling_kinds()) {
    vocabulary.couplings.push_back({kind.name, kind.summary, kind.fields, {}, 0, kind.mirroring});
  }
  for (const model::CouplingKind& kind : model::drive_kinds()) {
    vocabulary.drives.push_back({kind.name, kind.summary, kind.fields, {}, 0, kind.mirroring});
  }
  for (const model::SensorKind& kind : model::sensor_kinds()) {
    vocabulary.sensors.push_back(
        {kind.name, kind.summary, kind.fields, kind.space, kind.attachments});
  }
  return vocabulary;
}

std::vector<Kind> element_kinds(const Vocabulary& vocabulary) {
  std::vector<Kind> kinds = vocabulary.joints;
  for (const Kind& kind : vocabulary.forces) {
    const bool on_one = kind.attachments == 1;
    if (on_one && model::element_kind(*kind.space, kind.name, false).fields == nullptr) continue;
    kinds.push_back(kind);
  }
  return kinds;
}

const Kind* find_kind(const std::vector<Kind>& kinds, model::Space space, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
    return kind.name == name && belongs(kind, space);
  });
  return found == kinds.end() ? nullptr : &*found;
}

std::vector<std::string> kind_names(const std::vector<Kind>& kinds, model::Space space) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (belongs(kind, space)) names.push_back(kind.name);
  }
  return names;
}

}  // namespace trammel::io
