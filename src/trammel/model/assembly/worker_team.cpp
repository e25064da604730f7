#include "trammel/model/assembly/worker_team.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace trammel::model {

struct WorkerTeam::Shared {
  std::mutex mutex;
  std::condition_variable begins;
  std::condition_variable ended;
  const std::function<void(int, int)>* work = nullptr;
  int pieces = 0;
  std::atomic<int> next{0};
  long round = 0;   ///< counts calls of run()
  int at_work = 0;  ///< threads besides the calling one
  bool over = false;
  std::vector<std::thread> threads;

  void take_pieces(int thread) {
    for (int i = next++; i < pieces; i = next++) (*work)(thread, i);
  }

  void serve(int thread) {
    long done = 0;
    std::unique_lock lock(mutex);
    while (true) {
      begins.wait(lock, [&] { return over || round != done; });
      if (over) return;
      done = round;
      lock.unlock();
      take_pieces(thread);
      lock.lock();
      if (--at_work == 0) ended.notify_one();
    }
  }
};

WorkerTeam::WorkerTeam(int threads) {
  if (threads <= 1) return;
  shared_ = std::make_unique<Shared>();
  try {
    for (int i = 1; i < threads; ++i) {
      shared_->threads.emplace_back([shared = shared_.get(), i] { shared->serve(i); });
    }
  } catch (const std::system_error&) {
    // The system gives no more.
  }
}

WorkerTeam::~WorkerTeam() {
  if (!shared_) return;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->over = true;
  }
  shared_->begins.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

WorkerTeam::WorkerTeam(WorkerTeam&&) noexcept = default;

WorkerTeam& WorkerTeam::operator=(WorkerTeam&& other) noexcept {
  std::swap(shared_, other.shared_);
  return *this;
}

int WorkerTeam::threads() const {
  return shared_ ? static_cast<int>(shared_->threads.size()) + 1 : 1;
}

void WorkerTeam::run(int pieces, const std::function<void(int, int)>& work) {
  if (!shared_ || pieces < 2) {
    for (int i = 0; i < pieces; ++i) work(0, i);
    return;
  }
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->work = &work;
    shared_->pieces = pieces;
    shared_->next = 0;
    shared_->at_work = static_cast<int>(shared_->threads.size());
    ++shared_->round;
  }
  shared_->begins.notify_all();
  shared_->take_pieces(0);
  std::unique_lock lock(shared_->mutex);
  shared_->ended.wait(lock, [&] { return shared_->at_work == 0; });
}

}  // namespace trammel::model
