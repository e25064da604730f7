// trammel method: everything about one member of the GSSSS family.
#include <cmath>
#include <filesystem>

#include "commands/commands.h"
#include "comparison_text.h"
#include "printing.h"
#include "report_text.h"
#include "terminal.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/comparison/candidate.h"
#include "trammel/analysis/method_study.h"
#include "trammel/core/names.h"
#include "trammel/core/printable.h"
#include "trammel/integrators/gssss_forms.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/table_page.h"
#include "trammel/results/plot.h"

namespace trammel::cli {
namespace {

using analysis::Amplification;
using integrators::Family;
using integrators::GssssParameters;
using integrators::SpectralRadii;

constexpr const char* generator = "trammel method";

struct MethodOptions {
  std::string name;
  std::vector<double> radii;
  std::string output;
  bool force = false;
};

struct Member {
  Family family = Family::U0;
  SpectralRadii radii;
};

Member member_of(const MethodOptions& options) {
  if (options.name == "U0" || options.name == "V0") {
    if (options.radii.size() != 3) {
      throw core::InputError(
          fmt::format("{} needs three spectral radii, {} were given", options.name,
                      options.radii.size()),
          fmt::format("e.g. trammel method {} 1 1 0 (rho_min, rho_max, rho_s)", options.name));
    }
    return {options.name == "U0" ? Family::U0 : Family::V0,
            {options.radii[0], options.radii[1], options.radii[2]}};
  }
  const integrators::GssssMember* member = integrators::find_gssss_member(options.name);
  if (member == nullptr) {
    std::vector<std::string> known{"U0", "V0"};
    for (const auto& each : integrators::gssss_members()) known.push_back(each.name);
    throw core::InputError(fmt::format("unknown method '{}'", options.name),
                           core::suggestion(options.name, known));
  }
  if (options.radii.size() > (member->takes_radius ? 1U : 0U)) {
    throw core::InputError(fmt::format("{} takes {} spectral radius, {} were given", member->name,
                                       member->takes_radius ? "one" : "no", options.radii.size()),
                           "give three only with a family: trammel method U0 0.8 0.8 0");
  }
  const double fallback = member->name == "generalized-alpha" ? 0.6 : 0.8;
  return {member->family, radii_of(*member, options.radii.empty() ? fallback : options.radii[0])};
}

/// Name, value and what it is.
struct Parameter {
  std::string name;
  double value = 0.0;
  std::string meaning;
};

std::vector<Parameter> parameters_of(Family family, const GssssParameters& p) {
  std::vector<Parameter> list{{"W1", p.w1, "level of the equations of motion: t_n + W1 h"},
                              {"L2W2", p.l2_w2, "a_n in the displacement of the level"},
                              {"L3W3", p.l3_w3, "da in the displacement of the level"},
                              {"L5W2", p.l5_w2, "da in the velocity of the level"},
                              {"L6W1", p.l6_w1, "da in the acceleration of the level"},
                              {"l3", p.l3, "da in the displacement of the end"},
                              {"l5", p.l5, "da in the velocity of the end"},
                              {"shift", p.shift, "a_n belongs to t_n - shift h"}};
  if (family == Family::U0) {
    const auto rounded = [](double x) { return std::abs(x) < 1e-15 ? 0.0 : x; };
    list.push_back({"alpha_f", rounded(1.0 - p.w1), "in the letters of Chung and Hulbert"});
    list.push_back({"alpha_m", rounded(1.0 - p.l6_w1), "in the letters of Chung and Hulbert"});
    list.push_back({"beta", p.l3, "Newmark's"});
    list.push_back({"gamma", p.l5, "Newmark's"});
  }
  return list;
}

/// The coefficients of one quantity in one form, with h = 1.
struct ChiRow {
  std::string name;
  integrators::Chi chi;
};

std::vector<ChiRow> chi_rows(const GssssParameters& p, integrators::StepForm form) {
  const integrators::ChiCoefficients chi = integrators::chi_coefficients(p, form, 1.0);
  return {{"u", chi.u},        {"v", chi.v},        {"a", chi.a},
          {"u~", chi.level_u}, {"v~", chi.level_v}, {"a~", chi.level_a}};
}

// [Huang2014, table 2.2].
void print_chi(const GssssParameters& p) {
  using integrators::StepForm;
  print_output("\n{}\n",
               output_style().bold("Predictor and corrector, h = 1: x = P1 u_n + P2 v_n + P3 a_n + "
                                   "C delta (x~: at the level)"));
  const auto rounded = [](double x) { return std::abs(x) < 1e-15 ? 0.0 : x; };
  for (const auto& [form, title] : {std::pair(StepForm::a, "a-form, delta = a_{n+1} - a_n"),
                                    std::pair(StepForm::v, "v-form, delta = v_{n+1} - v_n"),
                                    std::pair(StepForm::d, "d-form, delta = u_{n+1} - u_n")}) {
    print_output("  {}\n  {:<8} {:>14} {:>14} {:>14} {:>14}\n", title, "", "P1", "P2", "P3", "C");
    for (const ChiRow& row : chi_rows(p, form)) {
      const auto& P = row.chi.predictor;
      print_output("  {:<8} {:>14.10g} {:>14.10g} {:>14.10g} {:>14.10g}\n", row.name, rounded(P[0]),
                   rounded(P[1]), rounded(P[2]), row.chi.corrector);
    }
  }
}

std::string group_text(const analysis::comparison::Row& row) {
  return fmt::format("index {}, {}", row.candidate.index, row.candidate.stabilisation);
}

// The rows of the shortest step, which have the orders.
std::vector<const analysis::comparison::Row*> last_rows(
    const analysis::comparison::Comparison& orders) {
  std::vector<const analysis::comparison::Row*> rows;
  for (std::size_t i = 0; i < orders.rows.size(); ++i) {
    const bool last = i + 1 == orders.rows.size() ||
                      orders.rows[i + 1].candidate.group() != orders.rows[i].candidate.group();
    if (last) rows.push_back(&orders.rows[i]);
  }
  return rows;
}

void print_study(const Member& member, const analysis::comparison::Comparison& orders) {
  const GssssParameters p = gssss_parameters(member.family, member.radii);
  const std::vector<std::string> names = analysis::names_of(member.family, member.radii);
  print_output("{}{}\n\n", output_style().bold(to_string(member.family, member.radii)),
               names.empty() ? "" : fmt::format(": {}", fmt::join(names, ", ")));
  for (const Parameter& each : parameters_of(member.family, p)) {
    print_output("  {:<8} {:>14.10g}  {}\n", each.name, each.value, each.meaning);
  }
  print_chi(p);
  print_output("\n{}\n  {:<24} {:>9} {:>10} {:>13} {:>9}  verdict\n",
               output_style().bold("Measured orders, rod on a hinge, steps of 5 and 2.5 ms"), "",
               "positions", "velocities", "accelerations", "reactions");
  for (const auto* row : last_rows(orders)) {
    print_output("  {:<24} {:>9} {:>10} {:>13} {:>9}  {}\n", group_text(*row),
                 order_text(row->order.position), order_text(row->order.velocity),
                 order_text(row->order.acceleration), order_text(row->order.reaction),
                 to_string(row->result.verdict));
  }
  for (const auto& left : orders.left_out) print_output("  {}: {}\n", left.group, left.reason);
  print_output("\n{}\n", output_style().bold("What it is good for"));
  for (const std::string& use : analysis::uses_of(member.family, member.radii)) {
    print_output("  - {}\n", wrap_text(use, 96, 4));
  }
}

report::ChartLine line_of(const std::vector<Amplification>& points,
                          const std::string& label,
                          int color,
                          double Amplification::*value) {
  report::ChartLine line{
      .label = label, .color = color, .x = {}, .y = {}, .classes = {fmt::format("k-{}", color)}};
  for (const Amplification& point : points) {
    line.x.push_back(point.frequency);
    line.y.push_back(point.*value);
  }
  return line;
}

report::PageTable table_of(const analysis::comparison::Comparison& orders) {
  report::PageTable table{
      "Measured orders",
      "<p>On a rod of 1 m on a hinge, released from the horizontal, between steps of 5 and 2.5 "
      "ms.</p>\n",
      {{"constraints", "", false},
       {"positions", ""},
       {"velocities", ""},
       {"accelerations", ""},
       {"reactions", ""},
       {"verdict", "", false}},
      {}};
  for (const auto* row : last_rows(orders)) {
    report::PageRow line{{{group_text(*row)}}};
    for (const double order :
         {row->order.position, row->order.velocity, row->order.acceleration, row->order.reaction}) {
      line.cells.push_back({order_text(order), order});
    }
    line.cells.push_back({to_string(row->result.verdict)});
    table.rows.push_back(std::move(line));
  }
  return table;
}

report::TablePage page_of(const Member& member, const analysis::comparison::Comparison& orders) {
  const GssssParameters p = gssss_parameters(member.family, member.radii);
  const auto free = analysis::amplification(p);
  const auto damped = analysis::amplification(p, 0.1);
  const auto slow = analysis::amplification(p, 0.0, 1e-2, 3.0);
  report::TablePage page;
  page.title = to_string(member.family, member.radii);
  page.generator = generator;
  for (const std::string& use : analysis::uses_of(member.family, member.radii)) {
    page.lead += (page.lead.empty() ? "" : "<br>\n") + report::escaped_html(use);
  }
  const std::vector<std::string> names = analysis::names_of(member.family, member.radii);
  if (!names.empty()) page.facts = {{"known as", fmt::format("{}", fmt::join(names, ", "))}};
  page.keys = {{"oscillator", "without damping", report::svg_sample(0, 0, -1), "k-0"},
               {"oscillator", "with damping ratio 0.1", report::svg_sample(1, 0, -1), "k-1"}};
  report::Chart radius{"Spectral radius of a step",
                       "frequency \u03C9h [rad]",
                       "spectral radius",
                       true,
                       false,
                       {line_of(free, "without damping", 0, &Amplification::radius),
                        line_of(damped, "damping ratio 0.1", 1, &Amplification::radius)}};
  page.charts = {radius,
                 {"Numerical damping ratio",
                  "frequency \u03C9h [rad]",
                  "damping ratio",
                  false,
                  false,
                  {line_of(slow, "without damping", 0, &Amplification::damping)}},
                 {"Relative error of the period",
                  "frequency \u03C9h [rad]",
                  "error",
                  false,
                  false,
                  {line_of(slow, "without damping", 0, &Amplification::period_error)}}};
  report::PageTable parameters{
      "Parameters", "", {{"name", "", false}, {"value", ""}, {"meaning", "", false}}, {}};
  for (const Parameter& each : parameters_of(member.family, p)) {
    parameters.rows.push_back(
        {{{each.name}, {fmt::format("{:.10g}", each.value), each.value}, {each.meaning}}});
  }
  page.tables = {std::move(parameters), table_of(orders)};
  return page;
}

void write_picture(const std::string& path, const Member& member, bool overwrite) {
  const GssssParameters p = gssss_parameters(member.family, member.radii);
  const auto series = [](const std::vector<Amplification>& points, const std::string& label) {
    const report::ChartLine line = line_of(points, label, 0, &Amplification::radius);
    return results::Series{line.label, line.x, line.y};
  };
  results::write_plot(
      path,
      {{"spectral radius",
        {series(analysis::amplification(p), "without damping"),
         series(analysis::amplification(p, 0.1), "damping ratio 0.1")}}},
      {.title = to_string(member.family, member.radii) + ": spectral radius of a step",
       .x_label = "frequency \u03C9h [rad]",
       .log_x = true,
       .overwrite = overwrite});
}

int run_method(const MethodOptions& options) {
  const Member member = member_of(options);
  gssss_parameters(member.family, member.radii);  // throws when the radii are out of range
  const std::string ending = std::filesystem::path(options.output).extension().string();
  const auto orders = analysis::measured_orders(member.family, member.radii);
  print_study(member, orders);
  if (options.output.empty()) return exit_ok;
  if (ending == ".html") {
    report::write_page(options.output, page_of(member, orders), options.force);
  } else {
    write_picture(options.output, member, options.force);
  }
  print_output("\nwrote {}\n", core::printable(options.output));
  return exit_ok;
}

}  // namespace

void add_method(Interface& interface) {
  auto options = std::make_shared<MethodOptions>();
  CLI::App* command = add_command(
      interface, "Simulate", "method",
      "Everything about one member of the GSSSS family of integrators: parameters, measured orders "
      "on a hinged rod, what it is good for, and its spectral radius as a picture or page.",
      "trammel method V0 1 1 0 -o midpoint.html         # page with figures\n"
      "trammel method generalized-alpha 0.8 -o radius.png\n"
      "trammel method hht");
  std::vector<std::string> names{"U0", "V0"};
  for (const auto& member : integrators::gssss_members()) names.push_back(member.name);
  CLI::Option* name =
      command->add_option("METHOD", options->name, "name of a member, or its family: U0 or V0");
  name->required();
  interface.completions[name] = words(std::move(names));
  command->add_option("RHO", options->radii,
                      "spectral radius of a named member; rho_min rho_max rho_s of a family");
  CLI::Option* output = command->add_option(
      "-o,--output", options->output,
      "page (.html) with figures and tables, or picture of the spectral radius (.svg, .png)");
  output->type_name("FILE");
  interface.completions[output] = files({"html", "svg", "png"});
  command->add_flag("-f,--force", options->force, "replace the file if it exists");
  set_action(interface, command, options, run_method);
}

}  // namespace trammel::cli
