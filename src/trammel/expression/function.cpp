#include "trammel/expression/function.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::expression {
namespace {

constexpr double jump_tolerance = 1e-9;

class ConstantFunction : public Function {
 public:
  explicit ConstantFunction(const Quantity& quantity) : quantity_(quantity) {}
  Derivatives at(double /*x*/, Workspace& /*workspace*/) const override {
    return {quantity_.value, 0.0, 0.0, 0.0};
  }
  bool has_third() const override { return true; }
  int smooth() const override { return smoothness::analytic; }
  Type type() const override { return quantity_.type(); }
  std::string failure(double /*x*/, Workspace& /*workspace*/) const override { return {}; }

 private:
  Quantity quantity_;
};

class ExpressionFunction : public Function {
 public:
  explicit ExpressionFunction(Program program) : program_(std::move(program)) {}
  Derivatives at(double x, Workspace& workspace) const override {
    Derivatives y;
    if (program_.is_constant()) {
      y.value = program_.value({}, workspace);
    } else {
      y.value = program_.hessian({&x, 1}, {&y.first, 1}, {&y.second, 1}, workspace);
    }
    return y;
  }
  bool has_third() const override { return program_.is_constant(); }
  int smooth() const override { return program_.smooth(); }
  Type type() const override { return program_.type(); }
  std::string failure(double x, Workspace& workspace) const override {
    const auto error = program_.failure({&x, 1}, workspace);
    if (!error) return {};
    return fmt::format("in '{}' at {} = {}, column {}: {}; {}", program_.text(),
                       program_.is_constant() ? "x" : program_.inputs().front().name, x,
                       error->position + 1, error->message, error->remedy);
  }

 private:
  Program program_;
};

class TableFunction : public Function {
 public:
  explicit TableFunction(std::shared_ptr<const Table> table) : table_(std::move(table)) {}
  Derivatives at(double x, Workspace& /*workspace*/) const override { return table_->at(x); }
  bool has_third() const override { return true; }
  int smooth() const override { return table_->smooth(); }
  Type type() const override {
    const core::Dimension& dimension = table_->options().ordinate;
    return {dimension, false, dimension == core::Dimension{}, false};
  }
  std::string failure(double x, Workspace& /*workspace*/) const override {
    if (std::isfinite(table_->value(x))) return {};
    return fmt::format(
        "{} lies outside of table '{}' ({} to {}); add points, or give the table an "
        "extrapolation (hold, extend or periodic)",
        x, table_->name(), table_->front(), table_->back());
  }

 private:
  std::shared_ptr<const Table> table_;
};

class PiecewiseFunction : public Function {
 public:
  explicit PiecewiseFunction(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
    smooth_ = continuous_orders();
  }
  Derivatives at(double x, Workspace& workspace) const override {
    return piece_at(x).at(x, workspace);
  }
  bool has_third() const override {
    return std::all_of(pieces_.begin(), pieces_.end(),
                       [](const Piece& piece) { return piece.function->has_third(); });
  }
  int smooth() const override { return smooth_; }
  Type type() const override {
    const auto strict = std::find_if(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
      const Type type = piece.function->type();
      return !type.open && type.dimension != core::Dimension{};
    });
    return (strict == pieces_.end() ? pieces_.front() : *strict).function->type();
  }
  std::string failure(double x, Workspace& workspace) const override {
    return piece_at(x).failure(x, workspace);
  }

 private:
  const Function& piece_at(double x) const {
    const auto next =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), x,
                         [](double place, const Piece& piece) { return place < piece.start; });
    return *std::prev(next)->function;
  }
  /// Derivatives without jumps, up to 2, which is as far as they are compared.
  int continuous_orders() const {
    int least = pieces_.size() > 1 ? 2 : smoothness::analytic;
    for (const Piece& piece : pieces_) least = std::min(least, piece.function->smooth());
    for (const Jump& jump : find_jumps(pieces_, 2)) least = std::min(least, jump.order - 1);
    return least;
  }

  std::vector<Piece> pieces_;
  int smooth_ = 0;
};

void check_pieces(const std::string& name,
                  const std::vector<Piece>& pieces,
                  core::Diagnostics& diagnostics) {
  if (pieces.empty()) diagnostics.error(name, "there is no piece", "give at least one");
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double start = pieces[i].start;
    if (!std::isfinite(start)) {
      diagnostics.error(name, fmt::format("piece {} starts at {}", i + 1, start),
                        "give a finite number");
    } else if (i > 0 && !(start > pieces[i - 1].start)) {
      diagnostics.error(name,
                        fmt::format("piece {} starts at {}, not after the one before it ({})",
                                    i + 1, start, pieces[i - 1].start),
                        "sort the pieces by their starts");
    }
    const Type type = pieces[i].function->type();
    const Type first = pieces.front().function->type();
    if (!type.fits(first.dimension) && !first.fits(type.dimension)) {
      diagnostics.error(name,
                        fmt::format("piece {} gives {}, but the first gives {}", i + 1,
                                    described(type), described(first)),
                        "give all pieces the same kind of unit");
    }
  }
}

}  // namespace

FunctionPointer constant_function(const Quantity& quantity) {
  return std::make_shared<ConstantFunction>(quantity);
}

FunctionPointer expression_function(Program program) {
  if (program.inputs().size() > 1) {
    throw core::InputError(fmt::format("'{}' depends on '{}' and on '{}'", program.text(),
                                       program.inputs()[0].name, program.inputs()[1].name),
                           "use one variable only");
  }
  return std::make_shared<ExpressionFunction>(std::move(program));
}

FunctionPointer table_function(std::shared_ptr<const Table> table) {
  return std::make_shared<TableFunction>(std::move(table));
}

FunctionPointer piecewise_function(const std::string& name, std::vector<Piece> pieces) {
  core::Diagnostics diagnostics;
  check_pieces(name, pieces, diagnostics);
  diagnostics.throw_if_errors();
  return std::make_shared<PiecewiseFunction>(std::move(pieces));
}

std::vector<Jump> find_jumps(const std::vector<Piece>& pieces, int highest_order) {
  std::vector<Jump> jumps;
  Workspace workspace;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const double x = pieces[i].start;
    const Derivatives left = pieces[i - 1].function->at(x, workspace);
    const Derivatives right = pieces[i].function->at(x, workspace);
    const std::array<std::pair<double, double>, 3> sides{
        {{left.value, right.value}, {left.first, right.first}, {left.second, right.second}}};
    for (int order = 0; order <= highest_order; ++order) {
      const auto& [before, after] = sides[static_cast<std::size_t>(order)];
      const double size = std::max({std::abs(before), std::abs(after), 1.0});
      if (std::abs(after - before) <= jump_tolerance * size) continue;
      jumps.push_back({x, order, before, after});
      break;
    }
  }
  return jumps;
}

}  // namespace trammel::expression
