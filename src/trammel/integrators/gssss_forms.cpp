#include "trammel/integrators/gssss_forms.h"

namespace trammel::integrators {
namespace {

// The a-form, which defines the family; l1 = l4 = 1 and l2 = 1/2.
ChiCoefficients a_form(const GssssParameters& p, double h) {
  return {.u = {{1.0, h, 0.5 * h * h}, p.l3 * h * h},
          .v = {{0.0, 1.0, h}, p.l5 * h},
          .a = {{0.0, 0.0, 1.0}, 1.0},
          .level_u = {{1.0, p.w1 * h, p.l2_w2 * h * h}, p.l3_w3 * h * h},
          .level_v = {{0.0, 1.0, p.w1 * h}, p.l5_w2 * h},
          .level_a = {{0.0, 0.0, 1.0}, p.l6_w1}};
}

// With delta = y - y_n the change of a is (delta + y_n - y's predictor) / y's corrector.
Chi in_terms_of(const Chi& x, const Chi& y, std::size_t state) {
  const double share = x.corrector / y.corrector;
  Chi changed{x.predictor, share};
  for (std::size_t i = 0; i < 3; ++i) {
    changed.predictor[i] += share * ((i == state ? 1.0 : 0.0) - y.predictor[i]);
  }
  return changed;
}

}  // namespace

ChiCoefficients chi_coefficients(const GssssParameters& p, StepForm form, double h) {
  const ChiCoefficients a = a_form(p, h);
  if (form == StepForm::a) return a;
  const Chi& unknown = form == StepForm::v ? a.v : a.u;
  const std::size_t state = form == StepForm::v ? 1 : 0;
  const auto of = [&](const Chi& x) { return in_terms_of(x, unknown, state); };
  return {of(a.u), of(a.v), of(a.a), of(a.level_u), of(a.level_v), of(a.level_a)};
}

}  // namespace trammel::integrators
