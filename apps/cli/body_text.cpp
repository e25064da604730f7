#include "body_text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "printing.h"
#include "terminal.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

// Moments, then products where there are any: Jxx, Jyy, Jzz, Jxy, Jxz, Jyz.
std::string inertia_text(const Eigen::Matrix3d& J, model::Space space) {
  if (space == model::Space::planar) return fmt::format("{:.6g}", J(2, 2));
  const Eigen::Vector3d products(J(0, 1), J(0, 2), J(1, 2));
  // Round-off of a turned shape is no product of inertia.
  constexpr double round_off = 1e-14;
  const bool diagonal =
      products.lpNorm<Eigen::Infinity>() <= round_off * J.diagonal().lpNorm<Eigen::Infinity>();
  const std::string moments = fmt::format("{:.6g}, {:.6g}, {:.6g}", J(0, 0), J(1, 1), J(2, 2));
  return diagonal ? "[" + moments + "]"
                  : fmt::format("[{}, {:.6g}, {:.6g}, {:.6g}]", moments, products[0], products[1],
                                products[2]);
}

std::string body_text(const model::Body& body, model::Space space) {
  const bool point = body.kind == model::BodyKind::point;
  std::string text = fmt::format("{} of {:.6g} kg at {} m", point ? "point mass" : "rigid body",
                                 body.mass.mass, vector_text(body.position, space));
  if (!point) {
    text += fmt::format(", centre {} m, inertia {} kg m^2", vector_text(body.mass.center, space),
                        inertia_text(body.mass.inertia, space));
  }
  return text;
}

/// In space its nodes have it; in the plane its elements, along a straight line.
double mass_of(const model::FlexibleBody& body, const model::Description& description) {
  if (description.space == model::Space::planar) {
    return body.material.density * body.section.area * body.length();
  }
  double mass = 0.0;
  for (const model::Body& node : description.bodies) {
    if (node.part_of == body.name) mass += node.mass.mass;
  }
  return mass;
}

std::string flexible_text(const model::FlexibleBody& body, const model::Description& description) {
  const model::Space space = description.space;
  if (space == model::Space::spatial && body.formulation == "floating") {
    return fmt::format("flexible body in a floating frame, {} shape{}", body.elements,
                       body.elements == 1 ? "" : "s");
  }
  const double mass = mass_of(body, description);
  return fmt::format("flexible body of {:.6g} kg from {} m to {} m, {} element{} {}, {}", mass,
                     vector_text(body.start, space), vector_text(body.tip, space), body.elements,
                     body.elements == 1 ? "" : "s", body.element, body.formulation);
}

}  // namespace

std::string vector_text(const Eigen::Vector3d& v, model::Space space) {
  return space == model::Space::planar
             ? fmt::format("[{:.6g}, {:.6g}]", v.x(), v.y())
             : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
}

void print_bodies(const model::Description& description, std::size_t most_rows) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const model::Body& body : description.bodies) {
    if (body.part_of.empty()) rows.emplace_back(body.name, body_text(body, description.space));
  }
  for (const model::FlexibleBody& body : description.flexible_bodies) {
    rows.emplace_back(body.name, flexible_text(body, description));
  }
  print_output("\n{}\n", output_style().bold("Bodies"));
  const std::size_t shown = std::min(rows.size(), most_rows);
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, rows[i].first.size());
  for (std::size_t i = 0; i < shown; ++i) {
    print_output("  {:<{}}  {}\n", rows[i].first, width, rows[i].second);
  }
  if (rows.size() > shown) print_output("  ... and {} more\n", rows.size() - shown);
}

}  // namespace trammel::cli
