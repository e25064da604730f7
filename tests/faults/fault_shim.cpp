// A library that is loaded before the C library (LD_PRELOAD) and lets the operations go wrong by
// which a program changes files. TRAMMEL_FAULT says what, and from which operation on ("kill:17"):
//
//   count    nothing; at the end the number of operations goes to the file TRAMMEL_FAULT_COUNT
//   trace    nothing; there goes one letter for each operation: W write, T truncate, S fsync of a
//            file, F fsync of a folder, L link, R rename
//   kill     SIGKILL just before the operation
//   tear     a write gets as far as the end of its first page, then SIGKILL
//   full     the disk is full from then on: only bytes that have their place already can be written
//   eio      this one operation fails with EIO
//   broken   all operations from then on fail with EIO
//   eintr    from then on every operation is interrupted once before it succeeds
//   short    from then on every write takes only half of its bytes
//   unread   this one read of a regular file fails with EIO; reads are counted for themselves
//   int      SIGINT just before the operation
//   ints     SIGINT just before every operation from then on
//   clock    the clocks jump back and forth by days
//   still    for the first thread, time stands still; it goes on for the others
//
// Only regular files count: pipes, terminals and the standard streams work as ever.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

enum class Mode {
  none,
  count,
  trace,
  kill,
  tear,
  full,
  eio,
  broken,
  eintr,
  shorter,
  clock,
  still,
  unread,
  int_once,
  int_ever
};

Mode mode = Mode::none;
long first = 1;
std::atomic<long> operations{0};
thread_local bool interrupted = false;
char letters[1 << 16];  ///< of the first operations

__attribute__((constructor)) void begin() {
  const char* text = std::getenv("TRAMMEL_FAULT");
  if (text == nullptr) return;
  static constexpr const char* names[] = {"none",  "count", "trace",  "kill",  "tear",
                                          "full",  "eio",   "broken", "eintr", "short",
                                          "clock", "still", "unread", "int",   "ints"};
  const char* colon = std::strchr(text, ':');
  const std::size_t length = colon == nullptr ? std::strlen(text) : std::size_t(colon - text);
  for (int i = 0; i < 15; ++i) {
    if (std::strlen(names[i]) == length && std::strncmp(text, names[i], length) == 0) {
      mode = static_cast<Mode>(i);
    }
  }
  if (colon != nullptr) first = std::atol(colon + 1);
}

__attribute__((destructor)) void end() {
  const char* path = std::getenv("TRAMMEL_FAULT_COUNT");
  if ((mode != Mode::count && mode != Mode::trace) || path == nullptr) return;
  char number[32];
  std::snprintf(number, sizeof number, "%ld\n", operations.load());
  const char* text = mode == Mode::trace ? letters : number;
  const auto length = static_cast<long>(std::strlen(text));
  const int file =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  if (syscall(SYS_write, file, text, length) != length) std::abort();
}

[[noreturn]] void die() {
  syscall(SYS_kill, getpid(), SIGKILL);
  while (true) pause();
}

bool is_regular(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/// Whether the operation fails, with errno set. `grows`: it needs room on the disk.
/// `interruptible`: a signal can interrupt it.
bool fails(char letter, bool grows, bool interruptible = true) {
  if (mode == Mode::none || mode == Mode::clock || mode == Mode::still || mode == Mode::unread) {
    return false;
  }
  if (mode == Mode::eintr && !interruptible) return false;
  if (mode == Mode::eintr && interrupted) {
    interrupted = false;
    return false;
  }
  const long number = ++operations;
  if (number < static_cast<long>(sizeof letters)) letters[number - 1] = letter;
  if (mode == Mode::kill && number == first) die();
  if ((mode == Mode::int_once && number == first) || (mode == Mode::int_ever && number >= first)) {
    raise(SIGINT);
  }
  if (mode == Mode::full && number >= first && grows) {
    errno = ENOSPC;
    return true;
  }
  if ((mode == Mode::eio && number == first) || (mode == Mode::broken && number >= first)) {
    errno = EIO;
    return true;
  }
  if (mode == Mode::eintr && number >= first) {
    interrupted = true;
    errno = EINTR;
    return true;
  }
  return false;
}

/// Whether all of these bytes have their place on the disk.
bool is_placed(int descriptor, size_t count, off_t offset) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || offset + static_cast<off_t>(count) > status.st_size) {
    return false;
  }
  const off_t hole = lseek(descriptor, offset, SEEK_HOLE);
  return hole >= offset + static_cast<off_t>(count);
}

constexpr off_t page = 4096;

ssize_t write_at(int descriptor, const void* bytes, size_t count, off_t offset) {
  if (fails('W', mode == Mode::full && !is_placed(descriptor, count, offset))) return -1;
  const auto room = static_cast<size_t>(page - offset % page);
  const bool torn = mode == Mode::tear && operations.load() == first;
  if (torn && room < count) count = room;
  if (mode == Mode::shorter && operations.load() >= first && count > 1) count /= 2;
  const ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  if (torn) die();
  return written;
}

int jumping(clockid_t clock, timespec* time) {
  static std::atomic<long> calls{0};
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (mode == Mode::still && syscall(SYS_gettid) == getpid()) *time = {1, 0};
  if (mode != Mode::clock) return result;
  constexpr long day = 86'400;
  const long jump = (calls++ % 5 - 2) * 3 * day;
  time->tv_sec = time->tv_sec + jump > 0 ? time->tv_sec + jump : 0;
  return result;
}

}  // namespace

extern "C" {

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t offset) {
  return write_at(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (descriptor > STDERR_FILENO && is_regular(descriptor)) {
    if (fails('W', true)) return -1;
    if (mode == Mode::shorter && count > 1) count /= 2;
  }
  return syscall(SYS_write, descriptor, bytes, count);
}

ssize_t read(int descriptor, void* bytes, size_t count) {
  if (mode == Mode::unread && is_regular(descriptor) && ++operations == first) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_read, descriptor, bytes, count);
}

int ftruncate(int descriptor, off_t length) noexcept {
  // A longer file has a hole at its end, which needs no room yet.
  if (fails('T', false)) return -1;
  return static_cast<int>(syscall(SYS_ftruncate, descriptor, length));
}

int fsync(int descriptor) {
  if (fails(is_regular(descriptor) ? 'S' : 'F', false)) return -1;
  return static_cast<int>(syscall(SYS_fsync, descriptor));
}

int link(const char* from, const char* to) noexcept {
  if (fails('L', true, false)) return -1;
  return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (fails('L', true, false)) return -1;
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int rename(const char* from, const char* to) noexcept {
  if (fails('R', false, false)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  return jumping(clock, time);
}

time_t time(time_t* result) noexcept {
  timespec now{};
  jumping(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
