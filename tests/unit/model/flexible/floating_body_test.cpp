// Laws of bodies in a floating frame, and what their shapes are worth.
// registry: flexible
#include "trammel/model/flexible/floating_body.h"

#include "support/reference_motion.h"
#include "support/system_laws.h"
#include "support/system_view.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "trammel/math/rotation.h"
#include "trammel/model/model_system.h"

namespace trammel::model::floating_body_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using support::Random;

// Structures --------------------------------------------------------------------------------------

SparseSquare sparse(const MatrixXd& A) {
  return A.sparseView();
}

/// Masses at points, with springs along all lines between them.
Structure cage() {
  const std::vector<Vector3d> places{{0.0, 0.0, 0.0},  {1.0, 0.1, 0.0}, {0.2, 0.9, 0.1},
                                     {0.1, -0.1, 1.1}, {1.2, 0.8, 0.1}, {1.0, 0.0, 0.9},
                                     {0.0, 1.0, 1.0},  {1.1, 1.0, 1.2}};
  const auto n = static_cast<Index>(places.size());
  MatrixXd M = MatrixXd::Zero(3 * n, 3 * n);
  MatrixXd K = MatrixXd::Zero(3 * n, 3 * n);
  Structure s;
  for (Index i = 0; i < n; ++i) {
    s.nodes.push_back({std::to_string(i + 1), places[static_cast<std::size_t>(i)]});
    for (int k = 0; k < 3; ++k) s.freedoms.push_back({static_cast<int>(i), k});
    M.diagonal().segment<3>(3 * i).setConstant(0.4 + 0.1 * static_cast<double>(i));
    for (Index j = 0; j < i; ++j) {
      const Vector3d way =
          places[static_cast<std::size_t>(i)] - places[static_cast<std::size_t>(j)];
      const Eigen::Matrix3d k = 30.0 / std::pow(way.norm(), 4) * way * way.transpose();
      K.block<3, 3>(3 * i, 3 * i) += k;
      K.block<3, 3>(3 * j, 3 * j) += k;
      K.block<3, 3>(3 * i, 3 * j) -= k;
      K.block<3, 3>(3 * j, 3 * i) -= k;
    }
  }
  s.mass = sparse(M);
  s.stiffness = sparse(K);
  return s;
}

struct Line {
  double L = 1.0;
  double EA = 40.0;
  double GJ = 0.9;
  double EI_y = 1.1;  ///< bending along z
  double EI_z = 1.7;
  double rho_A = 1.3;
  double rho_I = 0.03;  ///< about the line
  int elements = 4;
};

