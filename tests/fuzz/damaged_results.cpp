// Damages results files in all ways that disks, networks and people know, and reads them as `info`,
// `export`, `report` and `view` do. Each must be refused or give exactly what was written: never
// other numbers, never a crash, never a stall.
//
//   damaged_results --count 1500 --seed 7 --early tests/data/results/early.h5
//
// Files of the first format carry no checksums: of these only crashes and stalls are mistakes, and
// those that gave other numbers are counted.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trammel/core/diagnostic.h"
#include "trammel/report/pack.h"
#include "trammel/report/thinned_run.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/reader.h"

using namespace trammel;
namespace fs = std::filesystem;

namespace {

struct Source {
  std::string name;
  std::string bytes;
  results::Table table;
  std::string pack;
  bool sealed = true;
};

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string pack_of(const fs::path& path) {
  const report::Pack pack = report::make_pack(report::read_thinned(path));
  return pack.header +
         std::string(reinterpret_cast<const char*>(pack.bytes.data()), pack.bytes.size());
}

Source source_of(const std::string& name, const fs::path& path, bool sealed) {
  return {name, bytes_of(path), results::read(path), pack_of(path), sealed};
}

struct Shape {
  const char* name;
  std::size_t channels;
  std::size_t rows;
  std::size_t rows_per_chunk;
  bool finished;
};

Source make_source(const fs::path& folder, const Shape& shape) {
  const fs::path path = folder / (std::string(shape.name) + ".h5");
  {
    results::Hdf5Sink sink(path, {.rows_per_chunk = shape.rows_per_chunk, .flush_interval = 1e9});
    std::vector<results::Channel> channels;
    for (std::size_t i = 0; i < shape.channels; ++i) {
      channels.push_back({fmt::format("body{}.position.x", i), "m", "world", "a position"});
    }
    results::RunInformation info{"slider crank",
                                 "model: {name: crank}\n",
                                 "generalized-alpha",
                                 "trammel",
                                 "2024-02-29T12:00:00Z",
                                 {{"step", "0.001"}},
                                 "{}"};
    sink.begin(channels, info);
    std::vector<double> row(shape.channels);
    for (std::size_t k = 0; k < shape.rows; ++k) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = static_cast<double>(k * 7919 % 100003) / 7.0 + static_cast<double>(i) / 3.0;
      }
      sink.append(0.01 * static_cast<double>(k), row.data());
    }
    sink.annotate({{"warnings", "[\"a doubt\"]"}, {"long", std::string(9000, 'x')}});
    if (shape.finished) {
      sink.finish(results::Outcome::completed, "all is well", {{"steps", 3.0}, {"halvings", 1.0}});
    }
  }
  return source_of(shape.name, path, true);
}

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    const std::size_t kind = below(12);
    const std::size_t at = place(bytes.size());
    const std::size_t page = at / 4096 * 4096;
    const std::size_t piece = std::min<std::size_t>(1 + below(200), bytes.size() - at);
    const std::size_t page_end = std::min<std::size_t>(page + 4096, bytes.size());
    if (kind < 3) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
    } else if (kind == 3) {
      for (std::size_t k = 0; k < 1 + below(20); ++k) {
        bytes[place(bytes.size())] = static_cast<char>(below(256));
      }
    } else if (kind == 4) {
      for (std::size_t k = at; k < at + piece; ++k) bytes[k] = static_cast<char>(below(256));
    } else if (kind == 5) {
      std::memset(bytes.data() + at, below(2) == 0 ? 0 : 0xFF, piece);
    } else if (kind == 6) {
      std::memset(bytes.data() + page, 0, page_end - page);
    } else if (kind == 7) {
      bytes.resize(at);
    } else if (kind == 8) {
      bytes.erase(at, piece);
    } else if (kind == 9) {
      bytes.insert(at, std::string(piece, static_cast<char>(below(256))));
    } else {
      swap_pieces(bytes, kind == 10 ? 4096 : std::size_t{1} << (3 + below(10)));
    }
    return bytes;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  /// Anywhere, but more often at the beginning, where the structure is.
  std::size_t place(std::size_t size) {
    const std::size_t structure = std::min<std::size_t>(size, 20000);
    return below(2) == 0 ? below(size) : below(structure);
  }

  void swap_pieces(std::string& bytes, std::size_t length) {
    const std::size_t count = bytes.size() / length;
    if (count < 2) return;
    const std::size_t a = below(count) * length;
    const std::size_t b = below(count) * length;
    if (a == b) return;
    std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(a),
                     bytes.begin() + static_cast<std::ptrdiff_t>(a + length),
                     bytes.begin() + static_cast<std::ptrdiff_t>(b));
  }

  std::mt19937 random_;
};

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool same(const results::Table& a, const results::Table& b) {
  bool equal = a.info == b.info && a.channels == b.channels && a.outcome == b.outcome &&
               a.message == b.message && a.statistics == b.statistics && same(a.time, b.time) &&
               a.columns.size() == b.columns.size();
  for (std::size_t i = 0; equal && i < a.columns.size(); ++i) {
    equal = same(a.columns[i], b.columns[i]);
  }
  return equal;
}

