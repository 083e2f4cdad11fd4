#include "io/id_set.h"

#include <cstring>
#include <utility>

#include "base/random.h"

namespace thicket {

namespace {

__extension__ using Wide = unsigned __int128;

uint64_t MultiplyFold(uint64_t a, uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

IdSet::IdSet() : key_{}, table_(64) {
  Random random = Random::Secure();
  for (uint64_t& word : key_) word = random.Next() | 1;
}

IdSet::Entry IdSet::Hash(std::string_view id) const {
  Entry hash;
  hash.low = key_[0] ^ id.size();
  hash.high = key_[1] + id.size();
  const auto mix = [&](uint64_t word) {
    hash.low = MultiplyFold(hash.low ^ word, key_[2]) + word;
    hash.high = MultiplyFold(hash.high + word, key_[3]) ^ (word << 32 | word >> 32);
  };
  while (!id.empty()) {
    uint64_t word = 0;
    const size_t taken = id.size() < sizeof word ? id.size() : sizeof word;
    std::memcpy(&word, id.data(), taken);
    mix(word);
    id.remove_prefix(taken);
  }
  mix(key_[0]);
  mix(key_[1]);
  return hash;
}

size_t IdSet::Locate(const Entry& entry) const {
  const size_t mask = table_.size() - 1;
  size_t at = entry.low & mask;
  while (table_[at].place != 0 && (table_[at].low != entry.low || table_[at].high != entry.high)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::optional<uint32_t> IdSet::Add(std::string_view id, uint32_t place) {
  Entry entry = Hash(id);
  const size_t at = Locate(entry);
  if (table_[at].place != 0) return table_[at].place;
  entry.place = place;
  table_[at] = entry;
  if (++count_ * 3 > table_.size() * 2) Grow();
  return std::nullopt;
}

std::optional<uint32_t> IdSet::Find(std::string_view id) const {
  const uint32_t place = table_[Locate(Hash(id))].place;
  if (place == 0) return std::nullopt;
  return place;
}

void IdSet::Grow() {
  std::vector<Entry> old(table_.size() * 2);
  std::swap(old, table_);
  for (const Entry& entry : old) {
    if (entry.place == 0) continue;
    table_[Locate(entry)] = entry;
  }
}

}  // namespace thicket
