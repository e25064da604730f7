#include <algorithm>

#include "trammel/expression/compile.h"
#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"
#include "trammel/model/observables.h"
#include "trammel/model/sensors/sensors.h"

namespace trammel::model {
namespace {

core::Dimension dimension_of(const std::string& unit) {
  if (unit.empty()) return {};
  const std::string one = unit.front() == '1' ? "" : "1 ";  // "1/s" has it already
  return expression::evaluate(one + unit, expression::Scope{}).dimension;
}

}  // namespace

template <class S>
void build_sensors(const std::vector<Item>& sensors,
                   const FrameFinder<S>& frames,
                   Mechanism<S>& mechanism) {
  for (const Item& item : sensors) {
    const SensorKind* kind = find_sensor_kind(S::space, item.type);
    std::shared_ptr<const Coordinate<S>> coordinate;
    if (kind->attachments != 2) continue;
    const NodeFrame<S> a = frames(item.attachments[0]);
    const NodeFrame<S> b = frames(item.attachments[1]);
    if (item.type == frame_sensor().name) {
      mechanism.frames.emplace_back(item.name, item.attachments[0], a, b);
      continue;
    }
    if constexpr (S::space == Space::planar) {
      coordinate = kind->build_planar(item.values, a, b);
    } else {
      coordinate = kind->build_spatial(item.values, a, b);
    }
    Measure<S> measure{.kind = Measure<S>::Kind::position,
                       .node_a = a.node,
                       .node_b = b.node,
                       .direction = coordinate,
                       .coordinate = coordinate,
                       .dimension = kind->dimension};
    if (coordinate->wraps()) {
      measure.index = mechanism.joint_turns + static_cast<int>(mechanism.counted.size());
      mechanism.counted.push_back(measure);
    }
    mechanism.sensors.push_back({item.name, core::si_unit(kind->dimension), std::move(measure)});
  }
}

template <class S>
void build_channel_formulas(const Description& description,
                            Mechanism<S>& mechanism,
                            core::Diagnostics& diagnostics) {
  const bool needed = std::any_of(description.sensors.begin(), description.sensors.end(),
                                  [](const Item& item) { return item.type == "formula"; });
  if (!needed) return;
  expression::Scope scope;
  for (const auto& [name, quantity] : description.parameters) scope.add_constant(name, quantity);
  for (const auto& table : description.tables) scope.add_table(table);
  for (const auto& function : description.functions) scope.add_function(function);
  for (std::size_t i = ledger_entries.size(); i-- > 0;) {
    scope.add_input(ledger_entries[i].name, dimension_of(ledger_entries[i].unit));
  }
  const auto time = static_cast<int>(scope.add_input("time", core::dimension::time));
  for (const Quantity& quantity : observable_quantities(mechanism)) {
    scope.add_input(quantity.name, dimension_of(quantity.unit));
  }
  for (const Item& item : description.sensors) {
    if (item.type != "formula") continue;
    const std::string& formula = text(item.values, "formula");
    try {
      auto program =
          std::make_shared<const expression::Program>(expression::compile(formula, scope));
      std::vector<int> channels;
      for (const expression::Input& input : program->inputs()) {
        channels.push_back(static_cast<int>(input.id) - time - 1);
      }
      const std::string unit = core::si_unit(program->type().dimension);
      mechanism.channel_formulas.push_back(
          {item.name, unit, std::move(program), std::move(channels)});
    } catch (const expression::ExpressionError& error) {
      diagnostics.add(
          expression::to_diagnostic(error, formula, "sensors." + item.name + ".formula"));
    }
  }
}

template void build_sensors<Planar>(const std::vector<Item>&,
                                    const FrameFinder<Planar>&,
                                    Mechanism<Planar>&);
template void build_sensors<Spatial>(const std::vector<Item>&,
                                     const FrameFinder<Spatial>&,
                                     Mechanism<Spatial>&);

template void build_channel_formulas(const Description&, Mechanism<Planar>&, core::Diagnostics&);
template void build_channel_formulas(const Description&, Mechanism<Spatial>&, core::Diagnostics&);

}  // namespace trammel::model
