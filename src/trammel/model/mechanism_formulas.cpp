// What formulas describe: couplings, drives, force laws, sensors and states.
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/expression/compile.h"
#include "trammel/model/kinds.h"
#include "trammel/model/observables.h"
#include "trammel/model/quantities.h"

namespace trammel::model {
namespace {

using expression::Program;
using ProgramPointer = std::shared_ptr<const Program>;

core::Dimension dimension_of(const std::string& unit) {
  if (unit.empty()) return {};
  const std::string one = unit.front() == '1' ? "" : "1 ";  // "1/s" has it already
  return expression::evaluate(one + unit, expression::Scope{}).dimension;
}

template <class S>
class FormulaBuilder final : public DescribedValues {
 public:
  FormulaBuilder(const Description& description,
                 const FrameFinder<S>& frames,
                 const std::vector<typename S::Kinematics>& described,
                 Mechanism<S>& mechanism)
      : description_(description),
        frames_(frames),
        described_(described),
        mechanism_(mechanism),
        quantities_(description, frames, mechanism) {
    set_described_turns();
  }

  void build() {
    for (const Item& item : description_.forces) collect_laws(item);
    for (const Item& item : description_.couplings) {
      add_relation(item, *find_coupling_kind(item.type), "couplings.", false);
    }
    for (const Item& item : description_.drives) {
      add_relation(item, *find_drive_kind(item.type), "drives.", true);
    }
    for (const auto& [item, set] : law_sets_) {
      for (const LawText& law : set.laws) add_law(*item, law, "forces." + item->name);
    }
    add_states();
    add_channel_formulas();
    diagnostics_.throw_if_errors();
  }

  double value(const std::string& quantity) const override {
    const auto measure = quantities_.measure(quantity);
    return measure ? measured(*measure, place()) : 0.0;
  }

 private:
  using Kind = typename Measure<S>::Kind;

  // The described configuration; turns are counted from it.
  Place<S> place() const {
    zero_states_.setZero(static_cast<Eigen::Index>(quantities_.states().size()));
    return {described_, 0.0, zero_states_, described_turns_};
  }

  void set_described_turns() {
    const Mechanism<S>& m = mechanism_;
    for (const MechanismJoint<S>& joint : m.joints) {
      for (const auto& named : joint.coordinates) {
        if (!named.coordinate->wraps()) continue;
        described_turns_.push_back(
            named.coordinate->value(described_at(joint.a.node), described_at(joint.b.node)));
      }
    }
    for (const Measure<S>& measure : m.counted) {
      described_turns_.push_back(
          measure.coordinate->value(described_at(measure.node_a), described_at(measure.node_b)));
    }
  }

  const typename S::Kinematics& described_at(int node) const {
    return described_[static_cast<std::size_t>(node)];
  }

  // Null when the text is wrong, which is then reported.
  ProgramPointer compile(const std::string& text,
                         const std::string& path,
                         const std::optional<core::Dimension>& wanted) {
    try {
      return std::make_shared<const Program>(wanted
                                                 ? expression::compile(text, quantities_, *wanted)
                                                 : expression::compile(text, quantities_));
    } catch (const expression::ExpressionError& error) {
      diagnostics_.add(expression::to_diagnostic(error, text, path));
      return nullptr;
    }
  }

  // The measure of a coordinate that is named alone; empty and reported when it is not one.
  std::optional<Measure<S>> coordinate(const std::string& name, const std::string& path) {
    auto measure = quantities_.measure(name);
    if (measure && measure->kind == Kind::position) return measure;
    if (measure) {
      diagnostics_.error(path, fmt::format("'{}' is not a coordinate", name),
                         "name an angle, a displacement, a distance or a position");
    } else {
      diagnostics_.error(path, fmt::format("there is no coordinate '{}'", name),
                         core::suggestion(name, quantities_.names()));
    }
    return std::nullopt;
  }

  // All names and formulas among the values; false when one is wrong.
  bool check_values(const std::vector<Field>& fields,
                    const Values& values,
                    const std::string& path,
                    const std::optional<core::Dimension>& formula_dimension) {
    bool good = true;
    for (const Field& field : fields) {
      if (!has(values, field.name)) continue;
      const std::string field_path = path + "." + field.name;
      if (field.kind == FieldKind::quantity) {
        good &= coordinate(text(values, field.name), field_path).has_value();
      } else if (field.kind == FieldKind::quantities) {
        for (const std::string& name : texts(values, field.name)) {
          good &= coordinate(name, field_path).has_value();
        }
      } else if (field.kind == FieldKind::formula) {
        const bool strict = !(field.dimension == core::Dimension{});
        const auto wanted = strict ? std::optional(field.dimension) : formula_dimension;
        good &= compile(text(values, field.name), field_path, wanted) != nullptr;
      }
    }
    return good;
  }

