#include "trammel/linear/body_group.h"

#include <algorithm>
#include <array>

namespace trammel::linear {
namespace {

std::size_t place(int i) {
  return static_cast<std::size_t>(i);
}

int block_size(const KktPattern& pattern, int block) {
  return pattern.block_start[place(block) + 1] - pattern.block_start[place(block)];
}

}  // namespace

BodyGroup::BodyGroup(const KktPattern& whole, const std::vector<int>& blocks, bool coupled) {
  int velocities = 0;
  std::vector<int> block_of;  // of each unknown
  for (const int block : blocks) {
    const int first = whole.block_start[place(block)];
    if (first < whole.velocities) velocities += block_size(whole, block);
    for (int i = 0; i < block_size(whole, block); ++i) {
      unknowns_.push_back(first + i);
      block_of.push_back(block);
    }
  }
  const int size = static_cast<int>(unknowns_.size());
  system::KktPatternBuilder builder(velocities, size - velocities);
  int start = 0;
  for (const int block : blocks) {
    builder.add_block(start, block_size(whole, block));
    start += block_size(whole, block);
  }
  const auto visit = [&](const auto& each) {
    for (int column = 0; column < size; ++column) {
      const auto c = place(unknowns_[place(column)]);
      for (int k = whole.column_start[c]; k < whole.column_start[c + 1]; ++k) {
        const int row = local(whole.row[place(k)]);
        if (row < 0) continue;
        const bool tangent = row < velocities && column < velocities;
        if (tangent && !coupled && block_of[place(row)] != block_of[place(column)]) continue;
        each(row, column, k);
      }
    }
  };
  visit([&](int row, int column, int) { builder.add(row, column); });
  pattern_ = std::make_shared<const KktPattern>(builder.build());
  matrix_ = std::make_unique<KktMatrix>(pattern_);
  source_.resize(place(pattern_->entries()));
  visit([&](int row, int column, int k) { source_[place(pattern_->find(row, column))] = k; });
  solver_.analyse(pattern_);
  work_.setZero(size);
  find_components();
}

int BodyGroup::local(int unknown) const {
  const auto found = std::lower_bound(unknowns_.begin(), unknowns_.end(), unknown);
  return found != unknowns_.end() && *found == unknown ? static_cast<int>(found - unknowns_.begin())
                                                       : -1;
}

bool BodyGroup::holds(int row, int column) const {
  return pattern_->find(local(row), local(column)) >= 0;
}

// Parts of the group that nothing couples.
void BodyGroup::find_components() {
  const int size = pattern_->size();
  component_.resize(place(size));
  for (int i = 0; i < size; ++i) component_[place(i)] = i;
  const auto root = [&](int i) {
    while (component_[place(i)] != i) {
      component_[place(i)] = component_[place(component_[place(i)])];
      i = component_[place(i)];
    }
    return i;
  };
  for (int column = 0; column < size; ++column) {
    for (int k = pattern_->column_start[place(column)];
         k < pattern_->column_start[place(column) + 1]; ++k) {
      component_[place(root(pattern_->row[place(k)]))] = root(column);
    }
  }
  for (int i = 0; i < size; ++i) component_[place(i)] = root(i);
}

void BodyGroup::begin_part(int joint, const CutJoint& cut, int slot) {
  Part part;
  part.joint = joint;
  part.first = cut.first;
  part.size = cut.size;
  part.slot = slot;
  part.first_entry = static_cast<int>(entries_.size());
  part.last_entry = part.first_entry;
  part.block = static_cast<int>(blocks_.size());
  blocks_.resize(blocks_.size() + place(cut.size * cut.size));
  parts_.push_back(std::move(part));
}

void BodyGroup::add_entry(int row, int unknown, int source) {
  const int column = local(unknown);
  entries_.push_back({column, row, source});
  Part& part = parts_.back();
  ++part.last_entry;
  const int component = component_[place(column)];
  if (std::find(part.components.begin(), part.components.end(), component) ==
      part.components.end()) {
    part.components.push_back(component);
  }
}

void BodyGroup::settle() {
  values_.resize(entries_.size());
  entries_.shrink_to_fit();
  parts_.shrink_to_fit();
  blocks_.shrink_to_fit();
  make_runs();
}

// Parts that meet no common component are solved for at once, the first run that fits.
void BodyGroup::make_runs() {
  std::vector<std::vector<int>> taken(component_.size());  // runs that meet a component
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::size_t run = 0;
    const auto meets = [&](int component) {
      const std::vector<int>& list = taken[place(component)];
      return std::find(list.begin(), list.end(), static_cast<int>(run)) != list.end();
    };
    const std::vector<int>& components = parts_[p].components;
    while (std::any_of(components.begin(), components.end(), meets)) ++run;
    if (run == runs_.size()) runs_.emplace_back();
    runs_[run].push_back(static_cast<int>(p));
    for (const int component : components) {
      taken[place(component)].push_back(static_cast<int>(run));
    }
  }
}

