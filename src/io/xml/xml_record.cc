#include "io/xml/xml_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.h"
#include "io/readers.h"
#include "io/xml/xml_namespaces.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

using Role = DatasetSink::Key::Role;

constexpr char kSameWay[] = "write it in the same way everywhere";
constexpr std::string_view kOneWrapper =
    "an element around others must stand once in its place, or anew around each of them, "
    "throughout, "
    "but does not here";
constexpr std::string_view kSameMissing =
    "what is missing must be written in one way throughout (absent, empty or nil), but is not here";
constexpr std::string_view kSamePreserve =
    "xml:space must be the same throughout where no blanks are kept, but is not here";
constexpr std::string_view kSortedList =
    "values of one name must be ascending and not empty, but are not here";
constexpr std::string_view kSameOrder =
    "elements of different classes must stand in one order throughout, but do not here";
// What is left out of places that the policy names.
constexpr std::string_view kFurther = " (after the first)";
// Names that are remembered for a suggestion.
constexpr size_t kMostOthers = 100;

bool IsBlank(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
}

bool DeclaresNamespace(std::string_view name) {
  return name.substr(0, 5) == "xmlns" && (name.size() == 5 || name[5] == ':');
}

bool AskToPreserve(std::string_view name, std::string_view value) {
  return name == "xml:space" && value == "preserve";
}

bool AskForNil(std::string_view name, std::string_view value) {
  return name == "xsi:nil" && (value == "true" || value == "1");
}

}  // namespace

XmlRecords::XmlRecords(const XmlLayout& layout, std::vector<std::string> record_path,
                       DatasetSink& sink)
    : layout_(&layout),
      sink_(&sink),
      path_(std::move(record_path)),
      path_is_given_(!path_.empty()),
      steps_(path_is_given_ ? path_.size() : 2),
      around_(steps_ - 1),
      scopes_(layout.elements.size()),
      next_index_(sink.schema().classes.size(), 0),
      appearance_(sink) {
  choosing_.resize(sink.schema().classes.size());
  for (const VertexClass& type : sink.schema().classes) where_.emplace_back(type.where.size());
  for (uint32_t element = 0; element < scopes_.size(); ++element) AddScope(element);
  for (size_t id = 0; id < sink.schema().classes.size(); ++id) {
    below_.push_back(sink.vertices_move() ? sink.schema().ClassesBelow(static_cast<ClassId>(id))
                                          : sink.schema().classes[id].children);
  }
}

void XmlRecords::ReadDocuments() {
  documents_ = true;
  if (path_is_given_) return;
  steps_ = 1;
  around_.clear();
}

Status XmlRecords::EndDocument() {
  appearance_.EndDocument();
  return {};
}

void XmlRecords::AddScope(uint32_t element) {
  const XmlLayoutElement& self = layout_->elements[element];
  const VertexClass& type = sink_->schema().classes[self.id];
  Scope& scope = scopes_[element];
  for (const XmlLayoutValue& value : self.values) AddValue(self, value, scope);
  if (element == 0 && sink_->published()) {
    scope.entries.push_back({std::string(kClassKey), sink_->FindNamed(0, kClassKey)});
  }
  scope.may_be_plain = self.is_vertex && self.id != 0 && type.value_count() == 1 &&
                       type.children.empty() && scope.text == nullptr && type.where.empty() &&
                       !LeadsThrough(type.slot_name(0));
  for (const uint32_t child : self.children) AddElement(self, child, scope);
  for (uint32_t i = 0; i < scope.entries.size(); ++i) {
    scope.by_name.emplace(scope.entries[i].name, i);
    if (!scope.entries[i].candidates.empty()) choosing_[self.id].emplace_back(element, i);
  }
}

