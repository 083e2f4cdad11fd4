#include "record/dictionary.h"

#include <algorithm>
#include <functional>

#include "base/same_text.h"

namespace thicket {

namespace {

constexpr size_t kFirstChunk = 128;
constexpr size_t kLargestChunk = size_t{1} << 16;

size_t HashOf(ValueKind kind, std::string_view text) {
  return std::hash<std::string_view>()(text) ^ (static_cast<size_t>(kind) * 0x9e3779b97f4a7c15ULL);
}

}  // namespace

Dictionary::Dictionary() : entries_{{0, 0, 0, ValueKind::kNone}}, chunks_(1), table_(16, 0) {
  chunks_.front().reserve(kFirstChunk);
}

Symbol Dictionary::Intern(ValueKind kind, std::string_view text) {
  if (kind == ValueKind::kNone) return kMissing;
  const size_t mask = table_.size() - 1;
  size_t place = HashOf(kind, text) & mask;
  while (table_[place] != 0) {
    const Symbol symbol = table_[place];
    if (entries_[symbol].kind == kind && SameText(this->text(symbol), text)) return symbol;
    place = (place + 1) & mask;
  }
  if (chunks_.back().size() + text.size() > chunks_.back().capacity()) {
    // A chunk never grows past its reservation, so texts stay where they are. The first ones are small, since most
    // attributes have few values.
    chunks_.emplace_back();
    const size_t doubled = kFirstChunk << std::min<size_t>(chunks_.size(), 16);
    chunks_.back().reserve(std::max(text.size(), std::min(kLargestChunk, doubled)));
  }
  std::string& chunk = chunks_.back();
  const auto symbol = static_cast<Symbol>(entries_.size());
  entries_.push_back({static_cast<uint32_t>(chunks_.size() - 1),
                      static_cast<uint32_t>(chunk.size()), static_cast<uint32_t>(text.size()),
                      kind});
  chunk.append(text);
  table_[place] = symbol;
  if (entries_.size() * 3 > table_.size() * 2) Grow();
  return symbol;
}

void Dictionary::Grow() {
  table_.assign(table_.size() * 2, 0);
  const size_t mask = table_.size() - 1;
  for (Symbol symbol = 1; symbol < entries_.size(); ++symbol) {
    size_t place = HashOf(entries_[symbol].kind, text(symbol)) & mask;
    while (table_[place] != 0) place = (place + 1) & mask;
    table_[place] = symbol;
  }
}

}  // namespace thicket
