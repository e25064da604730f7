#include "trammel/model/field.h"

#include <cassert>

namespace trammel::model {
namespace {

template <class T>
const T& get(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  assert(found != values.end() && "field was not checked against its kind");
  return std::get<T>(found->second);
}

}  // namespace

std::string to_string(Space space) {
  return space == Space::planar ? "planar" : "spatial";
}

double number(const Values& values, std::string_view name) {
  return get<double>(values, name);
}

Eigen::Vector3d vector(const Values& values, std::string_view name) {
  return get<Eigen::Vector3d>(values, name);
}

bool flag(const Values& values, std::string_view name) {
  return get<bool>(values, name);
}

const std::string& text(const Values& values, std::string_view name) {
  return get<std::string>(values, name);
}

const std::vector<double>& numbers(const Values& values, std::string_view name) {
  return get<std::vector<double>>(values, name);
}

const std::vector<std::string>& texts(const Values& values, std::string_view name) {
  return get<std::vector<std::string>>(values, name);
}

bool has(const Values& values, std::string_view name) {
  return values.find(name) != values.end();
}

}  // namespace trammel::model