void XmlRecords::AddValue(const XmlLayoutElement& self, const XmlLayoutValue& value, Scope& scope) {
  Key* key = sink_->FindNamed(self.id, value.path);
  if (value.name == kXmlText && value.where == XmlLayoutValue::kNone) {
    scope.text = key;
    return;
  }
  Entry entry;
  entry.name = value.name;
  entry.key = value.where == XmlLayoutValue::kNone ? key : nullptr;
  entry.where = value.where;
  scope.entries.push_back(std::move(entry));
}

void XmlRecords::AddElement(const XmlLayoutElement& self, uint32_t child, Scope& scope) {
  const XmlLayoutElement& below = layout_->elements[child];
  Key* key = nullptr;
  if (below.is_vertex) key = sink_->FindNamed(self.id, sink_->schema().classes[below.id].at);
  if (below.is_vertex && !self.is_vertex) scope.below.push_back(key);
  for (Entry& entry : scope.entries) {
    if (entry.element == 0 || entry.name != below.name) continue;
    entry.candidates.push_back({child, key});
    return;
  }
  Entry entry;
  entry.name = below.name;
  entry.key = key;
  entry.element = child;
  if (below.is_vertex && !sink_->schema().classes[below.id].where.empty()) {
    entry.candidates.push_back({child, key});
  }
  scope.entries.push_back(std::move(entry));
}

XmlRecords::Entry* XmlRecords::Find(Scope& scope, std::string_view name) {
  if (scope.expected < scope.entries.size() && scope.entries[scope.expected].name == name) {
    return &scope.entries[scope.expected++];
  }
  // Siblings of one class follow each other.
  if (scope.expected > 0 && scope.entries[scope.expected - 1].name == name) {
    return &scope.entries[scope.expected - 1];
  }
  const auto found = scope.by_name.find(name);
  if (found == scope.by_name.end()) return nullptr;
  scope.expected = found->second + 1;
  return &scope.entries[found->second];
}

void XmlRecords::MeetOrder(Scope& scope, Level& level, Entry& entry) {
  const auto number = static_cast<uint32_t>(&entry - scope.entries.data());
  if (!entry.has_place) {
    entry.has_place = true;
    auto place = scope.order.begin();
    if (level.last_entry > 0) {
      place = std::find(scope.order.begin(), scope.order.end(), level.last_entry - 1) + 1;
    }
    scope.order.insert(place, number);
  }
  const uint32_t last = level.last_entry;
  level.last_entry = number + 1;
  if (last == 0 || last == number + 1) return;
  std::vector<uint32_t>& behind = entry.behind;
  if (std::find(behind.begin(), behind.end(), last - 1) == behind.end()) behind.push_back(last - 1);
}

std::vector<uint32_t> XmlRecords::OrderOf(const Scope& scope) {
  std::vector<uint32_t> left = scope.order;
  const auto is_left = [&](uint32_t number) {
    return std::find(left.begin(), left.end(), number) != left.end();
  };
  std::vector<uint32_t> order;
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&](uint32_t number) {
      const std::vector<uint32_t>& behind = scope.entries[number].behind;
      return std::none_of(behind.begin(), behind.end(), is_left);
    });
    // Where elements do not stand in one order, they stand as they were met.
    const auto taken = next == left.end() ? left.begin() : next;
    order.push_back(*taken);
    left.erase(taken);
  }
  return order;
}

std::vector<XmlMember> XmlRecords::MembersOf(uint32_t element) const {
  const Scope& scope = scopes_[element];
  const size_t slots = sink_->schema().classes[layout_->elements[element].id].value_count();
  std::vector<XmlMember> members;
  for (const uint32_t number : OrderOf(scope)) {
    const Entry& entry = scope.entries[number];
    if (entry.element == 0 && entry.key == nullptr) {
      members.push_back({true, static_cast<uint32_t>(slots + entry.where)});
    } else if (entry.element == 0 && entry.key->role == Role::kValue) {
      members.push_back({true, static_cast<uint32_t>(entry.key->slot())});
    } else if (entry.element != 0 && entry.candidates.empty()) {
      members.push_back({false, entry.element});
    }
    for (const Candidate& candidate : entry.candidates)
      members.push_back({false, candidate.element});
  }
  return members;
}

