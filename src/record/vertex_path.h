// Names of the policy that lead through objects (elements) and arrays: "entry/resource", "code/coding/code".
//
// A step is a key of JSON or an element of XML; "~1" stands for a slash in a key and "~0" for a tilde, as in JSON Pointer. What
// messages call a class is where its vertices stand and, where only some objects there are taken, which ones:
// "entry/resource[resourceType=Condition]". VertexClass::at holds all of it, so that each class has a name of its own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/schema.h"

namespace thicket {

using WhereValues = std::vector<std::pair<std::string, std::string>>;

// "[resourceType=Condition]"; empty where everything is taken.
inline std::string WhereText(const WhereValues& where) {
  std::string text;
  for (const auto& [key, value] : where) {
    text += (text.empty() ? "[" : ", ") + key + "=" + value;
  }
  return text.empty() ? text : text + "]";
}

// Where the vertices of a class stand, whichever of them are taken: "entry/resource".
inline std::string PathOfVertices(const VertexClass& type) {
  return type.at.substr(0, type.at.size() - WhereText(type.where).size());
}

// Whether a name has more than one step, or stands for another text than its own.
inline bool LeadsThrough(std::string_view name) {
  return name.find_first_of("/~") != std::string_view::npos;
}

// The keys that a name leads through, the last one included.
inline std::vector<std::string> StepsOf(std::string_view name) {
  std::vector<std::string> steps(1);
  for (size_t i = 0; i < name.size(); ++i) {
    const bool escaped =
        name[i] == '~' && i + 1 < name.size() && (name[i + 1] == '0' || name[i + 1] == '1');
    if (escaped) {
      steps.back() += name[++i] == '0' ? '~' : '/';
    } else if (name[i] == '/') {
      steps.emplace_back();
    } else {
      steps.back() += name[i];
    }
  }
  return steps;
}

// A key as a step of a name.
inline std::string StepOf(std::string_view key) {
  std::string step;
  for (const char c : key) {
    if (c == '/') {
      step += "~1";
    } else if (c == '~') {
      step += "~0";
    } else {
      step += c;
    }
  }
  return step;
}

}  // namespace thicket
