#include "trammel/expression/switches.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trammel::expression {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double no_line = std::numeric_limits<double>::quiet_NaN();
constexpr double narrowest = 1e-9;      // part of a range, where arguments are no lines
constexpr double narrow = 1.0 / 256.0;  // where nothing bounds them
constexpr int most_parts = 100000;      // examined one by one; then the rest in 32
constexpr int few_parts = 32;

bool is_condition(Operation operation) {
  switch (operation) {
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::not_equal:
      return true;
    default:
      return false;
  }
}

bool is_logic(Operation operation) {
  return is_condition(operation) || operation == Operation::both ||
         operation == Operation::either || operation == Operation::invert;
}

// The registers that an instruction reads.
template <class Visit>
void visit_arguments(const Instruction& k, Visit&& visit) {
  visit(k.a);
  visit(k.b);
  if (k.operation == Operation::select) visit(k.c);
}

bool profile_named(std::string_view name) {
  return name == "saturate" || name == "smooth5" || name == "haversine";
}

}  // namespace

Switches::Switches(const Program& program, std::string_view input) {
  const Program::Parts& parts = program.parts();
  const auto found = std::find_if(parts.inputs.begin(), parts.inputs.end(),
                                  [&](const Input& i) { return i.name == input; });
  if (found == parts.inputs.end()) return;
  input_ = static_cast<std::size_t>(found - parts.inputs.begin());
  start_.assign(parts.inputs.size(), 0.0);
  start_.insert(start_.end(), parts.constants.begin(), parts.constants.end());
  first_result_ = start_.size();
  instructions_ = parts.instructions;
  tables_ = parts.tables;
  find_known(parts);
  find_nodes();
  keep_what_nodes_need();
}

void Switches::find_known(const Program::Parts& parts) {
  known_.assign(parts.inputs.size(), false);
  known_[input_] = true;
  known_.insert(known_.end(), parts.constants.size(), true);
  for (const Instruction& k : instructions_) {
    // A function of the user's may be anything.
    bool known = k.operation != Operation::call;
    if (known) visit_arguments(k, [&](std::uint32_t reg) { known = known && known_[reg]; });
    known_.push_back(known);
  }
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): a list of kinds, one after the other.
void Switches::find_nodes() {
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& k = instructions_[i];
    if (!known_[first_result_ + i]) {
      continue;
    }
    std::optional<Kind> kind;
    int order = 0;
    if (is_condition(k.operation)) kind = Kind::comparison;
    if (k.operation == Operation::lookup) kind = Kind::table;
    if (k.operation == Operation::unary) {
      const std::string_view name = k.unary->name;
      order = k.unary->smooth + 1;
      if (name == "abs") kind = Kind::magnitude;
      if (name == "sign") kind = Kind::sign;
      if (name == "floor") kind = Kind::floor;
      if (name == "ceil") kind = Kind::ceil;
      if (profile_named(name)) kind = Kind::profile;
    }
    if (k.operation == Operation::binary) {
      const std::string_view name = k.binary->name;
      order = k.binary->smooth + 1;
      if (name == "min" || name == "max") kind = Kind::choice;
      if (name == "mod") kind = Kind::mod;
      if (name == "atan2") kind = Kind::angle;
    }
    const double range = kind == Kind::table ? tables_[k.c]->range() : 0.0;
    if (kind) nodes_.push_back({*kind, k, order, range});
  }
}

void Switches::keep_what_nodes_need() {
  needed_.assign(known_.size(), false);
  for (const Node& node : nodes_) {
    visit_arguments(node.instruction, [&](std::uint32_t reg) { needed_[reg] = true; });
  }
  for (std::size_t i = instructions_.size(); i-- > 0;) {
    if (!needed_[first_result_ + i]) continue;
    visit_arguments(instructions_[i], [&](std::uint32_t reg) { needed_[reg] = true; });
  }
}

void Switches::evaluate(double x, double* v) const {
  std::copy(start_.begin(), start_.end(), v);
  v[input_] = x;
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const std::size_t result = first_result_ + i;
    if (needed_[result]) v[result] = compute(instructions_[i], v, tables_, {});
  }
}

