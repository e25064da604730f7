// A brief fuzz of the reader with fixed seeds, in every build: mutated models and garbage must be
// read or refused, never crash or hang. The libFuzzer target in tests/fuzz goes further.
#include <chrono>
#include <random>

#include "test_models.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/io/format_model.h"
#include "trammel/io/model_file.h"

namespace trammel::io {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : random() % limit;
}

std::vector<std::string> texts_in(const std::vector<std::string>& folders) {
  std::vector<std::string> texts;
  for (const std::string& folder : folders) {
    for (const auto& path : test::files_in(folder, {".yaml", ".json"})) {
      texts.push_back(test::content(path));
    }
  }
  return texts;
}

/// Models to start from: two of three times a sound one.
class Seeds {
 public:
  const std::string& pick(Random& random) const {
    const std::vector<std::string>& from = below(random, 3) == 0 ? bad_ : good_;
    return from[below(random, from.size())];
  }

 private:
  std::vector<std::string> good_ = texts_in({"tests/data/good_models", "examples"});
  std::vector<std::string> bad_ = texts_in({"tests/data/bad_models"});
};

/// One of: change a byte, remove, repeat or move a piece, insert a token, splice in another model.
void mutate(std::string& text, const Seeds& seeds, Random& random) {
  static const std::vector<std::string> tokens{
      "[",        "]",  "{",      "}",  ": ",    "- ",   "\n",   "\t",    "#",
      "\"",       "'",  "&a ",    "*a", "|\n",   "? ",   "!!x ", "1e999", "^",
      "((((((((", "mm", "kg/m^3", "pi", "-",     "\xff", "...",  "---\n", "%",
      "<<: ",     "~",  ", ",     "  ", "shape", "type", "0x1f", ">\n",   "\\"};
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = below(random, std::min<std::size_t>(40, text.size() - at + 1));
  switch (below(random, 6)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(below(random, 256));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(below(random, text.size() + 1), text.substr(at, length));
      break;
    case 3:
      text.insert(at, tokens[below(random, tokens.size())]);
      break;
    case 4:
      text.resize(at);
      break;
    default: {
      const std::string& other = seeds.pick(random);
      text.insert(at, other.substr(below(random, other.size() + 1), 200));
    }
  }
}

bool is_read(const std::string& text) {
  try {
    read_model_text(text, "fuzz", test::vocabulary());
    return true;
  } catch (const core::InputError& error) {
    EXPECT_FALSE(error.diagnostics().empty());
    return false;
  }
}

TEST(MutationFuzz, MutatedModelsAreReadOrRefused) {
  const Seeds seeds;
  Random random(20240607);
  int read = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = seeds.pick(random);
    do {
      mutate(text, seeds, random);
    } while (below(random, 2) == 0);
    if (is_read(text)) ++read;
  }
  // Some mutations do no harm; if none were read, the seeds would be wrong and nothing tested.
  EXPECT_GT(read, 50);
}

TEST(MutationFuzz, FormattingIsIdempotentOrRefused) {
  const Seeds seeds;
  Random random(7);
  int formatted = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = seeds.pick(random);
    mutate(text, seeds, random);
    try {
      const std::string once = format_model(text);
      ++formatted;
      EXPECT_EQ(format_model(once), once) << text;
    } catch (const core::InputError&) {
      continue;
    }
  }
  EXPECT_GT(formatted, 200);
}

struct Piece {
  std::string text;  ///< repeated up to the size; empty: random bytes, " ": random printable text
  std::size_t size;
};

std::string garbage(const Piece& piece) {
  std::string text;
  text.reserve(piece.size + piece.text.size());
  Random random(1);
  while (text.size() < piece.size) {
    if (piece.text.empty()) {
      text += static_cast<char>(random());
    } else if (piece.text == " ") {
      text += static_cast<char>(' ' + below(random, 95));
    } else {
      text += piece.text;
    }
  }
  return text;
}

class Garbage : public testing::TestWithParam<Piece> {};

TEST_P(Garbage, IsRefusedInTime) {
  const std::string text = garbage(GetParam());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(is_read(text));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // The slowest takes some 5 s, all of it in the YAML parser; sanitizers and a busy machine may
  // need ten times as long.
  EXPECT_LT(seconds, 60.0);
}

constexpr std::size_t ten_megabytes = 10'000'000;
constexpr std::size_t one_megabyte = 1'000'000;

INSTANTIATE_TEST_SUITE_P(Kinds,
                         Garbage,
                         testing::Values(Piece{"", ten_megabytes},
                                         Piece{" ", ten_megabytes},
                                         Piece{"[", ten_megabytes},
                                         Piece{"a: b\n", ten_megabytes},
                                         Piece{"a", ten_megabytes},
                                         Piece{"{a: ", one_megabyte},
                                         Piece{"- ", one_megabyte},
                                         Piece{"? ", one_megabyte},
                                         Piece{"*a ", one_megabyte},
                                         Piece{"\"", one_megabyte},
                                         Piece{"[\n", one_megabyte},
                                         Piece{",", one_megabyte},
                                         Piece{"\xc3\xa9", one_megabyte},
                                         Piece{"|\n", one_megabyte},
                                         Piece{"\t", one_megabyte}),
                         [](const auto& info) { return fmt::format("Kind{}", info.index); });

}  // namespace
}  // namespace trammel::io
