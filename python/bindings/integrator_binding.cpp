// Integrators written in Python (integrators.py): the system as they see it, and the integrator
// that calls them.
#include "errors.h"
#include "parts.h"
#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "trammel/analysis/dense_matrices.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/integrators/own_kinds.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

using system::Motion;
using system::State;
using system::Vector;

/// What an integrator may ask a system for. It lives as long as somebody in Python holds it, the
/// system only as long as its integrator.
class SystemHandle {
 public:
  explicit SystemHandle(system::MechanicalSystem& system) : system_(&system), start_(system) {}

  void close() { system_ = nullptr; }
  system::MechanicalSystem& system() const {
    if (system_ == nullptr) {
      throw core::RunError("the run to which this system belongs has ended",
                           "ask for numbers in step()");
    }
    return *system_;
  }

  State state(double t, const Vector& q, const Vector& v, const std::optional<Vector>& z) const {
    const system::Sizes sizes = system().sizes();
    State state{t, q, v, z ? *z : Vector::Zero(sizes.z)};
    if (q.size() != sizes.q || v.size() != sizes.v || state.z.size() != sizes.z) {
      throw core::InputError(
          fmt::format("q, v and z have {}, {} and {} numbers", q.size(), v.size(), state.z.size()),
          fmt::format("give {}, {} and {}", sizes.q, sizes.v, sizes.z));
    }
    return state;
  }

  /// Onto the constraints, with the accelerations and multipliers that belong there.
  std::optional<Motion> consistent(State state, bool project) {
    system();
    Motion motion;
    const bool closed = !project || (start_.positions(state, {}).converged &&
                                     start_.velocities(state, {}).converged);
    motion.state = std::move(state);
    if (!closed || !start_.accelerations(motion.state, motion.a, motion.lambda).converged) {
      return std::nullopt;
    }
    return motion;
  }

 private:
  system::MechanicalSystem* system_;
  constraint_handling::ConsistentStart start_;
};

/// Calls start() and step() of a Python object.
class PythonIntegrator final : public integrators::Integrator {
 public:
  /// With the GIL.
  PythonIntegrator(std::string name,
                   const py::object& type,
                   system::MechanicalSystem& system,
                   const py::dict& settings)
      : name_(std::move(name)), system_(system), handle_(std::make_shared<SystemHandle>(system)) {
    object_ = type(handle_, **settings);
    order_ = py::cast<int>(py::getattr(object_, "order", py::int_(2)));
  }
  ~PythonIntegrator() override {
    const py::gil_scoped_acquire gil;
    handle_->close();
    object_ = py::object();
  }
  PythonIntegrator(const PythonIntegrator&) = delete;
  PythonIntegrator& operator=(const PythonIntegrator&) = delete;

  void start(const Motion& motion) override {
    motion_ = motion;
    const py::gil_scoped_acquire gil;
    if (!py::hasattr(object_, "start")) return;
    guarded([&] { object_.attr("start")(py::cast(motion_)); });
  }

  integrators::StepReport step(double h) override {
    const py::gil_scoped_acquire gil;
    ++statistics_.steps;
    std::optional<Motion> next;
    guarded([&] {
      const py::object answer = object_.attr("step")(py::cast(motion_), h);
      if (!answer.is_none()) next = py::cast<Motion>(answer);
    });
    if (!next) return failed(integrators::Failure::diverged);
    check(*next, h);
    if (!next->state.q.allFinite() || !next->state.v.allFinite() || !next->a.allFinite()) {
      return failed(integrators::Failure::not_finite);
    }
    system_.logarithm(motion_.state.q, next->state.q, moved_);
    const double displacement =
        moved_.size() == 0
            ? 0.0
            : moved_.cwiseQuotient(system_.displacement_scale()).lpNorm<Eigen::Infinity>();
    motion_ = std::move(*next);
    statistics_.largest_displacement = std::max(statistics_.largest_displacement, displacement);
    return {.iterations = 1, .displacement = displacement};
  }

  int order() const override { return order_; }
  system::MechanicalSystem& system() override { return system_; }
  const Motion& motion() const override { return motion_; }
  const integrators::Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override { return sizeof *this; }

