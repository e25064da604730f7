#include "commands/commands.h"

namespace trammel::cli {

void add_commands(Interface& interface) {
  add_new(interface);
  add_check(interface);
  add_run(interface);
  add_compare(interface);
  add_method(interface);
  add_kinematics(interface);
  add_dof(interface);
  add_inverse(interface);
  add_statics(interface);
  add_modes(interface);
  add_equations(interface);
  add_report(interface);
  add_view(interface);
  add_plot(interface);
  add_export(interface);
  add_render(interface);
  add_info(interface);
  add_list(interface);
  add_format(interface);
  add_schema(interface);
  add_completion(interface);
}

}  // namespace trammel::cli
