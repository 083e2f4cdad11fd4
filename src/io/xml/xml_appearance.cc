#include "io/xml/xml_appearance.h"

#include <algorithm>
#include <charconv>

namespace thicket {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kSameBlanks =
    "blanks in and between tags must be the same throughout, but differ here";
constexpr std::string_view kSameCharacters =
    "a character must be written in the same way throughout, but one is not here";
constexpr std::string_view kSameOrder =
    "attributes and elements must stand in one order throughout, but do not here";
constexpr std::string_view kSameEmpty =
    "an element without content must be written in one way throughout, but is not here";
constexpr std::string_view kSameQuotes =
    "values must stand in the same quotes throughout, but one does not here";
constexpr std::string_view kLittleOutside =
    "nothing but the XML declaration may stand around the document's element, but more does";
constexpr size_t kMostOutside = 256;

size_t SkipBlanks(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kBlanks, at), text.size());
}

// A reference without & and ;.
struct Reference {
  uint32_t character = 0;
  uint8_t way = 0;
  bool usual = true;
};

enum Way : uint8_t {
  kRaw = 1,
  kNamed = 2,
  kDecimal = 4,
  kLowerHex = 8,
  kUpperHex = 16,
  kCrLf = 32,
  // With one zero before the digits: "&#09;", as some writers have it.
  kPaddedDecimal = 64,
  kPaddedHex = 128
};

Reference ReadReference(std::string_view name) {
  if (name.substr(0, 1) != "#") {
    const char character = name == "lt"     ? '<'
                           : name == "gt"   ? '>'
                           : name == "amp"  ? '&'
                           : name == "quot" ? '"'
                                            : '\'';
    return {static_cast<uint8_t>(character), kNamed};
  }
  const bool hex = name.substr(1, 1) == "x";
  const std::string_view digits = name.substr(hex ? 2 : 1);
  Reference reference;
  std::from_chars(digits.data(), digits.data() + digits.size(), reference.character, hex ? 16 : 10);
  const bool upper = digits.find_first_of("ABCDEF") != std::string_view::npos;
  const bool lower = digits.find_first_of("abcdef") != std::string_view::npos;
  const bool padded = digits.substr(0, 1) == "0";
  if (padded) {
    reference.way = hex ? kPaddedHex : kPaddedDecimal;
  } else {
    reference.way = !hex ? kDecimal : upper ? kUpperHex : kLowerHex;
  }
  // Other writings of a padded number would be further ways: only "&#x0A;", in upper case, is one.
  reference.usual = digits.substr(0, 2) != "00" && !(upper && lower) && !(padded && lower);
  return reference;
}

}  // namespace

XmlAppearance::XmlAppearance(DatasetSink& sink) : sink_(&sink), open_{&root_} {}

void XmlAppearance::Tell(std::string_view rule) { sink_->TellApart("", rule); }

void XmlAppearance::MeetBlanks(OneWay& way, std::string_view blanks) {
  const bool first = !way.way();
  if (!way.Meet(blanks) || (first && !IsIndentation(blanks))) Tell(kSameBlanks);
}

void XmlAppearance::MeetCharacters(std::string_view raw, CharacterWays& ways) {
  bool same = true;
  for (size_t i = 0; i < raw.size();) {
    size_t size = 1;
    if (raw[i] == '&') {
      const size_t end = std::min(raw.find(';', i), raw.size());
      const Reference reference = ReadReference(raw.substr(i + 1, end - i - 1));
      same &= reference.usual && ways.Meet(reference.character, reference.way);
      size = end + 1 - i;
    } else if (raw.substr(i, 2) == "\r\n" || raw[i] == '\r') {
      same &= ways.Meet('\n', kCrLf);
      size = raw.substr(i, 2) == "\r\n" ? 2 : 1;
    } else {
      same &= ways.Meet(FirstCharacter(raw.substr(i), size), kRaw);
    }
    i += size;
  }
  if (!same) Tell(kSameCharacters);
}

void XmlAppearance::MeetQuotes(char quote, std::string_view raw) {
  // A value with quotes in it may have to stand in the others.
  if (raw.find_first_of("\"'") != std::string_view::npos) return;
  if (!quotes_.Meet(quote == '"' ? 0 : 1)) Tell(kSameQuotes);
}