// ---- lines

// NaN where the result is no line up to the next switch.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): a list of rules, one after the other.
double Switches::slope_of(const Instruction& k, const Registers& r, std::size_t result) const {
  const double a = r.slope[k.a];
  const double b = r.slope[k.b];
  switch (k.operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::negate:
      return -a;
    case Operation::multiply:
      if (a == 0.0) return r.value[k.a] * b;
      return b == 0.0 ? a * r.value[k.b] : no_line;
    case Operation::divide:
      return b == 0.0 ? a / r.value[k.b] : no_line;
    case Operation::select:
      return r.value[k.c] != 0.0 ? a : b;
    case Operation::lookup: {
      const Derivatives at = tables_[k.c]->at(r.value[k.a]);
      return a == 0.0 || (at.second == 0.0 && at.third == 0.0) ? at.first * a : no_line;
    }
    case Operation::unary: {
      const std::string_view name = k.unary->name;
      const double x = r.value[k.a];
      if (name == "floor" || name == "ceil" || name == "sign") return 0.0;
      if (name == "abs") return x < 0.0 || (x == 0.0 && a < 0.0) ? -a : a;
      if (profile_named(name) && (x < 0.0 || x > 1.0)) return 0.0;
      if (name == "saturate") return a;
      return a == 0.0 ? 0.0 : no_line;
    }
    case Operation::binary: {
      const std::string_view name = k.binary->name;
      if (name == "min" || name == "max") {
        // Where both are equal, the one that is less (greater) from here on.
        if (r.value[k.a] == r.value[k.b]) {
          if (std::isnan(a + b)) return no_line;
          return name == "min" ? std::min(a, b) : std::max(a, b);
        }
        return r.value[result] == r.value[k.a] ? a : b;
      }
      if (name == "mod" && b == 0.0) return a;
      return a == 0.0 && b == 0.0 ? 0.0 : no_line;
    }
    default:
      return is_logic(k.operation) ? 0.0 : no_line;
  }
}

// ---- branches

double Switches::argument(const Node& node, const double* v) const {
  const Instruction& k = node.instruction;
  switch (node.kind) {
    case Kind::comparison:
    case Kind::choice:
      return v[k.a] - v[k.b];
    case Kind::mod:
      return v[k.a] / v[k.b];
    default:
      return v[k.a];
  }
}

double Switches::argument_slope(const Node& node, const Registers& r) const {
  const Instruction& k = node.instruction;
  switch (node.kind) {
    case Kind::comparison:
    case Kind::choice:
      return r.slope[k.a] - r.slope[k.b];
    case Kind::mod:
      return r.slope[k.b] == 0.0 ? r.slope[k.a] / r.value[k.b] : no_line;
    default:
      return r.slope[k.a];
  }
}

double Switches::branch(const Node& node, const double* v) const {
  const Instruction& k = node.instruction;
  const double x = argument(node, v);
  switch (node.kind) {
    case Kind::comparison:
      return compute(k, v, tables_, {});
    case Kind::choice:
    case Kind::magnitude:
      return x < 0.0 ? 0.0 : 1.0;
    case Kind::sign:
      return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
    case Kind::angle:
      return x < 0.0 && v[k.b] < 0.0 ? 0.0 : 1.0;
    case Kind::floor:
    case Kind::mod:
      return std::floor(x);
    case Kind::ceil:
      return std::ceil(x);
    case Kind::profile:
      return x < 0.0 ? 0.0 : (x <= 1.0 ? 1.0 : 2.0);
    case Kind::table:
      return tables_[k.c]->piece(x);
  }
  return 0.0;
}

