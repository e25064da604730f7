// Error bands of the channels of a run, from a coarser and a finer run of the same motion
// (certificate.h): a sink before the sink, which adds NAME.band to every channel that has an error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/analysis/certificate.h"
#include "trammel/analysis/row_queue.h"

namespace trammel::analysis {

class ErrorBands final : public results::Sink {
 public:
  /// What the errors of one run are at most to those of the next finer one.
  struct Ratios {
    double finer = 4.0;    ///< of the run, to those of the finer one
    double coarser = 4.0;  ///< of the coarser run, to those of the run
  };

  ErrorBands(results::Sink* sink,
             RowQueue& coarse,
             RowQueue& fine,
             Ratios ratios,
             const std::atomic<bool>* stop);

  void begin(const std::vector<results::Channel>& channels,
             const results::RunInformation& info) override;
  void append(double time, const double* values) override;
  void flush() override;
  void annotate(const std::map<std::string, std::string>& texts) override;
  /// `certificate()` is complete before the sink is finished, which gets it as a text.
  void finish(results::Outcome outcome,
              const std::string& message,
              const std::map<std::string, double>& statistics) override;

  void set_origin(std::string how) { certificate_.how = std::move(how); }
  const Certificate& certificate() const { return certificate_; }

 private:
  struct Growth {
    double time = 0.0;
    double band = 0.0;
  };
  struct Band {
    std::size_t column = 0;
    std::string name;
    std::string unit;
    std::string companions;     ///< what the components of one vector have in common
    double coarse = 0.0;        ///< largest difference to the coarser run so far
    double fine = 0.0;          ///< and to the finer one
    double largest = 0.0;       ///< |value|
    std::size_t dimension = 0;  ///< its unit's place in largest_of_unit_
    double band = 0.0;
    std::vector<Growth> history;  ///< times at which the band had grown noticeably
  };

  void compare_with_finer(double time, const double* values);
  void compare_with_coarser(double time, const double* values);
  void widen(double time);
  double error_of(const Band& band) const;
  double time_with(int d, std::string& weakest) const;
  void conclude();
  void set_scales();

  results::Sink* sink_;
  RowQueue& coarse_;
  RowQueue& fine_;
  Ratios ratios_;
  const std::atomic<bool>* stop_;
  std::vector<Band> bands_;
  std::vector<double> largest_of_unit_;  ///< |value| of any channel with that unit
  std::vector<double> row_;
  std::size_t width_ = 0;
  std::size_t rows_ = 0;
  double end_ = 0.0;
  std::optional<RowQueue::Row> next_coarse_;
  bool coarse_ended_ = false;
  double lost_ = -1.0;  ///< from this time on there is no finer run, s; negative: there is
  Certificate certificate_;
};

}  // namespace trammel::analysis