/// Euler and Bernoulli's beam along x with consistent mass, straight from the textbook: cubic
/// across, linear along and about the line.
Structure textbook_beam(const Line& line) {
  const double l = line.L / line.elements;
  const auto across = [&](double EI, MatrixXd& K, MatrixXd& M) {
    K.resize(4, 4);
    M.resize(4, 4);
    K << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l,
        2 * l * l, -6 * l, 4 * l * l;
    K *= EI / (l * l * l);
    M << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l,
        -13 * l, -3 * l * l, -22 * l, 4 * l * l;
    M *= line.rho_A * l / 420.0;
  };
  const Index n = 6 * (line.elements + 1);
  MatrixXd M = MatrixXd::Zero(n, n);
  MatrixXd K = MatrixXd::Zero(n, n);
  const auto add = [&](Index first, const std::array<Index, 4>& at,
                       const std::array<double, 4>& sign, const MatrixXd& from, MatrixXd& to) {
    const Index size = from.rows();
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) {
        const auto a = static_cast<std::size_t>(i);
        const auto b = static_cast<std::size_t>(j);
        to(first + at[a], first + at[b]) += sign[a] * sign[b] * from(i, j);
      }
    }
  };
  MatrixXd K_b;
  MatrixXd M_b;
  const MatrixXd pull = (MatrixXd(2, 2) << 1, -1, -1, 1).finished() / l;
  const MatrixXd carry = (MatrixXd(2, 2) << 2, 1, 1, 2).finished() * l / 6.0;
  Structure s;
  for (int e = 0; e <= line.elements; ++e) {
    s.nodes.push_back({std::to_string(e), Vector3d(l * e, 0.0, 0.0)});
    for (int k = 0; k < 6; ++k) s.freedoms.push_back({e, k});
    if (e == line.elements) break;
    const std::array<double, 4> plus{1, 1, 1, 1};
    across(line.EI_z, K_b, M_b);
    add(6 * e, {1, 5, 7, 11}, plus, K_b, K);
    add(6 * e, {1, 5, 7, 11}, plus, M_b, M);
    across(line.EI_y, K_b, M_b);
    add(6 * e, {2, 4, 8, 10}, {1, -1, 1, -1}, K_b, K);  // turns about y lower z
    add(6 * e, {2, 4, 8, 10}, {1, -1, 1, -1}, M_b, M);
    add(6 * e, {0, 6, 0, 0}, plus, line.EA * pull, K);
    add(6 * e, {0, 6, 0, 0}, plus, line.rho_A * carry, M);
    add(6 * e, {3, 9, 0, 0}, plus, line.GJ * pull, K);
    add(6 * e, {3, 9, 0, 0}, plus, line.rho_I * carry, M);
  }
  s.mass = sparse(M);
  s.stiffness = sparse(K);
  return s;
}

SpatialBeam rubber_beam(int elements) {
  SpatialBeam beam;
  beam.name = "arm";
  beam.formulation = "geometrically_exact";
  beam.element = "reissner";
  beam.elements = elements;
  beam.across.given = BeamSection{.force = {20.0, 9.0, 7.0},
                                  .moment = {1.1, 1.6, 2.3},
                                  .mass = 1.9,
                                  .inertia = {0.07, 0.03, 0.05}};
  beam.start = {0.1, -0.2, 0.3};
  beam.through = Vector3d(0.8, 0.1, 0.0);
  beam.tip = {1.0, 0.7, 0.6};
  beam.frames = {{"grip", 0.3, {0.01, 0.02, -0.03}}};
  return beam;
}

// Laws --------------------------------------------------------------------------------------------

struct Sort {
  std::string name;
  Structure (*structure)();
  StructureInterface hub;
  StructureInterface end;
  ReductionOptions options;
};

Structure short_beam() {
  return textbook_beam({});
}
Structure own_beam() {
  return beam_structure(rubber_beam(4));
}

std::vector<Sort> all_sorts() {
  const StructureInterface hub{"hub", {"0"}};
  const StructureInterface end{"end", {"4"}};
  const StructureInterface plate{"hub", {"1", "2", "3"}};
  const StructureInterface lid{"end", {"6", "7", "8"}};
  return {
      {"tied_masses", cage, plate, lid, {.modes = 3}},
      {"tied_masses_at_hub", cage, plate, lid, {.modes = 3, .frame = "hub"}},
      {"beam", short_beam, hub, end, {.modes = 4}},
      {"beam_at_end", short_beam, hub, end, {.modes = 4, .frame = "end"}},
      {"free_beam", short_beam, hub, end, {.reduction = Reduction::free_modes, .modes = 6}},
      {"damped_beam", short_beam, hub, end, {.modes = 2, .damping_ratio = 0.05, .viscosity = 0.01}},
      {"own_beam", own_beam, {"hub", {"start"}}, {"end", {"tip"}}, {.modes = 3}}};
}

FloatingBody body_of(const Sort& sort) {
  FloatingBody body{.name = "arm",
                    .structure = std::make_shared<Structure>(sort.structure()),
                    .interfaces = {sort.hub, sort.end},
                    .options = sort.options};
  body.position = {0.3, -0.2, 0.5};
  body.orientation = Eigen::Quaterniond(Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()));
  body.velocity = {0.2, -0.1, 0.3};
  body.angular_velocity = {0.5, -0.4, 0.8};
  return body;
}