XmlRecords::Level& XmlRecords::Push(Level::Kind kind, uint32_t element, bool keeps_text) {
  if (depth_ == levels_.size()) levels_.emplace_back();
  Level& level = levels_[depth_++];
  level.kind = kind;
  level.element = element;
  level.number = ++elements_;
  level.has_values = level.has_elements = level.has_unnamed = level.has_text = false;
  level.keeps_text = keeps_text;
  level.preserve = level.nil = false;
  level.last_entry = 0;
  level.counts = true;
  level.elements = 0;
  level.text.clear();
  return level;
}

Status XmlRecords::StartElement(std::string_view name, const char** attributes) {
  if (left_out_ > 0) {
    ++left_out_;
    return {};
  }
  if (held_entry_ != nullptr) {
    Hold(Event::Kind::kStart, name, attributes);
    return {};
  }
  THICKET_TRY(Start(name, attributes));
  const bool read = left_out_ == 0 && held_entry_ == nullptr;
  if (read && sink_->published()) appearance_.Start(name, markup());
  return {};
}

Status XmlRecords::Start(std::string_view name, const char** attributes) {
  if (depth_ < steps_) return StartOutside(name, attributes);
  return StartInside(name, attributes);
}

Status XmlRecords::StartOutside(std::string_view name, const char** attributes) {
  if (!path_is_given_ && depth_ == path_.size()) path_.emplace_back(name);
  if (name != path_[depth_]) {
    if (!path_is_given_ && documents_) {
      return ErrorAt(
          ErrorCode::kData, {.file = sink_->dataset().source, .line = line()},
          fmt::format("all documents must have the same element, but here is {} after {}", name,
                      path_[0]),
          "keep documents of one kind in a folder, or name them by a pattern");
    }
    if (!path_is_given_ && !sink_->published()) {
      return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line()},
                     fmt::format("all elements below {} must be records and have one name, but "
                                 "here is {} after {}",
                                 path_[0], name, path_[1]),
                     "say in input.at which elements lead to the records");
    }
    if (depth_ == steps_found_ && others_.size() < kMostOthers) others_.emplace(name);
    sink_->CountOutside(PathOutside(name));
    left_out_ = 1;
    return {};
  }
  if (depth_ + 1 > steps_found_) others_.clear();
  steps_found_ = std::max(steps_found_, depth_ + 1);
  if (depth_ + 1 == steps_) return StartRecord(attributes);
  THICKET_TRY(MeetNamespaces(around_[depth_], attributes, name));
  Push(Level::Kind::kAround, 0, false);
  for (; *attributes != nullptr; attributes += 2) {
    if (DeclaresNamespace(*attributes)) continue;
    sink_->CountOutside(PathOutside(std::string("@").append(*attributes)));
  }
  return {};
}

Status XmlRecords::StartRecord(const char** attributes) {
  record_begin_ = offset();
  const uint64_t place = documents_ ? sink_->records_begun() + 1 : line();
  THICKET_TRY(sink_->BeginRecord(
      static_cast<uint32_t>(std::min<uint64_t>(place, std::numeric_limits<uint32_t>::max()))));
  Push(Level::Kind::kVertex, 0, scopes_[0].keeps_text()).index = DatasetSink::kAlone;
  return ReadAttributes(attributes);
}

