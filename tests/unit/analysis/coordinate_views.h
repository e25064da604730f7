// Looks at the examples of the repository in absolute and in relative coordinates.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "full_vocabulary.h"
#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/io/model_file.h"

namespace trammel::analysis {

inline std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(TRAMMEL_SOURCE_DIR) / "examples")) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && std::filesystem::exists(entry.path() / (name + ".yaml")))
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline model::Description example(const std::string& name) {
  const std::filesystem::path file =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "examples" / name / (name + ".yaml");
  return io::read_model_file(file.string(), full_vocabulary()).description;
}

// Joints whose reactions the equations leave open; they may differ.
inline std::set<std::string> open_joints(const Mobility& mobility) {
  std::set<std::string> names;
  for (const model::RowName& row : mobility.not_unique) names.insert(row.joint);
  return names;
}

inline bool is_open(const std::string& channel, const std::set<std::string>& joints) {
  return std::any_of(joints.begin(), joints.end(),
                     [&](const std::string& joint) { return channel.rfind(joint + ".", 0) == 0; });
}

inline std::vector<double> observed(model::ModelSystem& system, const system::Motion& motion) {
  std::vector<double> values(system.observables().size());
  system.accept(motion.state);
  system.observe(motion, values.data());
  return values;
}

// Quaternions of opposite sign are the same orientation.
inline bool opposite_quaternion(const std::vector<model::Quantity>& names,
                                const std::vector<double>& relative,
                                const std::vector<double>& absolute,
                                std::size_t i) {
  const std::size_t end = names[i].name.rfind(".orientation.e");
  if (end == std::string::npos) return false;
  double product = 0.0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j].name.compare(0, end + 14, names[i].name, 0, end + 14) != 0) continue;
    product += relative[j] * absolute[j];
  }
  return product < 0.0;
}

inline void expect_same(model::ModelSystem& system,
                        const std::vector<double>& relative,
                        const std::vector<double>& absolute,
                        const std::set<std::string>& open,
                        double tolerance) {
  const std::vector<model::Quantity> names = system.observables();
  // Errors of a load are those of the largest load of its kind.
  std::map<std::string, double> scale;
  for (std::size_t i = 0; i < names.size(); ++i) {
    double& largest = scale.emplace(names[i].unit, 1.0).first->second;
    if (std::isfinite(absolute[i])) largest = std::max(largest, std::abs(absolute[i]));
  }
  const double turn = 2.0 * std::numbers::pi;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_open(names[i].name, open)) continue;
    double difference = relative[i] - absolute[i];
    if (opposite_quaternion(names, relative, absolute, i)) difference = relative[i] + absolute[i];
    if (names[i].unit == "rad") difference -= turn * std::round(difference / turn);
    EXPECT_LE(std::abs(difference), tolerance * scale[names[i].unit])
        << names[i].name << ": " << relative[i] << " relative, " << absolute[i] << " absolute";
  }
}

}  // namespace trammel::analysis
