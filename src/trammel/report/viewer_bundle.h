// The viewer program, made from viewer/ and put into the library by CMake.
#pragma once

#include <string_view>

namespace trammel::report {

/// JavaScript with its style sheet; empty when the library was built without the viewer.
std::string_view viewer_bundle();

}  // namespace trammel::report