Status XmlRecords::StartInside(std::string_view name, const char** attributes) {
  if (offset() - record_begin_ > kLongestRecord) return TooLong();
  Level& level = top();
  level.has_elements = true;
  if (level.kind == Level::Kind::kValue) {
    if (level.entry->key == nullptr) {
      CountUnnamed(level, std::string(name));
      left_out_ = 1;
      return {};
    }
    const Key& key = *level.entry->key;
    if (key.role == Role::kValue || key.role == Role::kId) {
      return sink_->Wrong(key.name, "must be a plain value, but has elements",
                          "describe it under children, or take it out of the policy");
    }
    left_out_ = 1;
    return key.role == Role::kDrop ? sink_->MeetDropped(key) : Status();
  }
  Entry* entry = Find(scopes_[level.element], name);
  if (entry == nullptr) {
    CountUnnamed(level, name);
    level.has_unnamed = true;
    left_out_ = 1;
    return {};
  }
  MeetOrder(scopes_[level.element], level, *entry);
  if (entry->element == 0) {
    const bool dropped = entry->key != nullptr && entry->key->role == Role::kDrop;
    if (level.counts || dropped) return StartValue(*entry, attributes);
    CountUnnamed(level, std::string(name).append(kFurther));
    left_out_ = 1;
    return {};
  }
  // An element whose class is not known yet comes again.
  if (entry->candidates.empty() || chosen_ != nullptr) MeetElement(level, *entry);
  if (!layout_->elements[entry->element].is_vertex) return StartWrapper(*entry, attributes);
  if (entry->candidates.empty()) return StartVertex(entry->element, *entry->key, attributes);
  if (chosen_ == nullptr) {
    held_entry_ = entry;
    Hold(Event::Kind::kStart, name, attributes);
    return {};
  }
  const Candidate& chosen = *std::exchange(chosen_, nullptr);
  const ClassId id = layout_->elements[chosen.element].id;
  if (!entry->classes.Meet(id)) sink_->TellApart(name, kSameOrder);
  return StartVertex(chosen.element, *chosen.key, attributes);
}

Status XmlRecords::StartVertex(uint32_t element, Key& key, const char** attributes) {
  const ClassId id = layout_->elements[element].id;
  sink_->Meet(key);
  const int64_t index = next_index_[id]++;
  if (index > 0) sink_->MeetArray(id);
  if (!sink_->OpenVertex(id, index)) return sink_->Full();
  Push(Level::Kind::kVertex, element, scopes_[element].keeps_text()).index = index;
  return ReadAttributes(attributes);
}

Status XmlRecords::StartWrapper(Entry& entry, const char** attributes) {
  Scope& scope = scopes_[entry.element];
  const XmlLayoutElement& self = layout_->elements[entry.element];
  const uint64_t parent = top().number;
  const bool first = scope.last_parent != parent;
  // Of elements around values alone the first counts.
  if (!self.around_vertices && (!first || !top().counts)) {
    CountUnnamed(top(), entry.name + std::string(kFurther));
    left_out_ = 1;
    return {};
  }
  scope.expected = 0;
  THICKET_TRY(MeetNamespaces(scope.declared, attributes, entry.name));
  scope.last_parent = parent;
  scope.twice |= !first;
  for (const Key* key : scope.below) sink_->MeetArray(key->child());
  const bool counts = top().counts && first;
  if (!self.around_vertices) top().has_values = true;
  Level& level = Push(Level::Kind::kWrapper, entry.element, scope.text != nullptr);
  level.counts = counts;
  level.around = parent;
  for (; *attributes != nullptr; attributes += 2) {
    if (DeclaresNamespace(*attributes)) continue;
    const Entry* named = Find(scope, *attributes);
    const bool dropped =
        named != nullptr && named->key != nullptr && named->key->role == Role::kDrop;
    if (counts || dropped) {
      THICKET_TRY(ReadAttribute(scope, attributes[0], attributes[1]));
    } else {
      CountUnnamed(top(), std::string("@").append(*attributes));
    }
  }
  return {};
}

