#include "policy/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "base/text.h"

namespace thicket {

namespace {

// Aliases may multiply a small file into a large tree; no policy is larger than this.
constexpr size_t kMostNodes = 1'000'000;
constexpr size_t kMostDepth = 1'000;

// The column is not part of the message.
Error Fail(const std::string& file, int line, const std::string& what, std::string hint,
           int column = 0) {
  // yaml-cpp does not always know the line.
  Error error =
      ErrorAt(ErrorCode::kUsage, {.file = file, .line = static_cast<uint64_t>(std::max(line, 0))},
              what, std::move(hint));
  if (line > 0) error.place.column = static_cast<uint64_t>(std::max(column, 0));
  return error;
}

// Ends yaml-cpp's parsing early; caught in ParseYaml.
struct Stop {
  Error error;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  std::shared_ptr<const YamlNode> root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      Throw(mark, "a policy must be one YAML document, but a second one begins here",
            "remove the line --- and what follows");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Finish(Begin(YamlNode::Kind::kNull, mark, anchor), mark);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    Open open = Begin(YamlNode::Kind::kScalar, mark, anchor);
    open.node->text = value;
    Finish(std::move(open), mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      Throw(mark, "an alias must name a finished part of the file, but this one is inside its own",
            "write the part out instead");
    }
    Attach(found->second, mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open_.push_back(Begin(YamlNode::Kind::kList, mark, anchor));
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open_.push_back(Begin(YamlNode::Kind::kMapping, mark, anchor));
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Open {
    std::shared_ptr<YamlNode> node;
    YAML::anchor_t anchor = 0;
    YAML::Mark mark;
    // A mapping that has read a key and waits for its value.
    std::optional<YamlEntry> entry;
    std::unordered_set<std::string> keys;
  };

  [[noreturn]] void Throw(const YAML::Mark& mark, const std::string& what, std::string hint) const {
    throw Stop{Fail(file_, mark.line + 1, what, std::move(hint), mark.column + 1)};
  }

  static Open Begin(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    Open open;
    open.node = std::make_shared<YamlNode>();
    open.node->kind = kind;
    open.node->line = mark.line + 1;
    open.node->column = mark.column + 1;
    open.anchor = anchor;
    open.mark = mark;
    return open;
  }

  void Close() {
    Open open = std::move(open_.back());
    open_.pop_back();
    const YAML::Mark mark = open.mark;
    Finish(std::move(open), mark);
  }

  void Finish(Open open, const YAML::Mark& mark) {
    if (open.anchor != 0) anchors_[open.anchor] = open.node;
    Attach(std::move(open.node), mark);
  }

  // Hands a finished node to the list or mapping around it.
  void Attach(std::shared_ptr<const YamlNode> node, const YAML::Mark& mark) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& outer = open_.back();
    if (outer.node->is_mapping() && !outer.entry) {
      AddKey(outer, *node, mark);
      return;
    }
    outer.node->size += node->size;
    outer.node->depth = std::max(outer.node->depth, node->depth + 1);
    if (outer.node->size > kMostNodes) {
      Throw(mark, "a policy must stay small, but its aliases make it huge",
            "write the parts out instead of using aliases");
    }
    if (outer.node->depth > kMostDepth) {
      Throw(mark,
            fmt::format("a policy must be nested at most {} deep, but is deeper",
                        WithCommas(kMostDepth)),
            "nest fewer classes");
    }
    if (outer.node->is_list()) {
      outer.node->items.push_back(std::move(node));
      return;
    }
    outer.entry->value = std::move(node);
    outer.node->entries.push_back(*std::move(outer.entry));
    outer.entry.reset();
  }

  void AddKey(Open& outer, const YamlNode& key, const YAML::Mark& mark) const {
    if (!key.is_scalar() && !key.is_null()) {
      Throw(mark, "a key must be a plain word, but this one is a list or a mapping",
            "write key: value");
    }
    const std::string text = key.is_null() ? "null" : key.text;
    if (!outer.keys.insert(text).second) {
      Throw(mark, fmt::format("a key must occur once, but \"{}\" is there twice", text),
            "merge the two, or remove one");
    }
    outer.entry = YamlEntry{text, mark.line + 1, mark.column + 1, nullptr};
  }

  const std::string& file_;
  std::shared_ptr<const YamlNode> root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::shared_ptr<const YamlNode>> anchors_;
  int documents_ = 0;
};

// The first line up to `last` (any, if it is not known) whose indentation has a tab; 0 if there is none. Lines of blanks and
// comments may have tabs.
size_t FindTabIndentation(std::string_view text, int last) {
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (last > 0 && number > static_cast<size_t>(last)) break;
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    if (line.substr(0, begin).find('\t') != std::string_view::npos) return number;
  }
  return 0;
}

}  // namespace

const YamlEntry* YamlNode::Find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Result<std::shared_ptr<const YamlNode>> ParseYaml(std::string_view text, const std::string& file) {
  size_t bad = 0;
  if (!IsUtf8(text, &bad)) {
    const auto line = 1 + std::count(text.begin(), text.begin() + bad, '\n');
    return Fail(file, static_cast<int>(line), "a policy must be UTF-8, but this line is not",
                "convert the file, for example with iconv -f latin1 -t utf8");
  }
  TreeBuilder builder(file);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    return stop.error;
  } catch (const YAML::DeepRecursion& error) {
    return Fail(file, error.mark.line + 1, "a policy must not be nested this deep, but is",
                "nest fewer classes", error.mark.column + 1);
  } catch (const YAML::Exception& error) {
    if (const size_t line = FindTabIndentation(text, error.mark.line + 1)) {
      return Fail(
          file, static_cast<int>(line),
          "a policy must be indented by blanks, as YAML asks, but this line begins with a tab",
          "replace each tab by two blanks", 1);
    }
    return Fail(file, error.mark.line + 1,
                fmt::format("a policy must be YAML, but this line is not ({})", error.msg),
                "check indentation, colons and quotes", error.mark.column + 1);
  } catch (const std::bad_alloc&) {
    // Says nothing about the file.
    throw;
  } catch (const std::exception&) {
    return Fail(file, 0, "a policy must be YAML, but this file is not",
                "check indentation, colons and quotes");
  }
  if (builder.root() == nullptr) {
    return Fail(file, 0, "a policy must not be empty, but this file is",
                "let thicket init propose one");
  }
  return builder.root();
}

}  // namespace thicket