double Switches::border(const Node& node, double x, bool rising, int count) const {
  const double ahead = rising ? count : -count;
  switch (node.kind) {
    case Kind::floor:
    case Kind::ceil:
    case Kind::mod:
      return (rising ? std::ceil(x) : std::floor(x)) + ahead;
    case Kind::profile: {
      const double nearest = rising ? (x <= 0.0 ? 0.0 : 1.0) : (x >= 1.0 ? 1.0 : 0.0);
      const double next = nearest + ahead;
      return next == 0.0 || next == 1.0 ? next : no_line;
    }
    case Kind::table: {
      const Table& table = *tables_[node.instruction.c];
      const double piece = table.piece(x);
      const bool here = x == table.border(piece);
      return table.border(piece + ahead + (rising && !here ? 1.0 : 0.0));
    }
    default:
      return count == 0 ? 0.0 : no_line;
  }
}

// ---- the next switch

double Switches::located(const Node& node, double low, double high, double* v) const {
  evaluate(low, v);
  const double old_side = branch(node, v);
  while (true) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return high;
    evaluate(middle, v);
    (branch(node, v) == old_side ? low : high) = middle;
  }
}

void Switches::enclose_all(double low, double high, Enclosure* bounds) const {
  for (std::size_t i = 0; i < first_result_; ++i) bounds[i] = {{start_[i], start_[i]}, {}};
  bounds[input_] = {{low, high}, {1.0, 1.0}};
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const std::size_t result = first_result_ + i;
    if (needed_[result]) bounds[result] = enclose(instructions_[i], bounds, tables_);
  }
}

Enclosure Switches::argument(const Node& node, const Enclosure* bounds) const {
  Instruction difference = node.instruction;
  switch (node.kind) {
    case Kind::comparison:
    case Kind::choice:
      difference.operation = Operation::subtract;
      return enclose(difference, bounds, tables_);
    case Kind::mod:
      difference.operation = Operation::divide;
      return enclose(difference, bounds, tables_);
    default:
      return bounds[node.instruction.a];
  }
}

bool Switches::decided(const Node& node, const Enclosure* bounds) const {
  const Enclosure x = argument(node, bounds);
  if (x.slope.low >= 0.0 || x.slope.high <= 0.0) return true;
  switch (node.kind) {
    case Kind::floor:
    case Kind::mod:
      return std::floor(x.value.low) == std::floor(x.value.high);
    case Kind::ceil:
      return std::ceil(x.value.low) == std::ceil(x.value.high);
    case Kind::profile:
      return x.value.high < 0.0 || x.value.low > 1.0 || (x.value.low >= 0.0 && x.value.high <= 1.0);
    case Kind::table:
      return x.value.finite() && tables_[node.instruction.c]->piece(x.value.low) ==
                                     tables_[node.instruction.c]->piece(x.value.high);
    case Kind::angle:
      return !x.value.contains(0.0) || bounds[node.instruction.b].value.low >= 0.0;
    default:
      return !x.value.contains(0.0);
  }
}

// Near zero an argument may change its sign by round-off alone, again and again: its side is known
// where round-off leaves no doubt.
double Switches::look_at(Search& search, double x) const {
  const Node& node = search.node;
  const bool signs = node.kind == Kind::choice || node.kind == Kind::magnitude ||
                     node.kind == Kind::comparison || node.kind == Kind::sign;
  if (signs) {
    enclose_all(x, x, search.r.bounds);
    if (argument(node, search.r.bounds).value.contains(0.0)) return never;
  }
  evaluate(x, search.r.elsewhere);
  const double side = branch(node, search.r.elsewhere);
  if (search.known && side != search.side) return located(node, search.last, x, search.r.elsewhere);
  search.side = side;
  search.known = true;
  search.last = x;
  return never;
}

double Switches::search_part(Search& search, double low, double high) const {
  const double width = high - low;
  const double middle = low + 0.5 * width;
  ++search.parts;
  enclose_all(low, high, search.r.bounds);
  if (!decided(search.node, search.r.bounds) && middle > low && middle < high) {
    const bool bounded = argument(search.node, search.r.bounds).value.finite();
    const bool long_way = search.parts > most_parts;
    const double least = long_way ? 1.0 / few_parts : (bounded ? narrowest : narrow);
    if (width > least * search.range) {
      const double found = search_part(search, low, middle);
      return found < never ? found : search_part(search, middle, high);
    }
  }
  return look_at(search, high);
}

