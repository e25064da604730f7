// Kept or new factors at the start of a step, whichever costs less.
#include <gtest/gtest.h>

#include "trammel/integrators/newton_control.h"

namespace trammel::integrators {
namespace {

// How many of the steps begin with new factors when both ways always cost the same.
int renewed_steps(int steps, int fresh_iterations, int kept_iterations, long kept_renewals) {
  TangentEconomy economy;
  economy.judge(true, fresh_iterations, 1);  // the first step has no factors to keep
  int renewed = 0;
  for (int i = 0; i < steps; ++i) {
    const bool fresh = economy.renewal_pays();
    if (fresh) ++renewed;
    economy.judge(fresh, fresh ? fresh_iterations : kept_iterations, fresh ? 1 : kept_renewals);
  }
  return renewed;
}

TEST(TangentEconomy, KeepsFactorsThatNeedNoRenewal) {
  EXPECT_EQ(renewed_steps(1000, 2, 3, 0), 0);
}

TEST(TangentEconomy, RenewsAtOnceWhereKeptFactorsAreRenewedAnyway) {
  // Two of ten steps at most look whether keeping pays again.
  EXPECT_GT(renewed_steps(1000, 2, 5, 1), 800);
}

TEST(TangentEconomy, TriesNewFactorsSeldomWhereTheyDoNotPay) {
  const int trials = renewed_steps(1000, 8, 5, 1);
  EXPECT_GT(trials, 0);
  EXPECT_LT(trials, 30);  // one in 64 in the end
}

}  // namespace
}  // namespace trammel::integrators
