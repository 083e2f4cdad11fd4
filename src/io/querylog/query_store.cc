#include "io/querylog/query_store.h"

#include <algorithm>
#include <utility>

#include "base/memory.h"

namespace thicket {

namespace {

// A megabyte of words.
constexpr size_t kBlockWords = size_t{1} << 18;
// User, line, hash; the number of terms and the time share two words.
constexpr size_t kHeaderWords = 5;
constexpr int kTimeBits = 40;

}  // namespace

bool LoggedQuery::IsSameAs(const LoggedQuery& other) const {
  return time == other.time && text_hash == other.text_hash && terms.size() == other.terms.size() &&
         std::equal(terms.begin(), terms.end(), other.terms.begin());
}

void QueryStore::Add(const LoggedQuery& query, bool first_of_user) {
  in_order_ = in_order_ && (first_of_user || size_ == 0 ||
                            (query.user == last_user_ && query.time >= last_time_));
  last_user_ = query.user;
  last_time_ = query.time;
  ++size_;
  term_count_ += query.terms.size();
  const size_t words = kHeaderWords + query.terms.size();
  if (blocks_.empty() || blocks_.back().size - blocks_.back().used < words) {
    const size_t size = std::max(kBlockWords, words);
    blocks_.push_back({std::make_unique_for_overwrite<uint32_t[]>(size), 0, size});
  }
  Block& block = blocks_.back();
  uint32_t* out = block.words.get() + block.used;
  const uint64_t packed = static_cast<uint64_t>(query.time) << (64 - kTimeBits) |
                          static_cast<uint64_t>(query.terms.size());
  *out++ = query.user;
  *out++ = query.line;
  *out++ = query.text_hash;
  *out++ = static_cast<uint32_t>(packed);
  *out++ = static_cast<uint32_t>(packed >> 32);
  std::copy(query.terms.begin(), query.terms.end(), out);
  block.used += words;
}

LoggedQuery QueryStore::At(Place place) const {
  const uint32_t* words = blocks_[place.block].words.get() + place.word;
  const uint64_t packed = words[3] | static_cast<uint64_t>(words[4]) << 32;
  return {.user = words[0],
          .time = static_cast<int64_t>(packed) >> (64 - kTimeBits),
          .line = words[1],
          .text_hash = words[2],
          .terms = {words + kHeaderWords, static_cast<size_t>(packed & kMostTerms)}};
}

bool QueryStore::Next(Place& place) const {
  place.word += static_cast<uint32_t>(kHeaderWords + At(place).terms.size());
  if (place.word < blocks_[place.block].used) return true;
  place = {place.block + 1, 0};
  return place.block < blocks_.size();
}

Status QueryStore::ForEachUser(std::span<const uint32_t> users, std::string_view source,
                               Progress& progress, const UseQueries& use) {
  if (size_ == 0) return {};
  THICKET_TRY(in_order_ ? HandOutAsTheyCame(progress, use)
                        : HandOutSorted(users, source, progress, use));
  *this = QueryStore();
  return {};
}

Status QueryStore::HandOutAsTheyCame(Progress& progress, const UseQueries& use) {
  std::vector<LoggedQuery> queries;
  Place place;
  // Blocks before this one are given back.
  uint32_t kept = 0;
  bool more = true;
  while (more) {
    if (progress.cancelled()) return Interrupted();
    queries.clear();
    const uint32_t first_block = place.block;
    const uint32_t user = At(place).user;
    while (more && At(place).user == user) {
      queries.push_back(At(place));
      more = Next(place);
    }
    while (kept < first_block) blocks_[kept++].words.reset();
    THICKET_TRY(use(queries));
    progress.Advance(queries.size());
  }
  return {};
}

Status QueryStore::HandOutSorted(std::span<const uint32_t> users, std::string_view source,
                                 Progress& progress, const UseQueries& use) {
  THICKET_TRY(
      CheckMemory(progress, source, size_ * sizeof(Place) + (users.size() + 1) * sizeof(uint32_t)));
  // A counting sort by user, in the order of the log.
  std::vector<uint32_t> first(users.size() + 1, 0);
  Place place;
  for (bool more = true; more; more = Next(place)) {
    if (place.word == 0 && progress.cancelled()) return Interrupted();
    ++first[At(place).user + 1];
  }
  for (size_t user = 0; user + 1 < first.size(); ++user) first[user + 1] += first[user];
  std::vector<Place> places(size_);
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  place = {};
  for (bool more = true; more; more = Next(place)) {
    if (place.word == 0 && progress.cancelled()) return Interrupted();
    places[next[At(place).user]++] = place;
  }
  std::vector<LoggedQuery> queries;
  for (const uint32_t user : users) {
    if (progress.cancelled()) return Interrupted();
    queries.clear();
    for (uint32_t i = first[user]; i < first[user + 1]; ++i) queries.push_back(At(places[i]));
    std::sort(queries.begin(), queries.end(), [](const LoggedQuery& a, const LoggedQuery& b) {
      return a.time != b.time ? a.time < b.time : a.line < b.line;
    });
    THICKET_TRY(use(queries));
    progress.Advance(queries.size());
  }
  return {};
}

}  // namespace thicket
