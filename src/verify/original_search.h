// Proposes, for groups of equal published records, the groups of equal originals that may stand behind them: one after the other, as
// many as somebody asks for.
//
//   OriginalSearch<Embedding> search(schema, published, original, askers, things, cover);
//   search.At(asker, 0);          // a group of originals, or kNoThing if none fits
//   search.At(asker, 1);          // another one
//
// Cover is Embedding, PathCover or SetCover. An original must hold something for every value of a published record, and where vertices stay what they
// are, something for all values of a vertex together. Who does is a bitmap over the originals for everything that is shown, and the originals stand in the order
// of their roots' values: of what few roots have, a few words of the bitmap are not empty. So a search goes over the words of the rarest
// that a record shows, leaves of each word what all else that it shows leaves, and asks the cover about the rest. The search ends as soon as
// there are as many originals as were asked for, and goes on from there when more are.
//
// O(words of the rarest * vertices) a record, and O(vertices) for each original that is left. Bitmaps that would take too much
// memory are not kept: what has none rules nobody out, and is looked up anew where it is the rarest.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "record/canonical_form.h"
#include "record/dataset.h"
#include "verify/distinct_representatives.h"

namespace thicket {

struct OriginalSearchOptions {
  // Bitmaps are kept while they have at most this many words in all.
  size_t most_words = size_t{1} << 25;
  // Vertices of a class are told apart by all of their values together, if at most so many pairs of published and original vertices have to be held
  // against each other; else by each value for itself.
  size_t most_pairs = size_t{1} << 26;
  // Originals that were found are kept while there are at most this many, and looked for anew beyond.
  size_t most_kept = size_t{1} << 27;
};

// Numbers for vertices of one class and forest, equal where all values are.
class VertexKinds {
 public:
  size_t size() const { return examples_.size(); }
  // A vertex of the kind.
  Vertex example(uint32_t kind) const { return examples_[kind]; }

  void Note(Vertex vertex, const uint32_t* values, size_t slots) {
    uint64_t prefix = values[0];
    for (size_t slot = 1; slot < slots; ++slot) {
      const auto next = static_cast<uint32_t>(slot + 1 < slots ? known_.size() : size());
      const auto [at, added] = known_.emplace(KeyOf(prefix, slot, values[slot]), next);
      if (added && slot + 1 == slots) examples_.push_back(vertex);
      prefix = at->second;
    }
  }
  // The vertex must have been noted, or one with its values.
  uint32_t Find(const uint32_t* values, size_t slots) const {
    uint64_t prefix = values[0];
    for (size_t slot = 1; slot < slots; ++slot) {
      prefix = known_.find(KeyOf(prefix, slot, values[slot]))->second;
    }
    return static_cast<uint32_t>(prefix);
  }

 private:
  struct Key {
    uint32_t prefix;
    uint32_t slot;
    uint32_t value;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      const uint64_t hash =
          ((uint64_t{key.prefix} << 32 | key.value) + key.slot) * 0x9E3779B97F4A7C15u;
      return static_cast<size_t>(hash ^ hash >> 32);
    }
  };
  static Key KeyOf(uint64_t prefix, size_t slot, uint32_t value) {
    return {static_cast<uint32_t>(prefix), static_cast<uint32_t>(slot), value};
  }

  // By the number of the values before, the slot and its value: the number with it; of the last slot, the kind.
  std::unordered_map<Key, uint32_t, Hash> known_;
  std::vector<Vertex> examples_;
};

template <typename Cover>
class OriginalSearch {
 public:
  // Everything must outlive the search.
  OriginalSearch(const Schema& schema, const Dataset& published, const Dataset& original,
                 const RecordGroups& askers, const RecordGroups& things, Cover& cover,
                 const OriginalSearchOptions& options = {})
      : schema_(schema),
        published_(published.forest),
        original_(original.forest),
        askers_(askers),
        things_(things),
        cover_(cover),
        options_(options),
        word_count_((things.size() + 63) / 64),
        found_(askers.size()) {
    SortThings(original);
    BuildIndex(published, original);
  }

