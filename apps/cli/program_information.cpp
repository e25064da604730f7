#include "program_information.h"

#include "build_information.h"
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <fmt/format.h>
#include <hdf5.h>
#include <klu.h>
#include <zlib.h>

#include "trammel/core/content_hash.h"
#include "trammel/core/diagnostic.h"
#include "trammel/io/text_file.h"

namespace trammel::cli {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace

Report program_report() {
  const BuildInformation build = build_information();
  const std::string options = *build.options == '\0' ? "" : fmt::format(", {}", build.options);
  return {
      {"trammel", build.version},
      {"compiler", compiler()},
      {"build", fmt::format("{}{}", build.build_type, options)},
      {"libraries",
       fmt::format("Eigen {}.{}.{}, KLU {}.{}.{}, HDF5 {}, zlib {}, yaml-cpp {}, fmt {}.{}.{}, "
                   "CLI11 {}",
                   EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, KLU_MAIN_VERSION,
                   KLU_SUB_VERSION, KLU_SUBSUB_VERSION, hdf5_version(), zlibVersion(),
                   build.yaml_version, FMT_VERSION / 10000, FMT_VERSION / 100 % 100,
                   FMT_VERSION % 100, CLI11_VERSION)},
      {"licence", "Apache-2.0"},
  };
}

std::string program_hash() {
  constexpr std::size_t largest_program = std::size_t{1} << 30U;
  try {
    return core::content_hash(io::read_regular_file("/proc/self/exe", largest_program));
  } catch (const core::InputError&) {
    return {};
  }
}

}  // namespace trammel::cli
