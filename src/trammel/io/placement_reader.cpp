#include "trammel/io/placement_reader.h"

#include <fmt/format.h>

#include "trammel/math/orientation.h"

namespace trammel::io {
namespace {

using Eigen::Quaterniond;

std::optional<StatedOrientation> from_axis(SectionReader& section) {
  const auto axis = section.direction("axis");
  const auto angle = section.number("angle");
  if (!axis || !angle) return std::nullopt;
  return StatedOrientation{math::quaternion_from_axis_angle({*axis, *angle}),
                           *angle * axis->normalized()};
}

std::optional<StatedOrientation> from_euler_angles(SectionReader& section) {
  const auto name = section.choice("euler");
  const auto numbers = section.numbers("angles");
  if (!name || !numbers) return std::nullopt;
  const math::EulerSequence sequence = math::EulerSequence::parse(*name);
  const Eigen::Vector3d angles = Eigen::Map<const Eigen::Vector3d>(numbers->data());
  return StatedOrientation{math::quaternion_from_angles(sequence, angles),
                           math::angle_rate_matrix(sequence, angles) * angles};
}

// Of the turns that lead to it, the shortest.
StatedOrientation without_whole_turns(const Quaterniond& rotation) {
  return {rotation, math::rotation_vector_from_quaternion(rotation), false};
}

std::optional<StatedOrientation> from_quaternion(SectionReader& section) {
  const auto e = section.numbers("quaternion");
  if (!e) return std::nullopt;
  return without_whole_turns(
      math::quaternion_from_euler_parameters(Eigen::Map<const Eigen::Vector4d>(e->data())));
}

std::optional<StatedOrientation> from_matrix(SectionReader& section) {
  const auto matrix = section.matrix("matrix");
  if (!matrix) return std::nullopt;
  return without_whole_turns(math::quaternion_from_matrix(*matrix));
}

std::optional<StatedOrientation> from_rodrigues(SectionReader& section) {
  const auto gamma = section.numbers("rodrigues");
  if (!gamma) return std::nullopt;
  return without_whole_turns(
      math::quaternion_from_rodrigues(Eigen::Map<const Eigen::Vector3d>(gamma->data())));
}

std::optional<StatedOrientation> orientation_from(SectionReader& section) {
  const std::string& given = section.alternative();
  if (given == "axis") return from_axis(section);
  if (given == "euler") return from_euler_angles(section);
  if (given == "quaternion") return from_quaternion(section);
  if (given == "matrix") return from_matrix(section);
  if (given == "rodrigues") return from_rodrigues(section);
  return std::nullopt;
}

}  // namespace

StatedOrientation read_orientation(Reader& reader, const Node& node, const Path& path) {
  SectionReader section(reader, node, path, find_section("orientation"));
  try {
    return orientation_from(section).value_or(StatedOrientation{});
  } catch (const core::InputError& mistakes) {
    reader.error(node, path, mistakes);
    return {};
  }
}

Placement read_placement(Reader& reader, SectionReader& section) {
  Placement placement;
  placement.position = section.vector("position").value_or(Eigen::Vector3d::Zero());
  if (reader.space() == model::Space::planar) {
    const double angle = section.number("angle").value_or(0.0);
    placement.rotation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
    placement.stated_turn.z() = angle;
  } else if (const Node* node = section.find("orientation")) {
    const StatedOrientation stated =
        read_orientation(reader, *node, Path{&section.path(), "orientation"});
    placement.rotation = stated.rotation;
    placement.stated_turn = stated.turn;
  }
  return placement;
}

Placement read_placement(Reader& reader,
                         const Node& node,
                         const Path& path,
                         const Section& section) {
  if (resolved(node).kind != NodeKind::sequence) {
    SectionReader keys(reader, node, path, section);
    return read_placement(reader, keys);
  }
  const Key& position = find_key(reader.keys(section), section.shorthand);
  return {.position = reader.vector(node, path, position).value_or(Eigen::Vector3d::Zero())};
}

std::vector<model::Frame> read_frames(Reader& reader, const Node& node, const Path& path) {
  std::vector<model::Frame> frames;
  if (!is_named_map(reader, node, path, "tip: [0.1, 0]")) return frames;
  const Section& table = find_section("frame");
  for (const Entry& entry : resolved(node).entries) {
    const Path frame_path{&path, entry.key};
    if (!reader.check_name(resolved(node), entry, frame_path)) continue;
    model::Frame& frame = frames.emplace_back();
    frame.name = entry.key;
    const Placement placement = read_placement(reader, *entry.value, frame_path, table);
    frame.position = placement.position;
    frame.rotation = placement.rotation;
    frame.stated_turn = placement.stated_turn;
  }
  return frames;
}

bool is_named_map(Reader& reader, const Node& node, const Path& path, const std::string& example) {
  const NodeKind kind = resolved(node).kind;
  if (kind == NodeKind::map || kind == NodeKind::null) return true;
  reader.error(node, path, fmt::format("{} is given where names with values belong", shown(node)),
               fmt::format("write e.g. {{{}}}", example));
  return false;
}

}  // namespace trammel::io
