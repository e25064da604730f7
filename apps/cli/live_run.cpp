#include "live_run.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "vocabulary.h"
#include <fmt/format.h>

#include "trammel/core/dimension.h"
#include "trammel/core/names.h"
#include "trammel/expression/scanner.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/presentation.h"
#include "trammel/report/display_units.h"
#include "trammel/report/json_writer.h"
#include "trammel/report/scene_json.h"

namespace trammel::cli {
namespace {

constexpr double remembered = 12.0;  // s of the model
constexpr double rows_per_second = 60.0;
constexpr auto between_looks = std::chrono::milliseconds(250);
constexpr double longest_pause = 0.1;   // s that are caught up after a pause of the server
constexpr double share_of_time = 0.02;  // s of computing before somebody else is heard
// Names that no model has.
constexpr const char* drag_force = "pull_of_the_pointer";
constexpr const char* drag_frame = "point_at_the_pointer";
constexpr std::array drag_states{"x_of_the_pointer", "y_of_the_pointer", "z_of_the_pointer"};

double number_of(const std::map<std::string, std::string>& values, const std::string& name) {
  const auto found = values.find(name);
  double number = 0.0;
  if (found != values.end()) {
    const std::string& text = found->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number)) {
      return number;
    }
  }
  throw core::InputError(fmt::format("'{}' is no number", name), "give a finite number");
}

Eigen::Vector3d vector_of(const std::map<std::string, std::string>& values,
                          const std::string& prefix) {
  return {number_of(values, prefix + "x"), number_of(values, prefix + "y"),
          number_of(values, prefix + "z")};
}

std::filesystem::file_time_type newest(const io::ModelFile& file) {
  std::error_code ignored;
  std::filesystem::file_time_type latest = std::filesystem::last_write_time(file.path, ignored);
  for (const io::SourceFile& source : file.sources) {
    latest = std::max(latest, std::filesystem::last_write_time(source.path, ignored));
  }
  return latest;
}

// Parameters that are a number with or without unit; those that follow from others move with them.
std::vector<std::string> free_parameters(const io::ModelFile& file) {
  std::vector<std::string> names;
  const io::Entry* section = io::resolved(*file.tree->root).find("parameters");
  if (section == nullptr) return names;
  for (const io::Entry& entry : io::resolved(*section->value).entries) {
    const std::string& text = io::resolved(*entry.value).text;
    const auto used = expression::names_in(text);
    const bool depends = std::any_of(used.begin(), used.end(), [&](std::string_view name) {
      return file.description.parameters.contains(name);
    });
    if (!depends && file.description.parameters.contains(entry.key)) names.push_back(entry.key);
  }
  return names;
}

}  // namespace

LiveRun::LiveRun(std::string path, const std::vector<std::string>& assignments, bool allow_outside)
    : path_(std::move(path)), allow_outside_(allow_outside) {
  for (const std::string& assignment : assignments) {
    const std::size_t equal = assignment.find('=');
    if (equal == std::string::npos || equal == 0) {
      throw core::InputError(fmt::format("--set: '{}' is no assignment", assignment),
                             "write name=value, e.g. --set length='30 cm'");
    }
    assignments_[assignment.substr(0, equal)] = assignment.substr(equal + 1);
  }
  start(read(), false);
}

std::string LiveRun::label() const {
  const std::string& name = file_.description.name;
  return name.empty() ? std::filesystem::path(path_).stem().string() : name;
}

io::ModelFile LiveRun::read() const {
  io::Overrides overrides;
  for (const auto& [name, value] : assignments_) overrides.emplace_back(name, value);
  return io::read_model_file(path_, full_vocabulary(), {overrides, allow_outside_});
}

