// Where a run puts its results: any number of sinks, each called in the same order
//
//   begin, then append once per output time (flush and annotate whenever wanted), then finish.
//
// A sink knows nothing of models or integrators. Errors of the medium (a full disk) are thrown as
// core::RunError; what was stored before stays readable and finish() may still be called.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/results/channel.h"

namespace trammel::results {

/// Where the numbers come from. Everything is text, stored beside the data.
struct RunInformation {
  std::string model_name;
  std::string model_text;  ///< the model file as it was read, so that results explain themselves
  std::string method;
  std::string software;
  std::string started;  ///< date and time, ISO 8601
  std::map<std::string, std::string> more;
  std::string scene;  ///< what to draw, as JSON of trammel::report; empty when not known

  bool operator==(const RunInformation&) const = default;
};

/// How a run ended; `running` also when it was killed and could not say.
enum class Outcome { running, completed, stopped, failed };

/// "running", "completed", "stopped" or "failed".
std::string_view to_string(Outcome outcome);
/// Inverse of to_string; anything unknown is `running`, as nothing is known about its end.
Outcome outcome_from_string(std::string_view text);

class Sink {
 public:
  virtual ~Sink() = default;
  /// Once, before everything else.
  virtual void begin(const std::vector<Channel>& channels, const RunInformation& info) = 0;
  /// Once per output time: `values` holds one number per channel, in the order given to begin().
  virtual void append(double time, const double* values) = 0;
  /// Everything appended so far becomes readable by others and survives the end of this process.
  virtual void flush() = 0;
  /// Texts for RunInformation::more that are known only now; they are stored by finish(). A later
  /// text replaces one of the same name. A sink that keeps no information ignores them.
  virtual void annotate(const std::map<std::string, std::string>& /*texts*/) {}
  /// Once, at the end: flushes and records how the run ended.
  virtual void finish(Outcome outcome,
                      const std::string& message,
                      const std::map<std::string, double>& statistics) = 0;
};

}  // namespace trammel::results