  // ---- couplings and drives

  // What a drive's motion must be: the coordinate's dimension, divided by time once or twice.
  std::optional<core::Dimension> motion_dimension(const Item& item,
                                                  const CouplingKind& kind) const {
    if (!has(item.values, "motion")) return std::nullopt;
    const auto measure = quantities_.measure(text(item.values, "coordinate"));
    if (!measure) return std::nullopt;
    core::Dimension dimension = measure->dimension;
    for (int i = 0; i < kind.time_derivatives; ++i) dimension = dimension / core::dimension::time;
    return dimension;
  }

  void add_relation(const Item& item,
                    const CouplingKind& kind,
                    const std::string& section,
                    bool drive) {
    const std::string path = section + item.name;
    if (!check_values(kind.fields, item.values, path, motion_dimension(item, kind))) return;
    std::string text;
    try {
      Values values = item.values;
      if (kind.time_derivatives == 2 && !integrate_motion(item, path, values)) return;
      text = kind.formula(values, *this);
    } catch (const core::InputError& error) {
      add_under(path, error);
      return;
    }
    const ProgramPointer program = compile(text, path, std::nullopt);
    if (!program) return;
    Formula<S> formula = make_formula(program);
    const RelationLevel level =
        kind.velocity_level ? RelationLevel::velocity : RelationLevel::position;
    if (!check_relation(formula, level, path, drive)) return;
    int& rows = kind.velocity_level ? mechanism_.sizes.nonholonomic : mechanism_.sizes.holonomic;
    NamedRelation<S> named{.name = item.name,
                           .type = kind.name,
                           .drive = drive,
                           .row = rows++,
                           .relation = Relation<S>(level, std::move(formula))};
    set_leading_input(named);
    mechanism_.relations.push_back(std::move(named));
  }

  // The load of a row is reported along the first coordinate (or rate) that it reads.
  void set_leading_input(NamedRelation<S>& named) const {
    const Kind carrier =
        named.relation.level() == RelationLevel::position ? Kind::position : Kind::rate;
    const auto& inputs = named.relation.formula().inputs();
    const auto leading = std::find_if(inputs.begin(), inputs.end(),
                                      [&](const Measure<S>& m) { return m.kind == carrier; });
    named.leading = static_cast<int>(leading - inputs.begin());
    named.unit = leading->dimension.angle != 0 ? "N m" : "N";
  }

  Formula<S> make_formula(const ProgramPointer& program) const {
    std::vector<Measure<S>> inputs;
    for (const expression::Input& input : program->inputs()) {
      inputs.push_back(quantities_.measure(input));
    }
    return Formula<S>(program, std::move(inputs));
  }

  bool check_relation(const Formula<S>& formula,
                      RelationLevel level,
                      const std::string& path,
                      bool drive) {
    const bool position = level == RelationLevel::position;
    if (formula.reads(Kind::state)) {
      diagnostics_.error(path, "a constraint reads a first-order state",
                         "let a force follow the state instead");
      return false;
    }
    if (position && formula.reads(Kind::rate)) {
      diagnostics_.error(path, drive ? "the motion reads a rate" : "the equation reads a rate",
                         drive ? "prescribe the velocity (type: velocity)"
                               : "write it as a pfaff coupling (type: pfaff)");
      return false;
    }
    if (!formula.reads(position ? Kind::position : Kind::rate)) {
      diagnostics_.error(
          path, position ? "the equation names no coordinate" : "the equation names no rate",
          position ? "a constraint must depend on a position"
                   : "a pfaff coupling must depend on a rate, e.g. pin.angle_rate");
      return false;
    }
    if (drive && formula.inputs().size() > 2) {
      diagnostics_.error(path + ".motion", "the motion reads measured quantities",
                         "a drive follows time alone; use a coupling for the rest");
      return false;
    }
    const int needed = position ? 1 : 0;
    if (formula.program().smooth() < needed) {
      diagnostics_.warning(path, "the formula has kinks or jumps where a tangent is needed",
                           "use smooth functions (step5, haversine, splines)");
    }
    return finite_at_start(formula, path) && (position || linear_in_rates(formula, path));
  }

  bool finite_at_start(const Formula<S>& formula, const std::string& path) {
    const double value = formula.value(place(), work_);
    if (std::isfinite(value)) return true;
    const auto failure = formula.program().failure(work_.inputs, work_.program);
    diagnostics_.error(path,
                       failure ? "at the start: " + failure->message : "not finite at the start",
                       failure ? failure->remedy : "check the formula at the start");
    return false;
  }

