// Simulations that Python takes step by step, one or many side by side, and what is inside of them.
#include <algorithm>
#include <cmath>

#include "callbacks.h"
#include "errors.h"
#include "model_handle.h"
#include "parts.h"
#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "trammel/analysis/comparison/parallel.h"
#include "trammel/analysis/named_coordinates.h"
#include "trammel/analysis/stepper.h"
#include "trammel/analysis/unilateral_model.h"
#include "trammel/io/presentation.h"
#include "trammel/results/table.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

using analysis::Stepper;
using system::Vector;

/// A look at numbers that stay where they are; the array keeps their owner alive.
py::array view_of(const double* numbers, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array_t<double> array(std::move(shape), numbers, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array view_of(const Vector& numbers, const py::object& owner) {
  return view_of(numbers.data(), {static_cast<py::ssize_t>(numbers.size())}, owner);
}

/// The model a simulation stands on, with the functions of Python that its formulas call.
struct Source {
  Source(const ModelHandle& model, const py::list& list) : functions(list, state) {
    description = described(model, functions);
    has_functions = py::len(list) > 0;
  }

  CallbackState state;
  FunctionSet functions;
  model::Description description;
  bool has_functions = false;
};

class Stepping {
 public:
  Stepping(const ModelHandle& model, const py::list& functions)
      : source_(std::make_shared<Source>(model, functions)) {
    try {
      stepper_ = std::make_unique<Stepper>(
          compile(model, source_->description, formulation::HingeDrives::prescribed),
          source_->description.simulation, analysis::inputs_of(source_->description),
          io::starts_at_rest(model) ? analysis::Start::equilibrium : analysis::Start::described);
    } catch (const core::RunError&) {
      raise_python_error();
      throw;
    }
    all_.resize(stepper_->observables().size());
  }
  Stepping(const Stepping& other)
      : source_(other.source_),
        stepper_(other.stepper_->clone()),
        watched_(other.watched_),
        all_(other.all_.size()),
        seen_(Vector::Zero(other.seen_.size())) {
    look();
  }
  Stepping& operator=(const Stepping&) = delete;
  Stepping(Stepping&&) = delete;
  Stepping& operator=(Stepping&&) = delete;
  ~Stepping() = default;

  Stepper& stepper() { return *stepper_; }
  const Source& source() const { return *source_; }
  const Vector& seen() const { return seen_; }

  /// Does something that may call Python, and looks at the result.
  template <class Work>
  void take(const Work& work) {
    try {
      work(*stepper_);
    } catch (const core::RunError&) {
      raise_python_error();
      throw;
    }
    look();
  }

  void watch(const std::vector<std::string>& names) {
    watched_ = results::select(channels(), names);
    seen_ = Vector::Zero(static_cast<Eigen::Index>(watched_.size()));
    look();
  }

  std::vector<results::Channel> channels() const {
    std::vector<results::Channel> list;
    for (const model::Quantity& each : stepper_->observables()) {
      list.push_back({each.name, each.unit, each.frame, each.description});
    }
    return list;
  }

  const std::vector<double>& observe() {
    stepper_->observe(all_.data());
    return all_;
  }

  /// Into the numbers that arrays look at.
  void look() {
    if (watched_.empty()) return;
    observe();
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      seen_[static_cast<Eigen::Index>(i)] = all_[watched_[i]];
    }
  }

 private:
  /// What a function of Python raised is what ended the step.
  void raise_python_error() const {
    if (!source_->state.failed()) return;
    const auto failure = py::cast<py::tuple>(source_->state.failure());
    const py::object exception = failure[3];
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    throw py::error_already_set();
  }

  std::shared_ptr<Source> source_;
  std::unique_ptr<Stepper> stepper_;
  std::vector<std::size_t> watched_;
  std::vector<double> all_;
  Vector seen_;
};

// ---- names

void add_names(const std::string& body, int freedoms, bool planar, std::vector<std::string>& list) {
  const std::vector<const char*> axes =
      planar ? std::vector<const char*>{"x", "y"} : std::vector<const char*>{"x", "y", "z"};
  for (const char* axis : axes) list.push_back(fmt::format("{}.center_velocity.{}", body, axis));
  if (freedoms == static_cast<int>(axes.size())) return;
  if (planar) {
    list.push_back(body + ".angular_velocity");
  } else {
    for (const char* axis : axes) list.push_back(fmt::format("{}.body_rate.{}", body, axis));
  }
}

/// In relative coordinates: rates of coordinates that are a velocity of the system each.
std::vector<std::string> hinge_names(Stepper& stepper) {
  analysis::Observer observer(stepper.system());
  const auto n = stepper.motion().state.v.size();
  std::vector<std::string> names(static_cast<std::size_t>(n));
  const analysis::Matrix rows = observer.gradients(observer.coordinates(), stepper.motion().state);
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const analysis::NamedCoordinate& each = observer.coordinates()[static_cast<std::size_t>(k)];
    Eigen::Index at = 0;
    const double most = rows.row(k).cwiseAbs().maxCoeff(&at);
    const bool unit = std::abs(most - 1.0) < 1e-12 && rows.row(k).cwiseAbs().sum() < 1.0 + 1e-12;
    std::string& name = names[static_cast<std::size_t>(at)];
    if (unit && each.of_joint && name.empty()) name = observer.quantities()[each.rate].name;
  }
  return names;
}

