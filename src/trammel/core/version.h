// The version of these headers; that of the project in CMakeLists.txt, which compares them.
#pragma once

namespace trammel {

inline constexpr const char* version = "0.1.0";

}  // namespace trammel