  // The group of originals that the search finds for the asker as the one with this number, from 0 on; kNoThing beyond the last.
  uint32_t At(uint32_t asker, size_t number) {
    Found* found = &found_[asker];
    if (found->things.empty() && !found->is_whole && kept_ >= options_.most_kept) {
      found = &scratch_;
      if (scratch_asker_ != asker) {
        scratch_ = Found();
        scratch_asker_ = asker;
      }
    }
    if (number >= found->things.size() && !found->is_whole) {
      const size_t before = found->things.size();
      // Who asks for more than a few is likely to go on.
      Search(asker, std::max(number + 1, 2 * before), *found);
      if (found != &scratch_) kept_ += found->things.size() - before;
    }
    return number < found->things.size() ? found->things[number] : kNoThing;
  }

 private:
  struct Found {
    std::vector<uint32_t> things;
    // How many words of the rarest value have been looked at, and whether that is all of them.
    uint32_t words = 0;
    bool is_whole = false;
  };
  // Who holds something that a published value, or vertex, may stand for.
  struct Holders {
    static constexpr uint64_t kUnknown = ~uint64_t{0};
    // An original counts for every such thing.
    uint64_t count = kUnknown;
    // The bitmap, empty if it is not kept; and its words that are not empty.
    std::vector<uint64_t> bits;
    std::vector<uint32_t> words;
  };
  // What is looked at of the vertices of a class: one slot, or all of them together.
  struct Feature {
    static constexpr size_t kAllSlots = ~size_t{0};
    size_t slot = kAllSlots;
    // Of all slots together: a vertex with each combination of values.
    VertexKinds published_kinds;
    VertexKinds original_kinds;
    // By symbol of the original, or kind of its vertices: the places of the originals that have it somewhere, ascending.
    std::vector<std::vector<uint32_t>> places;
    // By symbol of the published data, or kind of its vertices.
    std::vector<Holders> holders;
  };
  // What a published record shows.
  struct Shown {
    uint64_t count;
    Holders* holders;
    ClassId id;
    uint32_t feature;
    uint32_t value;

    friend bool operator<(const Shown& a, const Shown& b) {
      if (a.count != b.count) return a.count < b.count;
      if (a.id != b.id) return a.id < b.id;
      return a.feature != b.feature ? a.feature < b.feature : a.value < b.value;
    }
  };

  // The order of the originals: by the values of their roots, by those first of which there are most and that stay as they are.
  void SortThings(const Dataset& original) {
    const VertexClass& root = schema_.classes[0];
    std::vector<size_t> slots(root.value_count());
    std::iota(slots.begin(), slots.end(), size_t{0});
    const auto different = [&](size_t slot) { return original.dictionaries[0][slot].size(); };
    std::sort(slots.begin(), slots.end(), [&](size_t a, size_t b) {
      const bool a_stays = a >= root.quasi.size();
      const bool b_stays = b >= root.quasi.size();
      if (a_stays != b_stays) return a_stays;
      return different(a) != different(b) ? different(a) > different(b) : a < b;
    });
    place_to_thing_.resize(things_.size());
    std::iota(place_to_thing_.begin(), place_to_thing_.end(), 0U);
    std::sort(place_to_thing_.begin(), place_to_thing_.end(), [&](uint32_t a, uint32_t b) {
      const Vertex root_a = original_.root(things_.member(a, 0));
      const Vertex root_b = original_.root(things_.member(b, 0));
      for (const size_t slot : slots) {
        const Symbol value_a = original_.value(root_a, slot);
        const Symbol value_b = original_.value(root_b, slot);
        if (value_a != value_b) return value_a < value_b;
      }
      return a < b;
    });
  }

