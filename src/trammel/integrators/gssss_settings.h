// The settings of GSSSS methods as words and numbers of a model file.
#pragma once

#include "trammel/integrators/gssss_options.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// Those that every member has: evaluation, index, stabilisation, ...
std::vector<Setting> gssss_settings(Evaluation evaluation);

/// Puts settings over the options. Throws InputError when one of them has a wrong type or word;
/// names that are not among gssss_settings() are left to the caller.
void apply(const Settings& settings, GssssOptions& options);

}  // namespace trammel::integrators