Description empty_space() {
  Description d;
  d.space = Space::spatial;
  return d;
}

const Body& find_body(const Description& d, const std::string& name) {
  return *std::find_if(d.bodies.begin(), d.bodies.end(),
                       [&](const Body& body) { return body.name == name; });
}

// Hung up at one interface, with a body at the other and a spring.
Description swinging(const Sort& sort) {
  Description d = empty_space();
  d.gravity = {0.3, 1.0, -9.81};
  add_floating_body(body_of(sort), d);
  Body weight;
  weight.name = "weight";
  weight.mass.mass = 2.0;
  weight.mass.inertia = Vector3d(0.3, 0.5, 0.4).asDiagonal();
  weight.position = find_body(d, "arm.end").position;
  d.add_body(weight);
  d.ground_frames.push_back({.name = "nail", .position = find_body(d, "arm.hub").position});
  d.add_joint("universal", "hinge", "ground.nail", "arm.hub");
  d.add_joint("revolute", "wrist", "arm.end", "weight");
  d.add_force("spring", "spring", {"ground", "arm.end"},
              {{"stiffness", 50.0}, {"length", 0.3}, {"damping", 2.0}});
  return d;
}

system::State shaken(const ModelSystem& system, Random& random) {
  system::State state = system.described_state();
  const system::Vector x = random.values(state.v.size(), 0.1);
  system.retract(state.q, x, state.q);
  state.v = random.values(state.v.size(), 0.7);
  return state;
}

class FloatingBodyLaws : public testing::TestWithParam<Sort> {};

TEST_P(FloatingBodyLaws, TangentIsTheDerivativeOfTheResidual) {
  Random random(3);
  const auto system = compile(swinging(GetParam()));
  system::Motion motion = support::at_rest(*system, shaken(*system, random));
  motion.a = random.values(motion.a.size(), 2.0);
  motion.lambda = random.values(motion.lambda.size(), 2.0);
  support::expect_tangent_is_derivative(*system, motion, {.position = 1.0}, nullptr);
  support::expect_tangent_is_derivative(*system, motion, {.velocity = 1.0}, nullptr);
  support::expect_tangent_is_derivative(*system, motion, {.acceleration = 1.0}, nullptr);
  support::expect_tangent_is_derivative(*system, motion, {0.3, 2.0, 1.5}, nullptr);
}

TEST_P(FloatingBodyLaws, EnergyChangesByThePowerOfLoads) {
  Random random(5);
  const auto system = compile(swinging(GetParam()));
  system::State state = support::assembled(*system);
  support::expect_energy_balance(*system, state);
  support::expect_residual_is_sum_of_parts(*system, shaken(*system, random), random);
  support::expect_clone_is_independent(*system, shaken(*system, random), random);
}

std::unique_ptr<ModelSystem> free_system(const Sort& sort) {
  Description d = empty_space();
  FloatingBody body = body_of(sort);
  body.options.damping_ratio = 0.0;
  add_floating_body(std::move(body), d);
  return compile(d);
}

// Wherever it is put: no stored energy, and no load that does not come from its velocity.
TEST_P(FloatingBodyLaws, NothingIsStrainedByARigidMotion) {
  const auto system = free_system(GetParam());
  system::State state = system->described_state();
  state.v.setZero();
  system::Vector f;
  system->forces(state, f);
  EXPECT_EQ(f.lpNorm<Eigen::Infinity>(), 0.0);
  EXPECT_EQ(system->energy(state).potential, 0.0);
}

