#include "trammel/io/reader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/expression/formula_name.h"

namespace trammel::io {
namespace {

constexpr std::size_t longest_shown = 60;
constexpr std::size_t longest_name = 100;

std::string clipped(std::string_view text) {
  if (text.size() <= longest_shown) return std::string(text);
  std::size_t end = longest_shown;
  // Do not cut a UTF-8 sequence in two.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

bool is_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || static_cast<unsigned char>(c) >= 0x80U;
  };
  return !name.empty() && name.size() <= longest_name &&
         std::all_of(name.begin(), name.end(), allowed);
}

/// Names with dots between them: "left_leg.shin.knee".
bool is_dotted_name(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_name(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_name(text);
}

/// "1 entry", "3 entries"
std::string entries(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "entry" : "entries");
}

/// A list that a comma inside an expression has split: [max(a, b), 0].
bool is_split_expression(const Node& sequence) {
  return std::any_of(sequence.entries.begin(), sequence.entries.end(), [](const Entry& entry) {
    const std::string& text = entry.value->text;
    return std::count(text.begin(), text.end(), '(') != std::count(text.begin(), text.end(), ')');
  });
}

constexpr const char* quotes_remedy = "an expression that contains a comma needs quotes here";

std::string example_vector(int dimensions) {
  return dimensions == 2 ? "[x, y]" : "[x, y, z]";
}

/// "x", "-z" ...
std::optional<Eigen::Vector3d> named_axis(std::string_view text, int dimensions) {
  const bool negative = text.rfind('-', 0) == 0;
  const std::string_view axis = text.substr(negative ? 1 : 0);
  const std::size_t index = axis.size() == 1 ? std::string_view("xyz").find(axis) : 3;
  if (index >= static_cast<std::size_t>(dimensions)) return std::nullopt;
  return (negative ? -1.0 : 1.0) * Eigen::Vector3d::Unit(static_cast<int>(index));
}

/// What was given instead of the wanted dimension, and what to write.
std::pair<std::string, std::string> wrong_dimension(const Node& node,
                                                    const Quantity& given,
                                                    const core::Dimension& wanted) {
  const std::string unit = core::si_unit(wanted);
  std::string message = fmt::format("{} is in {}", shown(node), core::si_unit(given.dimension));
  if (wanted == core::Dimension{}) return {message, "give a number without unit"};
  if (wanted == core::dimension::angular_velocity &&
      given.dimension == core::Dimension{0, 0, -1, 0}) {
    return {message, "a speed of rotation is given in rad/s, rev/s or rpm"};
  }
  return {message, fmt::format("give a value in {}, or a unit of the same kind", unit)};
}

}  // namespace

std::string Path::text() const {
  if (parent == nullptr) return clipped(name);
  const std::string before = parent->text();
  return before.empty() ? clipped(name) : before + "." + clipped(name);
}

std::string shown(const Node& node) {
  switch (resolved(node).kind) {
    case NodeKind::sequence:
      return "a list";
    case NodeKind::map:
      return "a map";
    case NodeKind::scalar:
      return fmt::format("'{}'", clipped(resolved(node).text));
    case NodeKind::null:
    case NodeKind::alias:
      break;
  }
  return "nothing";
}

Reader::Reader(const Tree& tree, core::Diagnostics& diagnostics, SourceFiles& files)
    : tree_(tree), diagnostics_(diagnostics), files_(files), meshes_(files) {}

void Reader::add(int source,
                 const Mark& mark,
                 std::string path,
                 std::string message,
                 std::string remedy,
                 core::Severity severity) {
  if (reading_copies_ && !told_.emplace(source, mark.line, mark.column, message).second) return;
  const Source& from = tree_.sources[static_cast<std::size_t>(source)];
  diagnostics_.add({severity, std::move(path), std::move(message), std::move(remedy), from.name,
                    from.is_file ? mark.line : 0, from.is_file ? mark.column : 0});
  if (diagnostics_.list().size() >= most_mistakes) throw TooManyMistakes{};
}

