// What formulas describe: couplings, drives, force laws, sensors and states.
// long file: one pass over the description, whose parts share what they look names up in
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/expression/compile.h"
#include "trammel/model/branched_formula.h"
#include "trammel/model/connections/active_elements.h"
#include "trammel/model/connections/elastic_connection.h"
#include "trammel/model/mechanism_parts.h"
#include "trammel/model/motion_in_time.h"
#include "trammel/model/quantities.h"
#include "trammel/model/relation_check.h"

namespace trammel::model {
namespace {

using expression::Program;
using ProgramPointer = std::shared_ptr<const Program>;

template <class S>
class FormulaBuilder final : public DescribedValues {
 public:
  FormulaBuilder(const Description& description,
                 const FrameFinder<S>& frames,
                 const AttachmentFinder<S>& attachment,
                 const std::vector<typename S::Kinematics>& described,
                 Mechanism<S>& mechanism)
      : description_(description),
        attachment_(attachment),
        described_(described),
        mechanism_(mechanism),
        turns_(stated_turns(description, mechanism)),
        quantities_(description, frames, mechanism) {
    mechanism.described_turns = described_angles(turns_, mechanism, described);
  }

  /// The doubts; InputError with all mistakes.
  std::vector<core::Diagnostic> build(const std::vector<ActiveElement>& active) {
    for (const Item& item : description_.drives) take_turns_from(item);
    for (const Item& item : description_.forces) collect_laws(item, "forces." + item.name, nullptr);
    for (const ActiveElement& element : active) {
      collect_laws(element.item, element.path, connection(element.connection));
    }
    quantities_.allow_loads(true);
    check_laws();
    quantities_.allow_loads(false);
    for (const Item& item : description_.couplings) {
      add_relation(item, *find_coupling_kind(item.type), "couplings.", false);
    }
    for (const Item& item : description_.drives) {
      add_relation(item, *find_drive_kind(item.type), "drives.", true);
    }
    quantities_.allow_loads(true);
    for (const Force& force : law_sets_) {
      add_laws(force);
    }
    quantities_.allow_loads(false);
    add_factors();
    add_states();
    if (!diagnostics_.has_errors()) {
      build_channel_formulas(description_, quantities_, mechanism_, diagnostics_);
    }
    diagnostics_.throw_if_errors();
    return diagnostics_.list();
  }

  double value(const std::string& quantity) const override {
    const auto measure = quantities_.measure(quantity);
    return measure ? measured(*measure, place()) : 0.0;
  }

 private:
  using Kind = typename Measure<S>::Kind;
  /// A force or an active element of a connection.
  struct Force {
    const Item* item = nullptr;
    LawSet set;
    std::string path;
    const NamedConnection<S>* connection = nullptr;  ///< null: between bodies
  };

  const NamedConnection<S>* connection(const std::string& name) const {
    const auto& list = mechanism_.connections;
    return &*std::find_if(list.begin(), list.end(),
                          [&](const NamedConnection<S>& named) { return named.name == name; });
  }

  // Of elements, which are in the order of the description, those of forces behind them.
  void add_factors() {
    for (std::size_t i = 0; i < description_.elements.size(); ++i) {
      const PlacedElement& placed = description_.elements[i];
      if (placed.factor.empty()) continue;
      const bool told = i > 0 && description_.elements[i - 1].factor_path == placed.factor_path;
      if (told) {
        mechanism_.elements[i].factor = mechanism_.elements[i - 1].factor;
        continue;
      }
      const ProgramPointer program = compile(placed.factor, placed.factor_path, core::Dimension{});
      if (program && !of_time_alone(*program)) {
        diagnostics_.error(placed.factor_path,
                           fmt::format("'{}' reads more than the time", placed.factor),
                           "give a formula of 'time' alone");
        continue;
      }
      mechanism_.elements[i].factor = program;
    }
  }

