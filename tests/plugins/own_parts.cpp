// A plugin as docs/own_parts.md describes it: a force and an integrator that Trammel does not have.
#include <trammel/trammel.h>

namespace {

using namespace trammel;

// A rope that only pulls: T = k (L - L0) where L > L0.
struct Rope final : model::LineLaw {
  Rope(double length, double stiffness) : L0(length), k(stiffness) {}
  model::Tension tension(double L, double /*rate*/) const override {
    return L > L0 ? model::Tension{k * (L - L0), k, 0.0, k * (L - L0)} : model::Tension{};
  }
  double potential(double L) const override { return L > L0 ? 0.5 * k * (L - L0) * (L - L0) : 0.0; }
  bool depends_on_rate() const override { return false; }
  double L0;
  double k;
};

template <class S>
std::unique_ptr<model::Force<S>> build_rope(const model::Values& values,
                                            const model::NodeFrame<S>& a,
                                            const model::NodeFrame<S>& b) {
  return std::make_unique<model::LineForce<S>>(
      a, b,
      std::make_unique<Rope>(model::number(values, "length"), model::number(values, "stiffness")));
}

std::vector<model::Field> rope_fields() {
  return {
      {.name = "length", .dimension = core::dimension::length, .description = "when slack ends"},
      {.name = "stiffness", .dimension = core::dimension::stiffness, .description = "when taut"}};
}

// Symplectic Euler: v_1 = v + h a(q, v), q_1 = q moved by h v_1, both brought to the constraints.
// Order 1.
class SymplecticEuler final : public integrators::Integrator {
 public:
  explicit SymplecticEuler(system::MechanicalSystem& system) : system_(system), start_(system) {}
  void start(const system::Motion& motion) override { motion_ = motion; }
  integrators::StepReport step(double h) override {
    system::Motion next = motion_;
    next.state.t += h;
    next.state.v += h * motion_.a;
    system_.retract(motion_.state.q, h * next.state.v, next.state.q);
    const bool closed = start_.positions(next.state, {}).converged &&
                        start_.velocities(next.state, {}).converged &&
                        start_.accelerations(next.state, next.a, next.lambda).converged;
    ++statistics_.steps;
    if (!closed) return {.failure = integrators::Failure::projection};
    motion_ = std::move(next);
    return {.iterations = 1, .displacement = h * motion_.state.v.lpNorm<Eigen::Infinity>()};
  }
  int order() const override { return 1; }
  system::MechanicalSystem& system() override { return system_; }
  const system::Motion& motion() const override { return motion_; }
  const integrators::Statistics& statistics() const override { return statistics_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  std::size_t memory_bytes() const override { return sizeof *this; }

 private:
  system::MechanicalSystem& system_;
  constraint_handling::ConsistentStart start_;
  system::Motion motion_;
  integrators::Statistics statistics_;
  std::vector<std::string> notes_;
};

}  // namespace

extern "C" const char* trammel_version() {
  return trammel::version;
}

extern "C" void trammel_register() {
  model::register_force_kind({.name = "rope",
                              .space = model::Space::planar,
                              .summary = "only pulls",
                              .fields = rope_fields(),
                              .mirroring = model::mirrored_by_fields(),
                              .build_planar = build_rope<model::Planar>});
  model::register_force_kind({.name = "rope",
                              .summary = "only pulls",
                              .fields = rope_fields(),
                              .mirroring = model::mirrored_by_fields(),
                              .build_spatial = build_rope<model::Spatial>});
  integrators::register_integrator_kind(
      {.name = "symplectic-euler",
       .summary = "explicit, order 1",
       .settings = {},
       .make = [](system::MechanicalSystem& system, const integrators::Settings& /*settings*/,
                  const std::string& /*solver*/) -> std::unique_ptr<integrators::Integrator> {
         return std::make_unique<SymplecticEuler>(system);
       }});
}
