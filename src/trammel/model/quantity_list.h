// What a model can tell, part after part. Large models can tell tens of millions of numbers, of
// which people want a few: the names of parts that nobody asks for are counted and not made.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "trammel/model/force.h"

namespace trammel::model {

enum class PartKind { body, amplitudes, joint, force, element, connection, formula };

/// Whether the quantities of a part are wanted, by its kind and by what all their names begin with.
using PartFilter = std::function<bool(PartKind kind, std::string_view name)>;

/// A quantity and its number among all that the model can tell.
struct Observable {
  std::size_t number = 0;
  Quantity quantity;
};

/// Those that were asked for.
struct ObservableChoice {
  std::vector<Observable> chosen;
  std::size_t total = 0;  ///< of the whole model
};

/// Without their numbers.
std::vector<Quantity> quantities_of(ObservableChoice choice);

class QuantityList {
 public:
  /// `wanted` must live as long; an empty one wants everything.
  explicit QuantityList(const PartFilter& wanted) : wanted_(wanted) {}

  /// What follows belongs to this part. False: nobody wants it, and it is only counted.
  bool begin(PartKind kind, std::string_view name) {
    telling_ = !wanted_ || wanted_(kind, name);
    return telling_;
  }
  /// The pieces together are the name.
  void add(std::initializer_list<std::string_view> name,
           std::string_view unit,
           std::string_view frame,
           std::string_view description);
  /// "owner.name.x", "owner.name.y" ...; `name` begins with its dot.
  void add_components(std::string_view owner,
                      std::string_view name,
                      int count,
                      std::string_view unit,
                      std::string_view frame,
                      std::string_view description);
  /// Both texts of `before`, the owner and what divides, come before their names.
  void add_all(const std::vector<Quantity>& quantities,
               std::array<std::string_view, 2> before = {});
  void count(std::size_t quantities) { choice_.total += quantities; }

  ObservableChoice take() { return std::move(choice_); }

 private:
  const PartFilter& wanted_;
  ObservableChoice choice_;
  bool telling_ = true;
};

}  // namespace trammel::model
