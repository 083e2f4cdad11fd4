// A YAML document as a plain tree with line numbers.
//
// yaml-cpp reads the text; this tree is what the policy is read from. It differs from yaml-cpp's own nodes where a policy
// must be strict: a key twice in one mapping is an error, an alias stands for a finished node only and counts with its
// full size, nesting is limited, and there is exactly one document. Nothing throws out of it.
//
//   THICKET_ASSIGN(std::shared_ptr<const YamlNode> root, ParseYaml("k: 3", "policy.yaml"));
//   root->Find("k")->value->text;  // "3"
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace thicket {

struct YamlNode;

struct YamlEntry {
  std::string key;
  // Counted from 1; 0 where the tree was not read from text.
  int line = 0;
  int column = 0;
  std::shared_ptr<const YamlNode> value;
};

struct YamlNode {
  enum class Kind { kNull, kScalar, kList, kMapping };

  Kind kind = Kind::kNull;
  // Counted from 1; 0 where the tree was not read from text.
  int line = 0;
  int column = 0;
  std::string text;                                    // kScalar
  std::vector<std::shared_ptr<const YamlNode>> items;  // kList
  std::vector<YamlEntry> entries;                      // kMapping, in the order of the document
  // How many nodes it holds, itself and all aliases included, and how deep they are nested.
  size_t size = 1;
  size_t depth = 1;

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_mapping() const { return kind == Kind::kMapping; }
  // Null if a mapping does not have the key.
  const YamlEntry* Find(std::string_view key) const;
};

Result<std::shared_ptr<const YamlNode>> ParseYaml(std::string_view text, const std::string& file);

}  // namespace thicket