// Elements around vertices stand once in their place, around all of them, or anew around each. The latter shows where two that stand
// beside each other have an element of the same name.
void XmlRecords::MeetElement(Level& level, Entry& entry) {
  if (level.kind != Level::Kind::kWrapper) return;
  Scope& scope = scopes_[level.element];
  scope.shared |= ++level.elements > 1;
  const bool again = std::exchange(entry.last_around, level.around) == level.around;
  scope.alike |= again && level.elements == 1;
}

Status XmlRecords::StartValue(Entry& entry, const char** attributes) {
  bool further = false;
  THICKET_TRY(MeetValue(entry, XmlForm::kElement, further));
  const Role role = entry.key == nullptr ? Role::kValue : entry.key->role;
  if (role == Role::kValue) THICKET_TRY(MeetNamespaces(entry.declared, attributes, entry.name));
  const Level& vertex = top();
  bool preserve = false;
  bool nil = false;
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view name = attributes[0];
    if (DeclaresNamespace(name)) continue;
    if (AskToPreserve(name, attributes[1])) {
      preserve = true;
    } else if (AskForNil(name, attributes[1])) {
      nil = has_nil_ = true;
    } else if (role == Role::kDrop) {
      THICKET_TRY(sink_->MeetDropped(*entry.key));
    } else {
      CountUnnamed(vertex, entry.name + "/@" + std::string(name));
    }
  }
  Level& level = Push(Level::Kind::kValue, 0, true);
  level.entry = &entry;
  level.preserve = preserve;
  level.nil = nil;
  level.further = further;
  return {};
}

Status XmlRecords::EndElement() {
  if (left_out_ > 0) {
    --left_out_;
    return {};
  }
  if (held_entry_ != nullptr) {
    Hold(Event::Kind::kEnd, "", nullptr);
    return held_depth_ == 0 ? Release() : Status();
  }
  if (sink_->published()) appearance_.End(markup());
  return End();
}

Status XmlRecords::End() {
  const Level& level = top();
  switch (level.kind) {
    case Level::Kind::kValue:
      return EndValue();
    case Level::Kind::kVertex:
      return EndVertex();
    case Level::Kind::kWrapper:
      return EndWrapper();
    case Level::Kind::kAround:
      if (level.has_text) sink_->CountOutside(PathOutside(kXmlText));
      --depth_;
      break;
  }
  return {};
}

Status XmlRecords::EndWrapper() {
  Level& level = top();
  Scope& scope = scopes_[level.element];
  if (scope.text != nullptr) MeetPreserve(scope.preserve, level);
  if (level.has_text && scope.text != nullptr && level.counts) {
    sink_->Meet(*scope.text);
    THICKET_TRY(SetKey(*scope.text, level.preserve ? level.text : Trim(level.text), false));
  } else if (level.has_text) {
    CountUnnamed(level, kXmlText);
  }
  MeetAbsent(level);
  // An empty one says that there are no vertices here; one with other elements, that their name may be misspelt.
  if (!level.has_unnamed) {
    for (Key* key : scope.below) {
      if (sink_->schema().classes[key->child()].where.empty()) sink_->Meet(*key);
    }
  }
  scope.last_has_content = level.has_elements || level.has_values || level.has_text;
  if (scope.twice && (scope.shared || !scope.last_has_content)) {
    sink_->TellApart(layout_->elements[level.element].name, kOneWrapper);
  }
  --depth_;
  return {};
}

Status XmlRecords::EndValue() {
  const Level& level = top();
  --depth_;
  MeetPreserve(level.entry->preserve, level);
  if (level.nil) {
    MeetMissing(*level.entry, kNil);
    if (!level.text.empty()) sink_->MeetUnnamed("a text in an element that says it has none");
    return {};
  }
  return SetValue(*level.entry, level.preserve ? level.text : Trim(level.text), level.further);
}

