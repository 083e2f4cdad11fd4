#include "io/json/json_appearance.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "io/json/json_record.h"
#include "io/json/json_scan.h"

namespace thicket {

namespace {

constexpr std::string_view kSameBlanks =
    "blanks between keys and values must be the same throughout, but differ here";
constexpr std::string_view kSameCharacters =
    "a character must be escaped in the same way throughout, but one is not here";
constexpr std::string_view kSameOrder = "keys must stand in one order throughout, but do not here";
constexpr std::string_view kSameMissing =
    "what is missing must be written in one way throughout (no key, null or []), but is not here";
constexpr std::string_view kSameSingle =
    "a single value must be written in one way throughout (in an array or not), but is not here";
constexpr std::string_view kSortedList =
    "a list of values must be ascending and without null, but is not here";

uint32_t HexValue(std::string_view digits) {
  uint32_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    value = value * 16 + digit;
  }
  return value;
}

void AppendUtf8(uint32_t character, std::string& out) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (character < 0x80) {
    add(character);
  } else if (character < 0x800) {
    add(0xc0 | character >> 6);
    add(0x80 | (character & 0x3f));
  } else if (character < 0x10000) {
    add(0xe0 | character >> 12);
    add(0x80 | (character >> 6 & 0x3f));
    add(0x80 | (character & 0x3f));
  } else {
    add(0xf0 | character >> 18);
    add(0x80 | (character >> 12 & 0x3f));
    add(0x80 | (character >> 6 & 0x3f));
    add(0x80 | (character & 0x3f));
  }
}

// What follows a backslash: the character, and how many bytes the escape has after it.
struct EscapedCharacter {
  uint32_t character;
  size_t size;
};

EscapedCharacter ReadEscape(std::string_view after) {
  switch (after.front()) {
    case 'b':
      return {'\b', 1};
    case 'f':
      return {'\f', 1};
    case 'n':
      return {'\n', 1};
    case 'r':
      return {'\r', 1};
    case 't':
      return {'\t', 1};
    case 'u':
      break;
    default:
      return {static_cast<uint8_t>(after.front()), 1};
  }
  const uint32_t unit = HexValue(after.substr(1, 4));
  if (unit < 0xd800 || unit > 0xdbff || after.size() < 11) return {unit, 5};
  const uint32_t low = HexValue(after.substr(7, 4));
  return {0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), 11};
}

}  // namespace

bool JsonCharacters::Meet(std::string_view raw) {
  enum Way : uint8_t { kRaw = 1, kShort = 2, kLowerHex = 4, kUpperHex = 8 };
  bool same = true;
  for (size_t i = 0; i < raw.size();) {
    if (raw[i] != '\\') {
      size_t size = 1;
      const uint32_t character = FirstCharacter(raw.substr(i), size);
      same &= ways_.Meet(character, kRaw);
      i += size;
      continue;
    }
    const std::string_view after = raw.substr(i + 1);
    const auto [character, size] = ReadEscape(after);
    bool lower = false;
    bool upper = false;
    for (const char c : after.substr(1, size - 1)) {
      lower |= c >= 'a' && c <= 'f';
      upper |= c >= 'A' && c <= 'F';
    }
    const Way way = after.front() != 'u' ? kShort : upper ? kUpperHex : kLowerHex;
    same &= ways_.Meet(character, way) && !(lower && upper);
    i += 1 + size;
  }
  return same;
}

std::string JsonCharacters::Unescape(std::string_view raw) {
  std::string text;
  for (size_t i = 0; i < raw.size();) {
    if (raw[i] != '\\') {
      text += raw[i++];
      continue;
    }
    const auto [character, size] = ReadEscape(raw.substr(i + 1));
    AppendUtf8(character, text);
    i += 1 + size;
  }
  return text;
}

JsonAppearance::JsonAppearance(const JsonLayout& layout, const std::vector<ClassId>& choices,
                               DatasetSink& sink)
    : layout_(&layout), choices_(&choices), sink_(&sink) {
  if (!sink.published()) return;
  objects_.resize(layout.places.size());
  for (uint32_t place = 0; place < objects_.size(); ++place) AddObjects(place);
}

void JsonAppearance::AddObjects(uint32_t place) {
  const Schema& schema = sink_->schema();
  Objects& objects = objects_[place];
  for (const uint32_t below : layout_->places[place].below) {
    const JsonPlace& of = layout_->places[below];
    const size_t quasi = schema.classes[of.id].quasi.size();
    objects.by_name.emplace(of.name, objects.keys.size());
    Key& key = objects.keys.emplace_back();
    key.path = schema.PathOf(of.id, of.path);
    key.place = below;
    key.may_be_list = of.slot != JsonPlace::kNone && of.slot >= quasi;
    key.classes = KeyOrder(schema.classes.size());
  }
  objects.order = KeyOrder(objects.keys.size());
  objects.met.assign(objects.keys.size(), false);
}

