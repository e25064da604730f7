// trammel schema: the JSON Schema of the model file, for editors.
#include "commands/commands.h"
#include "printing.h"
#include "vocabulary.h"
#include <fmt/format.h>

#include "trammel/io/json_schema.h"

namespace trammel::cli {
namespace {

struct SchemaOptions {};

int run_schema(const SchemaOptions& /*options*/) {
  print_output("{}", io::json_schema(full_vocabulary()));
  return exit_ok;
}

}  // namespace

void add_schema(Interface& interface) {
  CLI::App* command =
      add_command(interface, "Set up", "schema",
                  "Print the JSON Schema of the model file, for editors.\n"
                  "With it they complete and check model files while they are typed.",
                  "trammel schema > trammel.schema.json\n"
                  "  # then put this line on top of a model file:\n"
                  "  # yaml-language-server: $schema=trammel.schema.json");
  set_action(interface, command, std::make_shared<SchemaOptions>(), run_schema);
}

}  // namespace trammel::cli
