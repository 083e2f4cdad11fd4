#include "taxonomy/amnesia.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "taxonomy/date.h"
#include "taxonomy/hierarchy.h"

namespace thicket {

namespace {

struct Line {
  std::string_view text;
  size_t number;
};

// Lines that are not blank, trimmed.
std::vector<Line> Lines(std::string_view text) {
  std::vector<Line> lines;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    ++number;
    const std::string_view line = Trim(text.substr(0, end));
    if (!line.empty()) lines.push_back({line, number});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = Trim(line)).empty()) {
    const size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

struct Interval {
  Decimal low;
  Decimal high;
};

struct Header {
  bool ranges = false;
  bool dates = false;
};

std::optional<Interval> MakeInterval(std::string_view low, std::string_view high, bool dates) {
  if (dates) {
    const std::optional<Date> first = ParseSlashDate(low);
    const std::optional<Date> last = ParseSlashDate(high);
    if (!first || !last) return std::nullopt;
    return Interval{FirstDay(*first), LastDay(*last)};
  }
  const std::optional<Decimal> first = Decimal::Parse(low);
  const std::optional<Decimal> last = Decimal::Parse(high);
  if (!first || !last) return std::nullopt;
  return Interval{*first, *last};
}

// "0.0,9.0" in the text form, "0-9" in the JSON form; a minus sign may stand before either bound.
std::optional<Interval> ParseInterval(std::string_view label, bool dates) {
  for (const char separator : {',', '-'}) {
    for (size_t at = label.find(separator, 1); at != std::string_view::npos;
         at = label.find(separator, at + 1)) {
      auto interval = MakeInterval(Trim(label.substr(0, at)), Trim(label.substr(at + 1)), dates);
      if (interval && interval->low <= interval->high) return interval;
    }
  }
  return std::nullopt;
}

Error RangeFail(const std::string& file, const std::string& what) {
  return ErrorAt(ErrorCode::kUsage, {.file = file}, what,
                 "correct the bounds; lower and upper bound both belong to a range");
}

// Turns labels into intervals, and checks that each lies inside its parent and apart from its
// siblings: a published range would be false otherwise.
Status SetRanges(TaxonomyBuilder& builder, bool dates, const std::string& file) {
  struct Placed {
    TaxonomyBuilder::Handle parent;
    Interval interval;
    TaxonomyBuilder::Handle node;
  };
  std::vector<std::optional<Interval>> intervals(builder.size());
  std::vector<Placed> placed;
  for (TaxonomyBuilder::Handle node = 0; node < builder.size(); ++node) {
    const std::string& label = builder.label(node);
    if (label == "NaN" && node != TaxonomyBuilder::root()) continue;
    intervals[node] = ParseInterval(label, dates);
    if (!intervals[node]) {
      return RangeFail(file,
                       fmt::format("every label must be a range from a lower to an upper bound, "
                                   "but \"{}\" is not",
                                   label));
    }
    const Interval& own = *intervals[node];
    builder.SetRange(node, own.low, own.high, dates);
    if (node == TaxonomyBuilder::root()) continue;
    const TaxonomyBuilder::Handle parent = builder.parent(node);
    const std::optional<Interval>& outer = intervals[parent];
    if (!outer || own.low < outer->low || own.high > outer->high) {
      return RangeFail(
          file, fmt::format("a range must lie inside its parent, but \"{}\" is not inside \"{}\"",
                            label, builder.label(parent)));
    }
    placed.push_back({parent, own, node});
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::pair(a.parent, a.interval.low) < std::pair(b.parent, b.interval.low);
  });
  for (size_t i = 1; i < placed.size(); ++i) {
    if (placed[i].parent != placed[i - 1].parent) continue;
    if (placed[i].interval.low < placed[i - 1].interval.high ||
        placed[i].interval.low == placed[i - 1].interval.low) {
      return RangeFail(
          file, fmt::format("ranges must not overlap, but \"{}\" and \"{}\" do",
                            builder.label(placed[i - 1].node), builder.label(placed[i].node)));
    }
  }
  return {};
}

// "parent has child", with the level that it stands in: levels are numbered as the file has them.
struct Statement {
  std::string child;
  std::string parent;
  size_t level;
  size_t line;
};

// `lowest` is the level whose children are values. A range cannot be a value, so it may not stand below itself.
Result<Taxonomy> FinishTaxonomy(const std::vector<Statement>& statements, size_t lowest,
                                const Header& header, const std::string& file) {
  std::unordered_set<std::string_view> groups_above;
  for (const Statement& statement : statements) {
    if (statement.level != lowest) groups_above.insert(statement.parent);
  }
  Hierarchy hierarchy(file);
  for (const auto& [child, parent, level, line] : statements) {
    const bool namesake = child == parent || (level == lowest && groups_above.count(child) > 0);
    THICKET_TRY(namesake && !header.ranges ? hierarchy.AddValue(child, parent, line)
                                           : hierarchy.AddParent(child, parent, line));
  }
  THICKET_ASSIGN(TaxonomyBuilder builder, hierarchy.Finish());
  if (header.ranges) THICKET_TRY(SetRanges(builder, header.dates, file));
  return std::move(builder).Build();
}

// Reads the little of JSON that the format uses: objects, arrays, strings and plain words, with
// line numbers.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  size_t line() const { return line_; }

