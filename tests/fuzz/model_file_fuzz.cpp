// libFuzzer target for the model file: any bytes must be read or refused, never crash or hang, and
// what can be formatted must stay the same when it is formatted again.
//
//   cmake -B build/fuzz -DCMAKE_CXX_COMPILER=clang++ -DTRAMMEL_FUZZ=ON && ninja -C build/fuzz
//   model_file_fuzz build/fuzz/tests/fuzz/model_file_fuzz -max_len=20000 -timeout=10 corpus
//   tests/data/good_models tests/data/bad_models
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "trammel/core/diagnostic.h"
#include "trammel/io/format_model.h"
#include "trammel/io/model_file.h"

using namespace trammel;

namespace {

io::Vocabulary fuzz_vocabulary() {
  io::Vocabulary vocabulary = io::model_vocabulary();
  vocabulary.integrators = {{.name = "generalized-alpha", .summary = "implicit"}};
  vocabulary.solvers = {{.name = "auto", .summary = "chosen by the program"}};
  return vocabulary;
}

void read(const std::string& text, const io::Vocabulary& vocabulary) {
  try {
    io::read_model_text(text, "fuzz", vocabulary);
  } catch (const core::InputError& error) {
    if (error.diagnostics().empty()) std::abort();
  }
}

void format(const std::string& text) {
  std::string once;
  try {
    once = io::format_model(text);
  } catch (const core::InputError&) {
    return;
  }
  // Must neither throw nor change anything.
  if (io::format_model(once) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const io::Vocabulary vocabulary = fuzz_vocabulary();
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text, vocabulary);
  format(text);
  return 0;
}
