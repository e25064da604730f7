// What goes into a pack comes out again.
#include "trammel/report/pack.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

namespace trammel::report {
namespace {

template <class T>
T number_at(const Pack& pack, std::size_t at) {
  T number{};
  std::memcpy(&number, &pack.bytes.at(at), sizeof(T));
  return number;
}

results::Table small_table() {
  results::Table table;
  table.info.model_name = "a </script> b";
  table.info.model_text = "trammel: 1\n# \"quotes\" & <tags>\n";
  table.info.method = "by hand";
  table.info.more["command"] = "trammel run x.yaml";
  table.outcome = results::Outcome::stopped;
  table.message = "stopped at 0.2 s";
  table.statistics["steps"] = 3;
  table.channels = {{"mass.position.x", "m", "world", "where"}, {"energy.total", "J", "", ""}};
  table.time = {0.0, 0.1, 0.2};
  // The drift of the energy is 1e-9 of its magnitude.
  table.columns = {{0.0, 0.25, 1.0 / 3.0}, {1e3, 1e3 + 1e-6, 1e3 + 2e-6}};
  return table;
}

TEST(Pack, RoundTrip) {
  const results::Table table = small_table();
  const Pack pack = make_pack(table, {.warnings = {"careful"}, .facts = {{"energy", "kept"}}});
  EXPECT_EQ(pack.header.find('<'), std::string::npos);
  const YAML::Node header = YAML::Load(pack.header);
  EXPECT_EQ(header["run"]["name"].as<std::string>(), table.info.model_name);
  EXPECT_EQ(header["run"]["model_text"].as<std::string>(), table.info.model_text);
  EXPECT_EQ(header["run"]["outcome"].as<std::string>(), "stopped");
  EXPECT_EQ(header["run"]["warnings"][0].as<std::string>(), "careful");
  EXPECT_EQ(header["run"]["statistics"]["steps"].as<int>(), 3);
  const YAML::Node samples = header["samples"];
  ASSERT_EQ(samples["rows"].as<std::size_t>(), 3u);
  const auto time_at = samples["time_at"].as<std::size_t>();
  EXPECT_EQ(time_at % 8, 0u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(number_at<double>(pack, time_at + 8 * i), table.time[i]);
  }
  for (std::size_t c = 0; c < 2; ++c) {
    const YAML::Node channel = samples["channels"][c];
    EXPECT_EQ(channel[0].as<std::string>(), table.channels[c].name);
    const YAML::Node kind = header["kinds"][channel[3].as<std::size_t>()];
    EXPECT_EQ(kind[0].as<std::string>(), table.channels[c].unit);
    EXPECT_EQ(kind[2].as<std::string>(), table.channels[c].description);
    const auto at = channel[1].as<std::size_t>();
    const auto base = channel[2].as<double>();
    const auto [low, high] = std::minmax_element(table.columns[c].begin(), table.columns[c].end());
    for (std::size_t i = 0; i < 3; ++i) {
      // Half a unit in the last place of a float that is at most twice the range; and rounding of
      // the sum.
      const double tolerance = (*high - *low) * 0x1p-23 + std::abs(base) * 0x1p-52;
      EXPECT_NEAR(base + double(number_at<float>(pack, at + 4 * i)), table.columns[c][i],
                  tolerance);
    }
  }
}

// An energy that begins and ends at rest was once drawn below zero, by the rounding of its base.
TEST(Pack, ValuesKeepTheirSigns) {
  results::Table table = small_table();
  table.columns[0] = {0.0, 0.7, 1e-12};
  table.columns[1] = {1.0, 1.0 + 1e-8, 1.0 - 1e-8};
  const Pack pack = make_pack(table);
  const YAML::Node channels = YAML::Load(pack.header)["samples"]["channels"];
  const auto value = [&](std::size_t c, std::size_t i) {
    return channels[c][2].as<double>() +
           double(number_at<float>(pack, channels[c][1].as<std::size_t>() + 4 * i));
  };
  EXPECT_EQ(value(0, 0), 0.0);
  EXPECT_GT(value(0, 2), 0.0);
  EXPECT_NEAR(value(0, 2), 1e-12, 1e-19);
  // A drift on top of a constant stays visible.
  EXPECT_NEAR(value(1, 1) - value(1, 0), 1e-8, 1e-14);
}

TEST(Pack, NonNumbersStayNonNumbers) {
  results::Table table = small_table();
  table.columns[0] = {NAN, 1.0, INFINITY};
  const Pack pack = make_pack(table);
  const YAML::Node channel = YAML::Load(pack.header)["samples"]["channels"][0];
  const auto at = channel[1].as<std::size_t>();
  EXPECT_TRUE(std::isnan(number_at<float>(pack, at)));
  EXPECT_EQ(channel[2].as<double>() + double(number_at<float>(pack, at + 4)), 1.0);
}

TEST(Pack, WithoutRowsOrChannels) {
  results::Table table;
  const YAML::Node header = YAML::Load(make_pack(table).header);
  EXPECT_EQ(header["samples"]["rows"].as<int>(), 0);
  EXPECT_FALSE(header["scene"]);
}

TEST(Pack, StaysWithinItsBudget) {
  results::Table table;
  constexpr std::size_t rows = 20'000;
  for (std::size_t i = 0; i < rows; ++i) table.time.push_back(1e-3 * double(i));
  for (int c = 0; c < 40; ++c) {
    table.channels.push_back({fmt::format("b{}.position.x", c), "m", "world", ""});
    table.columns.emplace_back(rows, double(c));
  }
  constexpr std::size_t budget = 400'000;
  const Pack pack = make_pack(table, {}, {.budget = budget});
  const YAML::Node header = YAML::Load(pack.header);
  EXPECT_EQ(header["rows"].as<std::size_t>(), rows);
  const std::size_t times = 8 * (header["samples"]["rows"].as<std::size_t>() +
                                 header["frames"]["rows"].as<std::size_t>());
  EXPECT_LE(pack.bytes.size(), budget + times + 16);
  EXPECT_GT(pack.bytes.size(), budget / 2);
}

}  // namespace
}  // namespace trammel::report