Status XmlRecords::EndVertex() {
  Level& level = top();
  Scope& scope = scopes_[level.element];
  MeetAbsent(level);
  MeetPreserve(scope.preserve, level);
  bool plain = false;
  if (level.has_text) THICKET_TRY(EndText(level, scope, plain));
  --depth_;
  const ClassId id = ClassOf(level);
  if (id == 0) return sink_->EndRecord();
  if (!sink_->CloseVertex()) return sink_->Full();
  // An empty element fits both shapes.
  if (!plain && !level.has_values && scope.may_be_plain) return {};
  const bool alone = level.index == 0;
  if (sink_->MeetShape(id, plain, alone ? DatasetSink::kAlone : level.index)) return {};
  return sink_->WrongChild(
      id, level.index,
      plain ? "must have attributes or elements like others of its class, but has only text"
            : "must have only text like others of its class, but has attributes or elements",
      kSameWay);
}

// Of a vertex that has text.
Status XmlRecords::EndText(Level& level, const Scope& scope, bool& plain) {
  const std::string_view text = level.preserve ? level.text : Trim(level.text);
  if (scope.text != nullptr) {
    sink_->Meet(*scope.text);
    level.has_values = true;
    return SetKey(*scope.text, text, false);
  }
  plain = scope.may_be_plain && !level.has_values && !level.has_elements;
  if (plain) {
    sink_->SetValue(0, ValueKind::kString, text);
  } else {
    CountUnnamed(level, kXmlText);
  }
  return {};
}

Status XmlRecords::Text(std::string_view text) {
  if (left_out_ > 0 || depth_ == 0) return {};
  if (held_entry_ != nullptr) {
    Hold(Event::Kind::kText, text, nullptr);
    return {};
  }
  if (sink_->published()) appearance_.Text(markup());
  Level& level = top();
  if (!level.has_text) level.has_text = (level.preserve && level.keeps_text) || !IsBlank(text);
  if (!level.keeps_text) return {};
  if (level.text.size() + text.size() > kLongestRecord) return TooLong();
  level.text += text;
  return {};
}

// Of the vertex that was just opened.
Status XmlRecords::ReadAttributes(const char** attributes) {
  Level& level = top();
  Scope& scope = scopes_[level.element];
  scope.expected = 0;
  for (const ClassId child : below_[ClassOf(level)]) next_index_[child] = 0;
  for (const auto& [element, entry] : choosing_[ClassOf(level)]) {
    scopes_[element].entries[entry].classes.BeginVertex();
  }
  const std::string& name =
      level.element == 0 ? path_.back() : layout_->elements[level.element].name;
  THICKET_TRY(MeetNamespaces(scope.declared, attributes, name));
  for (; *attributes != nullptr; attributes += 2) {
    if (!DeclaresNamespace(*attributes))
      THICKET_TRY(ReadAttribute(scope, attributes[0], attributes[1]));
  }
  return {};
}

Status XmlRecords::ReadAttribute(Scope& scope, std::string_view name, std::string_view text) {
  Entry* entry = Find(scope, name);
  if (entry == nullptr) {
    const bool around = top().kind == Level::Kind::kWrapper;
    if (AskToPreserve(name, text) && (!around || scope.text != nullptr)) {
      top().preserve = true;
    } else {
      CountUnnamed(top(), around ? std::string("@").append(name) : std::string(name));
    }
    return {};
  }
  if (entry->element != 0) {
    const XmlLayoutElement& named = layout_->elements[entry->element];
    if (!named.is_vertex && !named.around_vertices) {
      CountUnnamed(top(), std::string("@").append(name));
      return {};
    }
    return sink_->Wrong(name, "must be an element, as at says, but is an attribute",
                        "write it as an element, or take it out of at");
  }
  bool further = false;
  THICKET_TRY(MeetValue(*entry, XmlForm::kAttribute, further));
  return SetValue(*entry, text, further);
}

