// The settings of GSSSS methods as words and numbers of a model file.
#pragma once

#include <optional>

#include "trammel/integrators/adaptive_options.h"
#include "trammel/integrators/gssss_options.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// Those that every member has: evaluation, index, stabilisation, ...
std::vector<Setting> gssss_settings(Evaluation evaluation);

/// Why `start` changes nothing with these options; empty where it does.
Idle start_without_effect(const GssssOptions& options);

/// Puts settings over the options. Throws InputError when one of them has a wrong type or word;
/// names that are not among gssss_settings() are left to the caller.
void apply(const Settings& settings, GssssOptions& options);

/// Of a method that chooses its own steps: none where no tolerance is given. Throws InputError when
/// it is out of range, or limits of steps stand without it.
std::optional<AdaptiveOptions> step_control(const Settings& settings);

}  // namespace trammel::integrators