double Switches::searched(const Node& node, double x, double end, const Registers& r) const {
  Search search{.node = node, .r = r, .range = end - x, .last = x};
  // Signs and comparisons have a value of their own at zero itself.
  const double from = argument(node, r.value);
  const bool zero_counts = node.kind == Kind::sign || node.kind == Kind::comparison;
  if (zero_counts && from == 0.0) {
    search.side = branch(node, r.value);
    search.known = true;
  } else {
    look_at(search, x);
  }
  // Up to the end functions are on the branches of the other nodes; at the end they need not be.
  const double before = std::nextafter(end, x);
  if (before > x) {
    const double found = search_part(search, x, before);
    if (found < never) return found;
  }
  return look_at(search, end);
}

double Switches::next_of(const Node& node, double x, double end, const Registers& r) const {
  const double slope = argument_slope(node, r);
  if (slope == 0.0) return never;
  if (!std::isfinite(slope)) return searched(node, x, end, r);
  const double here = branch(node, r.value);
  const double from = argument(node, r.value);
  // The nearest border may be the place itself, on whichever side of it x is.
  for (int count = 0; count <= 2; ++count) {
    const double predicted = x + (border(node, from, slope > 0.0, count) - from) / slope;
    const double width = round_off * std::max(std::abs(predicted), std::abs(x));
    if (!(predicted - width <= end)) return never;
    const double high = std::max(predicted + width, std::nextafter(x, never));
    evaluate(high, r.elsewhere);
    if (branch(node, r.elsewhere) == here) continue;
    double low = std::max(x, predicted - width);
    evaluate(low, r.elsewhere);
    if (branch(node, r.elsewhere) != here) low = x;
    return located(node, low, high, r.elsewhere);
  }
  return never;
}

// Of a table, by the borders that the argument passes.
void Switches::describe(const Node& node, const Registers& r, Switch& found) const {
  int order = node.order;
  double strength = never;
  if (node.kind == Kind::table) {
    const Table& table = *tables_[node.instruction.c];
    const double before = table.piece(argument(node, r.value));
    evaluate(found.x, r.elsewhere);
    const double after = table.piece(argument(node, r.elsewhere));
    const Table::Border border = table.border_between(before, after);
    order = border.order;
    const double slope = argument_slope(node, r);
    const double bend = border.bend * std::abs(slope);
    if (std::isfinite(bend)) strength = node.range > 0.0 ? bend / node.range : 0.0;
  }
  found.order = order;
  found.strength = strength;
}

Switch Switches::next(double x, double end, Workspace& workspace) const {
  Switch first;
  if (nodes_.empty() || !(end > x)) return first;
  const std::size_t count = known_.size();
  constexpr std::size_t per_enclosure = sizeof(Enclosure) / sizeof(double);
  double* memory = workspace.take((3 + per_enclosure) * count).data();
  const Registers r{memory, memory + count, memory + 2 * count,
                    reinterpret_cast<Enclosure*>(memory + 3 * count)};
  evaluate(x, r.value);
  std::fill_n(r.slope, first_result_, 0.0);
  r.slope[input_] = 1.0;
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    const std::size_t result = first_result_ + i;
    if (needed_[result]) r.slope[result] = slope_of(instructions_[i], r, result);
  }
  for (const Node& node : nodes_) {
    // Those of one place are all asked for, on whichever side of each other round-off puts them.
    const double apart = std::isinf(first.x) ? 0.0 : round_off * std::abs(first.x);
    Switch found;
    found.x = next_of(node, x, std::min(end, first.x + apart), r);
    if (!(found.x <= end)) continue;
    found.last = found.x;
    describe(node, r, found);
    if (found.x > first.last + apart) continue;
    if (found.x >= first.x - apart) {
      found.order = std::min(found.order, first.order);
      found.strength = std::max(found.strength, first.strength);
      found.last = std::max(found.last, first.last);
      found.x = std::min(found.x, first.x);
    }
    first = found;
  }
  return first;
}

}  // namespace trammel::expression
