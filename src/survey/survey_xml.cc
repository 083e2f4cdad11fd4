#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/xml/xml_layout.h"
#include "io/xml/xml_stream.h"
#include "survey/guess_names.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

// An element with more kinds of elements in it than this uses names as values.
constexpr size_t kMostKinds = 1000;

// All elements at one path from the document's element.
struct XmlKind {
  explicit XmlKind(std::string_view element_name) : name(element_name), text(kXmlText) {}

  // Nothing but text.
  bool simple() const { return attributes.empty() && children.empty() && !odd; }
  bool has_text() const { return text.present > 0; }
  bool repeated() const { return most > 1; }
  // An element that only stands around others of one kind.
  bool is_wrapper() const {
    if (repeated() || odd || !attributes.empty() || has_text() || children.size() != 1)
      return false;
    return children.front()->repeated() || !children.front()->simple();
  }

  std::string name;
  uint64_t count = 0;
  // Below one parent: so far, and at most.
  uint64_t siblings = 0;
  uint64_t most = 0;
  // Too deep, or of too many kinds.
  bool odd = false;
  AttributeSurvey text;
  std::vector<std::unique_ptr<AttributeSurvey>> attributes;
  std::vector<std::unique_ptr<XmlKind>> children;
};

// Not data: what the reader takes as remarks on how to read.
bool IsRemark(std::string_view attribute) {
  return attribute == "xmlns" || attribute.starts_with("xmlns:") || attribute == "xml:space" ||
         attribute == "xsi:nil";
}

// One pass that counts elements by path; where the records are is decided at its end.
class XmlKinds final : public XmlEvents {
 public:
  Status StartElement(std::string_view name, const char** attributes) override {
    if (ignored_ > 0) {
      ++ignored_;
      return {};
    }
    XmlKind* kind = Find(name);
    if (kind == nullptr) {
      ignored_ = 1;
      return {};
    }
    if (kind->count == kMostSurveyed && kind == RecordKind()) {
      partial_ = true;
      return end_.Now();
    }
    ++kind->count;
    kind->most = std::max(kind->most, ++kind->siblings);
    for (const auto& child : kind->children) child->siblings = 0;
    open_.push_back({kind, "", false});
    for (; *attributes != nullptr; attributes += 2) Attribute(attributes[0], attributes[1]);
    return {};
  }

  Status EndElement() override {
    if (ignored_ > 0) {
      --ignored_;
      return {};
    }
    const Open& open = open_.back();
    const std::string_view text = open.preserve ? open.text : Trim(open.text);
    if (!text.empty()) open.kind->text.Add(text, RecordNumber());
    open_.pop_back();
    return {};
  }

  Status Text(std::string_view text) override {
    if (ignored_ == 0 && !open_.empty()) open_.back().text += text;
    return {};
  }

  Status Settle(Status status) const { return end_.Settle(std::move(status)); }
  bool partial() const { return partial_; }
  bool empty() const { return document_ == nullptr; }

  // The kind of the records: nearest to the document's element, then named like persons, then the most frequent. Only
  // what is repeated and more than a text can be it. Null if there is none.
  XmlKind* RecordKind() const {
    std::vector<XmlKind*> level = {document_.get()};
    while (!level.empty()) {
      level = Below(level);
      XmlKind* best = nullptr;
      for (XmlKind* kind : level) {
        if (!kind->repeated() || kind->simple() || kind->odd) continue;
        if (best == nullptr || Rank(*kind) > Rank(*best)) best = kind;
      }
      if (best != nullptr) return best;
    }
    // A single record, perhaps.
    for (XmlKind* kind : Below({document_.get()})) {
      if (!kind->simple() && !kind->odd) return kind;
    }
    return nullptr;
  }

  // The elements that lead to a kind, with slashes between them.
  std::string PathOf(const XmlKind* kind) const {
    std::string path;
    Trace(*document_, kind, path);
    return path;
  }

 private:
  struct Open {
    XmlKind* kind;
    std::string text;
    bool preserve;
  };

  static std::vector<XmlKind*> Below(const std::vector<XmlKind*>& level) {
    std::vector<XmlKind*> below;
    for (const XmlKind* kind : level) {
      for (const auto& child : kind->children) below.push_back(child.get());
    }
    return below;
  }

  static std::tuple<bool, uint64_t> Rank(const XmlKind& kind) {
    return {PersonRank(kind.name) > 0, kind.count};
  }

  static bool Trace(const XmlKind& from, const XmlKind* to, std::string& path) {
    const size_t length = path.size();
    path += (path.empty() ? "" : "/") + from.name;
    if (&from == to) return true;
    for (const auto& child : from.children) {
      if (Trace(*child, to, path)) return true;
    }
    path.resize(length);
    return false;
  }