 private:
  integrators::StepReport failed(integrators::Failure failure) {
    ++statistics_.failed_steps;
    return {.failure = failure};
  }

  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const py::error_already_set& error) {
      fail(error.what());
    } catch (const py::cast_error&) {
      fail("step() returned neither a motion nor None");
    }
  }

  void check(const Motion& next, double h) const {
    const system::Sizes sizes = system_.sizes();
    if (next.state.q.size() != sizes.q || next.state.v.size() != sizes.v ||
        next.state.z.size() != sizes.z || next.a.size() != sizes.v ||
        next.lambda.size() != sizes.multipliers()) {
      fail("the motion that step() returned has numbers of other sizes than the system");
    }
    const double end = motion_.state.t + h;
    if (std::abs(next.state.t - end) > 1e-9 * std::max(h, std::abs(end))) {
      fail(fmt::format("step() went to t = {:.9g} s, not by h to {:.9g} s", next.state.t, end));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw core::RunError(
        fmt::format("integrator '{}' at t = {:.6g} s: {}", name_, motion_.state.t, what),
        "mend its step(motion, h), which returns the motion at motion.time + h, or "
        "None for a smaller step");
  }

  std::string name_;
  system::MechanicalSystem& system_;
  std::shared_ptr<SystemHandle> handle_;
  py::object object_;
  int order_ = 2;
  Motion motion_;
  Vector moved_;
  integrators::Statistics statistics_;
  std::vector<std::string> notes_;
};

/// The class is asked for by name, so that a notebook may define it anew.
void register_integrator(const std::string& name,
                         const std::string& summary,
                         const std::map<std::string, double>& settings) {
  std::vector<integrators::Setting> list;
  for (const auto& [setting, fallback] : settings) {
    list.push_back({.name = setting, .description = "of the integrator", .fallback = fallback});
  }
  const auto make = [name, settings](
                        system::MechanicalSystem& system, const integrators::Settings& given,
                        const std::string& /*solver*/) -> std::unique_ptr<integrators::Integrator> {
    const py::gil_scoped_acquire gil;
    py::dict values;
    for (const auto& [setting, fallback] : settings) values[py::str(setting)] = fallback;
    for (const auto& [setting, value] : given) {
      const double* number = std::get_if<double>(&value);
      if (number == nullptr || !settings.contains(setting)) {
        throw core::InputError(fmt::format("integrator '{}' has no setting '{}'", name, setting),
                               "leave it out");
      }
      values[py::str(setting)] = *number;
    }
    try {
      const py::object type = py::module_::import("trammel.integrators").attr("find")(name);
      return std::make_unique<PythonIntegrator>(name, type, system, values);
    } catch (const py::error_already_set& error) {
      throw core::RunError(fmt::format("integrator '{}' could not be made: {}", name, error.what()),
                           "its class takes the system and its settings");
    }
  };
  integrators::register_integrator_kind(
      {.name = name, .summary = summary, .settings = std::move(list), .make = make});
}

void bind_motion(py::module_& module) {
  py::class_<Motion>(module, "Motion",
                     "A state with its accelerations and multipliers; arrays are copies.")
      .def(py::init([](double time, const Vector& q, const Vector& v, const Vector& a,
                       const Vector& multipliers, const Vector& z) {
             return Motion{{time, q, v, z}, a, multipliers};
           }),
           py::arg("time"), py::arg("q"), py::arg("v"), py::arg("a"), py::arg("multipliers"),
           py::arg("z"))
      .def_property_readonly("time", [](const Motion& m) { return m.state.t; })
      .def_property_readonly("q", [](const Motion& m) { return m.state.q; })
      .def_property_readonly("v", [](const Motion& m) { return m.state.v; })
      .def_property_readonly("z", [](const Motion& m) { return m.state.z; })
      .def_property_readonly("a", [](const Motion& m) { return m.a; })
      .def_property_readonly("multipliers", [](const Motion& m) { return m.lambda; });
}

using GivenStates = std::optional<Vector>;