  // Second derivatives by rates vanish, tried at random places.
  bool linear_in_rates(const Formula<S>& formula, const std::string& path) {
    const auto& inputs = formula.inputs();
    const std::size_t n = inputs.size();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    work_.gradient.resize(n);
    work_.hessian.resize(n * n);
    for (int trial = 0; trial < 5; ++trial) {
      work_.inputs.resize(n);
      for (double& input : work_.inputs) input = uniform(random);
      formula.program().hessian(work_.inputs, work_.gradient, work_.hessian, work_.program);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const bool rates = inputs[i].kind == Kind::rate && inputs[j].kind == Kind::rate;
          if (!rates || !(std::abs(work_.hessian[i * n + j]) > 1e-12)) continue;
          diagnostics_.error(path, "the equation is not linear in the rates",
                             "nonholonomic rows have the form a1*rate1 + a2*rate2 + ... + a0");
          return false;
        }
      }
    }
    return true;
  }

  // Replaces the acceleration by a table of the rate: its integral from the start.
  bool integrate_motion(const Item& item, const std::string& path, Values& values) {
    const ProgramPointer program = compile(text(values, "motion"), path + ".motion", std::nullopt);
    const Formula<S> formula = make_formula(program);
    if (formula.inputs().size() > (program->time_input() ? 1U : 0U)) {
      diagnostics_.error(path + ".motion", "the motion reads measured quantities",
                         "a drive follows time alone");
      return false;
    }
    const double until = std::max(description_.simulation.until, 1e-9);
    constexpr int points = 4097;
    const double h = until / (points - 1);
    const auto value = [&](double t) {
      const double input = t;
      return program->value({&input, program->time_input() ? 1U : 0U}, work_.program);
    };
    std::vector<double> x;
    std::vector<double> y{number(values, "initial_rate")};
    for (int i = 0; i < points; ++i) x.push_back(i == points - 1 ? until : i * h);
    for (int i = 1; i < points; ++i) {
      // Gauss with three points on each interval.
      const double middle =
          0.5 * (x[static_cast<std::size_t>(i)] + x[static_cast<std::size_t>(i) - 1]);
      const double side = 0.5 * h * std::sqrt(0.6);
      y.push_back(y.back() + h / 18.0 *
                                 (5.0 * value(middle - side) + 8.0 * value(middle) +
                                  5.0 * value(middle + side)));
    }
    const std::string name = item.name + ".rate_over_time";
    quantities_.add_table(std::make_shared<expression::Table>(
        name, std::move(x), std::move(y),
        expression::TableOptions{.extrapolation = expression::Extrapolation::extend,
                                 .first_slope = value(0.0),
                                 .last_slope = value(until)}));
    values["motion"] = fmt::format("table({}, time)", name);
    return true;
  }

  // ---- forces

  // The laws of a force; its states get their names before any formula is compiled with them.
  void collect_laws(const Item& item) {
    const ForceKind* kind = find_force_kind(S::space, item.type);
    if (kind->laws == nullptr) return;
    const std::string path = "forces." + item.name;
    if (!kind->has_local_names && !check_values(kind->fields, item.values, path, std::nullopt)) {
      return;
    }
    try {
      LawSet set = kind->laws(item, description_);
      for (const StateVariable& state : set.states) quantities_.add_state(state);
      law_sets_.emplace_back(&item, std::move(set));
    } catch (const core::InputError& error) {
      add_under(path, error);
    }
  }

  void add_under(const std::string& path, const core::InputError& error) {
    for (core::Diagnostic diagnostic : error.diagnostics()) {
      diagnostic.path = path;
      diagnostics_.add(std::move(diagnostic));
    }
  }

  void add_law(const Item& item, const LawText& law, const std::string& path) {
    Measure<S> along;
    core::Dimension dimension = law.dimension;
    if (item.attachments.size() == 2) {
      along = component(item, law.along);
    } else if (auto measure = coordinate(law.along, path)) {
      along = std::move(*measure);
      const bool angular = along.dimension.angle != 0;
      if (dimension == core::Dimension{}) {
        dimension = angular ? core::dimension::torque : core::dimension::force;
      }
    } else {
      return;
    }
    const ProgramPointer program = compile(law.formula, path, dimension);
    if (!program) return;
    Formula<S> formula = make_formula(program);
    if (!finite_at_start(formula, path)) return;
    NamedLaw<S> named{.name = item.name + "." + law.quantity,
                      .unit = core::si_unit(dimension),
                      .law = Law<S>(along.node_a, along.node_b, along.direction, std::move(formula),
                                    law.dissipates ? WorkKind::dissipation : WorkKind::load)};
    if (!law.potential.empty()) {
      const ProgramPointer energy = compile(law.potential, path, core::dimension::energy);
      if (!energy) return;
      named.law.set_potential(make_formula(energy));
    }
    mechanism_.laws.push_back(std::move(named));
  }

