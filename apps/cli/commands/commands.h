// The commands, one file each, and the one list in which a new one is entered.
#pragma once

#include "interface.h"

namespace trammel::cli {

void add_new(Interface& interface);
void add_check(Interface& interface);
void add_run(Interface& interface);
void add_compare(Interface& interface);
void add_method(Interface& interface);
void add_kinematics(Interface& interface);
void add_dof(Interface& interface);
void add_inverse(Interface& interface);
void add_statics(Interface& interface);
void add_modes(Interface& interface);
void add_equations(Interface& interface);
void add_report(Interface& interface);
void add_view(Interface& interface);
void add_plot(Interface& interface);
void add_export(Interface& interface);
void add_render(Interface& interface);
void add_info(Interface& interface);
void add_list(Interface& interface);
void add_format(Interface& interface);
void add_schema(Interface& interface);
void add_completion(Interface& interface);

/// All of them, in the order of the help.
void add_commands(Interface& interface);

}  // namespace trammel::cli
