// The standard suite: the speed and memory that the project promises, with the limits beside them.
#pragma once

namespace trammel::benchmarks {

/// Prints all tables. `quick` leaves out what takes more than a few seconds.
void run_suite(bool quick);

/// us per body and step of chains of 100 to 100,000 bodies.
void chain_scaling(bool quick);

/// The linear solvers side by side.
void linear_solvers();

/// ns per residual and tangent of every kind of joint and force.
void item_costs();

/// us per link of the O(n) recursion, on chains of 10 to 100,000 links.
void recursion_costs();

/// The same for a chain of n spatial links.
double forward_dynamics_us_per_link(int n);

/// Released chains of 100 links for 1 s by methods with error control, in relative coordinates.
void adaptive_costs();

/// Wall time of assembly by 1, 2, 3 and 7 threads, 100,000 bodies.
void thread_gains();

}  // namespace trammel::benchmarks