void XmlAppearance::MeetTag(Path& path, std::string_view tag) {
  closed_ = tag.size() > 2 && tag[tag.size() - 2] == '/';
  preserve_ = false;
  const std::string_view inside = tag.substr(0, tag.size() - (closed_ ? 2 : 1));
  size_t at = std::min(inside.find_first_of(kBlanks), inside.size());
  bool first = true;
  while (true) {
    const size_t name = SkipBlanks(inside, at);
    if (name == inside.size()) break;
    MeetBlanks(first ? path.before_first : path.before_next, inside.substr(at, name - at));
    first = false;
    const size_t equals = inside.find('=', name);
    const size_t quote = SkipBlanks(inside, equals + 1);
    const size_t end = inside.find(inside[quote], quote + 1);
    const size_t name_end = inside.find_first_of(" \t\r\n=", name);
    std::string around(inside.substr(name_end, equals - name_end));
    around += '=';
    around += inside.substr(equals + 1, quote - equals - 1);
    if (!path.around_equals.Meet(around)) Tell(kSameBlanks);
    const std::string_view attribute = inside.substr(name, name_end - name);
    if (!path.order.Meet(attribute)) Tell(kSameOrder);
    const std::string_view value = inside.substr(quote + 1, end - quote - 1);
    preserve_ |= attribute == "xml:space";
    if (attribute == "xsi:nil" && !path.nil.Meet(value)) Tell(kSameEmpty);
    MeetQuotes(inside[quote], value);
    MeetCharacters(value, in_attributes_);
    at = end + 1;
  }
  MeetBlanks(closed_ ? path.before_empty_end : path.before_end, inside.substr(at));
}

void XmlAppearance::EndText(Path& path, Edge next) {
  const std::string_view text = text_;
  const size_t begin = SkipBlanks(text, 0);
  if (preserve_ && !text.empty()) {
    MeetCharacters(text, in_texts_);
    if (!path.order.Meet(">text")) Tell(kSameOrder);
  } else if (begin == text.size()) {
    if (!(closed_ && next == kEndTag)) MeetBlanks(path.blanks[last_][next], text);
  } else {
    const size_t end = text.find_last_not_of(kBlanks) + 1;
    MeetBlanks(path.blanks[last_][kText], text.substr(0, begin));
    MeetBlanks(path.blanks[kText][next], text.substr(end));
    MeetCharacters(text.substr(begin, end - begin), in_texts_);
    if (!path.order.Meet(">text")) Tell(kSameOrder);
  }
  text_.clear();
}

void XmlAppearance::Start(std::string_view name, std::string_view tag) {
  Path& parent = *open_.back();
  if (open_.size() > 1) {
    EndText(parent, kStartTag);
    // No attribute's name begins like this.
    if (!parent.order.Meet(std::string(">").append(name))) Tell(kSameOrder);
  }
  auto found = parent.below.find(name);
  if (found == parent.below.end()) {
    found = parent.below.emplace(name, std::make_unique<Path>()).first;
  }
  Path& path = *found->second;
  path.order.BeginVertex();
  MeetTag(path, tag);
  open_.push_back(&path);
  last_ = kStartTag;
}

void XmlAppearance::End(std::string_view tag) {
  Path& path = *open_.back();
  const bool empty = last_ == kStartTag && text_.empty();
  EndText(path, kEndTag);
  if (empty && !path.empty.Meet(closed_ ? 0 : 1)) Tell(kSameEmpty);
  if (!closed_ && !path.end_tag.Meet(tag)) Tell(kSameBlanks);
  closed_ = false;
  open_.pop_back();
  last_ = kEndTag;
  preserve_ = false;
}

void XmlAppearance::Outside(std::string_view text) {
  const bool had_more = outside_.size() > kMostOutside;
  if (!had_more) outside_ += text;
  if (!had_more && outside_.size() > kMostOutside) {
    sink_->TellApartAt(sink_->dataset().source, kLittleOutside);
  }
}

void XmlAppearance::EndDocument() {
  if (!outside_of_all_.Meet(outside_)) Tell(kSameBlanks);
  outside_.clear();
  last_ = kStartTag;
}

}  // namespace thicket
