// What a run tells its iterative solvers, and what they tell it.
//
// Solvers are made deep inside methods, by name. Those that are made while a scope is open on their
// thread share their work among its threads and count their iterations in it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace trammel::linear {

/// What an iterative solver has done.
struct IterationCount {
  long solutions = 0;     ///< of the whole system
  long iterations = 0;    ///< of conjugate gradients, in all of them
  int most = 0;           ///< in one solution
  long unfinished = 0;    ///< solutions that were given up before they were as good as wanted
  long direct = 0;        ///< solutions by direct factors, where there is nothing to iterate on
  int groups = 0;         ///< of bodies
  int rows = 0;           ///< multipliers that are iterated on
  bool gathered = false;  ///< was the matrix of these rows built and factored in the end?
};

/// Calls work(thread, piece) for pieces 0 .. pieces - 1, each once, by whichever thread is free,
/// and returns when all are done. Solutions do not depend on who does what, to the last bit.
using Team =
    std::function<void(int pieces, const std::function<void(int thread, int piece)>& work)>;

class SolverScope {
 public:
  /// The team is used as long as its solvers are. Without one the calling thread does everything.
  explicit SolverScope(Team team = {});
  ~SolverScope();
  SolverScope(const SolverScope&) = delete;
  SolverScope& operator=(const SolverScope&) = delete;
  SolverScope(SolverScope&&) = delete;
  SolverScope& operator=(SolverScope&&) = delete;

  /// The innermost one that is open on this thread, or null.
  static SolverScope* current();

  const Team& team() const { return team_; }
  void set_team(Team team) { team_ = std::move(team); }
  void add(std::shared_ptr<const IterationCount> count) { counts_.push_back(std::move(count)); }
  /// Of all solvers made in it: sums and largest numbers.
  IterationCount iterations() const;

 private:
  SolverScope* outer_;
  Team team_;
  std::vector<std::shared_ptr<const IterationCount>> counts_;
};

}  // namespace trammel::linear
