// A tree of values: nothing, a boolean, a number, a text, a list, or a mapping that keeps its order.
//
// What a policy or a taxonomy is made of where it is not text: a front (Python, a service) hands over its own dictionaries
// and lists as these.
//
//   ValueTree policy = ValueTree::Mapping();
//   policy.Set("version", 1);
//   policy.Set("privacy", ValueTree::Mapping()).Set("k", 5);
//   ValueTree widths = ValueTree::List({5, 10, 20});
//
// Numbers are texts, so that 0.1 stays 0.1. A key may be set twice: whoever reads the tree says so.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thicket {

class ValueTree {
 public:
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kList, kMapping };
  using Entry = std::pair<std::string, ValueTree>;

  ValueTree() = default;                                                         // null
  ValueTree(bool value) : kind_(Kind::kBoolean), truth_(value) {}                // NOLINT
  ValueTree(int value) : kind_(Kind::kNumber), text_(std::to_string(value)) {}   // NOLINT
  ValueTree(std::string text) : kind_(Kind::kString), text_(std::move(text)) {}  // NOLINT
  ValueTree(std::string_view text) : ValueTree(std::string(text)) {}             // NOLINT
  ValueTree(const char* text) : ValueTree(std::string(text)) {}                  // NOLINT
  // As it is written: "0.34".
  static ValueTree Number(std::string text);
  static ValueTree List(std::vector<ValueTree> items = {});
  static ValueTree Mapping(std::vector<Entry> entries = {});

  // Appends to a list, or to a mapping, and returns what was appended, which stays where it is until the next call.
  ValueTree& Add(ValueTree item);
  ValueTree& Set(std::string key, ValueTree value);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  // kNumber, kString; of a boolean "true" or "false".
  std::string text() const;
  // kList.
  const std::vector<ValueTree>& items() const { return items_; }
  // kMapping, in the order in which they were set.
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  Kind kind_ = Kind::kNull;
  bool truth_ = false;
  std::string text_;
  std::vector<ValueTree> items_;
  std::vector<Entry> entries_;
};

}  // namespace thicket
