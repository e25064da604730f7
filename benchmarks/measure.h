// One benchmark run: a mechanism, a method, a time; what it cost and where it ended.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trammel/integrators/integrator.h"
#include "trammel/model/description.h"

namespace trammel::benchmarks {

struct Case {
  std::string name;  ///< chain, planar_chain, fourbar, slider_crank, pendulum, ancf_pendulum ...
  int n = 1;
  double h = 1e-3;
  double until = 1.0;
  double spectral_radius = 0.6;
  std::string solver = "auto";
  int repeat = 1;  ///< the median is reported
};

struct Measurement {
  bool ok = true;
  std::string note;
  int bodies = 0;
  double setup_s = 0.0;  ///< compile, assemble and start
  double cpu_s = 0.0;    ///< stepping, process CPU time
  double per_step_us = 0.0;
  double per_body_us = 0.0;     ///< per body and step
  double bytes_per_body = 0.0;  ///< growth of the process's heap
  double energy_error = 0.0;
  double constraint_error = 0.0;
  long halvings = 0;
  integrators::Statistics statistics;
  std::map<std::string, double> final;  ///< named as in the peer programs
};

/// The one in the middle by time; sorts them.
Measurement median(std::vector<Measurement>& measured);

/// Throws core::InputError for an unknown case.
Measurement measure(const Case& run);

model::Description mechanism(const Case& run);

}  // namespace trammel::benchmarks
