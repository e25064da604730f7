#include "trammel/model/forces/fung.h"

#include <cmath>

#include "trammel/model/forces/formula_text.h"
#include "trammel/model/forces/prony.h"

namespace trammel::model {

double relaxation_of_spectrum(double c, double tau_1, double tau_2, double t) {
  const double whole = std::log(tau_2 / tau_1);
  const auto exponential_integral = [](double x) { return -std::expint(-x); };
  const double left =
      t > 0.0 ? exponential_integral(t / tau_2) - exponential_integral(t / tau_1) : whole;
  return (1.0 + c * left) / (1.0 + c * whole);
}

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

struct Relaxation {
  MatrixXd remaining;             ///< G_inf
  std::vector<MatrixXd> weights;  ///< G_b
  std::vector<double> times;      ///< tau_b, s
  std::optional<double> fit_error = std::nullopt;
};

// n x n numbers row by row, or one that stands for all functions.
MatrixXd matrix_from(const double* numbers, bool alike, std::size_t n) {
  const auto size = static_cast<Index>(n);
  if (alike) return numbers[0] * MatrixXd::Identity(size, size);
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(numbers, size, size);
}

Relaxation from_spectrum(const Values& values, std::size_t n) {
  for (const char* other : {"branch_times", "branch_weights", "remaining"}) {
    if (!has(values, other)) continue;
    throw core::InputError(fmt::format("both 'spectrum' and '{}' are given", other),
                           "keep the spectrum, or the branches of a Prony series");
  }
  const std::vector<double>& spectrum = numbers(values, "spectrum");
  if (spectrum.size() != 3 || !(spectrum[1] < spectrum[2])) {
    throw core::InputError("'spectrum' is not c, tau_1 and tau_2 with tau_1 < tau_2",
                           "give three numbers, e.g. [0.3, 0.01, 100]");
  }
  // Points from where nothing has relaxed to where everything has, 8 per decade.
  std::vector<double> times{0.0};
  std::vector<double> points{1.0};
  const double first = std::log10(spectrum[1]) - 1.5;
  const double last = std::log10(spectrum[2]) + 1.5;
  const int count = static_cast<int>(std::ceil(8.0 * (last - first)));
  for (int i = 0; i <= count; ++i) {
    times.push_back(std::pow(10.0, first + (last - first) * i / count));
    points.push_back(relaxation_of_spectrum(spectrum[0], spectrum[1], spectrum[2], times.back()));
  }
  const PronyFit fit = fit_prony(times, points);
  Relaxation result{matrix_from(&fit.series.stiffness, true, n), {}, fit.series.times, fit.error};
  for (const double weight : fit.series.stiffnesses) {
    result.weights.push_back(matrix_from(&weight, true, n));
  }
  return result;
}

Relaxation from_branches(const Values& values, std::size_t n) {
  Relaxation result;
  if (has(values, "branch_times")) result.times = numbers(values, "branch_times");
  const std::size_t branches = result.times.size();
  const std::vector<double> none;
  const std::vector<double>& weights =
      has(values, "branch_weights") ? numbers(values, "branch_weights") : none;
  const bool alike = weights.size() == branches;
  if (!alike && weights.size() != branches * n * n) {
    throw core::InputError(
        fmt::format("'branch_weights' has {} numbers for {} times in 'branch_times'",
                    weights.size(), branches),
        fmt::format("give one number for each time, or {} rows of {} numbers for each", n, n));
  }
  const std::size_t stride = alike ? 1 : n * n;
  const auto size = static_cast<Index>(n);
  result.remaining.setIdentity(size, size);
  for (std::size_t b = 0; b < branches; ++b) {
    result.weights.push_back(matrix_from(weights.data() + b * stride, alike, n));
    result.remaining -= result.weights.back();
  }
  if (has(values, "remaining")) {
    const std::vector<double>& given = numbers(values, "remaining");
    if (given.size() != 1 && given.size() != n * n) {
      throw core::InputError(
          fmt::format("'remaining' has {} numbers for {} coordinates", given.size(), n),
          fmt::format("give one number, or {} rows of {} numbers", n, n));
    }
    result.remaining = matrix_from(given.data(), given.size() == 1, n);
  }
  return result;
}

void check_count(const char* field, std::size_t count, std::size_t n) {
  if (count == n) return;
  throw core::InputError(fmt::format("'{}' has {} entries for {} coordinates", field, count, n),
                         "give one for each coordinate");
}

LawSet fung_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  const std::vector<std::string>& coordinates = texts(values, "coordinates");
  const std::size_t n = coordinates.size();
  check_count("response", texts(values, "response").size(), n);
  std::vector<double> held(n, 0.0);
  if (has(values, "initial_response")) held = numbers(values, "initial_response");
  check_count("initial_response", held.size(), n);
  const Relaxation relaxation =
      has(values, "spectrum") ? from_spectrum(values, n) : from_branches(values, n);

