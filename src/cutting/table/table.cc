#include "cutting/table/table.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace thicket {

namespace {

// The numbers of rows of `width` codes each: equal rows have equal numbers, which follow the rows' order.
struct RowNumbers {
  std::vector<uint32_t> number_of_row;
  // By number: a row that has it.
  std::vector<uint32_t> first_row;
};

// Puts rows in the order of a column's codes, and leaves those with the same code in the order in which they are.
void SortByColumn(const std::vector<uint32_t>& codes, size_t width, size_t column,
                  std::vector<uint32_t>& order) {
  uint32_t least = ~uint32_t{0};
  uint32_t most = 0;
  for (size_t at = column; at < codes.size(); at += width) {
    least = std::min(least, codes[at]);
    most = std::max(most, codes[at]);
  }
  if (least >= most) return;
  // Digits of sixteen bits, the lowest first: one of them, as a rule.
  constexpr uint32_t kBits = 16;
  std::vector<uint32_t> sorted(order.size());
  std::vector<uint32_t> begin;
  for (uint32_t shift = 0; shift < 32 && ((most - least) >> shift) > 0; shift += kBits) {
    const auto digit = [&](uint32_t row) {
      return ((codes[size_t{row} * width + column] - least) >> shift) & ((1U << kBits) - 1);
    };
    begin.assign(std::min((most - least) >> shift, (1U << kBits) - 1) + 2, 0);
    for (const uint32_t row : order) ++begin[digit(row) + 1];
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const uint32_t row : order) sorted[begin[digit(row)]++] = row;
    order.swap(sorted);
  }
}

RowNumbers NumberRows(const std::vector<uint32_t>& codes, size_t width, size_t rows) {
  const auto row = [&](uint32_t number) {
    return std::span(codes.data() + size_t{number} * width, width);
  };
  std::vector<uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  for (size_t column = width; column-- > 0;) SortByColumn(codes, width, column, order);
  RowNumbers numbers;
  numbers.number_of_row.resize(rows);
  for (size_t i = 0; i < rows; ++i) {
    if (i == 0 ||
        !std::equal(row(order[i]).begin(), row(order[i]).end(), row(order[i - 1]).begin())) {
      numbers.first_row.push_back(order[i]);
    }
    numbers.number_of_row[order[i]] = static_cast<uint32_t>(numbers.first_row.size() - 1);
  }
  return numbers;
}

}  // namespace

Table::Table(const TableColumns& columns) {
  AddItems(columns);
  FindKinds(columns);
  FindCells(columns);
  CountCells();
}

void Table::AddItems(const TableColumns& columns) {
  forest_ = ItemForest(columns.parents);
  for (const TableColumns::Quasi& quasi : columns.quasi) first_item_.push_back(quasi.first);
  first_item_.push_back(static_cast<Item>(forest_.size()));
  for (size_t quasi = 0; quasi < columns.quasi.size(); ++quasi) {
    quasi_of_.resize(first_item_[quasi + 1], static_cast<uint32_t>(quasi));
  }
  leaves_.resize(forest_.size(), 0);
  occurrences_.resize(forest_.size(), 0);
  for (const TableColumns::Quasi& quasi : columns.quasi) {
    for (const Item leaf : quasi.leaves) ++occurrences_[leaf];
  }
  for (auto item = static_cast<Item>(forest_.size()); item-- > 0;) {
    if (forest_.is_leaf(item)) leaves_[item] = 1;
    if (forest_.is_root(item)) continue;
    leaves_[forest_.parent(item)] += leaves_[item];
    occurrences_[forest_.parent(item)] += occurrences_[item];
  }
}

void Table::FindKinds(const TableColumns& columns) {
  const size_t attributes = columns.sensitive.size();
  const size_t width = attributes + 1;
  std::vector<uint32_t> codes(columns.record_count * width, 0);
  for (size_t attribute = 0; attribute < attributes; ++attribute) {
    const TableColumns::Sensitive& sensitive = columns.sensitive[attribute];
    for (size_t record = 0; record < columns.record_count; ++record) {
      codes[record * width + attribute] = first_value_.back() + sensitive.values[record];
    }
    first_value_.push_back(first_value_.back() + sensitive.value_count);
  }
  has_labels_ = !columns.labels.empty();
  for (size_t record = 0; record < columns.labels.size(); ++record) {
    codes[record * width + attributes] = columns.labels[record];
    label_count_ = std::max(label_count_, columns.labels[record] + 1);
  }
  value_occurrences_.resize(value_count(), 0);
  for (size_t record = 0; record < columns.record_count; ++record) {
    for (size_t a = 0; a < attributes; ++a) ++value_occurrences_[codes[record * width + a]];
  }
  RowNumbers kinds = NumberRows(codes, width, columns.record_count);
  for (const uint32_t record : kinds.first_row) {
    const uint32_t* code = codes.data() + record * width;
    values_of_kind_.insert(values_of_kind_.end(), code, code + attributes);
    label_of_kind_.push_back(code[attributes]);
  }
  kind_of_record_ = std::move(kinds.number_of_row);
}

void Table::FindCells(const TableColumns& columns) {
  const size_t width = columns.quasi.size();
  std::vector<uint32_t> codes(columns.record_count * width);
  for (size_t quasi = 0; quasi < width; ++quasi) {
    for (size_t record = 0; record < columns.record_count; ++record) {
      codes[record * width + quasi] = columns.quasi[quasi].leaves[record];
    }
  }
  RowNumbers cells = NumberRows(codes, width, columns.record_count);
  cell_size_.resize(cells.first_row.size(), 0);
  for (const uint32_t record : cells.first_row) {
    const uint32_t* code = codes.data() + record * width;
    cell_items_.insert(cell_items_.end(), code, code + width);
  }
  cell_of_record_ = std::move(cells.number_of_row);
}

void Table::CountCells() {
  for (const uint32_t cell : cell_of_record_) ++cell_size_[cell];
  // The kinds of each cell, then each once, with its count.
  std::vector<uint32_t> next(cell_count() + 1, 0);
  for (size_t cell = 0; cell < cell_count(); ++cell) next[cell + 1] = next[cell] + cell_size_[cell];
  std::vector<uint32_t> kinds(record_count());
  for (size_t record = 0; record < record_count(); ++record) {
    kinds[next[cell_of_record_[record]]++] = kind_of_record_[record];
  }
  size_t end = 0;
  for (size_t cell = 0; cell < cell_count(); ++cell) {
    const size_t begin = end;
    end += cell_size_[cell];
    std::sort(kinds.begin() + static_cast<ptrdiff_t>(begin),
              kinds.begin() + static_cast<ptrdiff_t>(end));
    for (size_t i = begin; i < end; ++i) {
      if (i > begin && kinds[i] == kinds[i - 1]) {
        ++kinds_.back().count;
      } else {
        kinds_.push_back({kinds[i], 1});
      }
    }
    first_kind_.push_back(static_cast<uint32_t>(kinds_.size()));
  }
}

uint32_t Table::attribute_of(uint32_t value) const {
  const auto above = std::upper_bound(first_value_.begin(), first_value_.end(), value);
  return static_cast<uint32_t>(above - first_value_.begin() - 1);
}

}  // namespace thicket
