// Models that must be refused, with the reason.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/model_system.h"

namespace trammel::support {

/// Compiling it fails, and the message has this part.
inline void expect_refused(const model::Description& description, const std::string& part) {
  try {
    model::compile(description);
    FAIL() << "accepted, without a word about: " << part;
  } catch (const core::InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace trammel::support
