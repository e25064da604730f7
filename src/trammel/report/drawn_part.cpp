#include "trammel/report/drawn_part.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "trammel/report/scene_json.h"
#include "trammel/report/thinning.h"
#include "trammel/results/table.h"

namespace trammel::report {
namespace {

using Names = std::unordered_set<std::string_view>;

std::vector<std::size_t> recorded_bodies(const model::Description& description,
                                         const std::vector<std::string>& channels) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const std::string& name = description.bodies[i].name;
    const bool recorded =
        channels.empty() ||
        std::any_of(channels.begin(), channels.end(), [&](const std::string& pattern) {
          return results::may_match(pattern, name) &&
                 results::matches(pattern, name + ".position.x");
        });
    if (recorded) list.push_back(i);
  }
  return list;
}

// The part's own items, and the frames of the ground that they name.
class Copier {
 public:
  Copier(const model::Description& whole, model::Description& part) : whole_(whole), part_(part) {
    for (const model::Body& body : part.bodies) bodies_.insert(body.name);
  }

  void copy_items() {
    copy(whole_.joints, part_.joints);
    copy(whole_.forces, part_.forces);
    copy(whole_.sensors, part_.sensors);
    Names frames;
    for (const auto* items : {&part_.joints, &part_.forces, &part_.sensors}) {
      for (const model::Item& item : *items) {
        for (const std::string& end : item.attachments) {
          const model::Attachment on = split(end);
          if (on.body == "ground" && on.frame) frames.insert(*on.frame);
        }
      }
    }
    std::copy_if(whole_.ground_frames.begin(), whole_.ground_frames.end(),
                 std::back_inserter(part_.ground_frames),
                 [&](const model::Frame& frame) { return frames.contains(frame.name); });
  }

 private:
  model::Attachment split(std::string_view attachment) const {
    return model::split_attachment(attachment,
                                   [&](std::string_view name) { return bodies_.contains(name); });
  }

  void copy(const std::vector<model::Item>& from, std::vector<model::Item>& to) const {
    for (const model::Item& item : from) {
      const bool inside = std::all_of(item.attachments.begin(), item.attachments.end(),
                                      [&](const std::string& end) {
                                        const std::string_view body = split(end).body;
                                        return body == "ground" || bodies_.contains(body);
                                      });
      if (inside && !item.attachments.empty()) to.push_back(item);
    }
  }

  const model::Description& whole_;
  model::Description& part_;
  Names bodies_;
};

}  // namespace

std::optional<DrawnPart> drawn_part(const model::Description& description,
                                    const std::vector<std::string>& channels,
                                    std::size_t most) {
  const std::size_t all = description.bodies.size();
  if (all <= most || !description.flexible_bodies.empty() || !description.elements.empty()) {
    return std::nullopt;
  }
  std::vector<std::size_t> moving = recorded_bodies(description, channels);
  const std::size_t recorded = moving.size();
  DrawnPart part;
  model::Description& drawn = part.description;
  drawn.name = description.name;
  drawn.space = description.space;
  drawn.gravity = description.gravity;
  drawn.simulation = description.simulation;
  drawn.parameters = description.parameters;
  const std::size_t candidates = recorded == 0 ? all : recorded;
  for (const std::size_t row : spread_rows(candidates, most)) {
    drawn.bodies.push_back(description.bodies[recorded == 0 ? row : moving[row]]);
  }
  Copier(description, drawn).copy_items();
  part.note = fmt::format("{} of {} bodies{}", drawn.bodies.size(), all,
                          recorded == 0     ? ", as described: no positions were recorded"
                          : recorded > most ? ", evenly spread among those whose positions were "
                                              "recorded"
                                            : ": those whose positions were recorded");
  return part;
}

void add_scene(const model::Description& description,
               const std::vector<std::string>& channels,
               results::RunInformation& info) {
  const std::optional<DrawnPart> part = drawn_part(description, channels);
  info.scene = scene_json(part ? part->description : description);
  if (part) info.more["drawn"] = part->note;
}

}  // namespace trammel::report
