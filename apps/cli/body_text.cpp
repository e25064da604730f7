#include "body_text.h"

#include <algorithm>

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

}  // namespace

std::string vector_text(const Eigen::Vector3d& v, model::Space space) {
  return space == model::Space::planar
             ? fmt::format("[{:.6g}, {:.6g}]", v.x(), v.y())
             : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
}

void print_bodies(const model::Description& description, std::size_t most_rows) {
  print_output("\n{}\n", output_style().bold("Bodies"));
  const std::size_t shown = std::min(description.bodies.size(), most_rows);
  std::size_t width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    width = std::max(width, description.bodies[i].name.size());
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const model::Body& body = description.bodies[i];
    const bool point = body.kind == model::BodyKind::point;
    print_output("  {:<{}}  {} of {:.6g} kg at {} m", body.name, width,
                 point ? "point mass" : "rigid body", body.mass.mass,
                 vector_text(body.position, description.space));
    if (!point) {
      print_output(", centre {} m, inertia {} kg m^2",
                   vector_text(body.mass.center, description.space),
                   inertia_text(body.mass.inertia, description.space));
    }
    print_output("\n");
  }
  if (description.bodies.size() > shown) {
    print_output("  ... and {} more\n", description.bodies.size() - shown);
  }
}

}  // namespace trammel::cli