std::vector<std::string> velocity_names(Stepping& self) {
  Stepper& stepper = self.stepper();
  const auto n = static_cast<std::size_t>(stepper.motion().state.v.size());
  std::vector<std::string> names;
  if (analysis::relative_model(stepper.system()) != nullptr) {
    names = hinge_names(stepper);
  } else {
    const model::Description& description = self.source().description;
    const bool planar = description.space == model::Space::planar;
    for (const model::Body& body : description.bodies) {
      if (body.carrier) continue;
      const bool point = body.kind == model::BodyKind::point;
      add_names(body.name, planar ? (point ? 2 : 3) : (point ? 3 : 6), planar, names);
    }
  }
  names.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i].empty()) names[i] = fmt::format("v[{}]", i);
  }
  return names;
}

std::vector<std::string> row_names(Stepping& self) {
  std::vector<std::string> list;
  for (const model::RowName& row : self.stepper().system().row_names()) {
    list.push_back(row.joint + ": " + row.label);
  }
  return list;
}

// ---- what is inside

/// K and G of the weights, as compressed columns of the lower part [K; G].
py::tuple matrices(Stepping& self, double position, double velocity, double acceleration) {
  Stepper& stepper = self.stepper();
  system::KktMatrix matrix(stepper.system().pattern());
  stepper.system().tangent(stepper.motion(), {position, velocity, acceleration}, nullptr, matrix);
  const system::KktPattern& pattern = *matrix.pattern;
  return py::make_tuple(py::array(py::cast(matrix.values)), py::array(py::cast(pattern.row)),
                        py::array(py::cast(pattern.column_start)), pattern.velocities,
                        pattern.multipliers);
}

py::tuple residual(Stepping& self) {
  Vector r;
  Vector g;
  self.stepper().system().residual(self.stepper().motion(), r, g);
  return py::make_tuple(r, g);
}

template <void (system::MechanicalSystem::*question)(const system::State&, Vector&)>
Vector answer(Stepping& self) {
  Vector x;
  (self.stepper().system().*question)(self.stepper().motion().state, x);
  return x;
}

/// How channels change with velocities; exact for those that are linear in them.
analysis::Matrix velocity_jacobian(Stepping& self, const std::vector<std::string>& names) {
  Stepper& stepper = self.stepper();
  const std::vector<std::size_t> chosen = results::select(self.channels(), names);
  system::Motion motion = stepper.motion();
  std::vector<double> values(stepper.observables().size());
  const auto observe = [&] {
    stepper.system().observe(motion, values.data());
    Vector seen(static_cast<Eigen::Index>(chosen.size()));
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      seen[static_cast<Eigen::Index>(i)] = values[chosen[i]];
    }
    return seen;
  };
  motion.state.v.setZero();
  const Vector still = observe();
  analysis::Matrix jacobian(still.size(), motion.state.v.size());
  for (Eigen::Index i = 0; i < motion.state.v.size(); ++i) {
    motion.state.v[i] = 1.0;
    jacobian.col(i) = observe() - still;
    motion.state.v[i] = 0.0;
  }
  return jacobian;
}

void set_state(
    Stepping& self, double t, const Vector& q, const Vector& v, const Vector& z, bool project) {
  self.take([&](Stepper& stepper) { stepper.set_state({t, q, v, z}, project); });
}

Vector retract(Stepping& self, const Vector& q, const Vector& x) {
  Vector moved;
  self.stepper().system().retract(q, x, moved);
  return moved;
}

