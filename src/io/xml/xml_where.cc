// Classes that are told by values: the events of an element are held back until it has ended, and are then read as those of its class.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/xml/xml_record.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

// What is left out of places that the policy names.
constexpr std::string_view kNoClass = " (elements of no class)";

}  // namespace

void XmlRecords::Hold(Event::Kind kind, std::string_view text, const char** attributes) {
  Event& event = held_.emplace_back();
  event.kind = kind;
  event.text = text;
  for (; attributes != nullptr && *attributes != nullptr; ++attributes) {
    event.attributes.emplace_back(*attributes);
  }
  if (sink_->published()) event.markup = markup();
  event.line = line();
  event.offset = offset();
  if (kind == Event::Kind::kStart) ++held_depth_;
  if (kind == Event::Kind::kEnd) --held_depth_;
}

// Reads the events of the element that has ended as those of its class.
Status XmlRecords::Release() {
  const std::vector<Event> events = std::exchange(held_, {});
  Entry& entry = *std::exchange(held_entry_, nullptr);
  const Candidate* chosen = Choose(entry, events);
  if (chosen == nullptr) {
    CountUnnamed(top(), entry.name + std::string(kNoClass));
    top().has_unnamed = true;
    return {};
  }
  chosen_ = chosen;
  const Event* const before = replayed_;
  for (const Event& event : events) {
    replayed_ = &event;
    THICKET_TRY(Replay(event));
  }
  replayed_ = before;
  return {};
}

Status XmlRecords::Replay(const Event& event) {
  if (event.kind == Event::Kind::kText) return Text(event.text);
  if (event.kind == Event::Kind::kEnd) return EndElement();
  std::vector<const char*> attributes;
  for (const std::string& part : event.attributes) attributes.push_back(part.c_str());
  attributes.push_back(nullptr);
  return StartElement(event.text, attributes.data());
}

// The first class whose values the element has; null if it is of none.
const XmlRecords::Candidate* XmlRecords::Choose(const Entry& entry,
                                                const std::vector<Event>& events) const {
  for (const Candidate& candidate : entry.candidates) {
    const WhereValues& where =
        sink_->schema().classes[layout_->elements[candidate.element].id].where;
    const bool fits = std::all_of(where.begin(), where.end(), [&](const auto& pair) {
      return LookUp(events, StepsOf(pair.first)) == pair.second;
    });
    if (fits) return &candidate;
  }
  return nullptr;
}

std::string XmlRecords::LookUp(const std::vector<Event>& events,
                               const std::vector<std::string>& steps) {
  // How many elements are open, the one that is looked at included, and how many of the steps those below it are.
  size_t depth = 0;
  size_t matched = 0;
  const size_t last = steps.size() - 1;
  const auto attribute = [&](const Event& event) {
    for (size_t i = 0; i + 1 < event.attributes.size(); i += 2) {
      if (event.attributes[i] == steps[last]) return &event.attributes[i + 1];
    }
    return static_cast<const std::string*>(nullptr);
  };
  std::string text;
  bool in_text = false;
  for (const Event& event : events) {
    switch (event.kind) {
      case Event::Kind::kStart:
        // As many steps as elements are open below the first: the path leads here so far.
        if (depth > 0 && matched == depth - 1 && matched < steps.size() &&
            event.text == steps[matched]) {
          ++matched;
        }
        ++depth;
        if (matched == last && depth == last + 1) {
          if (const std::string* found = attribute(event)) return *found;
        }
        in_text = (matched == steps.size() && depth == steps.size() + 1) ||
                  (steps[last] == kXmlText && matched == last && depth == last + 1);
        if (in_text) text.clear();
        break;
      case Event::Kind::kText:
        if (in_text) text += event.text;
        break;
      case Event::Kind::kEnd:
        if (in_text && !Trim(text).empty()) return std::string(Trim(text));
        in_text = false;
        --depth;
        if (matched > 0 && depth == matched) --matched;
        break;
    }
  }
  return "";
}

}  // namespace thicket
