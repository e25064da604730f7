#include "trammel/results/sink.h"

namespace trammel::results {

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::running:
      return "running";
    case Outcome::completed:
      return "completed";
    case Outcome::stopped:
      return "stopped";
    case Outcome::failed:
      return "failed";
  }
  return "running";
}

Outcome outcome_from_string(std::string_view text) {
  for (const Outcome outcome : {Outcome::completed, Outcome::stopped, Outcome::failed}) {
    if (text == to_string(outcome)) return outcome;
  }
  return Outcome::running;
}

}  // namespace trammel::results