Status XmlRecords::MeetValue(Entry& entry, XmlForm form, bool& further) {
  if (entry.key == nullptr) return MeetWhere(entry, form);
  const bool first = sink_->Meet(*entry.key);
  const Role role = entry.key->role;
  if (role == Role::kDrop || role == Role::kClassNumber) return {};
  further = !first && role == Role::kValue && sink_->MayBeList(*entry.key);
  if (!first && !further) {
    return sink_->Wrong(entry.name, "a value must occur once, but occurs twice",
                        "remove one of the two, or describe it under children");
  }
  if (role != Role::kValue) return {};
  top().has_values = true;
  if (entry.has_form && entry.form != form) {
    return sink_->Wrong(entry.name,
                        form == XmlForm::kElement
                            ? "must be an attribute as before, but is an element"
                            : "must be an element as before, but is an attribute",
                        kSameWay);
  }
  entry.has_form = true;
  entry.form = form;
  return {};
}

// What the class is told by, and was chosen for.
Status XmlRecords::MeetWhere(Entry& entry, XmlForm form) {
  const Level& level = top();
  if (std::exchange(entry.last_vertex, level.number) == level.number) {
    return sink_->Wrong(entry.name, "a value must occur once, but occurs twice",
                        "remove one of the two, or describe it under children");
  }
  top().has_values = true;
  where_[ClassOf(level)][entry.where].form = form;
  return {};
}

Status XmlRecords::SetValue(Entry& entry, std::string_view text, bool further) {
  if (entry.key == nullptr) return {};
  if (text.empty()) MeetMissing(entry, kEmpty);
  if (entry.key->role == Role::kValue) MeetList(entry, text, further);
  return SetKey(*entry.key, text, further);
}

void XmlRecords::MeetMissing(Entry& entry, Missing form) {
  if (!entry.missing.Meet(form)) sink_->TellApart(entry.name, kSameMissing);
}

// What the element that ends does not have.
void XmlRecords::MeetAbsent(const Level& level) {
  if (!sink_->published()) return;
  for (Entry& entry : scopes_[level.element].entries) {
    if (entry.element == 0) {
      if (entry.key != nullptr && !sink_->Met(*entry.key)) MeetMissing(entry, kAbsent);
    } else if (entry.key == nullptr && scopes_[entry.element].last_parent != level.number) {
      MeetMissing(entry, kAbsent);
    } else if (entry.key == nullptr && !scopes_[entry.element].last_has_content) {
      MeetMissing(entry, kEmpty);
    }
  }
}

// Blanks that are not there need not be kept: whether that is asked for must be the same throughout.
void XmlRecords::MeetPreserve(OneForm& preserve, const Level& level) {
  if (!sink_->published() || Trim(level.text).size() != level.text.size()) return;
  if (!preserve.Meet(level.preserve ? 1 : 0)) sink_->TellApart("", kSamePreserve);
}

void XmlRecords::MeetList(Entry& entry, std::string_view text, bool further) {
  if (!sink_->published()) return;
  if (further && (text.empty() || text <= entry.last)) sink_->TellApart(entry.name, kSortedList);
  entry.last = text;
}

Status XmlRecords::SetKey(const Key& key, std::string_view text, bool further) {
  if (text.empty()) return {};
  switch (key.role) {
    case Role::kValue:
      if (further) {
        sink_->AddListValue(key.slot(), ValueKind::kString, text);
      } else {
        sink_->SetValue(key.slot(), ValueKind::kString, text);
      }
      return {};
    case Role::kId:
      return sink_->SetId(key, text);
    case Role::kDrop:
      return sink_->MeetDropped(key);
    case Role::kClassNumber:
      sink_->SetClassNumber(text);
      break;
    case Role::kChildren:
      break;
  }
  return {};
}

