#include "policy/policy_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "policy/policy_reader.h"
#include "policy/yaml.h"

namespace thicket {

namespace {

// As in a policy that is text (yaml.cc).
constexpr size_t kMostNodes = 1'000'000;
constexpr size_t kMostDepth = 1'000;

class NodeMaker {
 public:
  explicit NodeMaker(const std::string& name) : name_(name) {}

  Result<std::shared_ptr<const YamlNode>> Make(const ValueTree& tree, const std::string& path,
                                               size_t depth) {
    if (depth > kMostDepth) {
      return Fail(
          "", fmt::format("must be nested at most {} deep, but is deeper", WithCommas(kMostDepth)),
          "nest fewer classes");
    }
    if (++nodes_ > kMostNodes) return Fail("", "must stay small, but is huge", "leave parts out");
    auto node = std::make_shared<YamlNode>();
    switch (tree.kind()) {
      case ValueTree::Kind::kNull:
        break;
      case ValueTree::Kind::kBoolean:
      case ValueTree::Kind::kNumber:
      case ValueTree::Kind::kString:
        node->kind = YamlNode::Kind::kScalar;
        node->text = tree.text();
        if (!IsUtf8(node->text)) return Fail(path, "must be UTF-8, but is not", "convert it");
        break;
      case ValueTree::Kind::kList:
        THICKET_TRY(MakeItems(tree, path, depth, *node));
        break;
      case ValueTree::Kind::kMapping:
        THICKET_TRY(MakeEntries(tree, path, depth, *node));
        break;
    }
    return std::shared_ptr<const YamlNode>(std::move(node));
  }

 private:
  Error Fail(const std::string& path, std::string_view what, std::string hint) const {
    const YamlNode nothing;
    return PolicyNode(name_, nothing, path, 0, 0).Fail(what, std::move(hint));
  }

  Status MakeItems(const ValueTree& tree, const std::string& path, size_t depth, YamlNode& node) {
    node.kind = YamlNode::Kind::kList;
    for (size_t i = 0; i < tree.items().size(); ++i) {
      THICKET_ASSIGN(auto item, Make(tree.items()[i], fmt::format("{}[{}]", path, i), depth + 1));
      Count(*item, node);
      node.items.push_back(std::move(item));
    }
    return {};
  }

  Status MakeEntries(const ValueTree& tree, const std::string& path, size_t depth, YamlNode& node) {
    node.kind = YamlNode::Kind::kMapping;
    std::unordered_set<std::string_view> keys;
    for (const auto& [key, value] : tree.entries()) {
      if (!IsUtf8(key)) return Fail(path, "must have keys in UTF-8, but has another", "convert it");
      const std::string inner = path.empty() ? key : fmt::format("{}.{}", path, key);
      if (!keys.insert(key).second) {
        return Fail(inner, "must occur once, but is there twice", "merge the two, or remove one");
      }
      THICKET_ASSIGN(auto child, Make(value, inner, depth + 1));
      Count(*child, node);
      node.entries.push_back({key, 0, 0, std::move(child)});
    }
    return {};
  }

  static void Count(const YamlNode& inner, YamlNode& node) {
    node.size += inner.size;
    node.depth = std::max(node.depth, inner.depth + 1);
  }

  const std::string& name_;
  size_t nodes_ = 0;
};

}  // namespace

Result<Policy> ReadPolicyTree(const ValueTree& tree, std::string name) {
  THICKET_ASSIGN(const std::shared_ptr<const YamlNode> document, NodeMaker(name).Make(tree, "", 1));
  return ReadPolicy(*document, std::move(name));
}

}  // namespace thicket
