// Kinds of one's own from a shared library, without the source tree of Trammel.
//
//     #include <trammel/trammel.h>
//     extern "C" const char* trammel_version() { return trammel::version; }
//     extern "C" void trammel_register() { trammel::model::register_force_kind({...}); }
//
// The library is compiled with the headers of the version that loads it (CMake target
// trammel::plugin) and links nothing of Trammel: it uses the functions of the program that loads
// it. From then on its kinds are known by name to model files, runs, reports and comparisons.
#pragma once

#include <string>

namespace trammel::analysis {

/// Loads a library and lets it register its kinds; nothing when it is loaded already. InputError
/// when it cannot be loaded, was made for another version, or a name is taken. What it does is
/// beyond anybody's control: load what you trust.
void load_plugin(const std::string& path);

}  // namespace trammel::analysis