// ---- many at once

class Batch {
 public:
  Batch(Stepping& first, int count, int threads) : threads_(threads) {
    if (first.source().has_functions) {
      throw core::InputError("a batch runs without Python, and the model calls functions of Python",
                             "write them as formulas, or step the simulations one by one");
    }
    for (int i = 0; i < count; ++i) members_.push_back(std::make_unique<Stepping>(first));
    const system::State& state = first.stepper().motion().state;
    q_.resize(count, state.q.size());
    v_.resize(count, state.v.size());
    z_.resize(count, state.z.size());
    seen_.resize(count, first.seen().size());
    time_.resize(count);
    for (int i = 0; i < count; ++i) gather(i);
  }

  void step(long steps) {
    // Those that fail do not keep the others from going on; the first failure is told.
    each([steps](Stepper& stepper) { stepper.step(steps); });
  }
  void advance(double until) {
    each([until](Stepper& stepper) { stepper.advance(until); });
  }
  void reset(const std::vector<int>& which) {
    for (const int i : which) {
      members_.at(static_cast<std::size_t>(i))->take([](Stepper& stepper) { stepper.reset(); });
      gather(i);
    }
  }
  void set_input(const std::string& name, const Vector& values) {
    if (values.size() != q_.rows()) {
      throw core::InputError(
          fmt::format("{} values are given for {} simulations", values.size(), q_.rows()),
          "give one for each");
    }
    const int input = members_.front()->stepper().input(name);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      members_[i]->stepper().set_input(input, values[static_cast<Eigen::Index>(i)]);
    }
  }
  Stepping& member(int i) { return *members_.at(static_cast<std::size_t>(i)); }
  int count() const { return static_cast<int>(members_.size()); }
  void gather(int i) {
    Stepping& one = member(i);
    const system::State& state = one.stepper().motion().state;
    q_.row(i) = state.q;
    v_.row(i) = state.v;
    z_.row(i) = state.z;
    seen_.row(i) = one.seen();
    time_[i] = state.t;
  }

  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Rows& q() const { return q_; }
  const Rows& v() const { return v_; }
  const Rows& z() const { return z_; }
  const Rows& seen() const { return seen_; }
  const Vector& time() const { return time_; }

 private:
  template <class Work>
  void each(const Work& work) {
    const py::gil_scoped_release release;
    analysis::comparison::in_parallel(count(), threads_, [&](int i) {
      member(i).take(work);
      gather(i);
    });
  }

  std::vector<std::unique_ptr<Stepping>> members_;
  int threads_;
  Rows q_;
  Rows v_;
  Rows z_;
  Rows seen_;
  Vector time_;
};

py::array rows_of(const Batch::Rows& rows, const py::object& owner) {
  return view_of(rows.data(),
                 {static_cast<py::ssize_t>(rows.rows()), static_cast<py::ssize_t>(rows.cols())},
                 owner);
}

void bind_saved(py::module_& module) {
  py::class_<Stepper::Saved>(module, "SavedState")
      .def_property_readonly("time", [](const Stepper::Saved& s) { return s.motion.state.t; })
      .def_property_readonly("q", [](const Stepper::Saved& s) { return s.motion.state.q; })
      .def_property_readonly("v", [](const Stepper::Saved& s) { return s.motion.state.v; })
      .def_property_readonly("z", [](const Stepper::Saved& s) { return s.motion.state.z; });
}

void bind_inside(py::class_<Stepping>& type) {
  using System = system::MechanicalSystem;
  type.def("matrices", &matrices, py::arg("position"), py::arg("velocity"), py::arg("acceleration"))
      .def("residual", &residual)
      .def("forces", &answer<&System::forces>)
      .def("position_constraint", &answer<&System::position_constraint>)
      .def("velocity_constraint", &answer<&System::velocity_constraint>)
      .def("acceleration_bias", &answer<&System::acceleration_bias>)
      .def("velocity_jacobian", &velocity_jacobian, py::arg("channels"))
      .def("retract", &retract, py::arg("q"), py::arg("x"))
      .def("velocity_names", &velocity_names)
      .def("row_names", &row_names)
      .def("energy", [](Stepping& self) {
        const system::Energy energy = self.stepper().system().energy(self.stepper().motion().state);
        return std::pair(energy.kinetic, energy.potential);
      });
}

