// The standard suite: the speed and memory that the project promises, with the limits beside them.
#pragma once

#include <string>
#include <vector>

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

/// ms of processor time to a given accuracy: Andrews' squeezer and the slider-crank.
void accuracy_costs(bool quick);

/// Tables of docs/tolerances.md. No methods: all that take a tolerance; no problem: all.
void tolerance_table(std::vector<std::string> methods, const std::string& problem);

/// us per step of a flexible pendulum of 8 to 1024 elements.
void flexible_costs(bool quick);

/// Explicit steps, penalty stabilisation and natural partitioning beside generalized-alpha.
void treatment_costs(bool quick);

/// Wall time of assembly by 1, 2, 3 and 7 threads, 100,000 bodies.
void thread_gains();

/// Iterations of conjugate gradients on chains, trees and nets; `quick` leaves out large ones.
void iteration_counts(bool quick);

}  // namespace trammel::benchmarks