void JsonAppearance::Tell(const std::string& path, std::string_view rule) {
  sink_->TellApartAt(path.empty() ? sink_->Where() : sink_->Where() + ": " + path, rule);
}

void JsonAppearance::MeetMissing(Key& key, Missing form) {
  if (!key.missing.Meet(form)) Tell(key.path, kSameMissing);
}

void JsonAppearance::MeetSingle(Key& key, Single form) {
  if (!key.single.Meet(form)) Tell(key.path, kSameSingle);
}

void JsonAppearance::MeetBlanks(Blanks kind, size_t level) {
  const size_t begin = at_;
  while (IsJsonBlank(Peek())) ++at_;
  const std::string_view blanks = text_.substr(begin, at_ - begin);
  if (level >= blanks_.size()) blanks_.resize(level + 1);
  OneWay& way = blanks_[level][kind];
  const bool first = !way.way();
  if (!way.Meet(blanks) || (first && !IsIndentation(blanks))) Tell("", kSameBlanks);
}

std::string_view JsonAppearance::TakeRawString() {
  const size_t begin = ++at_;
  while (Peek() != '"') at_ += Peek() == '\\' ? 2 : 1;
  return text_.substr(begin, at_++ - begin);
}

std::string_view JsonAppearance::TakeString() {
  const std::string_view raw = TakeRawString();
  if (!characters_.Meet(raw)) Tell("", kSameCharacters);
  return raw;
}