  // The described configuration; turns are counted from it.
  Place<S> place() const {
    zero_states_.setZero(static_cast<Eigen::Index>(quantities_.states().size()));
    return {described_, 0.0, zero_states_, mechanism_.described_turns};
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

  bool check_formula(const std::string& formula,
                     const Field& field,
                     const std::string& path,
                     const std::optional<core::Dimension>& dimension) {
    const bool strict = !(field.dimension == core::Dimension{});
    return compile(formula, path, strict ? std::optional(field.dimension) : dimension) != nullptr;
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
        good &= check_formula(text(values, field.name), field, field_path, formula_dimension);
      } else if (field.kind == FieldKind::formulas) {
        for (const std::string& formula : texts(values, field.name)) {
          good &= check_formula(formula, field, field_path, formula_dimension);
        }
      }
    }
    return good;
  }

  // ---- couplings and drives

  // A body whose orientation was stated without whole turns (a matrix) takes them from its drive.
  void take_turns_from(const Item& item) {
    if (find_drive_kind(item.type)->velocity_level || !has(item.values, "coordinate")) return;
    const auto driven = quantities_.measure(text(item.values, "coordinate"));
    if (!driven || driven->kind != Kind::position || driven->index < 0) return;
    try {
      const Program program =
          expression::compile(text(item.values, "motion"), quantities_, driven->dimension);
      if (!of_time_alone(program)) return;
      const double apart = at_time(program, 0.0, work_.program) - measured(*driven, place());
      const double whole = std::isfinite(apart) ? nearest_turn(0.0, apart) : 0.0;
      if (whole == 0.0 || !add_turns(description_, *driven, described_, whole, turns_)) return;
      mechanism_.described_turns = described_angles(turns_, mechanism_, described_);
    } catch (const expression::ExpressionError&) {  // told where the drive itself is compiled
    }
  }

