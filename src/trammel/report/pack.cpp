#include "trammel/report/pack.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>

#include "trammel/report/display_units.h"
#include "trammel/report/json_writer.h"

namespace trammel::report {
namespace {

constexpr int pack_version = 1;

// What is packed is the distance from the base. Zero, unless the range is small beside the values:
// then its middle, so that a drift of 1e-8 on top of 1 J stays visible. A column that comes near
// zero thus keeps its signs: no kinetic energy becomes negative by rounding.
double base_of(std::span<const double> column) {
  double low = INFINITY;
  double high = -INFINITY;
  for (const double value : column) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  constexpr double near_zero = 2.0;
  if (std::max(std::abs(low), std::abs(high)) <= near_zero * (high - low)) return 0.0;
  const double base = 0.5 * low + 0.5 * high;
  return std::isfinite(base) ? base : 0.0;
}

class Packer {
 public:
  Packer(const ThinnedRun& run, const RunNotes& notes) : run_(run), notes_(notes) {}

  Pack pack() {
    json_.begin_object();
    json_.member("format", "trammel");
    json_.member("version", pack_version);
    write_run();
    if (!run_.info.scene.empty()) {
      json_.key("scene");
      json_.raw(run_.info.scene);
    }
    json_.member("rows", run_.rows);
    json_.member("left_out", notes_.left_out + run_.left_out);
    write_presentation();
    write_samples();
    if (!run_.whole) write_frames();
    json_.end_object();
    return {json_.take(), std::move(bytes_)};
  }

 private:
  void write_run() {
    const results::RunInformation& info = run_.info;
    json_.key("run");
    json_.begin_object();
    json_.member("name", info.model_name);
    json_.member("method", info.method);
    json_.member("software", info.software);
    json_.member("started", info.started);
    json_.member("outcome", results::to_string(run_.outcome));
    json_.member("message", run_.message);
    json_.member("model_text", info.model_text);
    write_texts("information", shown_information(info));
    write_texts("facts", notes_.facts);
    json_.key("warnings");
    json_.begin_array();
    for (const std::string& warning : notes_.warnings) json_.value(warning);
    json_.end_array();
    json_.key("statistics");
    json_.begin_object();
    for (const auto& [name, value] : run_.statistics) json_.member(name, value);
    json_.end_object();
    json_.end_object();
  }

  // Display units by the unit of channels, and channels to plot at first.
  void write_presentation() {
    const std::vector<std::string> units = noted_list(run_.info, noted_units);
    if (!units.empty()) {
      json_.key("display");
      json_.begin_object();
      for (const auto& [unit, display] : display_units(run_.samples.channels, units)) {
        json_.key(unit);
        json_.begin_array();
        json_.value(display.unit);
        json_.value(display.factor);
        json_.end_array();
      }
      json_.end_object();
    }
    const std::vector<std::string> plots = noted_list(run_.info, noted_plots);
    if (plots.empty()) return;
    json_.key("plots");
    json_.begin_array();
    for (const std::string& pattern : plots) json_.value(pattern);
    json_.end_array();
  }

  void write_texts(const char* name,
                   const std::vector<std::pair<std::string, std::string>>& texts) {
    json_.key(name);
    json_.begin_array();
    for (const auto& [heading, text] : texts) {
      json_.begin_array();
      json_.value(heading);
      json_.value(text);
      json_.end_array();
    }
    json_.end_array();
  }

  void write_samples() {
    json_.key("samples");
    begin_block(run_.samples.time);
    for (std::size_t i = 0; i < run_.samples.channels.size(); ++i) {
      const results::Channel& channel = run_.samples.channels[i];
      json_.begin_array();
      json_.value(channel.name);
      write_column(run_.samples.columns[i]);
      json_.value(kind_number(channel));
      json_.end_array();
    }
    end_block();
    write_kinds();
  }

  // Unit, frame and description are the same for thousands of channels.
  std::size_t kind_number(const results::Channel& channel) {
    const auto next = static_cast<std::size_t>(kinds_.size());
    return kinds_.try_emplace({channel.unit, channel.frame, channel.description}, next)
        .first->second;
  }

  void write_kinds() {
    std::vector<const std::array<std::string, 3>*> list(kinds_.size());
    for (const auto& [kind, number] : kinds_) list[number] = &kind;
    json_.key("kinds");
    json_.begin_array();
    for (const std::array<std::string, 3>* kind : list) {
      json_.begin_array();
      for (const std::string& text : *kind) json_.value(text);
      json_.end_array();
    }
    json_.end_array();
  }

  void write_frames() {
    json_.key("frames");
    begin_block(run_.frames.time);
    for (std::size_t i = 0; i < run_.frames.channels.size(); ++i) {
      json_.begin_array();
      json_.value(run_.frames.channels[i].name);
      write_column(run_.frames.columns[i]);
      json_.end_array();
    }
    end_block();
  }

  void begin_block(const std::vector<double>& time) {
    json_.begin_object();
    json_.member("rows", time.size());
    // Times first and aligned, so that they can be used where they lie.
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    json_.member("time_at", bytes_.size());
    for (const double t : time) add(t);
    json_.key("channels");
    json_.begin_array();
  }

  void end_block() {
    json_.end_array();
    json_.end_object();
  }

  void write_column(const std::vector<double>& column) {
    const double base = base_of(column);
    json_.value(bytes_.size());
    json_.value(base);
    for (const double value : column) add(static_cast<float>(value - base));
  }

  template <class T>
  void add(T number) {
    static_assert(std::endian::native == std::endian::little);
    const std::size_t end = bytes_.size();
    bytes_.resize(end + sizeof(T));
    std::memcpy(&bytes_[end], &number, sizeof(T));
  }

  const ThinnedRun& run_;
  const RunNotes& notes_;
  JsonWriter json_;
  std::vector<std::byte> bytes_;
  std::map<std::array<std::string, 3>, std::size_t> kinds_;
};

}  // namespace

Pack make_pack(const ThinnedRun& run, const RunNotes& notes) {
  return Packer(run, notes).pack();
}

Pack make_pack(const results::Table& table, const RunNotes& notes, const PackOptions& options) {
  return make_pack(thinned(table, options.budget), notes);
}

}  // namespace trammel::report