  LawSet set;
  // y_b of coordinate j, where some load reads it.
  const auto state = [&](std::size_t b, std::size_t j) {
    return fmt::format("{}.relaxed_{}_{}", item.name, b + 1, j + 1);
  };
  for (std::size_t b = 0; b < relaxation.times.size(); ++b) {
    for (std::size_t j = 0; j < n; ++j) {
      if (relaxation.weights[b].col(static_cast<Index>(j)).isZero(0.0)) continue;
      const std::string response = plain(texts(values, "response")[j]);
      set.states.push_back({.name = state(b, j),
                            .rate = fmt::format("({} - (1*{}))*{}", response, state(b, j),
                                                digits(1.0 / relaxation.times[b])),
                            .initial = held[j]});
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::string load = "0*time";
    for (std::size_t j = 0; j < n; ++j) {
      const auto row = static_cast<Index>(i);
      const auto column = static_cast<Index>(j);
      const std::string response = plain(texts(values, "response")[j]);
      if (relaxation.remaining(row, column) != 0.0) {
        load += fmt::format(" + {}*{}", digits(relaxation.remaining(row, column)), response);
      }
      for (std::size_t b = 0; b < relaxation.times.size(); ++b) {
        const double weight = relaxation.weights[b](row, column);
        if (weight == 0.0) continue;
        load += fmt::format(" + {}*({} - (1*{}))", digits(weight), response, state(b, j));
      }
    }
    set.laws.push_back({.along = coordinates[i],
                        .formula = fmt::format("-({})", load),
                        .quantity = fmt::format("load_{}", i + 1)});
  }
  if (has(values, "energy")) set.laws.front().potential = text(values, "energy");
  if (relaxation.fit_error) {
    set.outputs.push_back(
        {.name = item.name + ".fit_error", .formula = digits(*relaxation.fit_error)});
  }
  return set;
}

}  // namespace

ForceKind fung_element(Space space) {
  const auto list = [](const char* name, const char* description, Sign sign) {
    return Field{.name = name,
                 .kind = FieldKind::numbers,
                 .description = description,
                 .sign = sign,
                 .optional = true};
  };
  return {.name = "fung_element",
          .space = space,
          .summary =
              "quasi-linear visco-elastic law over any coordinates: elastic response and "
              "relaxation",
          .fields =
              {Field{.name = "coordinates",
                     .kind = FieldKind::quantities,
                     .description = "relevant variables, e.g. [stretch, shear]"},
               Field{.name = "response",
                     .kind = FieldKind::formulas,
                     .description = "E, the load of a sudden strain along each coordinate, e.g. "
                                    "[5 N*(exp(30*stretch/1 m) - 1)]"},
               list("branch_times", "tau_b of the relaxation functions, s", Sign::positive),
               list("branch_weights",
                    "G_b: a number for each time, or a matrix row by row for each", Sign::any),
               list("remaining",
                    "G_inf, a number or a matrix row by row; left out: what the branches leave "
                    "of 1",
                    Sign::any),
               list("spectrum", "c, tau_1 and tau_2 of Fung's relaxation spectrum, instead",
                    Sign::positive),
               list("initial_response",
                    "E that was held for a long time before the start; left out: none", Sign::any),
               Field{.name = "energy",
                     .kind = FieldKind::formula,
                     .dimension = core::dimension::energy,
                     .description = "what is booked as stored, a formula of the coordinates; left "
                                    "out: nothing",
                     .optional = true}},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = fung_laws};
}

}  // namespace trammel::model