  // What a drive's motion must be: the coordinate's dimension, divided by time once or twice.
  std::optional<core::Dimension> motion_dimension(const Item& item,
                                                  const CouplingKind& kind) const {
    if (!has(item.values, "motion") || !has(item.values, "coordinate")) return std::nullopt;
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
    std::optional<ContactRow> contact;
    try {
      if (has(item.values, "unilateral")) contact = contact_row(item.values, 0, 1.0);
      Values values = item.values;
      if (kind.time_derivatives == 2 && !integrate_motion(path, values)) return;
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
    const double until = description_.simulation.until;
    if (!check_relation(formula, level, path, drive, until, diagnostics_)) return;
    if (!finite_at_start(formula, path)) return;
    if (kind.velocity_level && !check_linear_in_rates(formula, path, work_, diagnostics_)) return;
    int& rows = kind.velocity_level ? mechanism_.sizes.nonholonomic : mechanism_.sizes.holonomic;
    NamedRelation<S> named{.name = item.name,
                           .type = kind.name,
                           .drive = drive,
                           .row = rows++,
                           .relation = Relation<S>(level, std::move(formula))};
    if (reads_internal_nodes(named.relation.nodes(), path)) return;
    set_leading_input(named);
    if (contact && contact->unilateral) {
      named.contact = contact;
      named.contact->row = named.row;
    }
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

  bool finite_at_start(const Formula<S>& formula, const std::string& path) {
    const double value = formula.value(place(), work_);
    if (std::isfinite(value)) return true;
    if (formula.is_equation()) {
      diagnostics_.error(path, "at the start, the equation has no root that Newton's method finds",
                         "give a guess near the load, or an equation that changes its sign there");
      return false;
    }
    const auto failure = formula.program().failure(work_.inputs, work_.program);
    diagnostics_.error(path,
                       failure ? "at the start: " + failure->message : "not finite at the start",
                       failure ? failure->remedy : "check the formula at the start");
    return false;
  }

  // Replaces the acceleration by the rate: its integral from the start.
  bool integrate_motion(const std::string& path, Values& values) {
    const ProgramPointer program = compile(text(values, "motion"), path + ".motion", std::nullopt);
    if (!of_time_alone(*program)) {
      diagnostics_.error(path + ".motion", "the motion reads measured quantities",
                         "a drive follows time alone");
      return false;
    }
    const double until = std::max(description_.simulation.until, 1e-9);
    const auto rate =
        std::make_shared<const RateOverTime>(number(values, "initial_rate"), until, program);
    if (!std::isfinite(rate->rate(until))) {
      diagnostics_.error(
          path + ".motion",
          fmt::format("the integral of the motion is not found until {:.6g} s: it "
                      "is not finite, or changes more than a million times",
                      until),
          "check the formula, or give the rate itself with a drive of type velocity");
      return false;
    }
    const std::string name = fmt::format("integrated.rate_{}", ++integrals_);
    quantities_.add_function(rate_function(name, rate));
    values["motion"] = fmt::format("{}(time, {})", name, text(values, "motion"));
    return true;
  }

  // The laws of a force; all states get their names before any formula is compiled with them.
  void collect_laws(const Item& item,
                    const std::string& path,
                    const NamedConnection<S>* connection) {
    const ForceKind* kind = find_force_kind(S::space, item.type);
    if (kind->laws == nullptr) return;
    try {
      LawSet set = kind->laws(item, description_);
      for (const StateVariable& state : set.states) quantities_.add_state(state);
      law_sets_.push_back({&item, std::move(set), path, connection});
    } catch (const core::InputError& error) {
      add_under(path, error);
    }
  }

  // Those with a wrong name or formula are reported and left out.
  void check_laws() {
    const auto wrong = [&](const Force& force) {
      const ForceKind* kind = find_force_kind(S::space, force.item->type);
      if (kind->has_local_names) return false;
      const std::vector<LawText>& laws = force.set.laws;
      quantities_.set_unknown(laws.empty() ? std::string{} : laws.front().unknown);
      return !check_values(kind->fields, force.item->values, force.path, std::nullopt);
    };
    law_sets_.erase(std::remove_if(law_sets_.begin(), law_sets_.end(), wrong), law_sets_.end());
    quantities_.set_unknown({});
  }

  void add_under(const std::string& path, const core::InputError& error) {
    for (core::Diagnostic diagnostic : error.diagnostics()) {
      diagnostic.path = path;
      diagnostics_.add(std::move(diagnostic));
    }
  }

  // A mistake in a formula that stands for many points is told once.
  void add_laws(const Force& force) {
    const bool local = find_force_kind(S::space, force.item->type)->has_local_names;
    const std::size_t before = diagnostics_.list().size();
    for (const LawText& law : force.set.laws) {
      if (local && diagnostics_.list().size() > before) return;
      add_law(force, law);
    }
    for (const OutputText& output : force.set.outputs) add_output(output, force.path);
  }

  void add_law(const Force& force, const LawText& law) {
    const Item& item = *force.item;
    const std::string& path = force.path;
    Measure<S> along;
    core::Dimension dimension = law.dimension;
    if (item.attachments.size() == 2 && is_component(law.along)) {
      along = component(item, law.along);
    } else if (const auto rate = quantities_.measure(law.along); rate && rate->kind == Kind::rate) {
      along = *rate;
    } else if (auto measure = coordinate(law.along, path)) {
      along = std::move(*measure);
      const bool angular = along.dimension.angle != 0;
      if (dimension == core::Dimension{}) {
        dimension = angular ? core::dimension::torque : core::dimension::force;
      }
    } else {
      return;
    }
    quantities_.set_unknown(law.unknown);
    const bool equation = !law.unknown.empty();
    const ProgramPointer program =
        compile(law.formula, path, equation ? std::nullopt : std::optional(dimension));
    quantities_.set_unknown({});
    if (!program) return;
    Formula<S> formula = make_formula(program);
    if (equation) formula.solve_from(law.guess);
    if (!equation) formula = branched_formula(formula, "the force '" + item.name + "'", mechanism_);
    if (equation && !formula.is_equation()) {
      diagnostics_.error(path, fmt::format("the equation does not contain '{}'", law.unknown),
                         "write it so that it is zero for the right load");
      return;
    }
    if (!finite_at_start(formula, path)) return;
    NamedLaw<S> named{.name = item.name + "." + law.quantity,
                      .unit = law.quantity.empty() ? std::string{} : core::si_unit(dimension),
                      .law = Law<S>(along.node_a, along.node_b, along.direction, std::move(formula),
                                    law.dissipates ? WorkKind::dissipation : WorkKind::load)};
    if (!law.potential.empty()) {
      quantities_.allow_loads(false);
      const ProgramPointer energy = compile(law.potential, path, core::dimension::energy);
      quantities_.allow_loads(true);
      if (!energy) return;
      named.law.set_potential(make_formula(energy));
    }
    if (!law.loss.empty()) {
      const ProgramPointer loss = compile(law.loss, path, std::nullopt);
      if (!loss) return;
      named.law.set_loss(make_formula(loss));
    }
    if (force.connection != nullptr) {
      add_to_connection(force, std::move(named));
    } else if (!reads_internal_nodes(named.law.nodes(), path)) {
      mechanism_.laws.push_back(std::move(named));
    }
  }

  void add_to_connection(const Force& force, NamedLaw<S> named) {
    const std::string name = named.name.substr(force.connection->name.size() + 1);
    force.connection->connection->add_load({name, named.unit, std::move(named.law)});
  }

  // Only elements of their connection act on internal nodes and follow them.
  bool reads_internal_nodes(const LocalNodes& nodes, const std::string& path) {
    const std::vector<int>& all = nodes.nodes();
    const int bodies = static_cast<int>(mechanism_.nodes.size());
    const auto internal =
        std::find_if(all.begin(), all.end(), [&](int node) { return node >= bodies; });
    if (internal == all.end()) return false;
    const std::string& name =
        mechanism_.internal_nodes[static_cast<std::size_t>(*internal - bodies)];
    diagnostics_.error(path, fmt::format("the internal node '{}' is used", name),
                       "make it an element of that connection");
    return true;
  }

  void add_output(const OutputText& output, const std::string& path) {
    const ProgramPointer program = compile(output.formula, path, std::nullopt);
    if (!program) return;
    mechanism_.outputs.push_back(
        {output.name, core::si_unit(output.dimension), make_formula(program)});
  }

  static bool is_component(const std::string& along) {
    return along.rfind("force.", 0) == 0 || along.rfind("torque.", 0) == 0;
  }

  // "force.x" or "torque.z" between the attachments.
  Measure<S> component(const Item& item, const std::string& along) const {
    const NodeFrame<S> a = attachment_(item, 0);
    const NodeFrame<S> b = attachment_(item, 1);
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
      const std::string name = "the state '" + state.name + "'";
      Formula<S> formula = branched_formula(make_formula(program), name, m);
      if (!finite_at_start(formula, path + ".rate")) continue;
      m.states.push_back({state.name, core::si_unit(state.dimension), std::move(formula)});
    }
  }

  const Description& description_;
  const AttachmentFinder<S>& attachment_;
  const std::vector<typename S::Kinematics>& described_;
  Mechanism<S>& mechanism_;
  mutable system::Vector zero_states_;
  std::vector<Force> law_sets_;
  std::vector<Turn<S>> turns_;  ///< by which nodes were stated, or drives tell
  Quantities<S> quantities_;
  FormulaWorkspace<S> work_;
  int integrals_ = 0;  ///< of accelerations, so far
  core::Diagnostics diagnostics_;
};

}  // namespace

template <class S>
void build_formulas(const Description& description,
                    const FrameFinder<S>& frames,
                    const AttachmentFinder<S>& attachment,
                    const std::vector<typename S::Kinematics>& described,
                    Mechanism<S>& mechanism,
                    std::vector<core::Diagnostic>& warnings) {
  std::vector<Item> sensors;
  const auto add_sensors = [&](const Item& item) {
    const ForceKind* kind = find_force_kind(S::space, item.type);
    if (kind->sensors == nullptr) return;
    for (Item& sensor : kind->sensors(item)) sensors.push_back(std::move(sensor));
  };
  for (const Item& item : description.forces) add_sensors(item);
  const std::vector<ActiveElement> active = active_elements(description);
  for (const ActiveElement& element : active) add_sensors(element.item);
  build_sensors(description.sensors, attachment, mechanism);
  build_sensors(sensors, attachment, mechanism);
  warnings = FormulaBuilder<S>(description, frames, attachment, described, mechanism).build(active);
}

template void build_formulas<Planar>(const Description&,
                                     const FrameFinder<Planar>&,
                                     const AttachmentFinder<Planar>&,
                                     const std::vector<Planar::Kinematics>&,
                                     Mechanism<Planar>&,
                                     std::vector<core::Diagnostic>&);
template void build_formulas<Spatial>(const Description&,
                                      const FrameFinder<Spatial>&,
                                      const AttachmentFinder<Spatial>&,
                                      const std::vector<Spatial::Kinematics>&,
                                      Mechanism<Spatial>&,
                                      std::vector<core::Diagnostic>&);

}  // namespace trammel::model