  // Whether the vertices of a class, but for roots, can be told apart by all values together: notes their kinds.
  bool ListKinds(ClassId id, Feature& all) {
    if (id == 0 || !Cover::kVerticesStay || schema_.classes[id].value_count() < 2) return false;
    const size_t slots = schema_.classes[id].value_count();
    const auto list = [&](const Forest& forest, const RecordGroups& groups, size_t most,
                          VertexKinds& kinds) {
      for (size_t group = 0; group < groups.size() && kinds.size() <= most; ++group) {
        StopPoint();
        const RecordId record = groups.member(group, 0);
        for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
          if (forest.class_of(v) == id) kinds.Note(v, forest.values(v), slots);
        }
      }
    };
    list(original_, things_, options_.most_pairs, all.original_kinds);
    if (all.original_kinds.size() == 0) return false;
    const size_t most = options_.most_pairs / all.original_kinds.size();
    list(published_, askers_, most, all.published_kinds);
    return all.published_kinds.size() <= most;
  }

  void BuildIndex(const Dataset& published, const Dataset& original) {
    features_.resize(schema_.classes.size());
    const auto classes = static_cast<ClassId>(features_.size());
    for (ClassId id = 0; id < classes; ++id) {
      Feature all;
      if (ListKinds(id, all)) {
        all.places.resize(all.original_kinds.size());
        all.holders.resize(all.published_kinds.size());
        features_[id].push_back(std::move(all));
        continue;
      }
      for (size_t slot = 0; slot < schema_.classes[id].value_count(); ++slot) {
        Feature one;
        one.slot = slot;
        one.places.resize(original.dictionaries[id][slot].size());
        one.holders.resize(published.dictionaries[id][slot].size());
        features_[id].push_back(std::move(one));
      }
    }
    for (uint32_t place = 0; place < place_to_thing_.size(); ++place) {
      StopPoint();
      const RecordId record = things_.member(place_to_thing_[place], 0);
      for (Vertex v = original_.root(record); v < original_.root(record + 1); ++v) {
        for (Feature& feature : features_[original_.class_of(v)]) {
          std::vector<uint32_t>& places =
              feature.places[ValueOf(original_, v, feature, feature.original_kinds)];
          if (places.empty() || places.back() != place) places.push_back(place);
        }
      }
    }
  }

  // The symbol, or the kind of the vertex.
  uint32_t ValueOf(const Forest& forest, Vertex vertex, const Feature& feature,
                   const VertexKinds& kinds) const {
    if (feature.slot != Feature::kAllSlots) return forest.value(vertex, feature.slot);
    return kinds.Find(forest.values(vertex),
                      schema_.classes[forest.class_of(vertex)].value_count());
  }

  // Calls `use` with the places of originals for each symbol, or kind, that a published one may stand for.
  template <typename Use>
  void ForEachFitting(ClassId id, const Feature& feature, uint32_t value, const Use& use) const {
    if (feature.slot != Feature::kAllSlots) {
      cover_.ForEachFitting(id, feature.slot, value,
                            [&](Symbol fitting) { use(feature.places[fitting]); });
      return;
    }
    const uint32_t* const labels = published_.values(feature.published_kinds.example(value));
    for (uint32_t kind = 0; kind < feature.places.size(); ++kind) {
      const uint32_t* const values = original_.values(feature.original_kinds.example(kind));
      bool fits = true;
      for (size_t slot = 0; slot < schema_.classes[id].value_count() && fits; ++slot) {
        fits = cover_.Fits(id, slot, labels[slot], values[slot]);
      }
      if (fits) use(feature.places[kind]);
    }
  }

  Holders& HoldersOf(ClassId id, Feature& feature, uint32_t value) {
    Holders& holders = feature.holders[value];
    if (holders.count != Holders::kUnknown) return holders;
    StopPoint();
    holders.count = 0;
    ForEachFitting(id, feature, value,
                   [&](const std::vector<uint32_t>& places) { holders.count += places.size(); });
    if (words_kept_ + word_count_ <= options_.most_words) {
      words_kept_ += word_count_;
      Fill(id, feature, value, holders);
    }
    return holders;
  }

  // Makes the bitmap.
  void Fill(ClassId id, const Feature& feature, uint32_t value, Holders& holders) const {
    holders.bits.resize(word_count_, 0);
    for (const uint32_t word : holders.words) holders.bits[word] = 0;
    holders.words.clear();
    ForEachFitting(id, feature, value, [&](const std::vector<uint32_t>& places) {
      StopPoint();
      for (const uint32_t place : places) {
        uint64_t& word = holders.bits[place / 64];
        if (word == 0) holders.words.push_back(place / 64);
        word |= uint64_t{1} << (place % 64);
      }
    });
    std::sort(holders.words.begin(), holders.words.end());
  }

  // What a record shows, the rarest first.
  void ListShown(RecordId record) {
    shown_.clear();
    for (Vertex v = published_.root(record); v < published_.root(record + 1); ++v) {
      const ClassId id = published_.class_of(v);
      for (uint32_t i = 0; i < features_[id].size(); ++i) {
        Feature& feature = features_[id][i];
        const uint32_t value = ValueOf(published_, v, feature, feature.published_kinds);
        if (feature.slot != Feature::kAllSlots && !Cover::Says(value)) continue;
        Holders& holders = HoldersOf(id, feature, value);
        shown_.push_back({holders.count, &holders, id, i, value});
      }
    }
    std::sort(shown_.begin(), shown_.end());
  }

  // Goes on with the search until there are `most` originals, or no more.
  void Search(uint32_t asker, size_t most, Found& found) {
    const RecordId record = askers_.member(asker, 0);
    const Vertex root = published_.root(record);
    ListShown(record);
    const std::vector<uint32_t>* words = nullptr;
    filters_.clear();
    if (!shown_.empty() && shown_.front().holders->bits.empty()) {
      const Shown& first = shown_.front();
      Fill(first.id, features_[first.id][first.feature], first.value, scratch_holders_);
      words = &scratch_holders_.words;
      filters_.push_back(scratch_holders_.bits.data());
    }
    for (size_t i = 0; i < shown_.size(); ++i) {
      const Holders& holders = *shown_[i].holders;
      if (holders.bits.empty() || (i > 0 && shown_[i - 1].holders == &holders)) continue;
      filters_.push_back(holders.bits.data());
      if (words == nullptr || holders.words.size() < words->size()) words = &holders.words;
    }
    const size_t count = words != nullptr ? words->size() : word_count_;
    for (; found.words < count && found.things.size() < most; ++found.words) {
      StopPoint();
      const uint32_t at = words != nullptr ? (*words)[found.words] : found.words;
      uint64_t bits = ~uint64_t{0};
      for (const uint64_t* const filter : filters_) {
        bits &= filter[at];
        if (bits == 0) break;
      }
      for (; bits != 0; bits &= bits - 1) {
        const size_t place = size_t{at} * 64 + static_cast<size_t>(std::countr_zero(bits));
        if (place >= place_to_thing_.size()) break;
        const uint32_t thing = place_to_thing_[place];
        if (cover_.Embeds(root, original_.root(things_.member(thing, 0)))) {
          found.things.push_back(thing);
        }
      }
    }
    found.is_whole = found.words == count;
  }

  const Schema& schema_;
  const Forest& published_;
  const Forest& original_;
  const RecordGroups& askers_;
  const RecordGroups& things_;
  Cover& cover_;
  const OriginalSearchOptions options_;
  const size_t word_count_;
  // Places of the originals' groups in the order of their roots.
  std::vector<uint32_t> place_to_thing_;
  // By class.
  std::vector<std::vector<Feature>> features_;
  size_t words_kept_ = 0;
  Holders scratch_holders_;
  std::vector<Shown> shown_;
  std::vector<const uint64_t*> filters_;
  // By asker.
  std::vector<Found> found_;
  size_t kept_ = 0;
  Found scratch_;
  uint32_t scratch_asker_ = kNoThing;
};

}  // namespace thicket
