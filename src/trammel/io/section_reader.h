// One map of the file, read by its table of keys.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/io/reader.h"

namespace trammel::io {

/// Reports unknown and missing keys when it is made; then gives the values of the known ones. A
/// value that is missing or wrong is empty.
class SectionReader {
 public:
  SectionReader(Reader& reader, const Node& node, const Path& path, const Section& section);
  /// With the keys of a kind of joint, force or integrator besides those of the section.
  SectionReader(
      Reader& reader, const Node& node, const Path& path, const Section& section, const Kind& kind);

  const Node& node() const { return node_; }
  const Path& path() const { return path_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Node* find(std::string_view name) const;
  /// Of the alternatives of the section, the first key of the one that was given; empty when there
  /// is none, or a wrong one.
  const std::string& alternative() const { return alternative_; }

  std::optional<double> number(std::string_view name);
  std::optional<std::vector<double>> numbers(std::string_view name);
  std::optional<Eigen::Vector3d> vector(std::string_view name);
  std::optional<Eigen::Vector3d> direction(std::string_view name);
  std::optional<Eigen::Matrix3d> matrix(std::string_view name);
  std::optional<std::string> text(std::string_view name);
  std::optional<std::vector<std::string>> texts(std::string_view name);
  std::optional<std::string> choice(std::string_view name);
  std::optional<std::vector<std::string>> choices(std::string_view name);
  /// The value of a field of a kind, in any of its forms.
  std::optional<model::Value> value(std::string_view name);

 private:
  void check_map();
  void check_entries();
  void check_required();
  void check_alternatives();
  void report_unknown(const Entry& entry);
  const Key& key(std::string_view name) const;

  Reader& reader_;
  const Node& node_;
  const Path& path_;
  const Section& section_;
  const std::vector<Key>& keys_;
  bool is_map_ = false;
  std::string alternative_;
};

}  // namespace trammel::io
