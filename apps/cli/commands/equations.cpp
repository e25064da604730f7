// trammel equations: the equations of motion of a small model as formulas.
#include "commands/commands.h"
#include "model_argument.h"
#include "printing.h"
#include "terminal.h"

#include "trammel/core/printable.h"
#include "trammel/symbolic/equation_text.h"

namespace trammel::cli {
namespace {

struct EquationOptions {
  ModelArgument model;
  bool latex = false;
};

int run_equations(const EquationOptions& options) {
  const TimeLimit limit(options.model.time_limit_seconds());
  const io::ModelFile file = load(options.model);
  const symbolic::Equations equations = symbolic::equations_of_motion(file.description);
  const std::size_t width = std::min(terminal_width(), widest_line);
  const std::string text =
      options.latex ? symbolic::as_latex(equations) : symbolic::as_text(equations, width);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    print_output("{}\n", core::printable(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return exit_ok;
}

}  // namespace

void add_equations(Interface& interface) {
  auto options = std::make_shared<EquationOptions>();
  CLI::App* command = add_command(
      interface, "Analyse", "equations",
      "Print the equations of motion of a small model as formulas, in the coordinates of its "
      "hinges: mass matrix, velocity terms, gravity, loops, drives and loads.",
      "trammel equations pendulum.yaml\n"
      "trammel equations pendulum.yaml --latex > pendulum.tex   # an align* environment");
  add_model_argument(interface, command, options->model);
  command->add_flag("--latex", options->latex, "as LaTeX");
  set_action(interface, command, options, run_equations);
}

}  // namespace trammel::cli