std::string Reader::folder_of(const Node& node) const {
  const Source& source = tree_.sources[static_cast<std::size_t>(node.source)];
  const std::string& file = source.is_file ? source.name : tree_.sources.front().name;
  return std::filesystem::path(file).parent_path().string();
}

void Reader::error(const Node& node, const Path& path, std::string message, std::string remedy) {
  add(node.source, node.mark, path.text(), std::move(message), std::move(remedy));
}

void Reader::error_at_key(const Node& map,
                          const Entry& entry,
                          const Path& path,
                          std::string message,
                          std::string remedy) {
  // An entry that an override added has its value, but not its map, from the command line.
  const int of_map = entry.key_mark.line == 0 ? entry.value->source : map.source;
  const int source = entry.source >= 0 ? entry.source : of_map;
  add(source, entry.key_mark, path.text(), std::move(message), std::move(remedy));
}

void Reader::error(const Node& node, const Path& path, const core::InputError& mistakes) {
  for (const core::Diagnostic& mistake : mistakes.diagnostics()) {
    error(node, path, mistake.message, mistake.remedy);
  }
}

void Reader::error(const Node& node, const Path& path, const ExpressionError& mistake) {
  if (mistake.reported) return;
  const Node& scalar = resolved(node);
  Mark mark = scalar.mark;
  if (!scalar.quoted) mark.column += static_cast<int>(mistake.position);
  add(scalar.source, mark, path.text(), fmt::format("in {}: {}", shown(scalar), mistake.message),
      mistake.remedy);
}

bool Reader::check_sign(const Node& node, const Path& path, const Key& key, double value) {
  if (key.sign == model::Sign::positive && value <= 0.0) {
    error(node, path, fmt::format("{} is not above zero", shown(node)), "give a positive value");
    return false;
  }
  if (key.sign == model::Sign::non_negative && value < 0.0) {
    error(node, path, fmt::format("{} is negative", shown(node)), "give zero or a positive value");
    return false;
  }
  return true;
}

std::optional<double> Reader::number(const Node& node, const Path& path, const Key& key) {
  const Node& scalar = resolved(node);
  if (scalar.kind != NodeKind::scalar) {
    const std::string unit = unit_of(key);
    error(node, path, fmt::format("{} is given where a number belongs", shown(node)),
          unit.empty() ? "give a number or an expression"
                       : fmt::format("give a number in {}, or one with a unit", unit));
    return std::nullopt;
  }
  const std::optional<Quantity> given = quantity(node, path);
  if (!given) return std::nullopt;
  if (!given->fits(key.dimension)) {
    auto [message, remedy] = wrong_dimension(scalar, *given, key.dimension);
    error(node, path, std::move(message), std::move(remedy));
    return std::nullopt;
  }
  if (!check_sign(node, path, key, given->value)) return std::nullopt;
  question_angle(scalar, path, key, given->value);
  return given->value;
}

// "angle: 30" is thirty radians, and hardly ever meant.
void Reader::question_angle(const Node& scalar, const Path& path, const Key& key, double value) {
  constexpr double doubtful = 3.0 * std::numbers::pi;
  if (!(key.dimension == core::dimension::angle) || !(std::abs(value) > doubtful)) return;
  const std::string& text = scalar.text;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0') return;  // with a unit, or a formula
  add(scalar.source, scalar.mark, path.text(),
      fmt::format("{0} is read as {0} rad, more than a whole turn", text),
      fmt::format("write '{0} deg' if degrees are meant, '{0} rad' if not", text),
      core::Severity::warning);
}

std::optional<Quantity> Reader::quantity(const Node& node, const Path& path) {
  const Node& scalar = resolved(node);
  const auto foreign = foreign_.find(&scalar);
  try {
    return evaluate(scalar.text, foreign == foreign_.end() ? *parameters_ : *foreign->second);
  } catch (const ExpressionError& mistake) {
    error(node, path, mistake);
    return std::nullopt;
  }
}