// Free in space, bent and turning: momentum and angular momentum about the origin stay.
TEST_P(FloatingBodyLaws, MomentumStaysWhenItIsFree) {
  Random random(4);
  const auto system = free_system(GetParam());
  system::State state = system->described_state();
  state.v += random.values(state.v.size(), 0.3);
  const auto momentum = [&](const system::State& at) {
    const Index n = at.v.size();
    const MatrixXd M =
        support::tangent_matrix(*system, support::at_rest(*system, at), {.acceleration = 1.0})
            .topLeftCorner(n, n);
    const system::Vector p = M * at.v;
    const Eigen::Quaterniond e(at.q[3], at.q[4], at.q[5], at.q[6]);
    Eigen::Matrix<double, 6, 1> sum;
    sum << p.head<3>(), Vector3d(at.q.head<3>()).cross(Vector3d(p.head<3>())) + e * p.segment<3>(3);
    return sum;
  };
  const system::Motion end = support::reference_motion(*system, state, 0.2, 800);
  EXPECT_GT((end.state.q - state.q).norm(), 0.05);
  // The fourth order of the reference at h = 0.25 ms; the stiffest shapes turn with 200 rad/s.
  EXPECT_LT((momentum(end.state) - momentum(state)).norm(), 1e-8);
}

// Held in shape, it has the mass and the gyroscopic loads of a rigid body.
TEST_P(FloatingBodyLaws, WithoutDeformationItIsARigidBody) {
  Sort sort = GetParam();
  sort.options.frame = "mean";
  const auto system = free_system(sort);
  const auto reduced = [&] {
    core::Diagnostics none;
    return *reduce(sort.structure(), {sort.hub, sort.end}, sort.options, "", none);
  }();
  const ShapeIntegrals& s = reduced.body.integrals;
  EXPECT_LT(s.c_0.norm(), 1e-12 * s.m);  // the frame is at the centre of mass
  Description d = empty_space();
  Body rigid;
  rigid.name = "rigid";
  rigid.mass.mass = s.m;
  rigid.mass.inertia = 0.5 * (s.J_0 + s.J_0.transpose());
  rigid.position = {0.4, 0.1, -0.2};
  d.add_body(rigid);
  const auto other = compile(d);
  Random random(9);
  system::State state = system->described_state();
  state.v.tail(state.v.size() - 6).setZero();
  state.v.head<6>() = random.values(6, 1.5);
  system::State rigid_state = other->described_state();
  rigid_state.q = state.q.head<7>();
  rigid_state.v = state.v.head<6>();
  system::Vector f;
  system::Vector f_rigid;
  system->forces(state, f);
  other->forces(rigid_state, f_rigid);
  EXPECT_LT((f.head<6>() - f_rigid).norm(), 1e-12);
  EXPECT_NEAR(system->energy(state).kinetic, other->energy(rigid_state).kinetic, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All,
                         FloatingBodyLaws,
                         testing::ValuesIn(all_sorts()),
                         [](const auto& info) { return info.param.name; });

// Masses at points: the kinetic energy is that of the points at any deformation.
TEST(FloatingBody, KineticEnergyOfPointMassesIsExact) {
  Structure structure = cage();
  core::Diagnostics none;
  draw_line({"1", "2", "3", "4", "5", "6", "7", "8"}, 0.01, "", "", structure, none);
  const Sort sort = all_sorts()[1];
  FloatingBody body = body_of(sort);
  body.structure = std::make_shared<Structure>(structure);
  const auto reduced = *reduce(structure, body.interfaces, body.options, "flexible.arm", none);
  Description d = empty_space();
  add_floating_body(body, d);
  const auto system = compile(d);
  Random random(2);
  const system::State state = shaken(*system, random);
  const Index n = state.v.size() - 6;
  const Eigen::Quaterniond R(state.q[3], state.q[4], state.q[5], state.q[6]);
  const VectorXd eta = state.q.tail(n);
  const VectorXd rate = state.v.tail(n);
  const Vector3d w = state.v.segment<3>(3);
  double kinetic = 0.0;
  for (std::size_t i = 0; i < reduced.points.size(); ++i) {
    const ModalPoint& p = reduced.points[i];
    const Vector3d v =
        Vector3d(state.v.head<3>()) + R * (w.cross(p.x + p.Phi * eta) + p.Phi * rate);
    kinetic += 0.5 * (0.4 + 0.1 * static_cast<double>(i)) * v.squaredNorm();
  }
  EXPECT_NEAR(system->energy(state).kinetic, kinetic, 1e-12 * kinetic);
}

// Frequencies -------------------------------------------------------------------------------------

Line steel_line(int elements) {
  return {.L = 2.0,
          .EA = 2.1e7,
          .GJ = 1.4e3,
          .EI_y = 1.75e3,
          .EI_z = 700.0,
          .rho_A = 0.785,
          .rho_I = 1e-4,
          .elements = elements};
}

ReducedStructure reduced_line(const Line& line, const ReductionOptions& options) {
  core::Diagnostics told;
  const auto reduced =
      reduce(textbook_beam(line), {{"hub", {"0"}}, {"end", {std::to_string(line.elements)}}},
             options, "flexible.arm", told);
  told.throw_if_errors();
  return *reduced;
}

// omega = (beta L)^2 sqrt(E I/(rho A L^4)) in both planes; a wave runs along the line with
// sqrt(E A/(rho A)), and about it with sqrt(G J/(rho I)).
TEST(FloatingBody, FreeFrequenciesAreThoseOfTheory) {
  const Line line = steel_line(20);
  const double unit = std::sqrt(1.0 / line.rho_A) / (line.L * line.L);
  std::vector<double> exact;
  for (const double beta : {4.730040744862704, 7.853204624095838, 10.99560783800167}) {
    for (const double EI : {line.EI_y, line.EI_z}) {
      exact.push_back(beta * beta * std::sqrt(EI) * unit);
    }
  }
  exact.push_back(M_PI / line.L * std::sqrt(line.GJ / line.rho_I));
  std::sort(exact.begin(), exact.end());
  // Cubic functions: (beta l)^4/720 of 20 elements, 1.3e-4 for the third pair.
  const VectorXd free =
      reduced_line(line, {.reduction = Reduction::free_modes, .modes = 12}).frequencies;
  for (Index k = 0; k < 6; ++k) {
    EXPECT_NEAR(free[k] / exact[static_cast<std::size_t>(k)], 1.0, 2e-4) << k;
  }
  // Modes with held ends make up the free ones from above, the more the better.
  double last = 1.0;
  for (const int modes : {12, 24, 48}) {
    const VectorXd omega = reduced_line(line, {.modes = modes}).frequencies;
    const double most = (omega.head(6).array() / free.head(6).array() - 1.0).maxCoeff();
    const double least = (omega.head(6).array() / free.head(6).array() - 1.0).minCoeff();
    EXPECT_GT(least, -1e-9);
    EXPECT_LT(most, modes == 12 ? 2e-3 : 0.25 * last);
    last = most;
    RecordProperty(std::to_string(modes), std::to_string(most));
  }
}

double clamped_frequency(const FloatingBody& body, int number) {
  Description d = empty_space();
  add_floating_body(body, d);
  d.add_joint("fixed", "clamp", "ground", "arm.hub");
  const auto system = compile(d);
  system::State state = system->described_state();
  state.v.setZero();
  const system::Motion rest = support::at_rest(*system, state);
  const Index n = state.v.size();
  const MatrixXd K = support::tangent_matrix(*system, rest, {.position = 1.0}).topLeftCorner(n, n);
  const MatrixXd M =
      support::tangent_matrix(*system, rest, {.acceleration = 1.0}).topLeftCorner(n, n);
  const MatrixXd Z = support::allowed_velocities(support::constraint_jacobian(*system, state));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(Z.transpose() * K * Z,
                                                                 Z.transpose() * M * Z);
  return std::sqrt(modes.eigenvalues()[number]);
}

// The clamp is a joint at the interface: shapes of moved interfaces make up for it at once.
TEST(FloatingBody, ClampedFrequenciesAreThoseOfTheory) {
  const Line line = steel_line(20);
  const double unit = std::sqrt(1.0 / line.rho_A) / (line.L * line.L);
  std::vector<double> exact;
  for (const double beta : {1.875104068711961, 4.694091132974175, 7.854757438237613}) {
    for (const double EI : {line.EI_y, line.EI_z}) {
      exact.push_back(beta * beta * std::sqrt(EI) * unit);
    }
  }
  std::sort(exact.begin(), exact.end());
  FloatingBody body{.name = "arm",
                    .structure = std::make_shared<Structure>(textbook_beam(line)),
                    .interfaces = {{"hub", {"0"}}, {"end", {"20"}}}};
  for (const char* frame : {"mean", "hub", "end"}) {
    body.options.frame = frame;
    for (int k = 0; k < 5; ++k) {
      EXPECT_NEAR(clamped_frequency(body, k) / exact[static_cast<std::size_t>(k)], 1.0, 1e-3)
          << frame << " " << k;
    }
  }
  // The frame does not matter: two ways to the same motions.
  body.options.frame = "mean";
  const double mean = clamped_frequency(body, 0);
  EXPECT_NEAR(mean / exact[0], 1.0, 1e-5);  // eight modes, two or three in each plane
  body.options.frame = "end";
  EXPECT_NEAR(clamped_frequency(body, 0) / mean, 1.0, 1e-9);
}

// Errors of fixed-interface modes fall quickly with their number; without any the shapes are those
// of loads at the ends, exact at rest.
TEST(FloatingBody, FrequenciesConvergeWithTheNumberOfModes) {
  const Line line = steel_line(20);
  FloatingBody body{.name = "arm",
                    .structure = std::make_shared<Structure>(textbook_beam(line)),
                    .interfaces = {{"hub", {"0"}}, {"end", {"20"}}}};
  std::vector<double> found;
  for (const int modes : {0, 4, 12}) {
    body.options.modes = modes;
    found.push_back(clamped_frequency(body, 2));
  }
  const double best = clamped_frequency(
      [&] {
        body.options.modes = 40;
        return body;
      }(),
      2);
  EXPECT_GT(found[0] / best - 1.0, 10.0 * (found[1] / best - 1.0));
  EXPECT_GT(found[1] / best - 1.0, 10.0 * (found[2] / best - 1.0));
  EXPECT_LT(found[2] / best - 1.0, 1e-4);
}

// A rod that spins about its middle grows by 2 rho A w^2 (L/2)^3/(3 E A) [rod of length L/2 about
// its end], at small speeds.
TEST(FloatingBody, ASpinningRodStretches) {
  const Line line = steel_line(20);
  const ReducedStructure r = reduced_line(line, {.modes = 30});
  const ShapeIntegrals& s = r.body.integrals;
  const double w = 3.0;
  VectorXd load(r.body.K.rows());
  for (Index k = 0; k < load.size(); ++k) load[k] = 0.5 * w * w * s.a[6 * k + 2];
  const VectorXd eta = r.body.K.diagonal().cwiseInverse().cwiseProduct(load);
  const double growth = ((r.interfaces[1].Phi - r.interfaces[0].Phi) * eta).x();
  const double exact = 2.0 * line.rho_A * w * w * std::pow(0.5 * line.L, 3) / (3.0 * line.EA);
  // One mode along the rod inside of 30; the shapes of the ends hold the load's mean.
  EXPECT_NEAR(growth / exact, 1.0, 1e-2);
}

// Beside the geometrically exact beam -------------------------------------------------------------

Vector3d tip_after(Description d, const std::string& tip, double time) {
  d.gravity = {0.0, 0.0, -9.81};
  const auto system = compile(d);
  const system::Motion end = support::reference_motion(*system, support::assembled(*system), time,
                                                       static_cast<int>(4000 * time));
  return support::body_motion(support::observe(*system, end), tip).p;
}

// A beam that swings about a slanted axis: in a floating frame it is where the beam of any bend is,
// but for the square of its deflection.
TEST(FloatingBody, SwingsAsTheGeometricallyExactBeam) {
  const double time = 0.4;
  const auto hang = [](Description& d, const std::string& body) {
    d.add_joint("revolute", "pin", "ground", body, {{"axis", Vector3d(0.0, 1.0, 0.4)}});
  };
  const auto distances = [&](const char* frame, double stiffness) {
    SpatialBeam beam = rubber_beam(6);
    beam.start.setZero();
    beam.through.reset();
    beam.tip = {1.0, 0.0, 0.0};
    beam.frames.clear();
    beam.across.given = BeamSection{.force = {4e3, 1e3, 1e3},
                                    .moment = stiffness * Vector3d(8.0, 15.0, 20.0),
                                    .mass = 0.5,
                                    .inertia = {0.002, 0.001, 0.001}};
    Description exact = empty_space();
    add_spatial_beam(beam, exact);
    hang(exact, "arm.start");
    const Vector3d reference = tip_after(exact, "arm.tip", time);

    FloatingBody floating{.name = "arm",
                          .structure = std::make_shared<Structure>(beam_structure(beam)),
                          .interfaces = {{"hub", {"start"}}, {"end", {"tip"}}},
                          .options = {.modes = 12, .frame = frame}};
    Description d = empty_space();
    add_floating_body(floating, d);
    hang(d, "arm.hub");
    const Vector3d found = tip_after(d, "arm.end", time);

    core::Diagnostics none;
    const auto r = reduce(*floating.structure, floating.interfaces, {.modes = 1}, "", none);
    Description stiff = empty_space();
    Body rod;
    rod.name = "rod";
    rod.mass = {r->body.integrals.m, r->origin, r->body.integrals.J_0};
    stiff.add_body(rod);
    hang(stiff, "rod");
    Body tip;
    tip.name = "tip";
    tip.mass = {1e-9, Vector3d::Zero(), 1e-9 * Eigen::Matrix3d::Identity()};
    tip.position = {1.0, 0.0, 0.0};
    stiff.add_body(tip);
    stiff.add_joint("fixed", "weld", "rod", "tip").at = Vector3d(1.0, 0.0, 0.0);
    const Vector3d rigid = tip_after(stiff, "tip", time);
    return Eigen::Vector2d((found - reference).norm(), (rigid - reference).norm());
  };
  for (const char* frame : {"mean", "hub"}) {
    const Eigen::Vector2d soft = distances(frame, 1.0);
    const Eigen::Vector2d stiff = distances(frame, 4.0);
    // A rigid one is off by its deflection d; a floating one by d^2 over the length, and by d times
    // the phase W^2 t/(2 omega) that stiffening by rotation at W adds to vibrations, which it
    // lacks. Four times the stiffness make that a sixteenth and an eighth, of vibrations at another
    // time.
    EXPECT_LT(soft[0], soft[1] * soft[1] * 4.0) << frame << " " << soft.transpose();
    EXPECT_LT(stiff[0], soft[0] / 5.0) << frame << " " << stiff.transpose();
    EXPECT_LT(stiff[0], 2e-4);
    EXPECT_GT(stiff[1], 10.0 * stiff[0]);
  }
}

// Mistakes ----------------------------------------------------------------------------------------

/// All messages of a body of the textbook's beam that was changed.
template <class Change>
std::string told(const Change& change) {
  auto structure = std::make_shared<Structure>(textbook_beam({}));
  FloatingBody body{.name = "arm", .interfaces = {{"hub", {"0"}}, {"end", {"4"}}}};
  change(body, *structure);
  body.structure = structure;
  Description d = empty_space();
  core::Diagnostics diagnostics;
  const bool added = add_floating_body(std::move(body), d, diagnostics);
  EXPECT_EQ(added, !diagnostics.has_errors());
  EXPECT_EQ(d.bodies.empty(), !added);
  std::string text;
  for (const core::Diagnostic& each : diagnostics.list()) text += core::to_string(each) + "\n";
  return text;
}

void expect_tells(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(FloatingBody, MistakesOfMatricesAreTold) {
  EXPECT_EQ(told([](FloatingBody&, Structure&) {}), "");
  expect_tells(told([](FloatingBody&, Structure& s) { s.mass.coeffRef(1, 7) *= 1.5; }),
               "flexible.arm.mass: the matrix of mass is not symmetric: row 8, column 2");
  expect_tells(told([](FloatingBody&, Structure& s) { s.mass.coeffRef(7, 7) = -1.0; }),
               "not positive: -1 at node 1 along y (row 8)");
  expect_tells(told([](FloatingBody&, Structure& s) {
                 s.stiffness.coeffRef(8, 14) *= -40.0;
                 s.stiffness.coeffRef(14, 8) *= -40.0;
               }),
               "flexible.arm.stiffness: a motion of the whole along z is resisted");
  expect_tells(told([](FloatingBody&, Structure& s) { s.stiffness.coeffRef(2, 2) += 5.0; }),
               "by 5 at node 0 along z; write the matrix of the free structure");
  expect_tells(told([](FloatingBody&, Structure& s) { s.stiffness = -s.stiffness; }),
               "the matrix of stiffness is not positive");
  expect_tells(told([](FloatingBody&, Structure& s) { s.mass.coeffRef(0, 0) += 0.3; }),
               "moved along x, y and z the structure has masses of 1.6, 1.3 and 1.3 kg");
  expect_tells(told([](FloatingBody&, Structure& s) { s.freedoms.pop_back(); }),
               "the matrix of mass has 30 x 30 entries");
  // A hidden negative direction: the difference of two entries of the diagonal is right.
  expect_tells(told([](FloatingBody&, Structure& s) {
                 for (const int turn : {9, 15, 21}) {
                   s.mass.coeffRef(turn, turn + 6) *= -1.0;
                   s.mass.coeffRef(turn + 6, turn) *= -1.0;
                   s.mass.coeffRef(turn, turn + 6) -= 0.2;
                   s.mass.coeffRef(turn + 6, turn) -= 0.2;
                 }
               }),
               "the matrix of mass is not positive");
}

TEST(FloatingBody, MistakesOfInterfacesAndModesAreTold) {
  expect_tells(told([](FloatingBody& b, Structure&) { b.interfaces[1].nodes = {"44"}; }),
               "flexible.arm.interfaces.end: there is no node '44'; did you mean");
  expect_tells(told([](FloatingBody& b, Structure&) { b.interfaces[1].nodes = {"0"}; }),
               "the node '0' is part of two interfaces");
  expect_tells(told([](FloatingBody& b, Structure&) { b.interfaces.clear(); }),
               "the body has no interface");
  expect_tells(told([](FloatingBody& b, Structure&) { b.interfaces[1].name = "frame"; }),
               "the name 'frame' is used twice");
  expect_tells(told([](FloatingBody& b, Structure&) { b.options.modes = 19; }),
               "19 modes are wanted; inside of its interfaces the structure has 18 freedoms with "
               "mass; take at most 18");
  expect_tells(told([](FloatingBody& b, Structure&) {
                 b.options.modes = 25;
                 b.options.reduction = Reduction::free_modes;
               }),
               "25 modes are wanted; the structure has 30 freedoms with mass, six of them");
  expect_tells(told([](FloatingBody& b, Structure&) { b.options.frame = "hob"; }),
               "flexible.arm.frame: 'hob' is no interface; did you mean 'hub'?");
  expect_tells(told([](FloatingBody& b, Structure& s) {
                 s = cage();
                 b.interfaces = {{"hub", {"1"}}};
               }),
               "the node '1' has displacements along x, y and z only");
  expect_tells(told([](FloatingBody& b, Structure&) { b.options.viscosity = -1.0; }),
               "'viscosity' is -1");
}

}  // namespace
}  // namespace trammel::model::floating_body_test