template <void (system::MechanicalSystem::*Question)(const State&, Vector&)>
Vector answer_at(const SystemHandle& self,
                 double t,
                 const Vector& q,
                 const Vector& v,
                 const GivenStates& z,
                 int size) {
  Vector result = Vector::Zero(size);
  (self.system().*Question)(self.state(t, q, v, z), result);
  return result;
}

}  // namespace

void bind_integrators(py::module_& module) {
  bind_motion(module);
  using System = system::MechanicalSystem;
  const auto at = [](auto& type, const char* name, auto function) {
    type.def(name, function, py::arg("time"), py::arg("q"), py::arg("v"),
             py::arg("z") = py::none());
  };
  py::class_<SystemHandle, std::shared_ptr<SystemHandle>> type(
      module, "System",
      "What an integrator may ask of a model; it lives as long as the integrator's run.");
  type.def_property_readonly("velocities",
                             [](const SystemHandle& s) { return s.system().sizes().v; })
      .def_property_readonly("rows",
                             [](const SystemHandle& s) { return s.system().sizes().multipliers(); })
      .def(
          "move",
          [](const SystemHandle& self, const Vector& q, const Vector& x) {
            Vector moved = q;
            self.system().retract(q, x, moved);
            return moved;
          },
          py::arg("q"), py::arg("x"))
      .def(
          "displacement",
          [](const SystemHandle& self, const Vector& from, const Vector& to) {
            Vector x = Vector::Zero(self.system().sizes().v);
            self.system().logarithm(from, to, x);
            return x;
          },
          py::arg("from_q"), py::arg("to_q"))
      .def(
          "consistent",
          [](SystemHandle& self, double t, const Vector& q, const Vector& v, const GivenStates& z,
             bool project) { return self.consistent(self.state(t, q, v, z), project); },
          py::arg("time"), py::arg("q"), py::arg("v"), py::arg("z") = py::none(),
          py::arg("project") = true)
      .def(
          "residual",
          [](const SystemHandle& self, const Motion& motion) {
            Vector r = Vector::Zero(self.system().sizes().v);
            Vector constraint = Vector::Zero(self.system().sizes().multipliers());
            self.system().residual(motion, r, constraint);
            return py::make_tuple(r, constraint);
          },
          py::arg("motion"))
      .def(
          "tangent",
          [](const SystemHandle& self, const Motion& motion, double position, double velocity,
             double acceleration) {
            const analysis::DenseTangent both =
                analysis::dense_tangent(self.system(), motion, {position, velocity, acceleration});
            return py::make_tuple(both.K, both.G);
          },
          py::arg("motion"), py::arg("position"), py::arg("velocity"), py::arg("acceleration"));
  at(type, "mass_matrix",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       const Motion motion = analysis::motion_of(self.system(), self.state(t, q, v, z));
       return analysis::dense_tangent(self.system(), motion, {0.0, 0.0, 1.0}).K;
     });
  at(type, "constraint_jacobian",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       return analysis::constraint_jacobian(self.system(), self.state(t, q, v, z));
     });
  at(type, "forces",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       return answer_at<&System::forces>(self, t, q, v, z, self.system().sizes().v);
     });
  at(type, "position_constraint",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       return answer_at<&System::position_constraint>(self, t, q, v, z,
                                                      self.system().sizes().multipliers());
     });
  at(type, "velocity_constraint",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       return answer_at<&System::velocity_constraint>(self, t, q, v, z,
                                                      self.system().sizes().multipliers());
     });
  at(type, "acceleration_bias",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       return answer_at<&System::acceleration_bias>(self, t, q, v, z,
                                                    self.system().sizes().multipliers());
     });
  at(type, "state_rates",
     [](const SystemHandle& self, double t, const Vector& q, const Vector& v,
        const GivenStates& z) {
       Vector rates = Vector::Zero(self.system().sizes().z);
       if (system::FirstOrderStates* states = self.system().first_order_states()) {
         states->rates(self.state(t, q, v, z), rates);
       }
       return rates;
     });
  module.def("register_integrator", &register_integrator, py::arg("name"), py::arg("summary"),
             py::arg("settings"));
}

}  // namespace trammel::python
