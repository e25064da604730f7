#include "simbody_integrators.h"

#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace peers {
namespace {

using System = SimTK::MultibodySystem;
using Maker = std::function<std::unique_ptr<SimTK::Integrator>(const System&, double)>;

struct Entry {
  const char* full_name;
  bool adaptive;
  Maker make;
};

template <class IntegratorType>
std::unique_ptr<SimTK::Integrator> make_plain(const System& system, double) {
  return std::make_unique<IntegratorType>(system);
}

const std::map<std::string, Entry>& entries() {
  using namespace SimTK;
  static const std::map<std::string, Entry> table{
      {"rk4", {"Runge-Kutta-Merson 4", false, make_plain<RungeKuttaMersonIntegrator>}},
      {"rkf", {"Runge-Kutta-Fehlberg 4(5)", false, make_plain<RungeKuttaFeldbergIntegrator>}},
      {"rk3", {"Runge-Kutta 3", false, make_plain<RungeKutta3Integrator>}},
      {"rk2", {"Runge-Kutta 2", false, make_plain<RungeKutta2Integrator>}},
      {"verlet", {"Verlet", false, make_plain<VerletIntegrator>}},
      {"explicit_euler", {"explicit Euler", false, make_plain<ExplicitEulerIntegrator>}},
      {"semi_explicit_euler",
       {"semi-explicit Euler", false,
        [](const System& system, double h) {
          return std::make_unique<SemiExplicitEulerIntegrator>(system, h);
        }}},
      {"adaptive_merson", {"Runge-Kutta-Merson 4", true, make_plain<RungeKuttaMersonIntegrator>}},
      {"adaptive_rkf",
       {"Runge-Kutta-Fehlberg 4(5)", true, make_plain<RungeKuttaFeldbergIntegrator>}},
      {"adaptive_rk3", {"Runge-Kutta 3", true, make_plain<RungeKutta3Integrator>}},
      {"adaptive_rk2", {"Runge-Kutta 2", true, make_plain<RungeKutta2Integrator>}},
      {"adaptive_verlet", {"Verlet", true, make_plain<VerletIntegrator>}},
      {"adaptive_euler2",
       {"semi-explicit Euler 2", true, make_plain<SemiExplicitEuler2Integrator>}},
      {"implicit", {"CPODES BDF", true, [](const System& system, double) {
                      return std::make_unique<CPodesIntegrator>(system, CPodes::BDF,
                                                                CPodes::Newton);
                    }}}};
  return table;
}

}  // namespace

NamedIntegrator make_integrator(const Arguments& arguments,
                                const SimTK::MultibodySystem& system,
                                double h) {
  const auto entry = entries().find(arguments.method);
  if (entry == entries().end()) {
    std::string known;
    for (const auto& [name, unused] : entries()) known += " " + name;
    throw std::invalid_argument(
        fmt::format("unknown method '{}' of Simbody; known:{}", arguments.method, known));
  }
  NamedIntegrator result;
  result.adaptive = entry->second.adaptive;
  result.name =
      fmt::format("{}, {}", entry->second.full_name, result.adaptive ? "adaptive" : "fixed step");
  result.integrator = entry->second.make(system, h);
  SimTK::Integrator& integrator = *result.integrator;
  integrator.setAccuracy(arguments.accuracy);
  integrator.setConstraintTolerance(0.1 * arguments.accuracy);
  integrator.setFinalTime(arguments.until);
  if (!result.adaptive && arguments.method != "semi_explicit_euler") integrator.setFixedStepSize(h);
  return result;
}

}  // namespace peers
