// What a class is told by, in the events of an element that were held back.
#include <string>
#include <vector>

#include "base/text.h"
#include "io/xml/xml_record.h"

namespace thicket {

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
