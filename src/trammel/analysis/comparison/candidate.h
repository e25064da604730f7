// Which methods are compared: a grid of integrators, index, stabilisation and step.
//
//     --methods newmark,V0 --rho 1/1/0,0.8 --index 3,2 --stabilisation none,projection --step 1e-3
//
// Members of the GSSSS family have all four. Other integrators solve for accelerations, so that
// their index is 1, and have stabilisations of their own; those that choose their own steps vary in
// tolerance instead of step. `auto` is what it chooses for the model and the step, with index and
// stabilisation of its own.
//
// Every combination is a candidate; those that cannot work (Baumgarte at index 3, a projection of
// positions where there are none) are left out with the reason, those that mean the same are kept
// once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/model/description.h"

namespace trammel::analysis::comparison {

/// The axes of the grid; an empty one has the fallback said beside it.
struct Axes {
  /// Names of integrators ("hht", "bdf", "auto"), families ("V0") or single members ("V0(1, 1,
  /// 0)"); newmark, mpr-mpa and generalized-alpha.
  std::vector<std::string> methods;
  /// One number rho for names that take one and for families, (rho, rho, rho); or three for
  /// families. Names that take none ignore it. The name's own fallback; (1, 1, 0) for families.
  std::vector<std::vector<double>> radii;
  std::vector<int> indices;                 ///< 3, 2, 1
  std::vector<std::string> stabilisations;  ///< none, projection
  model::Values settings;                   ///< further ones of every method: none
  std::vector<double> steps;                ///< 4, 2 and 1 times the step of the model, s
  std::vector<double> tolerances;           ///< 1e-4, 1e-6 and 1e-8
};

struct Candidate {
  std::string method;  ///< "V0(1, 1, 0)", "hht 0.8", "bdf, tolerance 1e-06", "auto (hht)"
  int index = 3;
  std::string stabilisation;
  double step = 0.0;  ///< s; the longest compared where the method chooses its own
  bool own_steps = false;
  model::SimulationSettings settings;

  /// "hht 0.8, index 2, projection": all but the step.
  std::string group() const;
  /// The same with the step, where it is given one.
  std::string name() const;
};

struct LeftOut {
  std::string group;
  std::string reason;
};

struct Candidates {
  std::vector<Candidate> list;  ///< by group, then from the longest step to the shortest
  std::vector<LeftOut> left_out;
};

/// "V0(1,1,0),hht" at commas outside of parentheses; blanks around the parts are dropped.
std::vector<std::string> split_list(const std::string& text);
/// "0.8" or "1/1/0". Throws InputError for anything else.
std::vector<double> parse_radii(const std::string& text);

/// "start=plain" to a setting: a number where the value is one, else a word. Throws InputError.
std::pair<std::string, model::Value> parse_setting(const std::string& text);

/// All combinations that go with the model. Throws InputError when an axis holds something unknown,
/// or when no combination is left.
Candidates expand(const Axes& axes, const model::Description& description);

}  // namespace trammel::analysis::comparison