std::optional<std::vector<double>> Reader::list(const Node& node,
                                                const Path& path,
                                                const Key& key,
                                                const std::vector<int>& counts) {
  const Node& sequence = resolved(node);
  std::string wanted;
  for (const int count : counts) wanted += fmt::format("{}{}", wanted.empty() ? "" : " or ", count);
  const bool one_will_do =
      counts.empty() || std::find(counts.begin(), counts.end(), 1) != counts.end();
  if (sequence.kind == NodeKind::scalar && one_will_do) {
    const std::optional<double> value = number(node, path, key);
    if (!value) return std::nullopt;
    return std::vector<double>{*value};
  }
  if (sequence.kind != NodeKind::sequence) {
    error(node, path, fmt::format("{} is given where a list belongs", shown(node)),
          fmt::format("give {}{}numbers in brackets", wanted, wanted.empty() ? "" : " "));
    return std::nullopt;
  }
  const int size = static_cast<int>(sequence.entries.size());
  if (!counts.empty() && std::find(counts.begin(), counts.end(), size) == counts.end()) {
    error(node, path, fmt::format("the list has {}", entries(sequence.entries.size())),
          is_split_expression(sequence) ? quotes_remedy : fmt::format("give {} numbers", wanted));
    return std::nullopt;
  }
  std::vector<double> values;
  for (const Entry& entry : sequence.entries) {
    if (const std::optional<double> value = number(*entry.value, path, key))
      values.push_back(*value);
  }
  if (values.size() != sequence.entries.size()) return std::nullopt;
  return values;
}

std::optional<std::vector<double>> Reader::numbers(const Node& node,
                                                   const Path& path,
                                                   const Key& key) {
  return list(node, path, key, key.counts);
}

std::optional<Eigen::Vector3d> Reader::vector(const Node& node, const Path& path, const Key& key) {
  const Node& sequence = resolved(node);
  const int size = static_cast<int>(sequence.entries.size());
  if (sequence.kind == NodeKind::sequence && size != dimensions()) {
    error(node, path,
          fmt::format("the list has {}, but vectors of a {} model have {}",
                      entries(sequence.entries.size()), model::to_string(space_), dimensions()),
          is_split_expression(sequence) ? quotes_remedy
                                        : fmt::format("write {}", example_vector(dimensions())));
    return std::nullopt;
  }
  const auto values = list(node, path, key, {dimensions()});
  if (!values) return std::nullopt;
  return Eigen::Vector3d((*values)[0], (*values)[1], dimensions() == 3 ? (*values)[2] : 0.0);
}

std::optional<Eigen::Vector3d> Reader::direction(const Node& node,
                                                 const Path& path,
                                                 const Key& key) {
  const bool planar = dimensions() == 2;
  if (resolved(node).kind == NodeKind::scalar) {
    const auto axis = named_axis(resolved(node).text, dimensions());
    if (!axis) {
      error(node, path, fmt::format("{} is not a direction", shown(node)),
            fmt::format("write {}, or one of the axes {}", example_vector(dimensions()),
                        planar ? "x, y, -x, -y" : "x, y, z, -x, -y, -z"));
    }
    return axis;
  }
  const auto result = vector(node, path, key);
  if (result && result->norm() == 0.0) {
    error(node, path, "the direction has length 0",
          planar ? "give a direction, e.g. [1, 0]" : "give a direction, e.g. [0, 0, 1]");
    return std::nullopt;
  }
  return result;
}

std::optional<Eigen::Matrix3d> Reader::matrix(const Node& node, const Path& path, const Key& key) {
  const Node& rows = resolved(node);
  if (rows.kind != NodeKind::sequence || rows.entries.size() != 3) {
    error(node, path, fmt::format("{} is not a matrix", shown(node)),
          "give three rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]");
    return std::nullopt;
  }
  Eigen::Matrix3d result;
  for (int row = 0; row < 3; ++row) {
    const Node& entry = *rows.entries[static_cast<std::size_t>(row)].value;
    const auto values = list(entry, path, key, {3});
    if (!values) return std::nullopt;
    result.row(row) = Eigen::Map<const Eigen::RowVector3d>(values->data());
  }
  return result;
}

