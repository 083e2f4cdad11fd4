// What records look like: the classes of their vertices, nested, and the role of each attribute.
//
// A class is a kind of vertex (student, course, book). Two vertices are union-compatible (Definition 3.3 of Ozalp et
// al. 2016) exactly when they are of the same class. Classes are numbered parents first; class 0 is the record's root.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "taxonomy/recoding.h"

namespace thicket {

using ClassId = uint16_t;

// How a suppressed value is published.
inline constexpr std::string_view kSuppressedText = "*";

// What stands between the terms of a published label that is one of them: "vino|wine".
inline constexpr char kAlternativesMark = '|';

// What an adversary may know.
struct QuasiAttribute {
  std::string name;
  Recoding recoding;
  // Items of sets that nobody may learn: values of the attribute that are never generalized, stand in no group, and are known
  // to no adversary. Data holds one where texts mean the same (base/fold.h). KL(m,n)-privacy only.
  std::vector<std::string> sensitive_items = {};
  // Whether a published label may be several terms with kAlternativesMark between them, one of which is meant. Bags only.
  bool may_be_several = false;
};

// How sensitive the values of an attribute are, from 1 to 5 (Wang et al. 2018, section 3.3): by the size of a number, by
// how rare a value is, or as the policy says. privacy/levels.h computes them, and verify/ on its own.
struct SensitivityLevels {
  static constexpr int kCount = 5;
  enum class Kind { kNone, kNumeric, kFrequency, kGiven };

  Kind kind = Kind::kNone;
  // kNumeric: the range of the attribute; what is absent is taken from the data.
  std::optional<Decimal> min = {};
  std::optional<Decimal> max = {};
  // kNumeric: whether the low end is the sensitive one, level 5.
  bool low_is_sensitive = false;
  // kGiven: the values of level i + 1.
  std::array<std::vector<std::string>, kCount> given = {};

  // Whether the levels depend on which values the data happens to hold.
  bool FromData() const {
    return kind == Kind::kFrequency || (kind == Kind::kNumeric && (!min || !max));
  }
};

// What nobody may learn. Published as it is, in groups where it is diverse.
struct SensitiveAttribute {
  std::string name;
  // Bounds, ascending, that cut a continuous attribute for the diversity check; empty for a categorical one.
  std::vector<Decimal> buckets;
  // Values that may occur only once in all vertices of a class of records.
  std::vector<std::string> once;
  SensitivityLevels levels = {};
  // Whether "*" in published data is a value that was suppressed: nobody knows which. Such a value counts among its
  // look-alikes, and never as a value of its own. No original has it then.
  bool may_be_suppressed = false;
  // Whether diversity is also counted over records: in at most 1/l of the records of a class (or the share of its level) may a
  // value stand, in whichever vertex.
  bool anywhere = false;

  static bool IsSuppressedText(std::string_view text) { return text == kSuppressedText; }
  // Whether a published text says only that there was something.
  bool IsSuppressed(std::string_view text) const {
    return may_be_suppressed && IsSuppressedText(text);
  }
};

struct VertexClass {
  std::string name;
  // The JSON key, the XML element (below the elements around it: "courses/course") or the table of the vertices below
  // their parent; empty for the root.
  std::string at;
  // Joined tables: the table, its key column, and the column that holds the key of the parent's row. The key may be empty
  // where no class joins to it.
  std::string table;
  std::string key;
  std::string parent_key;
  // The same where a key has several columns: all of them, in the order of the policy. `key` is then the one that is published with
  // the new key, and `parent_key` the one in its place; the others are only joined by. Empty for keys of one column.
  std::vector<std::string> key_columns = {};
  std::vector<std::string> parent_columns = {};
  ClassId parent = 0;
  std::vector<ClassId> children;
  std::vector<QuasiAttribute> quasi;
  std::vector<SensitiveAttribute> sensitive;
  std::vector<std::string> keep;
  std::vector<std::string> drop;
  // Who the record is about; only the root may have one, and it may be empty.
  std::string id;
  // Kept attributes of which the policy says that they have one value: name and value. Other data is refused.
  std::map<std::string, std::string> constants = {};
  // By slot: the texts that stand for no value, which is published as the first of them; empty where no slot has any.
  std::vector<std::vector<std::string>> missing = {};
  // JSON, XML: only the objects (elements) below `at` that have these values are of the class: key and value.
  std::vector<std::pair<std::string, std::string>> where = {};
  // Flat formats, of the root: the column whose rows with equal values are one record; empty where each row is one.
  std::string group_by = {};
  // Whether the order of siblings is part of the data: the i-th stands with the i-th, and is published there.
  bool ordered = false;

  // A vertex holds its values in this order: quasi, sensitive, keep.
  size_t value_count() const { return quasi.size() + sensitive.size() + keep.size(); }
  size_t sensitive_slot(size_t attribute) const { return quasi.size() + attribute; }
  size_t keep_slot(size_t attribute) const { return quasi.size() + sensitive.size() + attribute; }
  // The attribute name of a slot.
  const std::string& slot_name(size_t slot) const {
    if (slot < quasi.size()) return quasi[slot].name;
    if (slot < quasi.size() + sensitive.size()) return sensitive[slot - quasi.size()].name;
    return keep[slot - quasi.size() - sensitive.size()];
  }
};

struct Schema {
  std::vector<VertexClass> classes;

  const VertexClass& root() const { return classes.front(); }
  // The keys from the record to the class, for messages: "courses.books"; empty for the root.
  std::string PathOf(ClassId id) const {
    std::string path;
    for (; id != 0; id = classes[id].parent) {
      path = path.empty() ? classes[id].at : classes[id].at + "." + path;
    }
    return path;
  }
  // The same of an attribute of the class: "courses.code".
  std::string PathOf(ClassId id, const std::string& attribute) const {
    const std::string path = PathOf(id);
    return path.empty() ? attribute : path + "." + attribute;
  }
  // The classes below one, at any depth, parents first.
  std::vector<ClassId> ClassesBelow(ClassId id) const {
    std::vector<ClassId> below = classes[id].children;
    for (size_t i = 0; i < below.size(); ++i) {
      const std::vector<ClassId>& next = classes[below[i]].children;
      below.insert(below.end(), next.begin(), next.end());
    }
    return below;
  }
};

}  // namespace thicket