  // Null where the data is left out.
  XmlKind* Find(std::string_view name) {
    if (open_.empty()) {
      if (document_ == nullptr) document_ = std::make_unique<XmlKind>(name);
      return document_.get();
    }
    XmlKind& parent = *open_.back().kind;
    for (const auto& child : parent.children) {
      if (child->name == name) return child.get();
    }
    if (open_.size() > kDeepestSurveyed || parent.children.size() == kMostKinds) {
      parent.odd = true;
      return nullptr;
    }
    return parent.children.emplace_back(std::make_unique<XmlKind>(name)).get();
  }

  // Which element is the record turns out at the end: the outermost that has been repeated so far stands for it. Only the first
  // record is one before anything is repeated.
  uint64_t RecordNumber() const {
    for (const Open& open : open_) {
      if (open.kind->repeated()) return open.kind->count;
    }
    return 1;
  }

  void Attribute(std::string_view name, std::string_view value) {
    Open& open = open_.back();
    if (IsRemark(name)) {
      open.preserve = open.preserve || (name == "xml:space" && value == "preserve");
      return;
    }
    auto& attributes = open.kind->attributes;
    auto found = std::find_if(attributes.begin(), attributes.end(),
                              [&](const auto& attribute) { return attribute->name == name; });
    if (found == attributes.end()) {
      if (attributes.size() == kMostKinds) {
        open.kind->odd = true;
        return;
      }
      found = attributes.insert(found, std::make_unique<AttributeSurvey>(name));
    }
    if (!value.empty()) (*found)->Add(value, RecordNumber());
  }

  std::unique_ptr<XmlKind> document_;
  std::vector<Open> open_;
  // How many elements are open within one that is left out, this one included.
  size_t ignored_ = 0;
  bool partial_ = false;
  EarlyEnd end_;
};

void AddAttribute(AttributeSurvey& values, const std::string& name, ClassSurvey& into) {
  if (values.present == 0) {
    into.MeetNull(name);
    return;
  }
  auto named = std::make_unique<AttributeSurvey>(std::move(values));
  named->name = name;
  into.attributes.push_back(std::move(named));
}

// Takes the values out of the kinds.
void Describe(XmlKind& kind, ClassSurvey& into);

void DescribeChild(XmlKind& child, ClassSurvey& into) {
  if (child.simple() && !child.repeated()) {
    AddAttribute(child.text, child.name, into);
    return;
  }
  std::string path = child.name;
  XmlKind* kind = &child;
  bool array = kind->repeated();
  while (kind->is_wrapper()) {
    kind = kind->children.front().get();
    path += "/" + kind->name;
    array = true;
  }
  ClassSurvey& below = into.Child(path);
  below.array = array;
  Describe(*kind, below);
}

void Describe(XmlKind& kind, ClassSurvey& into) {
  into.vertices = kind.count;
  into.odd = kind.odd;
  into.plain = kind.simple();
  into.objects = !into.plain;
  if (into.plain) {
    if (kind.has_text()) AddAttribute(kind.text, "", into);
    return;
  }
  // No policy can tell an attribute from an element of the same name.
  std::set<std::string> names;
  std::set<std::string> ambiguous;
  for (const auto& attribute : kind.attributes) names.insert(attribute->name);
  for (const auto& child : kind.children) {
    if (names.count(child->name) == 0) continue;
    ambiguous.insert(child->name);
    into.left_out.emplace_back(child->name, "both an attribute and an element");
  }
  for (const auto& attribute : kind.attributes) {
    const std::string name = attribute->name;
    if (ambiguous.count(name) == 0) AddAttribute(*attribute, name, into);
  }
  for (const auto& child : kind.children) {
    if (ambiguous.count(child->name) == 0) DescribeChild(*child, into);
  }
  if (kind.has_text()) AddAttribute(kind.text, std::string(kXmlText), into);
}

}  // namespace

Status SurveyXml(SurveyInput& input, Survey& survey) {
  XmlKinds kinds;
  XmlStream stream(input, input.progress, input.name(), kinds);
  THICKET_TRY(kinds.Settle(stream.Run()));
  if (kinds.empty()) return {};
  XmlKind* record = kinds.RecordKind();
  if (record == nullptr) {
    return ErrorAt(ErrorCode::kData, {.file = input.name()},
                   "must hold one element for each record, with attributes or elements in it, "
                   "but holds none",
                   "put all records below one element");
  }
  survey.at = kinds.PathOf(record);
  survey.partial = kinds.partial();
  survey.records = record->count;
  Describe(*record, survey.root);
  return {};
}

}  // namespace thicket
