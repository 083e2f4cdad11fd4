// Texts that stand for no value, "NA" or "?" (VertexClass::missing): how readers know them, and how they are written.
//
// A text stands for no value where it means the same as one of the policy's (base/fold.h): "na" and " NA" do where the policy
// names NA, and 99.0 where it names 99. Such a value is missing like one that is not there at all, and what is missing is published
// as the first of the texts, however it was written. In published data it must be written in one way, or people who look alike
// could be told apart.
//
//   MissingTexts missing(schema);
//   if (missing.StandsForNone(id, slot, ValueKind::kString, "n/a")) ...
//   WrittenMissing(data).Of(id, slot).text;                  // "NA"
//
// A text that does not begin like one of the policy's is known by its first byte.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/outgoing_value.h"
#include "record/dataset.h"

namespace thicket {

class MissingTexts {
 public:
  explicit MissingTexts(const Schema& schema);

  bool any() const { return !slots_.empty(); }
  // Whether the value stands for none; counts the ways in which such values are written.
  bool StandsForNone(ClassId id, size_t slot, ValueKind kind, std::string_view text);

  // Published data: a finding for each attribute whose missing values are not all written in one way. `merged`: where equal vertices
  // were merged or labels moved, what is missing must be absent.
  void FindDifferences(bool merged, Dataset& data) const;

 private:
  struct Slot {
    std::vector<std::string> meanings;
    // Whether a text may mean one of them that begins with this byte, blanks left out.
    std::array<bool, 256> begins = {};
    bool blank = false;
    // How often each way to write one was met.
    std::map<std::pair<ValueKind, std::string>, uint64_t> ways = {};
  };
  static Slot SlotOf(const std::vector<std::string>& texts);

  // By class and slot; empty if no class has any.
  std::vector<std::vector<Slot>> slots_;
};

// What is written where a value is missing. Nothing where the policy has no text for it, and in a column of a database that
// holds no texts.
class WrittenMissing {
 public:
  // Nothing is ever written.
  WrittenMissing() = default;
  // The data set must outlive it.
  explicit WrittenMissing(const Dataset& data);

  OutgoingValue Of(ClassId id, size_t slot) const {
    return values_.empty() ? OutgoingValue() : values_[id][slot];
  }

 private:
  std::vector<std::vector<OutgoingValue>> values_;
};

}  // namespace thicket
