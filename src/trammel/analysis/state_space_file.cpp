#include "trammel/analysis/state_space_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/json_string.h"
#include "trammel/results/output_file.h"

namespace trammel::analysis {
namespace {

std::string names_json(const std::vector<LinearName>& names) {
  std::vector<std::string> list;
  for (const LinearName& each : names) {
    list.push_back(fmt::format(R"({{"name": {}, "unit": {}}})", core::json_string(each.name),
                               core::json_string(each.unit)));
  }
  return fmt::format("[{}]", fmt::join(list, ", "));
}

std::string matrix_json(const Matrix& matrix) {
  std::vector<std::string> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string> numbers;
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      numbers.push_back(fmt::format("{}", matrix(i, j)));
    }
    rows.push_back(fmt::format("[{}]", fmt::join(numbers, ", ")));
  }
  return fmt::format("[{}]", fmt::join(rows, ",\n    "));
}

}  // namespace

std::string state_space_json(const StateSpace& space) {
  return fmt::format(
      "{{\n  \"states\": {},\n  \"inputs\": {},\n  \"outputs\": {},\n  \"A\": {},\n  \"B\": {},\n"
      "  \"C\": {},\n  \"D\": {}\n}}\n",
      names_json(space.states), names_json(space.inputs), names_json(space.outputs),
      matrix_json(space.A), matrix_json(space.B), matrix_json(space.C), matrix_json(space.D));
}

void write_state_space(const std::filesystem::path& path, const StateSpace& space, bool overwrite) {
  results::write_whole(path, results::FileKind::matrices, state_space_json(space), overwrite);
}

}  // namespace trammel::analysis
