#include "trammel/model/contact_row.h"

#include <utility>

#include "trammel/core/diagnostic.h"

namespace trammel::model {

std::vector<Field> unilateral_fields() {
  return {Field{.name = "unilateral",
                .kind = FieldKind::flag,
                .description = "it lets go where its load would change sign, and holds again when "
                               "the gap closes",
                .fallback = false},
          Field{.name = "starts_open",
                .kind = FieldKind::flag,
                .description = "unilateral: described apart, it does not hold at the start",
                .fallback = false}};
}

std::vector<Field> with_unilateral_fields(std::vector<Field> fields) {
  for (Field& field : unilateral_fields()) fields.push_back(std::move(field));
  return fields;
}

ContactRow contact_row(const Values& values, int row, double side) {
  const ContactRow contact{.row = row,
                           .side = side,
                           .unilateral = flag(values, "unilateral"),
                           .starts_open = flag(values, "starts_open")};
  if (contact.starts_open && !contact.unilateral) {
    throw core::InputError("starts_open is set, but the constraint always holds",
                           "set unilateral: true, or leave starts_open out");
  }
  return contact;
}

std::optional<ContactRow> unilateral_row(const Values& values, int row, double side) {
  const ContactRow contact = contact_row(values, row, side);
  return contact.unilateral ? std::optional(contact) : std::nullopt;
}

}  // namespace trammel::model