void bind_one(py::module_& module) {
  const auto motion = [](const py::object& self) -> const system::Motion& {
    return py::cast<Stepping&>(self).stepper().motion();
  };
  py::class_<Stepping> type(module, "Stepping");
  type.def(py::init<const ModelHandle&, const py::list&>(), py::arg("model"), py::arg("functions"))
      .def(
          "step",
          [](Stepping& self, long count) {
            self.take([count](Stepper& stepper) { stepper.step(count); });
          },
          py::arg("count") = 1)
      .def(
          "advance",
          [](Stepping& self, double until) {
            self.take([until](Stepper& stepper) { stepper.advance(until); });
          },
          py::arg("until"))
      .def("reset", [](Stepping& self) { self.take([](Stepper& s) { s.reset(); }); })
      .def("copy", [](const Stepping& self) { return std::make_unique<Stepping>(self); })
      .def("save", [](Stepping& self) { return self.stepper().save(); })
      .def("restore",
           [](Stepping& self, const Stepper::Saved& saved) {
             self.take([&](Stepper& stepper) { stepper.restore(saved); });
           })
      .def("set_state", &set_state, py::arg("time"), py::arg("q"), py::arg("v"), py::arg("z"),
           py::arg("project"))
      .def("set_input",
           [](Stepping& self, const std::string& name, double value) {
             self.stepper().set_input(self.stepper().input(name), value);
           })
      .def("input",
           [](Stepping& self, const std::string& name) {
             return self.stepper().input_value(self.stepper().input(name));
           })
      .def_property_readonly("inputs", [](Stepping& self) { return self.stepper().input_names(); })
      .def_property_readonly("time", [](Stepping& self) { return self.stepper().time(); })
      .def_property_readonly("step_size", [](Stepping& self) { return self.stepper().step_size(); })
      .def_property_readonly("method", [](Stepping& self) { return self.stepper().method(); })
      .def_property_readonly(
          "freedoms", [](Stepping& self) { return self.stepper().assembly().mobility.freedoms(); })
      .def_property_readonly(
          "q", [motion](const py::object& self) { return view_of(motion(self).state.q, self); })
      .def_property_readonly(
          "v", [motion](const py::object& self) { return view_of(motion(self).state.v, self); })
      .def_property_readonly(
          "z", [motion](const py::object& self) { return view_of(motion(self).state.z, self); })
      .def_property_readonly(
          "a", [motion](const py::object& self) { return view_of(motion(self).a, self); })
      .def_property_readonly(
          "multipliers",
          [motion](const py::object& self) { return view_of(motion(self).lambda, self); })
      .def("watch",
           [](const py::object& self, const std::vector<std::string>& names) {
             Stepping& one = py::cast<Stepping&>(self);
             one.watch(names);
             return view_of(one.seen(), self);
           })
      .def("channels",
           [](Stepping& self) {
             std::vector<std::pair<std::string, std::string>> list;
             for (const results::Channel& each : self.channels()) {
               list.emplace_back(each.name, each.unit);
             }
             return list;
           })
      .def("observe", [](Stepping& self) { return py::array(py::cast(self.observe())); });
  bind_inside(type);
}

}  // namespace

void bind_stepping(py::module_& module) {
  bind_saved(module);
  bind_one(module);
  py::class_<Batch>(module, "Batch")
      .def(py::init<Stepping&, int, int>(), py::arg("first"), py::arg("count"), py::arg("threads"))
      .def("step", &Batch::step, py::arg("count") = 1)
      .def("advance", &Batch::advance, py::arg("until"))
      .def("reset", &Batch::reset, py::arg("which"))
      .def("set_input", &Batch::set_input, py::arg("name"), py::arg("values"))
      .def("member", &Batch::member, py::return_value_policy::reference_internal)
      .def("gather", &Batch::gather)
      .def("__len__", &Batch::count)
      .def_property_readonly(
          "q", [](const py::object& self) { return rows_of(py::cast<Batch&>(self).q(), self); })
      .def_property_readonly(
          "v", [](const py::object& self) { return rows_of(py::cast<Batch&>(self).v(), self); })
      .def_property_readonly(
          "z", [](const py::object& self) { return rows_of(py::cast<Batch&>(self).z(), self); })
      .def_property_readonly(
          "watched",
          [](const py::object& self) { return rows_of(py::cast<Batch&>(self).seen(), self); })
      .def_property_readonly("time", [](const py::object& self) {
        return view_of(py::cast<Batch&>(self).time(), self);
      });
}

}  // namespace trammel::python
