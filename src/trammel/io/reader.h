// Values out of the tree: checked, converted to SI units, and complained about where they stand.
//
// Every function that reads a value reports what is wrong with it and then returns nothing; reading
// goes on, so that all mistakes of a file are told at once (up to 200).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "trammel/core/diagnostic.h"
#include "trammel/io/expression.h"
#include "trammel/io/keys.h"
#include "trammel/io/mesh_cache.h"
#include "trammel/io/yaml_tree.h"

namespace trammel::io {

/// The way to a value in the user's names, for messages. Lives on the stack of whoever reads.
struct Path {
  const Path* parent = nullptr;
  std::string_view name;

  /// "bodies.crank.mass"
  std::string text() const;
};

/// A setting written with a unit that must go with the coordinate which its item names
/// (model/forces/coordinate_units.h); which of the two it is, is known when the model is.
struct CoordinateSetting {
  const Node* node = nullptr;
  std::string path;
  std::string coordinate;
  core::Dimension given;
  bool any_angle = false;          ///< radians may be added or dropped
  core::Dimension along_length{};  ///< what it should be
  core::Dimension along_angle{};
};

constexpr std::size_t most_mistakes = 200;

/// Thrown when that many have been reported: reading on would help nobody.
struct TooManyMistakes {};

class Reader {
 public:
  /// What the model reads besides its own text goes through `files`, which must live as long.
  Reader(const Tree& tree, core::Diagnostics& diagnostics, SourceFiles& files);

  model::Space space() const { return space_; }
  void set_space(model::Space space) { space_ = space; }
  /// Number of components of a vector.
  int dimensions() const { return space_ == model::Space::planar ? 2 : 3; }
  const Quantities& parameters() const { return *parameters_; }
  /// They must live while values are read.
  void set_parameters(const Quantities& parameters) { parameters_ = &parameters; }
  /// Evaluates a scalar that was put into another place with the parameters of its own place, until
  /// it is forgotten. False when other parameters were set before; these stay.
  bool evaluate_with(const Node& scalar, const Quantities& parameters) {
    return foreign_.emplace(&scalar, &parameters).second;
  }
  void forget(const Node& scalar) { foreign_.erase(&scalar); }
  /// While copies of the same text are read, a mistake is told once and not for every copy.
  void set_reading_copies(bool copies) { reading_copies_ = copies; }
  const core::Diagnostics& diagnostics() const { return diagnostics_; }
  /// The folder of the file in which a node stands; that of the model file for overrides.
  std::string folder_of(const Node& node) const;
  /// Surfaces that were read for this model.
  MeshCache& meshes() { return meshes_; }
  SourceFiles& files() { return files_; }

  void note(CoordinateSetting setting) { coordinate_settings_.push_back(std::move(setting)); }
  const std::vector<CoordinateSetting>& coordinate_settings() const { return coordinate_settings_; }

  void error(const Node& node, const Path& path, std::string message, std::string remedy);
  void error_at_key(const Node& map,
                    const Entry& entry,
                    const Path& path,
                    std::string message,
                    std::string remedy);
  /// In an expression; `node` is its scalar.
  void error(const Node& node, const Path& path, const ExpressionError& mistake);
  /// Mistakes that mathematics found in a value, told without path.
  void error(const Node& node, const Path& path, const core::InputError& mistakes);

  /// A scalar of any dimension.
  std::optional<Quantity> quantity(const Node& node, const Path& path);
  std::optional<double> number(const Node& node, const Path& path, const Key& key);
  std::optional<std::vector<double>> numbers(const Node& node, const Path& path, const Key& key);
  std::optional<Eigen::Vector3d> vector(const Node& node, const Path& path, const Key& key);
  std::optional<Eigen::Vector3d> direction(const Node& node, const Path& path, const Key& key);
  std::optional<Eigen::Matrix3d> matrix(const Node& node, const Path& path, const Key& key);
  std::optional<bool> flag(const Node& node, const Path& path);
  std::optional<std::string> text(const Node& node, const Path& path);
  /// A list of words, or a single one.
  std::optional<std::vector<std::string>> texts(const Node& node, const Path& path);
  std::optional<std::string> choice(const Node& node,
                                    const Path& path,
                                    const std::vector<std::string>& choices);
  std::optional<std::vector<std::string>> choices(const Node& node,
                                                  const Path& path,
                                                  const std::vector<std::string>& choices);
  /// The name of a body or of a frame of it.
  std::optional<std::string> frame_name(const Node& node, const Path& path);
  /// Whether a key may serve as the name of a body, frame, joint, force or parameter.
  bool check_name(const Node& map, const Entry& entry, const Path& path);
  /// The same for a name that stands for a value in formulas: no unit and no word of formulas.
  bool check_formula_name(const Node& map, const Entry& entry, const Path& path);

  /// The keys of a section in the space of the model.
  const std::vector<Key>& keys(const Section& section);
  /// Those of a joint, force or integrator of some kind.
  const std::vector<Key>& keys(const Section& section, const Kind& kind);

 private:
  void add(int source,
           const Mark& mark,
           std::string path,
           std::string message,
           std::string remedy,
           core::Severity severity = core::Severity::error);
  void question_angle(const Node& scalar, const Path& path, const Key& key, double value);
  std::optional<std::vector<double>> list(const Node& node,
                                          const Path& path,
                                          const Key& key,
                                          const std::vector<int>& counts);
  bool check_sign(const Node& node, const Path& path, const Key& key, double value);

  const Tree& tree_;
  core::Diagnostics& diagnostics_;
  model::Space space_ = model::Space::spatial;
  Quantities none_;
  const Quantities* parameters_ = &none_;
  std::unordered_map<const Node*, const Quantities*> foreign_;
  bool reading_copies_ = false;
  std::set<std::tuple<int, int, int, std::string>> told_;  ///< in copies: place and message
  std::map<std::pair<const Section*, const Kind*>, std::vector<Key>> keys_;
  SourceFiles& files_;
  MeshCache meshes_;
  std::vector<CoordinateSetting> coordinate_settings_;
};

/// How a value is quoted in a message: 'text' (shortened), "a list", "a map" or "nothing".
std::string shown(const Node& node);

}  // namespace trammel::io
