#include "trammel/results/hdf5/guarded_reader.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"
#include "trammel/results/hdf5/handle.h"
#include "trammel/results/hdf5/hdf5_reader.h"

namespace trammel::results::hdf5 {
namespace {

constexpr int patience_milliseconds = 10'000;  ///< without a sign of life
constexpr rlim_t patience_of_processor = 2;    ///< s, for everything but the rows
constexpr std::size_t longest_message = std::size_t{1} << 30U;

[[noreturn]] void damaged(const std::filesystem::path& path, const char* what) {
  throw core::InputError(
      fmt::format("results file '{}' is damaged or incomplete: {}", path.string(), what),
      "copy it again from its source, or repeat the run");
}

/// What the two processes say to each other: a kind, a length, and so many bytes.
enum class Kind : char { contents = 'c', rows = 'r', refusal = 'x', end = 'e' };

// --- Values one after the other, as bytes.

class Packed {
 public:
  void number(std::uint64_t value) { raw(&value, sizeof value); }
  void real(double value) { raw(&value, sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    raw(value.data(), value.size());
  }
  void raw(const void* from, std::size_t count) {
    bytes_.append(static_cast<const char*>(from), count);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// std::length_error instead of reading beyond the end.
class Unpacked {
 public:
  explicit Unpacked(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    raw(&value, sizeof value);
    return value;
  }
  double real() {
    double value = 0.0;
    raw(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(checked(number()), '\0');
    raw(value.data(), value.size());
    return value;
  }
  void raw(void* to, std::size_t count) {
    std::memcpy(to, rest_.data(), checked(count));
    rest_.remove_prefix(count);
  }

 private:
  std::size_t checked(std::uint64_t count) const {
    if (count > rest_.size()) throw std::length_error("message of the reading process");
    return count;
  }

  std::string_view rest_;
};

std::string packed(const Contents& contents) {
  Packed all;
  const RunInformation& info = contents.info;
  for (const std::string* text : {&info.model_name, &info.model_text, &info.method, &info.software,
                                  &info.started, &info.scene, &contents.message}) {
    all.text(*text);
  }
  all.number(info.more.size());
  for (const auto& [name, text] : info.more) {
    all.text(name);
    all.text(text);
  }
  all.text(to_string(contents.outcome));
  all.number(contents.statistics.size());
  for (const auto& [name, value] : contents.statistics) {
    all.text(name);
    all.real(value);
  }
  all.number(contents.channels.size());
  for (const Channel& channel : contents.channels) {
    for (const std::string* text :
         {&channel.name, &channel.unit, &channel.frame, &channel.description}) {
      all.text(*text);
    }
  }
  all.number(contents.rows);
  all.real(contents.first_time);
  all.real(contents.last_time);
  return all.bytes();
}

Contents unpacked(std::string_view bytes) {
  Unpacked all(bytes);
  Contents contents;
  RunInformation& info = contents.info;
  for (std::string* text : {&info.model_name, &info.model_text, &info.method, &info.software,
                            &info.started, &info.scene, &contents.message}) {
    *text = all.text();
  }
  for (std::uint64_t n = all.number(); n > 0; --n) {
    std::string name = all.text();
    info.more[std::move(name)] = all.text();
  }
  contents.outcome = outcome_from_string(all.text());
  for (std::uint64_t n = all.number(); n > 0; --n) {
    std::string name = all.text();
    contents.statistics[std::move(name)] = all.real();
  }
  for (std::uint64_t n = all.number(); n > 0; --n) {
    Channel channel;
    for (std::string* text : {&channel.name, &channel.unit, &channel.frame, &channel.description}) {
      *text = all.text();
    }
    contents.channels.push_back(std::move(channel));
  }
  contents.rows = all.number();
  contents.first_time = all.real();
  contents.last_time = all.real();
  return contents;
}

// --- The process that reads.

bool write_all(int descriptor, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

void say(int descriptor, Kind kind, std::string_view bytes) {
  Packed head;
  head.raw(&kind, 1);
  head.number(bytes.size());
  if (!write_all(descriptor, head.bytes().data(), head.bytes().size()) ||
      !write_all(descriptor, bytes.data(), bytes.size())) {
    ::_exit(1);  // nobody listens any more
  }
}

using Task = std::function<void(const Hdf5Reader&, int descriptor)>;

void limit_processor_time(rlim_t seconds) {
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = std::min(seconds, limit.rlim_max);
  ::setrlimit(RLIMIT_CPU, &limit);
}

[[noreturn]] void work(const std::filesystem::path& path, const Task& task, int descriptor) {
  // A crash is expected here, and told by the other process.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGXCPU, SIGPIPE, SIGINT, SIGTERM}) {
    ::signal(signal, SIG_DFL);
  }
  try {
    limit_processor_time(patience_of_processor);
    const Hdf5Reader reader(path);
    limit_processor_time(RLIM_INFINITY);
    task(reader, descriptor);
    say(descriptor, Kind::end, {});
  } catch (const core::InputError& error) {
    const core::Diagnostic& first = error.diagnostics().front();
    Packed both;
    both.text(first.message);
    both.text(first.remedy);
    say(descriptor, Kind::refusal, both.bytes());
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

// --- The process that asked.

class ReadingProcess {
 public:
  ReadingProcess(const std::filesystem::path& path, const Task& task) : path_(path) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) cannot_begin();
    {
      // No other thread is within the library, whose state the new process inherits.
      const Silence alone;
      process_ = ::fork();
    }
    if (process_ == 0) {
      ::close(ends[0]);
      work(path, task, ends[1]);
    }
    ::close(ends[1]);
    input_ = ends[0];
    if (process_ < 0) {
      ::close(input_);
      cannot_begin();
    }
  }
  ~ReadingProcess() {
    ::close(input_);
    ::kill(process_, SIGKILL);
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  ReadingProcess(const ReadingProcess&) = delete;
  ReadingProcess& operator=(const ReadingProcess&) = delete;

  /// The next message; a refusal is thrown.
  std::pair<Kind, std::string> hear() const {
    Kind kind{};
    std::uint64_t length = 0;
    take(&kind, 1);
    take(&length, sizeof length);
    if (length > longest_message) damaged(path_, "it cannot be read");
    std::string bytes(length, '\0');
    take(bytes.data(), bytes.size());
    if (kind == Kind::refusal) {
      Unpacked both(bytes);
      const std::string message = both.text();
      throw core::InputError(message, both.text());
    }
    return {kind, std::move(bytes)};
  }

 private:
  [[noreturn]] void cannot_begin() const {
    throw core::InputError(
        fmt::format("results file '{}' cannot be read: {}", path_.string(), std::strerror(errno)),
        "end some other programs, then try again");
  }

  void take(void* to, std::size_t count) const {
    char* next = static_cast<char*>(to);
    while (count > 0) {
      pollfd waiting{input_, POLLIN, 0};
      const int ready = ::poll(&waiting, 1, patience_milliseconds);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) damaged(path_, "the HDF5 library does not come to an end with it");
      const ssize_t got = ::read(input_, next, count);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) damaged(path_, "the HDF5 library fails on it");
      next += got;
      count -= static_cast<std::size_t>(got);
    }
  }

  const std::filesystem::path& path_;
  pid_t process_ = -1;
  int input_ = -1;
};

void show(std::string_view bytes, std::size_t columns, const RowVisitor& visit) {
  Unpacked all(bytes);
  const std::size_t first = all.number();
  const std::size_t rows = all.number();
  if (rows > bytes.size() / sizeof(double)) throw std::length_error("rows");
  std::vector<std::vector<double>> numbers(columns + 1, std::vector<double>(rows));
  for (std::vector<double>& each : numbers) all.raw(each.data(), rows * sizeof(double));
  RowBlock block{first, numbers.front(), {}};
  for (std::size_t i = 1; i < numbers.size(); ++i) block.columns.emplace_back(numbers[i]);
  visit(block);
}

}  // namespace

GuardedReader::GuardedReader(std::filesystem::path path) : path_(std::move(path)) {
  const ReadingProcess process(path_, [](const Hdf5Reader& reader, int descriptor) {
    say(descriptor, Kind::contents, packed(reader.contents()));
  });
  try {
    contents_ = unpacked(process.hear().second);
  } catch (const std::length_error&) {
    damaged(path_, "it cannot be read");
  }
}

void GuardedReader::read(const std::vector<std::size_t>& chosen, const RowVisitor& visit) const {
  const ReadingProcess process(path_, [&](const Hdf5Reader& reader, int descriptor) {
    reader.read(chosen, [descriptor](const RowBlock& block) {
      Packed rows;
      rows.number(block.first);
      rows.number(block.time.size());
      rows.raw(block.time.data(), block.time.size_bytes());
      for (const auto& column : block.columns) rows.raw(column.data(), column.size_bytes());
      say(descriptor, Kind::rows, rows.bytes());
    });
  });
  try {
    while (true) {
      const auto [kind, bytes] = process.hear();
      if (kind == Kind::end) return;
      show(bytes, chosen.size(), visit);
    }
  } catch (const std::length_error&) {
    damaged(path_, "it cannot be read");
  }
}

}  // namespace trammel::results::hdf5
