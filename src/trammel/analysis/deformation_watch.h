// Bodies that bend, where their equations stop being true.
//
// Elements let people see the strain of their centre line; those in a floating frame also how far
// their sections are turned against it (model/flexible/element_load.h). A floating frame takes both
// for small: with a turn a of the sections, lengths along the beam are wrong by 1 - cos(a), 4.5 %
// at 0.3 rad, and the results are no motion of a beam far beyond that. All formulations take stress
// for proportional to strain.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/verdict.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

/// An element of a flexible body that closing the joints strained.
struct StrainedElement {
  std::string name;
  double strain = 0.0;
};

/// Elements that closing the joints strained by more than a twentieth, the most strained ones
/// first.
std::vector<StrainedElement> strained_elements(model::ModelSystem& system,
                                               const system::Motion& motion);

/// The same as a doubt, "deformation: closing the joints strained ..."; none where there are none.
std::vector<Doubt> doubts_of(const std::vector<StrainedElement>& strained);

class DeformationWatch {
 public:
  explicit DeformationWatch(model::ModelSystem& system);

  /// As the joints were closed.
  void begin(const system::Motion& motion) { strained_ = strained_elements(system_, motion); }
  /// At output times.
  void follow(const system::Motion& motion);
  /// The element that went farthest out of its range, for each of the two numbers.
  std::vector<Doubt> doubts() const;

 private:
  struct Watched {
    std::size_t channel = 0;
    std::string element;
    bool floating = false;  ///< in a frame that takes deformations for small
    bool turn = false;      ///< of sections, rad; else a strain
  };
  struct Largest {
    const Watched* where = nullptr;
    double value = 0.0;
    double time = 0.0;  ///< s
  };
  void see(const Watched& one, double value, double time);

  model::ModelSystem& system_;
  std::vector<Watched> watched_;
  std::vector<double> values_;
  std::vector<StrainedElement> strained_;  ///< at the start
  Largest turn_;
  Largest floating_strain_;
  Largest strain_;
};

}  // namespace trammel::analysis
