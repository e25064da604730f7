// A constraint row by which two parts press (or pull) on each other, and what it is when one-sided.
//
// With side = +1 parts may part where g > 0 (profiles, planes), with side = -1 where g < 0 (ropes):
//
//     gap = side g >= 0,    load = -side lambda >= 0,    gap * load = 0        (unilateral rows)
//
// The model evaluates the row as if it always held. Which unilateral rows hold at a time is the
// business of whoever marches in time: see analysis/unilateral_model.h.
#pragma once

#include <optional>
#include <vector>

#include "trammel/model/field.h"

namespace trammel::model {

struct ContactRow {
  int row = 0;        ///< among the holonomic rows of its joint; in a mechanism, among all rows
  double side = 1.0;  ///< +1 or -1
  bool unilateral = false;
  bool starts_open = false;  ///< the parts are described apart and stay so until they meet

  double gap(double g) const { return side * g; }
  double load(double lambda) const { return -side * lambda; }
};

/// `unilateral` and `starts_open`.
std::vector<Field> unilateral_fields();
/// The fields with those of unilateral rows after them.
std::vector<Field> with_unilateral_fields(std::vector<Field> fields);

/// The contact of values with these fields.
ContactRow contact_row(const Values& values, int row, double side);
/// The same for rows that are a contact only where they are unilateral; else none.
std::optional<ContactRow> unilateral_row(const Values& values, int row, double side);

}  // namespace trammel::model
