// Help that a person enjoys: what it does, how it is called, options by group, examples.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace trammel::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app,
                        std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace trammel::cli