enum Answer : int { refused = 0, as_it_was = 1, other_numbers = 2, stalled = 3, crashed = 4 };

/// Of all ways to read a file the worst answer.
template <typename Read>
int answer_of(Read read) {
  try {
    return read() ? as_it_was : other_numbers;
  } catch (const core::InputError&) {
    return refused;
  }
}

int read_all(const fs::path& path, const Source& source) {
  const int contents = answer_of([&] {
    const results::Contents read = results::inspect(path);
    return read.rows == source.table.rows() && read.channels == source.table.channels &&
           read.info == source.table.info && read.outcome == source.table.outcome;
  });
  const int table = answer_of([&] { return same(results::read(path), source.table); });
  const int pack = answer_of([&] { return pack_of(path) == source.pack; });
  return std::max({contents, table, pack});
}

/// In a process of its own, with 20 s of patience.
int guarded(const fs::path& path, const Source& source) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(read_all(path, source));
  const auto begin = std::chrono::steady_clock::now();
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (std::chrono::steady_clock::now() - begin < std::chrono::seconds(20)) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return stalled;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) <= other_numbers ? WEXITSTATUS(status) : crashed;
}

struct Options {
  unsigned count = 300;
  unsigned seed = 1;
  std::string early;
};

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--count") options.count = static_cast<unsigned>(std::atoi(argv[i + 1]));
    if (name == "--seed") options.seed = static_cast<unsigned>(std::atoi(argv[i + 1]));
    if (name == "--early") options.early = argv[i + 1];
  }
  return options;
}

/// Reads `count` damaged versions of a file; how many were mistakes.
unsigned attack(const fs::path& folder, const Source& source, unsigned count, unsigned seed) {
  const fs::path path = folder / "damaged.h5";
  unsigned counts[5] = {};
  for (unsigned k = 0; k < count; ++k) {
    const unsigned own_seed = seed * 1'000'003 + k;
    put(path, Damage(own_seed)(source.bytes));
    const int answer = guarded(path, source);
    ++counts[answer];
    if (answer > other_numbers || (answer == other_numbers && source.sealed)) {
      fs::copy_file(path, fmt::format("{}-{}.h5", source.name, own_seed),
                    fs::copy_options::overwrite_existing);
      fmt::print("{}-{}.h5 is kept: answer {}\n", source.name, own_seed, answer);
    }
  }
  fmt::print(
      "{:12} {:5} files: {} refused, {} read as they were, {} with other numbers, {} "
      "stalled, {} crashed\n",
      source.name, count, counts[refused], counts[as_it_was], counts[other_numbers],
      counts[stalled], counts[crashed]);
  return counts[stalled] + counts[crashed] + (source.sealed ? counts[other_numbers] : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = options_of(argc, argv);
  std::string pattern = (fs::temp_directory_path() / "trammel-damage-XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  std::vector<Source> sources;
  for (const Shape& shape :
       {Shape{"finished", 5, 300, 16, true}, Shape{"running", 5, 300, 16, false},
        Shape{"wide", 600, 40, 3, true}, Shape{"large", 3, 5000, 64, true}}) {
    sources.push_back(make_source(folder, shape));
  }
  if (!options.early.empty()) sources.push_back(source_of("early", options.early, false));
  unsigned mistakes = 0;
  const auto share = static_cast<unsigned>(options.count / sources.size());
  for (const Source& source : sources) mistakes += attack(folder, source, share, options.seed);
  fs::remove_all(folder);
  fmt::print("{} mistakes\n", mistakes);
  return mistakes == 0 ? 0 : 1;
}