std::string_view JsonAppearance::TakeWord() {
  const size_t begin = at_;
  while (at_ < text_.size() && !IsJsonBlank(Peek()) &&
         std::string_view(",]}").find(Peek()) == std::string_view::npos) {
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

void JsonAppearance::SkipValue() {
  size_t open = 0;
  do {
    if (Peek() == '"') {
      TakeRawString();
      continue;
    }
    if (Peek() == '{' || Peek() == '[') ++open;
    if (Peek() == '}' || Peek() == ']') --open;
    if (open == 0 && Peek() != '}' && Peek() != ']') {
      TakeWord();
      return;
    }
    ++at_;
  } while (open > 0);
}

JsonAppearance::Key* JsonAppearance::FindKey(Objects& objects, std::string_view raw,
                                             size_t& number) const {
  const std::string name =
      raw.find('\\') == std::string_view::npos ? std::string(raw) : JsonCharacters::Unescape(raw);
  const auto found = objects.by_name.find(name);
  if (found == objects.by_name.end()) return nullptr;
  number = found->second;
  return &objects.keys[number];
}

size_t JsonAppearance::LookAt(std::string_view text) {
  text_ = text;
  at_ = 0;
  next_choice_ = 0;
  if (sink_->published()) {
    LookAtVertex(0, 0);
  } else {
    SkipValue();
  }
  return at_;
}

void JsonAppearance::LookAtVertex(ClassId id, size_t level) {
  BeginVertex(id);
  LookAtObject(id, level);
}

// The order of classes is that of all elements below a vertex, in whichever array they stand.
void JsonAppearance::BeginVertex(uint32_t place) {
  if (!layout_->nested[layout_->places[place].id]) return;
  for (Key& key : objects_[place].keys) {
    key.classes.BeginVertex();
    if (layout_->places[key.place].kind == JsonPlace::Kind::kObject) BeginVertex(key.place);
  }
}

bool JsonAppearance::LookAtObject(uint32_t place, size_t level) {
  Objects& objects = objects_[place];
  objects.order.BeginVertex();
  objects.met.assign(objects.keys.size(), false);
  ++at_;
  const size_t begin = at_;
  while (IsJsonBlank(Peek())) ++at_;
  const bool empty = Peek() == '}';
  at_ = begin;
  MeetBlanks(empty ? kEmptyObject : kBeforeKey, level);
  while (Peek() != '}') {
    const std::string_view raw = TakeString();
    size_t number = 0;
    Key* key = FindKey(objects, raw, number);
    MeetBlanks(kAfterKey, level);
    ++at_;
    MeetBlanks(kBeforeValue, level);
    if (key == nullptr) {
      SkipValue();
    } else {
      if (!objects.order.Meet(number)) Tell(key->path, kSameOrder);
      objects.met[number] = true;
      LookAtMember(*key, level + 1);
    }
    const size_t after = at_;
    while (IsJsonBlank(Peek())) ++at_;
    const bool more = Peek() == ',';
    at_ = after;
    MeetBlanks(more ? kAfterValue : kObjectEnd, level);
    if (!more) break;
    ++at_;
    MeetBlanks(kBeforeNextKey, level);
  }
  ++at_;
  EndObject(objects);
  return std::find(objects.met.begin(), objects.met.end(), true) != objects.met.end();
}

void JsonAppearance::EndObject(Objects& objects) {
  for (size_t i = 0; i < objects.keys.size(); ++i) {
    if (!objects.met[i]) MeetMissing(objects.keys[i], kAbsent);
  }
}

void JsonAppearance::LookAtScalar() {
  if (Peek() == '"') {
    TakeString();
  } else {
    TakeWord();
  }
}

void JsonAppearance::LookAtMember(Key& key, size_t level) {
  const JsonPlace::Kind kind = layout_->places[key.place].kind;
  if (kind == JsonPlace::Kind::kChildren) {
    LookAtChildren(key, level);
  } else if (kind == JsonPlace::Kind::kObject && (Peek() == '{' || Peek() == '[')) {
    LookAtInner(key, level);
  } else if (key.may_be_list && Peek() == '[') {
    LookAtList(key, level);
  } else if (Peek() == 'n') {
    TakeWord();
    MeetMissing(key, kNull);
  } else if (Peek() == '{' || Peek() == '[') {
    // Only under a key whose content is refused.
    SkipValue();
  } else {
    LookAtScalar();
    if (key.may_be_list) MeetSingle(key, kAlone);
  }
}

template <typename LookAtElement>
size_t JsonAppearance::LookAtArray(size_t level, LookAtElement look) {
  ++at_;
  const size_t begin = at_;
  while (IsJsonBlank(Peek())) ++at_;
  const bool empty = Peek() == ']';
  at_ = begin;
  MeetBlanks(empty ? kEmptyArray : kBeforeElement, level);
  size_t count = 0;
  while (Peek() != ']') {
    look();
    ++count;
    const size_t after = at_;
    while (IsJsonBlank(Peek())) ++at_;
    const bool more = Peek() == ',';
    at_ = after;
    MeetBlanks(more ? kAfterElement : kArrayEnd, level);
    if (!more) break;
    ++at_;
    MeetBlanks(kBeforeNextElement, level);
  }
  ++at_;
  return count;
}

void JsonAppearance::LookAtList(Key& key, size_t level) {
  std::optional<std::string> last;
  bool sorted = true;
  const size_t count = LookAtArray(level, [&] {
    std::string text;
    if (Peek() == '"') {
      // Texts before numbers that are written alike, as kinds are ordered.
      text = JsonCharacters::Unescape(TakeString()) + '\0';
    } else {
      const std::string_view word = TakeWord();
      sorted &= word != "null";
      text = std::string(word) + '\0' + (word == "true" || word == "false" ? '2' : '1');
    }
    sorted &= !last || *last < text;
    last = std::move(text);
  });
  if (!sorted) Tell(key.path, kSortedList);
  if (count == 0) MeetMissing(key, kEmpty);
  if (count == 1) MeetSingle(key, kInArray);
}

void JsonAppearance::LookAtChildren(Key& key, size_t level) {
  if (Peek() == 'n') {
    TakeWord();
    MeetMissing(key, kNull);
    return;
  }
  if (Peek() != '[') {
    LookAtChild(key, level);
    MeetSingle(key, kAlone);
    return;
  }
  const size_t count = LookAtArray(level, [&] { LookAtChild(key, level + 1); });
  if (count == 0) MeetMissing(key, kEmpty);
  if (count == 1) MeetSingle(key, kInArray);
}

void JsonAppearance::LookAtChild(Key& key, size_t level) {
  const JsonPlace& place = layout_->places[key.place];
  ClassId id = place.classes.front();
  if (place.chooses) {
    id = (*choices_)[next_choice_++];
    if (id == JsonRecords::kNoClass) {
      SkipValue();
      return;
    }
    if (!key.classes.Meet(id)) Tell(key.path, kSameOrder);
  }
  if (Peek() == '{') {
    LookAtVertex(id, level);
  } else {
    LookAtScalar();
  }
}

void JsonAppearance::LookAtInner(Key& key, size_t level) {
  if (Peek() == '{') {
    if (!LookAtObject(key.place, level)) MeetMissing(key, kEmpty);
    MeetSingle(key, kAlone);
    return;
  }
  const size_t count = LookAtArray(level, [&] {
    if (Peek() == '{') {
      if (!LookAtObject(key.place, level + 1)) MeetMissing(key, kEmpty);
    } else {
      SkipValue();
    }
  });
  if (count == 0) MeetMissing(key, kEmpty);
  if (count == 1) MeetSingle(key, kInArray);
}

}  // namespace thicket
