// Files for ParaView: well-formed, complete and in world coordinates.
#include "trammel/report/vtk.h"

#include <cstring>
#include <fstream>
#include <map>
#include <regex>

#include "drawn_samples.h"
#include "support/scratch_folder.h"
#include <gtest/gtest.h>

#include "trammel/core/base64.h"
#include "trammel/core/diagnostic.h"
#include "trammel/results/file_kind.h"

namespace trammel::report {
namespace {

namespace fs = std::filesystem;

class Vtk : public ::testing::Test {
 protected:
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  support::ScratchFolder folder_;
};

// Every element that is opened is closed in turn, and there is one root.
void expect_well_formed(const std::string& text) {
  std::vector<std::string> open;
  int roots = 0;
  const std::regex tag(
      R"(<(/?)([A-Za-z]+)((?:\s+[A-Za-z_]+="[^"<&]*(?:&(?:lt|gt|amp|quot|#39);[^"<&]*)*")*)\s*(/?)>)");
  std::string rest = text.substr(text.find("?>") + 2);
  const std::size_t mark = rest.find(results::xml_mark);
  ASSERT_NE(mark, std::string::npos);
  rest.erase(mark, results::xml_mark.size());
  for (std::sregex_iterator it(rest.begin(), rest.end(), tag), end; it != end; ++it) {
    if ((*it)[1].length() > 0) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*it)[2].str());
      open.pop_back();
    } else if ((*it)[4].length() == 0) {
      if (open.empty()) ++roots;
      open.push_back((*it)[2].str());
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(roots, 1);
  // Between the tags there are only blanks and base64.
  const std::string others = std::regex_replace(rest, tag, "");
  EXPECT_EQ(others.find_first_of("<>&\""), std::string::npos);
}

template <class T>
std::vector<T> numbers(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("Name=\"" + name + "\"");
  EXPECT_NE(at, std::string::npos) << name;
  const std::size_t begin = text.find('>', at) + 1;
  const auto bytes = core::from_base64(text.substr(begin, text.find('<', begin) - begin));
  EXPECT_TRUE(bytes) << name;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes->data(), 4);
  EXPECT_EQ(length + 4, bytes->size());
  std::vector<T> list(length / sizeof(T));
  std::memcpy(list.data(), bytes->data() + 4, length);
  return list;
}

TEST_F(Vtk, SeriesIsWellFormedAndComplete) {
  EXPECT_EQ(write_vtk(folder_ / "two.pvd", testing::two_bodies(), testing::two_bodies_motion()),
            3u);
  const std::string index = text("two.pvd");
  expect_well_formed(index);
  for (const char* part :
       {"timestep=\"0\"", "timestep=\"0.5\"", "timestep=\"1\"", "file=\"two_vtk/two_00002.vtp\""}) {
    EXPECT_NE(index.find(part), std::string::npos) << part;
  }
  const std::string last = text("two_vtk/two_00002.vtp");
  expect_well_formed(last);
  const auto points = numbers<float>(last, "Points");
  const auto corners = numbers<std::uint32_t>(last, "connectivity");
  const auto ends = numbers<std::uint32_t>(last, "offsets");
  const auto bodies = numbers<std::int32_t>(last, "body");
  EXPECT_NE(last.find("NumberOfPoints=\"" + std::to_string(points.size() / 3) + "\""),
            std::string::npos);
  EXPECT_EQ(corners.size(), 3 * bodies.size());
  EXPECT_EQ(ends.size(), bodies.size());
  EXPECT_EQ(ends.back(), corners.size());
  for (const std::uint32_t corner : corners) ASSERT_LT(3 * corner, points.size());
  // The disc is at x = 2 then, the frame at z = 5 with its mesh at x = 3.
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t p = 3 * std::size_t(corners[3 * i]);
    if (bodies[i] == 0) {
      EXPECT_NEAR(std::hypot(points[p] - 2.0F, points[p + 1]), 0.25F, 0.26F);
      EXPECT_NEAR(std::abs(points[p + 2]), 0.05F, 1e-6F);
    } else {
      EXPECT_GE(points[p + 2], 4.84F);
    }
  }
}

TEST_F(Vtk, CarriesTheChannels) {
  write_vtk(folder_ / "two.pvd", testing::two_bodies(), testing::two_bodies_motion());
  const std::string text = this->text("two_vtk/two_00001.vtp");
  const auto bodies = numbers<std::int32_t>(text, "body");
  const auto velocity = numbers<float>(text, "velocity");
  ASSERT_EQ(velocity.size(), 3 * bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i] == 0) {
      EXPECT_EQ(velocity[3 * i], 2.0F);
      EXPECT_EQ(velocity[3 * i + 2], 0.0F) << "not recorded";
    } else {
      EXPECT_TRUE(std::isnan(velocity[3 * i])) << "the frame has no such channel";
    }
  }
  EXPECT_EQ(numbers<double>(text, "TimeValue"), (std::vector<double>{0.5}));
  EXPECT_EQ(numbers<double>(text, "energy.&lt;total&gt;"), (std::vector<double>{7.0}));
}

TEST_F(Vtk, RefusesToReplaceUnlessAsked) {
  const auto write = [&](VtkOptions options) {
    return write_vtk(folder_ / "two.pvd", testing::two_bodies(), testing::two_bodies_motion(),
                     options);
  };
  write({});
  EXPECT_THROW(write({}), core::InputError);
  EXPECT_TRUE(fs::exists(folder_ / "two_vtk/two_00002.vtp"));
  EXPECT_EQ(write({.most_frames = 2, .overwrite = true}), 2u);
  EXPECT_FALSE(fs::exists(folder_ / "two_vtk/two_00002.vtp")) << "a frame of before";
  // What others put there is neither removed nor moved.
  std::ofstream(folder_ / "two_vtk/notes.txt") << "mine";
  EXPECT_THROW(write({.overwrite = true}), core::InputError);
  EXPECT_EQ(text("two_vtk/notes.txt"), "mine");
  EXPECT_THROW(write_vtk(folder_ / "none.pvd", {}, testing::two_bodies_motion()), core::InputError);
}

TEST_F(Vtk, ThatIsStoppedLeavesAllAsItWas) {
  const std::atomic<bool> stop{true};
  const auto write = [&](const VtkOptions& options) {
    write_vtk(folder_ / "two.pvd", testing::two_bodies(), testing::two_bodies_motion(), options);
  };
  EXPECT_THROW(write({.stop = &stop}), core::RunError);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  write({});
  const std::string before = text("two.pvd");
  EXPECT_THROW(write({.most_frames = 2, .overwrite = true, .stop = &stop}), core::RunError);
  EXPECT_EQ(text("two.pvd"), before);
  EXPECT_TRUE(fs::exists(folder_ / "two_vtk/two_00002.vtp"));
}

}  // namespace
}  // namespace trammel::report