model::Description LiveRun::dragged(model::Description description) const {
  if (!drag_) return description;
  const auto body = std::find_if(description.bodies.begin(), description.bodies.end(),
                                 [&](const model::Body& each) { return each.name == drag_->body; });
  if (body == description.bodies.end()) return description;
  double mass = 0.0;
  for (const model::Body& each : description.bodies) mass += each.mass.mass;
  const double k = 100.0 * std::max(mass, 1e-9);
  const double c = 1.4 * std::sqrt(k * std::max(mass, 1e-9));
  body->frames.push_back({.name = drag_frame, .position = drag_->point});
  const int components = description.space == model::Space::planar ? 2 : 3;
  model::Values values;
  for (int i = 0; i < components; ++i) {
    const char axis = static_cast<char>('x' + i);
    const std::string point = fmt::format("{}.{}", body->name, drag_frame);
    values[fmt::format("force_{}", axis)] =
        fmt::format("{:.17g}*(1*{} - 1*{}.position.{}) - {:.17g}*{}.velocity.{}", k,
                    drag_states.at(static_cast<std::size_t>(i)), point, axis, c, point, axis);
    description.add_state({.name = drag_states.at(static_cast<std::size_t>(i)),
                           .rate = "0",
                           .initial = drag_->target[i]});
  }
  description.add_force("general_force", drag_force, {"ground", body->name + "." + drag_frame},
                        values);
  return description;
}

void LiveRun::start(const io::ModelFile& file, bool go_on) {
  const model::Description description = dragged(file.description);
  auto fresh = std::make_unique<analysis::Stepper>(
      formulation::compile_model(description).system, description.simulation,
      analysis::inputs_of(description),
      io::starts_at_rest(file) && !go_on ? analysis::Start::equilibrium
                                         : analysis::Start::described);
  bool stays = false;
  if (go_on && sim_ != nullptr) {
    // States of the pointer come and go at the end of z.
    system::State state = sim_->motion().state;
    const system::State& begin = fresh->motion().state;
    stays = state.q.size() == begin.q.size() && state.v.size() == begin.v.size();
    if (stays) {
      const Eigen::Index common = std::min(state.z.size(), begin.z.size());
      system::Vector z = begin.z;
      z.head(common) = state.z.head(common);
      state.z = z;
      try {
        fresh->set_state(state);
      } catch (const core::RunError&) {
        fresh->reset();
        stays = false;
      }
    }
  }
  sim_ = std::move(fresh);
  file_ = file;
  saved_ = newest(file_);
  trouble_.clear();
  channels_.clear();
  for (const model::Quantity& each : sim_->observables()) {
    channels_.push_back({each.name, each.unit, each.frame, each.description});
  }
  const bool same = !rows_.empty() && rows_.back().values.size() == channels_.size();
  if (!stays || !same) rows_.clear();
  ++generation_;
  owed_ = 0.0;
  record();
}

void LiveRun::try_again(bool go_on) {
  try {
    start(read(), go_on);
  } catch (const core::InputError& error) {
    trouble_ = error.what();
    saved_ = newest(file_);
  } catch (const core::RunError& error) {
    trouble_ = fmt::format("{}; {}", error.what(), error.remedy());
    saved_ = newest(file_);
  }
}

void LiveRun::look_at_files() {
  if (Clock::now() - looked_ < between_looks) return;
  looked_ = Clock::now();
  if (newest(file_) != saved_) try_again(false);
}

void LiveRun::advance() {
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  look_at_files();
  if (playing_) take_steps(speed_ * std::min(passed, longest_pause));
}

void LiveRun::take_steps(double seconds) {
  owed_ += seconds;
  const double wanted = owed_;
  const Clock::time_point begin = Clock::now();
  const double step = sim_->step_size();
  try {
    while (owed_ >= step) {
      sim_->step();
      owed_ -= step;
      if (rows_.empty() || sim_->time() >= rows_.back().time + speed_ / rows_per_second - 1e-9) {
        record();
      }
      if (std::chrono::duration<double>(Clock::now() - begin).count() > share_of_time) break;
    }
  } catch (const core::RunError& error) {
    trouble_ = fmt::format("{}; {}", error.what(), error.remedy());
    playing_ = false;
  }
  // What cannot be caught up is let go: the model then runs slower than the clock.
  if (wanted > 0.0) pace_ += 0.05 * ((wanted - owed_) / wanted - pace_);
  if (owed_ > step) owed_ = 0.0;
}

