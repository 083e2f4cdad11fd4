// Whether published JSON is written one way throughout, so that records that look alike are alike to the last byte but
// for their sensitive and kept values.
//
// simdjson reads values and says nothing of how they are written, so this looks at the text of every record a second time:
//   - Blanks: those after a key, between two members, before a bracket are the same wherever the nesting is as deep.
//   - Keys of an object stand in one order, and so do classes that stand in one array.
//   - A missing value or an empty array is null, or empty, or absent, and always the same for a key. A single child or a
//     single value is an array of one, or is not.
//   - A character is escaped in one way, or not at all, in keys and in values of every role.
//   - Lists of values are ascending, no value twice, none missing.
//
// A document that was written anew as a whole, pretty-printed or with other escapes, passes. What the policy does not
// name is a finding already and is not looked at.
//
//   JsonAppearance appearance(layout, records.choices(), sink);
//   appearance.LookAt(line);                        // one record, after it was read: valid JSON
//   size_t bytes = appearance.LookAt(rest_of_text); // the record that stands first; how long it is
//
// Time is linear in the text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/dataset_sink.h"
#include "io/json/json_layout.h"
#include "io/one_way.h"

namespace thicket {

// How each character is written in the strings of a JSON text.
class JsonCharacters {
 public:
  // Looks at a string between its quotes; false if a character was written otherwise before.
  bool Meet(std::string_view raw);
  // What the string stands for. Valid JSON only.
  static std::string Unescape(std::string_view raw);

 private:
  CharacterWays ways_;
};

class JsonAppearance {
 public:
  // Does nothing unless the sink reads published data. `choices`: those of the record that was read last
  // (io/json/json_record.h). All must outlive it.
  JsonAppearance(const JsonLayout& layout, const std::vector<ClassId>& choices, DatasetSink& sink);

  // Looks at the record that the text begins with, right after the sink has read it; how many bytes it is.
  size_t LookAt(std::string_view text);

 private:
  // Where blanks stand.
  enum Blanks : size_t {
    kEmptyObject,
    kBeforeKey,
    kAfterKey,
    kBeforeValue,
    kAfterValue,
    kBeforeNextKey,
    kObjectEnd,
    kEmptyArray,
    kBeforeElement,
    kAfterElement,
    kBeforeNextElement,
    kArrayEnd,
    kBlanksKinds
  };
  enum Missing : unsigned { kAbsent, kNull, kEmpty };
  enum Single : unsigned { kAlone, kInArray };

  // A key of an object: a place of the layout.
  struct Key {
    std::string path;
    uint32_t place = 0;
    // Sensitive or kept.
    bool may_be_list = false;
    OneForm missing;
    OneForm single;
    // Of the classes that stand there.
    KeyOrder classes{0};
  };
  // Objects of one place of the layout.
  struct Objects {
    std::vector<Key> keys;
    std::unordered_map<std::string, size_t> by_name;
    KeyOrder order{0};
    std::vector<bool> met;
  };

  void AddObjects(uint32_t place);
  void BeginVertex(uint32_t place);
  Key* FindKey(Objects& objects, std::string_view raw, size_t& number) const;

  char Peek() const { return text_[at_]; }
  void MeetBlanks(Blanks kind, size_t level);
  // The string that begins here, without its quotes.
  std::string_view TakeRawString();
  std::string_view TakeString();
  // A number, true, false or null.
  std::string_view TakeWord();
  void SkipValue();

  void LookAtVertex(ClassId id, size_t level);
  // Whether it has a key that the policy names.
  bool LookAtObject(uint32_t place, size_t level);
  void LookAtMember(Key& key, size_t level);
  void LookAtInner(Key& key, size_t level);
  void LookAtScalar();
  void LookAtList(Key& key, size_t level);
  void LookAtChildren(Key& key, size_t level);
  void LookAtChild(Key& key, size_t level);
  template <typename LookAtElement>
  size_t LookAtArray(size_t level, LookAtElement look);
  void EndObject(Objects& objects);

  void Tell(const std::string& path, std::string_view rule);
  void MeetMissing(Key& key, Missing form);
  void MeetSingle(Key& key, Single form);

  const JsonLayout* layout_;
  const std::vector<ClassId>* choices_;
  // The choice that comes next.
  size_t next_choice_ = 0;
  DatasetSink* sink_;
  // By place.
  std::vector<Objects> objects_;
  JsonCharacters characters_;
  // By level.
  std::vector<std::array<OneWay, kBlanksKinds>> blanks_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace thicket
