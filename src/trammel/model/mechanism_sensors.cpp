#include <algorithm>

#include "trammel/expression/compile.h"
#include "trammel/model/kinds.h"
#include "trammel/model/mechanism.h"
#include "trammel/model/observables.h"
#include "trammel/model/quantities.h"
#include "trammel/model/sensors/sensors.h"

namespace trammel::model {
namespace {

core::Dimension dimension_of(const std::string& unit) {
  if (unit.empty()) return {};
  const std::string one = unit.front() == '1' ? "" : "1 ";  // "1/s" has it already
  return expression::evaluate(one + unit, expression::Scope{}).dimension;
}

// Channels by name, then whatever couplings may read.
template <class S>
class ChannelNames final : public expression::Scope {
 public:
  static constexpr std::size_t first_measure = std::size_t{1} << 30U;

  ChannelNames(const Quantities<S>& quantities, std::vector<Measure<S>>& measures)
      : quantities_(quantities), measures_(measures) {}

  std::optional<expression::Symbol> find(std::string_view name) const override {
    if (auto channel = Scope::find(name)) return channel;
    auto measure = quantities_.measure(name);
    if (!measure) return std::nullopt;
    measures_.push_back(std::move(*measure));
    return expression::Symbol::input(first_measure + measures_.size() - 1,
                                     measures_.back().dimension);
  }

 private:
  const Quantities<S>& quantities_;
  std::vector<Measure<S>>& measures_;
};

}  // namespace

template <class S>
void build_sensors(const std::vector<Item>& sensors,
                   const AttachmentFinder<S>& attachment,
                   Mechanism<S>& mechanism) {
  for (const Item& item : sensors) {
    const SensorKind* kind = find_sensor_kind(S::space, item.type);
    std::shared_ptr<const Coordinate<S>> coordinate;
    if (kind->attachments != 2) continue;
    const NodeFrame<S> a = attachment(item, 0);
    const NodeFrame<S> b = attachment(item, 1);
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
                            const Quantities<S>& quantities,
                            Mechanism<S>& mechanism,
                            core::Diagnostics& diagnostics) {
  const bool needed = std::any_of(description.sensors.begin(), description.sensors.end(),
                                  [](const Item& item) { return item.type == "formula"; });
  if (!needed) return;
  ChannelNames<S> scope(quantities, mechanism.channel_measures);
  for (const auto& [name, quantity] : description.parameters) scope.add_constant(name, quantity);
  for (const auto& table : description.tables) scope.add_table(table);
  for (const auto& function : description.functions) scope.add_function(function);
  for (std::size_t i = energy_balance_entries.size(); i-- > 0;) {
    scope.add_input(energy_balance_entries[i].name, dimension_of(energy_balance_entries[i].unit));
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
        const bool measured = input.id >= ChannelNames<S>::first_measure;
        channels.push_back(measured
                               ? -2 - static_cast<int>(energy_balance_entries.size()) -
                                     static_cast<int>(input.id - ChannelNames<S>::first_measure)
                               : static_cast<int>(input.id) - time - 1);
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
                                    const AttachmentFinder<Planar>&,
                                    Mechanism<Planar>&);
template void build_sensors<Spatial>(const std::vector<Item>&,
                                     const AttachmentFinder<Spatial>&,
                                     Mechanism<Spatial>&);

template void build_channel_formulas(const Description&,
                                     const Quantities<Planar>&,
                                     Mechanism<Planar>&,
                                     core::Diagnostics&);
template void build_channel_formulas(const Description&,
                                     const Quantities<Spatial>&,
                                     Mechanism<Spatial>&,
                                     core::Diagnostics&);

}  // namespace trammel::model