Status XmlRecords::MeetNamespaces(Declared& declared, const char** attributes,
                                  std::string_view name) {
  scratch_.clear();
  for (; *attributes != nullptr; attributes += 2) {
    if (DeclaresNamespace(*attributes)) scratch_.emplace_back(attributes[0], attributes[1]);
  }
  if (!declared.met) {
    declared.met = true;
    declared.namespaces = scratch_;
    return {};
  }
  if (scratch_.size() == declared.namespaces.size() &&
      std::is_permutation(scratch_.begin(), scratch_.end(), declared.namespaces.begin())) {
    return {};
  }
  if (sink_->published()) {
    sink_->MeetUnnamed("a namespace declaration that others of its elements do not have");
    return {};
  }
  return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .line = line()},
                 fmt::format("every element {} must declare the same namespaces, but this one "
                             "declares others than the first",
                             name),
                 "declare all namespaces on the document's element");
}

Error XmlRecords::TooLong() const {
  return ErrorAt(ErrorCode::kData, sink_->PlaceOfRecord(),
                 "a record must be shorter than 1 GiB, but is longer", "check what input.at says");
}

void XmlRecords::CountUnnamed(const Level& level, std::string_view name) {
  const XmlLayoutElement& element = layout_->elements[level.element];
  sink_->CountUnnamed(element.id, element.path + std::string(name));
}

// "students/teacher", for what is below the elements around the records that are open.
std::string XmlRecords::PathOutside(std::string_view name) const {
  std::string path;
  for (size_t i = 0; i < depth_; ++i) path += path_[i] + "/";
  return path.append(name);
}

Error XmlRecords::NotFound() const {
  std::string path;
  for (size_t i = 0; i <= steps_found_; ++i) path += (i == 0 ? "" : "/") + path_[i];
  const auto nearest = Nearest(path_[steps_found_], {others_.begin(), others_.end()});
  return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source, .path = path},
                 "the element that input.at names must be in the document, but is not",
                 nearest ? fmt::format("did you mean {}?", *nearest)
                         : "say in input.at which elements lead to the records");
}

Status XmlRecords::Finish() {
  const bool has_elements = steps_found_ > 0 || !others_.empty();
  if (path_is_given_ && has_elements && steps_found_ < path_.size()) return NotFound();
  XmlShape& shape = sink_->dataset().shape.xml;
  for (size_t i = 0; i < around_.size() && i < path_.size(); ++i) {
    shape.around.push_back({path_[i], std::move(around_[i].namespaces)});
  }
  shape.values.resize(sink_->schema().classes.size());
  for (size_t id = 0; id < shape.values.size(); ++id) {
    shape.values[id].resize(sink_->schema().classes[id].value_count());
    shape.values[id].insert(shape.values[id].end(), where_[id].begin(), where_[id].end());
  }
  for (size_t element = 0; element < scopes_.size(); ++element) {
    const XmlLayoutElement& self = layout_->elements[element];
    Scope& scope = scopes_[element];
    shape.elements.push_back({element == 0 && !path_.empty() ? path_.back() : self.name,
                              std::move(scope.declared.namespaces)});
    shape.members.push_back(MembersOf(static_cast<uint32_t>(element)));
    shape.repeated.push_back(scope.repeated());
    std::vector<XmlValueShape>& values = shape.values[self.id];
    for (Entry& entry : scope.entries) {
      if (entry.key == nullptr || entry.key->role != Role::kValue) continue;
      values[entry.key->slot()] = {entry.form, std::move(entry.declared.namespaces)};
    }
    if (scope.text != nullptr && scope.text->role == Role::kValue) {
      values[scope.text->slot()].form = XmlForm::kText;
    }
  }
  XmlShape judged = shape;
  std::vector<std::string_view> further;
  if (has_nil_) further.emplace_back("xsi");
  if (KeepUsedNamespaces(*layout_, sink_->schema(), further, judged) > 0) {
    sink_->MeetUnnamedAt(sink_->dataset().source, "a namespace that no name uses");
  }
  // What is missing is written as absent, so nothing that is written asks for nil.
  KeepUsedNamespaces(*layout_, sink_->schema(), {}, shape);
  return {};
}

}  // namespace thicket