  // "force.x" or "torque.z" between the attachments.
  Measure<S> component(const Item& item, const std::string& along) const {
    const NodeFrame<S> a = frames_(item.attachments[0]);
    const NodeFrame<S> b = frames_(item.attachments[1]);
    const int axis = along.back() - 'x';
    Measure<S> measure{.kind = Kind::rate, .node_a = a.node, .node_b = b.node};
    if (along[0] == 'f') {
      measure.direction =
          std::make_shared<DisplacementCoordinate<S>>(PointPair<S>{a, b}, a.axes.col(axis));
    } else if constexpr (S::space == Space::planar) {
      measure.direction = std::make_shared<AngleCoordinate<Planar>>(angle_about_z(a, b));
    } else {
      measure.direction = std::make_shared<RotationDirection>(a.axes.col(axis));
    }
    return measure;
  }

  // ---- states and sensors

  void add_states() {
    Mechanism<S>& m = mechanism_;
    const std::vector<StateVariable>& states = quantities_.states();
    m.sizes.z = static_cast<int>(states.size());
    m.described.z.setZero(m.sizes.z);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const StateVariable& state = states[i];
      const std::string path = "states." + state.name;
      m.described.z[static_cast<Eigen::Index>(i)] = state.initial;
      const ProgramPointer program =
          compile(state.rate, path + ".rate",
                  state.dimension == core::Dimension{}
                      ? std::nullopt
                      : std::optional(state.dimension / core::dimension::time));
      if (!program) continue;
      Formula<S> formula = make_formula(program);
      if (!finite_at_start(formula, path + ".rate")) continue;
      m.states.push_back({state.name, core::si_unit(state.dimension), std::move(formula)});
    }
  }

  void add_channel_formulas() {
    const bool needed = std::any_of(description_.sensors.begin(), description_.sensors.end(),
                                    [](const Item& item) { return item.type == "formula"; });
    if (!needed || diagnostics_.has_errors()) return;
    expression::Scope scope;
    for (const auto& [name, quantity] : description_.parameters) scope.add_constant(name, quantity);
    for (const auto& table : description_.tables) scope.add_table(table);
    for (const auto& function : description_.functions) scope.add_function(function);
    for (std::size_t i = ledger_entries.size(); i-- > 0;) {
      scope.add_input(ledger_entries[i].name, dimension_of(ledger_entries[i].unit));
    }
    const auto time = static_cast<int>(scope.add_input("time", core::dimension::time));
    for (const Quantity& quantity : observable_quantities(mechanism_)) {
      scope.add_input(quantity.name, dimension_of(quantity.unit));
    }
    for (const Item& item : description_.sensors) {
      if (item.type != "formula") continue;
      const std::string& formula = text(item.values, "formula");
      try {
        auto program = std::make_shared<const Program>(expression::compile(formula, scope));
        std::vector<int> channels;
        for (const expression::Input& input : program->inputs()) {
          channels.push_back(static_cast<int>(input.id) - time - 1);
        }
        const std::string unit = core::si_unit(program->type().dimension);
        mechanism_.channel_formulas.push_back(
            {item.name, unit, std::move(program), std::move(channels)});
      } catch (const expression::ExpressionError& error) {
        diagnostics_.add(
            expression::to_diagnostic(error, formula, "sensors." + item.name + ".formula"));
      }
    }
  }

  const Description& description_;
  const FrameFinder<S>& frames_;
  const std::vector<typename S::Kinematics>& described_;
  Mechanism<S>& mechanism_;
  std::vector<double> described_turns_;
  mutable system::Vector zero_states_;
  std::vector<std::pair<const Item*, LawSet>> law_sets_;
  Quantities<S> quantities_;
  FormulaWorkspace<S> work_;
  core::Diagnostics diagnostics_;
};

}  // namespace

template <class S>
void build_formulas(const Description& description,
                    const FrameFinder<S>& frames,
                    const std::vector<typename S::Kinematics>& described,
                    Mechanism<S>& mechanism) {
  build_sensors(description, frames, mechanism);
  FormulaBuilder<S>(description, frames, described, mechanism).build();
}

template void build_formulas<Planar>(const Description&,
                                     const FrameFinder<Planar>&,
                                     const std::vector<Planar::Kinematics>&,
                                     Mechanism<Planar>&);
template void build_formulas<Spatial>(const Description&,
                                      const FrameFinder<Spatial>&,
                                      const std::vector<Spatial::Kinematics>&,
                                      Mechanism<Spatial>&);

}  // namespace trammel::model