void LiveRun::record() {
  Row row{sim_->time(), std::vector<double>(channels_.size())};
  sim_->observe(row.values.data());
  rows_.push_back(std::move(row));
  ++recorded_;
  const double first = sim_->time() - remembered * std::max(1.0, speed_);
  while (rows_.size() > 2 && rows_.front().time < first) rows_.pop_front();
}

std::string LiveRun::state() {
  report::JsonWriter json;
  json.begin_object();
  json.member("label", label());
  json.member("generation", generation_);
  json.member("time", sim_->time());
  json.member("playing", playing_);
  json.member("speed", speed_);
  json.member("pace", pace_);
  json.member("trouble", trouble_);
  json.key("parameters");
  json.begin_array();
  for (const std::string& name : free_parameters(file_)) {
    const expression::Quantity& value = file_.description.parameters.at(name);
    json.begin_object();
    json.member("name", name);
    json.member("value", value.value);
    json.member("unit", core::si_unit(value.dimension));
    json.member("changed", assignments_.contains(name));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

report::Pack LiveRun::pack() {
  results::Table table;
  table.channels = channels_;
  table.outcome = results::Outcome::running;
  table.info.model_name = label();
  table.info.method = sim_->method();
  table.info.model_text = file_.text;
  table.info.scene = report::scene_json(file_.description);
  const io::Presentation presentation = io::presentation_of(file_);
  report::note_list(table.info, report::noted_units, presentation.units);
  report::note_list(table.info, report::noted_plots, presentation.plots);
  table.columns.resize(channels_.size());
  for (const Row& row : rows_) {
    table.time.push_back(row.time);
    for (std::size_t i = 0; i < channels_.size(); ++i) table.columns[i].push_back(row.values[i]);
  }
  return report::make_pack(table);
}

void LiveRun::drag_to(const std::map<std::string, std::string>& values) {
  const auto body = values.find("body");
  if (body == values.end()) throw core::InputError("no body is named", "give body=NAME");
  const Eigen::Vector3d target = vector_of(values, "t");
  const bool goes_on = drag_ && drag_->body == body->second;
  drag_ = Drag{body->second, goes_on ? drag_->point : vector_of(values, ""), target};
  if (!goes_on) try_again(true);
  for (std::size_t i = 0; i < drag_states.size(); ++i) {
    const auto& names = sim_->input_names();
    const auto found = std::find(names.begin(), names.end(), drag_states.at(i));
    if (found == names.end()) continue;
    sim_->set_input(static_cast<int>(found - names.begin()), target[static_cast<Eigen::Index>(i)]);
  }
}

void LiveRun::command(const std::string& name, const std::map<std::string, std::string>& values) {
  const auto parameter = [&]() -> const std::string& {
    const auto found = values.find("name");
    const auto known = free_parameters(file_);
    if (found != values.end() &&
        std::find(known.begin(), known.end(), found->second) != known.end())
      return found->second;
    throw core::InputError("there is no such parameter", core::suggestion("", known));
  };
  if (name == "set") {
    const std::string& which = parameter();
    const std::string unit = core::si_unit(file_.description.parameters.at(which).dimension);
    assignments_[which] =
        fmt::format("{:.17g}{}{}", number_of(values, "value"), unit.empty() ? "" : " ", unit);
    try_again(true);
  } else if (name == "reset") {
    assignments_.erase(parameter());
    try_again(true);
  } else if (name == "pause" || name == "play") {
    playing_ = name == "play";
  } else if (name == "step") {
    playing_ = false;
    sim_->step();
    record();
  } else if (name == "restart") {
    drag_.reset();
    try_again(false);
  } else if (name == "speed") {
    constexpr double slowest = 1e-3;
    constexpr double fastest = 1e3;
    speed_ = std::clamp(number_of(values, "value"), slowest, fastest);
  } else if (name == "drag") {
    drag_to(values);
  } else if (name == "release") {
    if (!drag_) return;
    drag_.reset();
    try_again(true);
  } else {
    throw core::InputError(fmt::format("'{}' is no command", name),
                           "known: set, reset, pause, play, step, restart, speed, drag, release");
  }
}

}  // namespace trammel::cli
