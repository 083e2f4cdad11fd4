#include "policy/policy_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace thicket {

namespace {

bool Contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

// The nearest word, or all of them.
std::string Suggest(std::string_view word, const std::vector<std::string>& known) {
  if (const auto nearest = Nearest(word, known)) return fmt::format("did you mean '{}'?", *nearest);
  return fmt::format("use {}", JoinWords(known, " or "));
}

constexpr std::string_view kScope =
    "this version does k-anonymity, l-diversity, l+-diversity, k^(m,n)-anonymity, "
    "KL(m,n)-privacy and vocabulary k-anonymity";

std::string Instead(const KeySet& keys) {
  return keys.instead.empty() ? std::string(kScope) : keys.instead;
}

}  // namespace

std::string JoinWords(const std::vector<std::string>& words, std::string_view last_separator) {
  std::string joined;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? last_separator : std::string_view(", ");
    joined += words[i];
  }
  return joined;
}

PolicyNode PolicyNode::Child(std::string_view key) const {
  const YamlEntry* entry = node_->Find(key);
  return {*file_, *entry->value, Join(path_, key), entry->line, entry->column};
}

PolicyNode PolicyNode::Item(size_t index) const {
  const YamlNode& item = *node_->items[index];
  return {*file_, item, fmt::format("{}[{}]", path_, index), item.line, item.column};
}

std::vector<std::pair<std::string, PolicyNode>> PolicyNode::Children() const {
  std::vector<std::pair<std::string, PolicyNode>> children;
  for (const YamlEntry& entry : node_->entries) {
    children.emplace_back(entry.key, PolicyNode(*file_, *entry.value, Join(path_, entry.key),
                                                entry.line, entry.column));
  }
  return children;
}

Error PolicyNode::Fail(std::string_view what, std::string hint) const {
  const std::string_view name = path_.empty() ? std::string_view("the policy") : path_;
  ErrorPlace place = {.file = *file_, .line = static_cast<uint64_t>(line_)};
  std::string message = fmt::format("{}: {} {}", place.Text(), name, what);
  place.column = static_cast<uint64_t>(column_);
  place.path = path_;
  return {ErrorCode::kUsage, std::move(message), std::move(hint), "", std::move(place)};
}

Error PolicyNode::NotInThisVersion(std::string hint) const {
  return Fail("must be something this version does, but is not in this version", std::move(hint));
}

std::string PolicyNode::Seen() const {
  switch (node_->kind) {
    case YamlNode::Kind::kNull:
      return "empty";
    case YamlNode::Kind::kScalar:
      return node_->text.empty() ? "empty" : node_->text;
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMapping:
      return "a mapping";
  }
  return "";
}

Status PolicyNode::MustBeMapping() const {
  if (node_->is_mapping() || node_->is_null()) return {};
  return Fail(fmt::format("must be a mapping (key: value), but is {}",
                          node_->is_list() ? "a list" : "a plain value"),
              "write one key: value per line, indented below it");
}

Status PolicyNode::MustHaveOnly(const KeySet& keys) const {
  THICKET_TRY(MustBeMapping());
  for (const auto& [key, child] : Children()) {
    if (Contains(keys.known, key)) continue;
    if (Contains(keys.later, key)) return child.NotInThisVersion(Instead(keys));
    return child.Fail("must be a known key, but is not", Suggest(key, keys.known));
  }
  return {};
}

Result<std::string> PolicyNode::Word(const KeySet& words) const {
  if (node_->is_scalar()) {
    if (Contains(words.known, node_->text)) return node_->text;
    if (Contains(words.later, node_->text)) {
      return Fail(fmt::format("must be {}, but is {}, which is not in this version",
                              JoinWords(words.known, " or "), node_->text),
                  Instead(words));
    }
  }
  return Fail(fmt::format("must be {}, but is {}", JoinWords(words.known, " or "), Seen()),
              node_->is_scalar() ? Suggest(node_->text, words.known) : "write one of these words");
}

Result<std::string> PolicyNode::Text() const {
  if (node_->is_scalar() && !node_->text.empty()) return node_->text;
  const bool empty = node_->is_scalar() || node_->is_null();
  return Fail(
      fmt::format("must be a text, but is {}", Seen()),
      empty ? "fill it in, or remove the key" : "write one text, without brackets or braces");
}

Result<std::vector<std::string>> PolicyNode::Texts() const {
  std::vector<std::string> texts;
  if (!node_->is_list()) {
    return Fail(fmt::format("must be a list, but is {}", node_->is_null() ? "empty" : "not one"),
                "write it in brackets: [a, b]");
  }
  for (size_t i = 0; i < node_->items.size(); ++i) {
    THICKET_ASSIGN(std::string text, Item(i).Text());
    texts.push_back(std::move(text));
  }
  return texts;
}

Result<int> PolicyNode::WholeNumber(int least) const {
  const std::string& text = node_->text;
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!node_->is_scalar() || code != std::errc() || end != text.data() + text.size()) {
    return Fail(fmt::format("must be a whole number of at least {}, but is {}", least, Seen()),
                fmt::format("write a whole number, such as {}", least));
  }
  if (number >= least) return number;
  return Fail(fmt::format("must be at least {}, but is {}", least, number),
              fmt::format("set it to {} or more", least));
}

Result<double> PolicyNode::Number() const {
  const std::optional<double> number = node_->is_scalar() ? ParseNumber(node_->text) : std::nullopt;
  if (number) return *number;
  return Fail(fmt::format("must be a number, but is {}", Seen()), "write a number, such as 0.5");
}

Result<double> PolicyNode::PositiveNumber() const {
  THICKET_ASSIGN(const double number, Number());
  if (number > 0) return number;
  return Fail(fmt::format("must be more than 0, but is {}", NumberText(number)),
              "set it to more than 0, such as 0.5");
}

Result<Decimal> PolicyNode::Exact() const {
  std::optional<Decimal> number =
      node_->is_scalar() ? Decimal::Parse(node_->text) : std::optional<Decimal>();
  if (number) return std::move(*number);
  return Fail(fmt::format("must be a number, but is {}", Seen()), "write a number, such as 0.5");
}

Result<std::vector<Decimal>> PolicyNode::Numbers() const {
  std::vector<Decimal> numbers;
  if (!node_->is_list() || node_->items.empty()) {
    return Fail(fmt::format("must be a list of numbers, but is {}",
                            node_->is_list() ? "an empty one" : Seen()),
                "write it in brackets: [5, 10, 20]");
  }
  for (size_t i = 0; i < node_->items.size(); ++i) {
    THICKET_ASSIGN(Decimal number, Item(i).Exact());
    numbers.push_back(std::move(number));
  }
  return numbers;
}

Result<bool> PolicyNode::OnOff() const {
  if (node_->is_scalar()) {
    if (Contains({"on", "true", "yes"}, node_->text)) return true;
    if (Contains({"off", "false", "no"}, node_->text)) return false;
  }
  return Fail(fmt::format("must be on or off, but is {}", Seen()), "write on or off");
}

}  // namespace thicket
