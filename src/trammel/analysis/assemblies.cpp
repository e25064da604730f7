#include "trammel/analysis/assemblies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "trammel/analysis/named_coordinates.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

// Where all bodies stand, as numbers that are equal for equal poses: lengths in sizes of the model,
// angles by cosine and sine, Euler parameters by their products, whose sign tells nothing.
class Fingerprint {
 public:
  explicit Fingerprint(model::ModelSystem& system) : observer_(system), size_(system.size()) {}

  std::vector<double> operator()(const system::State& state) {
    const std::vector<double>& values = observer_.observe(motion_of(observer_.system(), state));
    const std::vector<model::Quantity>& quantities = observer_.quantities();
    std::vector<double> print;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const std::string& name = quantities[i].name;
      if (name.find(".position.") != std::string::npos) {
        print.push_back(values[i] / size_);
      } else if (name.ends_with(".angle")) {
        print.push_back(std::cos(values[i]));
        print.push_back(std::sin(values[i]));
      } else if (name.ends_with(".orientation.e0")) {
        for (std::size_t j = i; j < i + 4; ++j) {
          for (std::size_t k = j; k < i + 4; ++k) print.push_back(values[j] * values[k]);
        }
      }
    }
    return print;
  }

 private:
  Observer observer_;
  double size_;
};

bool same_poses(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double tolerance = 1e-5;  // singular positions are found to the root of round-off
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= tolerance)) return false;
  }
  return true;
}

// Rows of joints may hold half a turn away from where the joint belongs. Hinges do not get there;
// a cut joint is looked at in a tree of which it is a hinge.
class ReversedJoints {
 public:
  explicit ReversedJoints(formulation::RelativeModel& system, const model::Description& description)
      : system_(system) {
    for (const topology::CutJoint& cut : system.tree().cut_joints()) {
      model::Description other = description;
      const auto& edge = system.tree().graph().edges[static_cast<std::size_t>(cut.edge)];
      other.tree = {.open = {}, .keep = {edge.name}, .tie = description.tree.tie};
      try {
        others_.push_back(
            formulation::compile_relative(std::move(other), formulation::HingeDrives::rows));
      } catch (const core::InputError&) {
        // It is of a kind that closes loops only, and has no turned pose to compare with.
      }
    }
  }

  bool any(const system::State& state) const {
    if (others_.empty()) return false;
    const system::State absolute = system_.to_absolute(motion_of(system_, state)).state;
    return std::any_of(others_.begin(), others_.end(),
                       [&](const auto& other) { return !other->flipped_joint(absolute).empty(); });
  }

 private:
  formulation::RelativeModel& system_;
  std::vector<std::unique_ptr<formulation::RelativeModel>> others_;
};

class AssemblySearch {
 public:
  AssemblySearch(formulation::RelativeModel& system,
                 const model::Description& description,
                 const AssembliesSettings& settings)
      : system_(system),
        settings_(settings),
        closure_(system),
        fingerprint_(system),
        reversed_(system, description),
        random_(settings.seed) {}

  AssembliesReport go(const Assembly& assembly, const DriveCheck& drives) {
    report_.assembly = assembly;
    report_.drives = drives;
    described_ = assembly.motion.state;
    add(assembly.motion, fingerprint_(described_));
    report_.found.front().described = true;
    int quiet = 0;
    while (report_.starts < settings_.most_starts && !settings_.early_end.reached()) {
      ++report_.starts;
      quiet = start() ? 0 : quiet + 1;
      report_.complete = quiet > patience();
      if (report_.complete) break;
    }
    std::sort(report_.found.begin() + 1, report_.found.end(),
              [](const FoundAssembly& a, const FoundAssembly& b) { return a.met > b.met; });
    system_.restart_angles();
    return report_;
  }

 private:
  // Starts without anything new after which nothing more is expected.
  int patience() const { return 50 + 20 * static_cast<int>(report_.found.size()); }

  // Near ones for near assemblies, far ones for all others.
  system::State random_place() {
    constexpr std::array<double, 4> reach{std::numbers::pi, 1.0, 2.0, 0.5};
    const double width = reach[static_cast<std::size_t>(report_.starts) % reach.size()];
    std::uniform_real_distribution<double> share(-width, width);
    Vector x(system_.sizes().v);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      x[i] = share(random_) * system_.displacement_scale()[i];
    }
    system::State state = described_;
    system_.retract(described_.q, x, state.q);
    return state;
  }

  // True when it leads to an assembly that was not known.
  bool start() {
    system::State state = random_place();
    system_.restart_angles();
    const auto follow = [this](const system::State& now) { system_.accept(now); };
    follow(state);
    if (!closure_.positions(state, {}, follow).converged) return false;
    ++report_.closed;
    if (reversed_.any(state)) {
      ++report_.reversed;
      return false;
    }
    const std::vector<double> print = fingerprint_(state);
    for (std::size_t i = 0; i < prints_.size(); ++i) {
      if (!same_poses(prints_[i], print)) continue;
      ++report_.found[i].met;
      return false;
    }
    add(motion_at(state), print);
    ++report_.found.back().met;
    return true;
  }

  system::Motion motion_at(system::State state) {
    state.v.setZero();
    system::Motion motion = motion_of(system_, state);
    const bool moves = closure_.velocities(motion.state, {}).converged;
    if (!moves || !closure_.accelerations(motion.state, motion.a, motion.lambda).converged) {
      motion = motion_of(system_, state);
    }
    return motion;
  }

  void add(const system::Motion& motion, const std::vector<double>& print) {
    FoundAssembly found;
    found.motion = motion;
    const Matrix G = constraint_jacobian(system_, motion.state);
    found.singular = subspaces(G.topRows(system_.sizes().holonomic), system_.displacement_scale(),
                               singular_below)
                         .rank < system_.sizes().v;
    report_.found.push_back(found);
    prints_.push_back(print);
  }

  static constexpr double singular_below = 1e-6;

  formulation::RelativeModel& system_;
  AssembliesSettings settings_;
  constraint_handling::ConsistentStart closure_;
  Fingerprint fingerprint_;
  ReversedJoints reversed_;
  std::mt19937 random_;
  system::State described_;
  std::vector<std::vector<double>> prints_;
  AssembliesReport report_;
};

}  // namespace

double AssembliesReport::chance_of_more() const {
  const auto once = std::count_if(found.begin(), found.end(),
                                  [](const FoundAssembly& each) { return each.met == 1; });
  const int counted = closed - reversed;
  return counted > 0 ? static_cast<double>(once) / counted : 1.0;
}

AssembliesReport all_assemblies(formulation::RelativeModel& system,
                                const model::Description& description,
                                const AssembliesSettings& settings) {
  const Assembly assembly = assemble(system);
  std::vector<std::string> names;
  names.reserve(description.drives.size());
  for (const auto& drive : description.drives) names.push_back(drive.name);
  const DriveCheck drives = check_drives(system, assembly.motion.state, names);
  require_determined(drives);
  if (!drives.positions_determined) {
    throw core::InputError(
        "joints and drives determine velocities but not positions: there is a whole family of "
        "assemblies",
        "prescribe coordinates by drives of type position");
  }
  return AssemblySearch(system, description, settings).go(assembly, drives);
}

}  // namespace trammel::analysis
