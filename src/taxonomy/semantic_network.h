// Words and concepts, and which of them are one step apart: how far words are from each other in meaning.
//
// Bags of words are not generalized. A term may be replaced by another one nearby, and what is near is a matter of a
// network such as WordNet's (io/wordnet/wordnet_reader.h): a graph, not a tree. Words and concepts are its places,
// numbered from 0.
//
//   SemanticNetworkBuilder builder;
//   const auto pet = builder.AddConcept();
//   builder.Link(builder.AddWord("dog"), pet);
//   builder.Link(builder.AddWord("cat"), pet);
//   const SemanticNetwork network = std::move(builder).Build();   // "dog" and "cat" are two steps apart
//
// All neighbours stand in one array, words are found by a hash table of places. Section 5.2.1 of Liu 2010.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thicket {

class SemanticNetwork {
 public:
  using Place = uint32_t;

  size_t place_count() const { return first_letter_.size() - 1; }
  size_t word_count() const { return word_count_; }
  bool IsWord(Place place) const { return first_letter_[place] != first_letter_[place + 1]; }
  // Of a word; empty for a concept. Words of several parts have blanks between them.
  std::string_view word(Place place) const {
    return std::string_view(letters_).substr(first_letter_[place],
                                             first_letter_[place + 1] - first_letter_[place]);
  }
  // Exactly this word; words are in lower case.
  std::optional<Place> Find(std::string_view word) const;
  // One step away, ascending.
  std::span<const Place> Neighbours(Place place) const {
    return std::span<const Place>(neighbours_)
        .subspan(first_neighbour_[place], first_neighbour_[place + 1] - first_neighbour_[place]);
  }
  // Irregular forms and the base form of each: "children" -> "child". A base form may be no word of the network.
  const std::unordered_map<std::string, std::string>& exceptions() const { return exceptions_; }

 private:
  friend class SemanticNetworkBuilder;

  // The place of a word, or of the empty slot where the word would stand.
  size_t SlotOf(std::string_view word) const;

  std::string letters_;
  std::vector<uint32_t> first_letter_ = {0};
  size_t word_count_ = 0;
  // Places of words, at the slot of their hash or behind it; kEmpty elsewhere. A power of two of them, at most half
  // full.
  static constexpr Place kEmpty = ~Place{0};
  std::vector<Place> slots_ = {kEmpty, kEmpty};
  std::vector<uint32_t> first_neighbour_ = {0};
  std::vector<Place> neighbours_;
  std::unordered_map<std::string, std::string> exceptions_;
};

// Collects the places of a SemanticNetwork. Knows nothing of files: what can be wrong with one is checked where it is
// read.
class SemanticNetworkBuilder {
 public:
  using Place = SemanticNetwork::Place;

  size_t place_count() const { return network_.place_count(); }
  Place AddConcept();
  // The place of the word, which must not be empty; the same place if the word was there before.
  Place AddWord(std::string_view word);
  // One step, in either direction. To link two places twice, or a place with itself, changes nothing.
  void Link(Place a, Place b);
  // The first base form of a form counts.
  void AddException(std::string form, std::string base);

  SemanticNetwork Build() &&;

 private:
  void GrowSlots();

  SemanticNetwork network_;
  std::vector<std::pair<Place, Place>> links_;
};

// By Recoding::file.
using NetworkFiles = std::map<std::string, std::shared_ptr<const SemanticNetwork>>;

}  // namespace thicket
