// How this program was built. Defined in a file that CMake writes.
#pragma once

namespace trammel::cli {

struct BuildInformation {
  const char* version;       ///< of Trammel
  const char* build_type;    ///< "Release"
  const char* options;       ///< "native, sanitized", or empty
  const char* yaml_version;  ///< of yaml-cpp, whose headers do not tell
};

BuildInformation build_information();

}  // namespace trammel::cli