std::optional<bool> Reader::flag(const Node& node, const Path& path) {
  const Node& scalar = resolved(node);
  if (scalar.kind == NodeKind::scalar && (scalar.text == "true" || scalar.text == "false")) {
    return scalar.text == "true";
  }
  error(node, path, fmt::format("{} is neither true nor false", shown(node)),
        "write true or false");
  return std::nullopt;
}

std::optional<std::string> Reader::text(const Node& node, const Path& path) {
  const Node& scalar = resolved(node);
  if (scalar.kind == NodeKind::scalar) return scalar.text;
  error(node, path, fmt::format("{} is given where text belongs", shown(node)), "give some words");
  return std::nullopt;
}

std::optional<std::vector<std::string>> Reader::texts(const Node& node, const Path& path) {
  const Node& list = resolved(node);
  if (list.kind != NodeKind::sequence) {
    const auto word = text(node, path);
    if (!word) return std::nullopt;
    return std::vector<std::string>{*word};
  }
  std::vector<std::string> words;
  for (const Entry& entry : list.entries) {
    if (auto word = text(*entry.value, path)) words.push_back(std::move(*word));
  }
  return words;
}

std::optional<std::string> Reader::choice(const Node& node,
                                          const Path& path,
                                          const std::vector<std::string>& choices) {
  const auto word = text(node, path);
  if (!word) return std::nullopt;
  if (std::find(choices.begin(), choices.end(), *word) != choices.end()) return word;
  error(node, path, fmt::format("{} is unknown here", shown(node)),
        core::suggestion(clipped(*word), choices));
  return std::nullopt;
}

std::optional<std::vector<std::string>> Reader::choices(const Node& node,
                                                        const Path& path,
                                                        const std::vector<std::string>& choices) {
  std::vector<std::string> words;
  const Node& value = resolved(node);
  if (value.kind != NodeKind::sequence) {
    const auto word = choice(node, path, choices);
    if (!word) return std::nullopt;
    return std::vector<std::string>{*word};
  }
  for (const Entry& entry : value.entries) {
    if (auto word = choice(*entry.value, path, choices)) words.push_back(std::move(*word));
  }
  return words;
}

std::optional<std::string> Reader::frame_name(const Node& node, const Path& path) {
  const auto name = text(node, path);
  if (!name) return std::nullopt;
  if (is_dotted_name(*name)) return name;
  error(node, path, fmt::format("{} cannot be the name of a frame", shown(node)),
        "write ground, the name of a body, or body.frame");
  return std::nullopt;
}

bool Reader::check_name(const Node& map, const Entry& entry, const Path& path) {
  if (is_name(entry.key)) return true;
  error_at_key(map, entry, path, fmt::format("'{}' cannot be a name", clipped(entry.key)),
               fmt::format("use up to {} letters, digits, '_' and '-'", longest_name));
  return false;
}

bool Reader::check_formula_name(const Node& map, const Entry& entry, const Path& path) {
  if (!check_name(map, entry, path)) return false;
  const std::string why = expression::why_no_formula_name(entry.key);
  if (why.empty()) return true;
  std::string example = entry.key + "_1";
  for (char& letter : example) {
    if (letter == '-') letter = '_';
  }
  if (!expression::is_identifier(example)) example.insert(0, "x_");
  error_at_key(map, entry, path, why, "choose another name, e.g. " + example);
  return false;
}

const std::vector<Key>& Reader::keys(const Section& section) {
  const auto [found, fresh] = keys_.try_emplace({&section, nullptr});
  if (fresh) found->second = keys_in(section.keys, space_);
  return found->second;
}

const std::vector<Key>& Reader::keys(const Section& section, const Kind& kind) {
  const auto [found, fresh] = keys_.try_emplace({&section, &kind});
  if (fresh) found->second = keys_of(section, kind, space_);
  return found->second;
}

}  // namespace trammel::io