  void SkipBlanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      if (text_[at_] == '\n') ++line_;
      ++at_;
    }
  }
  // Takes the character if it is next, after blanks.
  bool Take(char c) {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool AtEnd() {
    SkipBlanks();
    return at_ >= text_.size();
  }
  bool NextIs(char c) {
    SkipBlanks();
    return at_ < text_.size() && text_[at_] == c;
  }

  std::optional<std::string> String() {
    if (!Take('"')) return std::nullopt;
    std::string result;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return result;
      if (static_cast<unsigned char>(c) < 0x20) return std::nullopt;
      if (c != '\\') {
        result += c;
      } else if (!Escape(result)) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // A string, or a number or word as it is written.
  std::optional<std::string> Scalar() {
    if (NextIs('"')) return String();
    const size_t end = std::min(text_.find_first_of(",]}{[:\" \t\r\n", at_), text_.size());
    if (end == at_) return std::nullopt;
    std::string result(text_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

 private:
  bool Escape(std::string& out) {
    if (at_ >= text_.size()) return false;
    const char c = text_[at_++];
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const size_t index = kNames.find(c); index != std::string_view::npos) {
      out += kMeanings[index];
      return true;
    }
    if (c != 'u') return false;
    std::optional<uint32_t> point = Hex();
    if (!point) return false;
    if (*point >= 0xd800 && *point < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      const std::optional<uint32_t> low = Hex();
      if (!low || *low < 0xdc00 || *low > 0xdfff) return false;
      point = 0x10000 + ((*point - 0xd800) << 10) + (*low - 0xdc00);
    }
    if (*point >= 0xd800 && *point <= 0xdfff) return false;
    AppendUtf8(*point, out);
    return true;
  }

  std::optional<uint32_t> Hex() {
    if (text_.size() - at_ < 4) return std::nullopt;
    uint32_t number = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      uint32_t digit = 0;
      if (c >= '0' && c <= '9') {
        digit = static_cast<uint32_t>(c - '0');
      } else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
        digit = static_cast<uint32_t>((c | 0x20) - 'a') + 10;
      } else {
        return std::nullopt;
      }
      number = number * 16 + digit;
    }
    return number;
  }

  static void AppendUtf8(uint32_t point, std::string& out) {
    const auto byte = [&](uint32_t bits) { out += static_cast<char>(bits); };
    if (point < 0x80) {
      byte(point);
    } else if (point < 0x800) {
      byte(0xc0 | (point >> 6));
      byte(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
      byte(0xe0 | (point >> 12));
      byte(0x80 | ((point >> 6) & 0x3f));
      byte(0x80 | (point & 0x3f));
    } else {
      byte(0xf0 | (point >> 18));
      byte(0x80 | ((point >> 12) & 0x3f));
      byte(0x80 | ((point >> 6) & 0x3f));
      byte(0x80 | (point & 0x3f));
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
};

class AmnesiaJson {
 public:
  AmnesiaJson(std::string_view text, const std::string& file)
      : json_(text), file_(file), errors_(file) {}

  Result<Taxonomy> Parse() {
    if (!json_.Take('{')) return Bad("an object");
    if (!json_.Take('}')) {
      do {
        const std::optional<std::string> key = json_.String();
        if (!key || !json_.Take(':')) return Bad("a quoted key and a colon");
        if (json_.NextIs('{')) {
          ++levels_;
          THICKET_TRY(ReadLevel());
          continue;
        }
        const std::optional<std::string> value = json_.Scalar();
        if (!value) return Bad("a value");
        THICKET_TRY(SetHeader(*key, *value));
      } while (json_.Take(','));
      if (!json_.Take('}')) return Bad("a comma or a closing brace");
    }
    if (!json_.AtEnd()) return Bad("the end of the file");
    if (!has_type_ || levels_ == 0) {
      return ErrorAt(ErrorCode::kUsage, {.file = file_},
                     "a JSON hierarchy must have hierType and levels, but this one lacks them",
                     "write the taxonomy as CSV: one line per value, its generalizations, then *");
    }
    // Top first.
    return FinishTaxonomy(statements_, levels_, header_, file_);
  }

 private:
  Error Bad(std::string_view expected) {
    json_.SkipBlanks();
    return errors_.Fail(json_.line(),
                        fmt::format("{} must stand here, but something else does", expected),
                        "check that the file is a whole JSON hierarchy of Amnesia");
  }

  Status SetHeader(const std::string& key, const std::string& value) {
    if (key == "type") header_.dates = value == "date";
    if (key != "hierType") return {};
    has_type_ = true;
    header_.ranges = value == "range";
    if (header_.ranges || value == "distinct") return {};
    return errors_.Fail(json_.line(), "hierType must be distinct or range, but is neither", "");
  }

  // {"parent": ["child", ...], ...}
  Status ReadLevel() {
    json_.Take('{');
    if (json_.Take('}')) return {};
    do {
      const std::optional<std::string> parent = json_.String();
      if (!parent || !json_.Take(':') || !json_.Take('[')) return Bad("a quoted label and a list");
      if (json_.Take(']')) continue;
      do {
        const std::optional<std::string> child = json_.Scalar();
        if (!child) return Bad("a label");
        statements_.push_back({*child, *parent, levels_, json_.line()});
      } while (json_.Take(','));
      if (!json_.Take(']')) return Bad("a comma or a closing bracket");
    } while (json_.Take(','));
    if (!json_.Take('}')) return Bad("a comma or a closing brace");
    return {};
  }

  JsonReader json_;
  const std::string& file_;
  const Hierarchy errors_;
  std::vector<Statement> statements_;
  size_t levels_ = 0;
  Header header_;
  bool has_type_ = false;
};

}  // namespace

bool IsAmnesiaText(std::string_view text) {
  // Only the first two lines matter.
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view kind = Trim(text.substr(0, end));
  if (kind != "distinct" && kind != "range") return false;
  const std::string_view next = Trim(text.substr(end));
  return next.starts_with("name ") || next.starts_with("name\n") || next.starts_with("name\r");
}

bool IsAmnesiaJson(std::string_view text) { return Trim(text).starts_with('{'); }

Result<Taxonomy> ParseAmnesiaText(std::string_view text, const std::string& file) {
  const Hierarchy errors(file);
  std::vector<Statement> statements;
  Header header;
  bool first = true;
  // Lowest parents first; a blank line begins the next level.
  size_t level = 1;
  for (const Line& line : Lines(text)) {
    const std::vector<std::string_view> words = Words(line.text);
    if (first) {
      header.ranges = words.front() == "range";
      first = false;
      continue;
    }
    // A parent may be called "name" too; its line has "has" behind it.
    if (words.size() < 2 || words[1] != "has") {
      if (words.front() == "type") header.dates = words.size() > 1 && words[1] == "date";
      if (words.front() == "type" || words.front() == "name" || words.front() == "height") continue;
      return errors.Fail(line.number,
                         "a line must say \"parent has child child ...\", but this one does not",
                         "labels must not contain blanks in this format");
    }
    if (!statements.empty() && line.number > statements.back().line + 1) ++level;
    for (size_t i = 2; i < words.size(); ++i) {
      statements.push_back({std::string(words[i]), std::string(words[0]), level, line.number});
    }
  }
  return FinishTaxonomy(statements, 1, header, file);
}

Result<Taxonomy> ParseAmnesiaJson(std::string_view text, const std::string& file) {
  return AmnesiaJson(text, file).Parse();
}

}  // namespace thicket
