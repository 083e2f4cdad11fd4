#include "cutting/table/table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace thicket {

namespace {

// The numbers of rows of codes, which are given column by column: equal rows have equal numbers, which follow the rows' order.
struct RowNumbers {
  std::vector<uint32_t> number_of_row;
  // By number: the first row that has it.
  std::vector<uint32_t> first_row;
};

// A row, and its codes as the digits of one number, those of the first column highest.
struct KeyedRow {
  uint64_t key;
  uint32_t row;
};

// How the codes of each column become digits; none if 64 bits have no room for them.
struct Digits {
  std::vector<uint32_t> least;
  std::vector<int> shift;
  int bits = 0;
};

std::optional<Digits> DigitsOf(std::span<const std::vector<uint32_t>> columns) {
  Digits digits;
  digits.least.resize(columns.size());
  digits.shift.resize(columns.size());
  for (size_t column = columns.size(); column-- > 0;) {
    const auto [least, most] = std::minmax_element(columns[column].begin(), columns[column].end());
    digits.least[column] = *least;
    digits.shift[column] = digits.bits;
    digits.bits += std::bit_width(*most - *least);
    if (digits.bits > 64) return std::nullopt;
  }
  return digits;
}

// Rows in the order of their keys, of equals in their own order.
std::vector<KeyedRow> SortByKeys(std::span<const std::vector<uint32_t>> columns,
                                 const Digits& digits, size_t rows) {
  constexpr int kBits = 11;
  std::vector<KeyedRow> order(rows);
  for (uint32_t row = 0; row < rows; ++row) {
    uint64_t key = 0;
    for (size_t column = 0; column < columns.size(); ++column) {
      // A column whose codes are all the same has no digit.
      const uint64_t digit = columns[column][row] - digits.least[column];
      if (digit > 0) key |= digit << digits.shift[column];
    }
    order[row] = {key, row};
  }
  std::vector<KeyedRow> sorted(rows);
  for (int shift = 0; shift < digits.bits; shift += kBits) {
    const auto digit = [&](const KeyedRow& one) {
      return one.key >> shift & ((uint64_t{1} << kBits) - 1);
    };
    std::array<uint32_t, (1U << kBits) + 1> begin = {};
    for (const KeyedRow& one : order) ++begin[digit(one) + 1];
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const KeyedRow& one : order) sorted[begin[digit(one)]++] = one;
    order.swap(sorted);
  }
  return order;
}

// The same where keys have no room, by comparing.
std::vector<KeyedRow> SortByColumns(std::span<const std::vector<uint32_t>> columns, size_t rows) {
  std::vector<KeyedRow> order(rows);
  for (uint32_t row = 0; row < rows; ++row) order[row] = {0, row};
  const auto is_before = [&](uint32_t a, uint32_t b) {
    for (const std::vector<uint32_t>& column : columns) {
      if (column[a] != column[b]) return column[a] < column[b];
    }
    return false;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const KeyedRow& a, const KeyedRow& b) { return is_before(a.row, b.row); });
  for (size_t i = 1; i < rows; ++i) {
    order[i].key = order[i - 1].key + (is_before(order[i - 1].row, order[i].row) ? 1 : 0);
  }
  return order;
}

RowNumbers NumberRows(std::span<const std::vector<uint32_t>> columns, size_t rows) {
  RowNumbers numbers;
  numbers.number_of_row.resize(rows);
  if (rows == 0) return numbers;
  const std::optional<Digits> digits = DigitsOf(columns);
  const std::vector<KeyedRow> order =
      digits ? SortByKeys(columns, *digits, rows) : SortByColumns(columns, rows);
  for (size_t i = 0; i < rows; ++i) {
    if (i == 0 || order[i].key != order[i - 1].key) numbers.first_row.push_back(order[i].row);
    numbers.number_of_row[order[i].row] = static_cast<uint32_t>(numbers.first_row.size() - 1);
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
  std::vector<std::vector<uint32_t>> codes(attributes + 1);
  for (size_t attribute = 0; attribute < attributes; ++attribute) {
    const TableColumns::Sensitive& sensitive = columns.sensitive[attribute];
    codes[attribute] = sensitive.values;
    for (uint32_t& code : codes[attribute]) code += first_value_.back();
    first_value_.push_back(first_value_.back() + sensitive.value_count);
  }
  has_labels_ = !columns.labels.empty();
  codes[attributes] = columns.labels;
  codes[attributes].resize(columns.record_count, 0);
  for (const uint32_t label : columns.labels) label_count_ = std::max(label_count_, label + 1);
  value_occurrences_.resize(value_count(), 0);
  for (size_t attribute = 0; attribute < attributes; ++attribute) {
    for (const uint32_t value : codes[attribute]) ++value_occurrences_[value];
  }
  RowNumbers kinds = NumberRows(codes, columns.record_count);
  for (const uint32_t record : kinds.first_row) {
    for (size_t attribute = 0; attribute < attributes; ++attribute) {
      values_of_kind_.push_back(codes[attribute][record]);
    }
    label_of_kind_.push_back(codes[attributes][record]);
  }
  kind_of_record_ = std::move(kinds.number_of_row);
}

void Table::FindCells(const TableColumns& columns) {
  std::vector<std::vector<uint32_t>> codes;
  for (const TableColumns::Quasi& quasi : columns.quasi) codes.push_back(quasi.leaves);
  RowNumbers cells = NumberRows(codes, columns.record_count);
  cell_size_.resize(cells.first_row.size(), 0);
  cell_items_.reserve(cells.first_row.size() * codes.size());
  for (const uint32_t record : cells.first_row) {
    for (const std::vector<uint32_t>& column : codes) cell_items_.push_back(column[record]);
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
