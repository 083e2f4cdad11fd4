#include "base/value_tree.h"

namespace thicket {

ValueTree ValueTree::Number(std::string text) {
  ValueTree tree(std::move(text));
  tree.kind_ = Kind::kNumber;
  return tree;
}

ValueTree ValueTree::List(std::vector<ValueTree> items) {
  ValueTree tree;
  tree.kind_ = Kind::kList;
  tree.items_ = std::move(items);
  return tree;
}

ValueTree ValueTree::Mapping(std::vector<Entry> entries) {
  ValueTree tree;
  tree.kind_ = Kind::kMapping;
  tree.entries_ = std::move(entries);
  return tree;
}

ValueTree& ValueTree::Add(ValueTree item) {
  kind_ = Kind::kList;
  return items_.emplace_back(std::move(item));
}

ValueTree& ValueTree::Set(std::string key, ValueTree value) {
  kind_ = Kind::kMapping;
  return entries_.emplace_back(std::move(key), std::move(value)).second;
}

std::string ValueTree::text() const {
  if (kind_ == Kind::kBoolean) return truth_ ? "true" : "false";
  return text_;
}

}  // namespace thicket