FactorReport BodyGroup::factor(const KktMatrix& whole) {
  for (std::size_t i = 0; i < source_.size(); ++i) {
    matrix_->values[i] = whole.values[place(source_[i])];
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    values_[i] = whole.values[place(entries_[i].source)];
  }
  return solver_.factor(*matrix_);
}

void BodyGroup::restore(KktMatrix& whole) const {
  for (std::size_t i = 0; i < source_.size(); ++i) {
    whole.values[place(source_[i])] = matrix_->values[i];
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    whole.values[place(entries_[i].source)] = values_[i];
  }
}

void BodyGroup::load(const Vector& whole) {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    work_[static_cast<Eigen::Index>(i)] = whole[unknowns_[i]];
  }
}

void BodyGroup::store(Vector& whole) const {
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    whole[unknowns_[i]] = work_[static_cast<Eigen::Index>(i)];
  }
}

void BodyGroup::add_reactions(double share, const Vector& y) {
  for (const Part& part : parts_) {
    for (int e = part.first_entry; e < part.last_entry; ++e) {
      const Entry& entry = entries_[place(e)];
      work_[entry.column] += share * values_[place(e)] * y[part.first + entry.row];
    }
  }
}

void BodyGroup::product(const Part& part, double* rows) const {
  std::fill_n(rows, part.size, 0.0);
  for (int e = part.first_entry; e < part.last_entry; ++e) {
    const Entry& entry = entries_[place(e)];
    rows[entry.row] += values_[place(e)] * work_[entry.column];
  }
}

void BodyGroup::put_rows(Vector& slots) const {
  for (const Part& part : parts_) product(part, slots.data() + part.slot);
}

void BodyGroup::load_row(const Part& part, int row) {
  for (int e = part.first_entry; e < part.last_entry; ++e) {
    const Entry& entry = entries_[place(e)];
    if (entry.row == row) work_[entry.column] = values_[place(e)];
  }
}

void BodyGroup::make_blocks() {
  for (const std::vector<int>& run : runs_) {
    int rows = 0;
    for (const int p : run) rows = std::max(rows, parts_[place(p)].size);
    for (int row = 0; row < rows; ++row) {
      clear();
      for (const int p : run) load_row(parts_[place(p)], row);
      solve();
      for (const int p : run) {
        const Part& part = parts_[place(p)];
        if (row < part.size) product(part, blocks_.data() + part.block + row * part.size);
      }
    }
  }
}

void BodyGroup::visit_products(const std::function<void(int, int, double)>& add) {
  std::vector<double> rows;
  for (const Part& part : parts_) {
    for (int column = 0; column < part.size; ++column) {
      clear();
      load_row(part, column);
      solve();
      for (const Part& other : parts_) {
        rows.resize(place(other.size));
        product(other, rows.data());
        for (int row = 0; row < other.size; ++row) {
          add(other.first + row, part.first + column, rows[place(row)]);
        }
      }
    }
  }
}

std::size_t BodyGroup::memory_bytes() const {
  return solver_.memory_bytes() + matrix_->values.capacity() * sizeof(double) +
         (unknowns_.capacity() + source_.capacity() + component_.capacity() +
          pattern_->row.capacity() + pattern_->column_start.capacity() +
          pattern_->diagonal.capacity()) *
             sizeof(int) +
         entries_.capacity() * (sizeof(Entry) + sizeof(double)) + parts_.capacity() * sizeof(Part) +
         blocks_.capacity() * sizeof(double) +
         static_cast<std::size_t>(work_.size()) * sizeof(double);
}

}  // namespace trammel::linear
