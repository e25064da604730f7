// Threads that wait for pieces of work, for evaluations that last no longer than it takes to start
// a thread.
#pragma once

#include <functional>
#include <memory>

namespace trammel::model {

class WorkerTeam {
 public:
  /// The calling thread is one of them. Where the system gives no more threads, those that are
  /// there do the work.
  explicit WorkerTeam(int threads = 1);
  ~WorkerTeam();
  WorkerTeam(WorkerTeam&&) noexcept;
  WorkerTeam& operator=(WorkerTeam&&) noexcept;
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  int threads() const;
  /// work(thread, piece) for pieces 0 .. pieces - 1, each once, by whichever thread is free;
  /// returns when all are done. The work must not throw.
  void run(int pieces, const std::function<void(int thread, int piece)>& work);

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;  ///< null for one thread
};

}  // namespace trammel::model
