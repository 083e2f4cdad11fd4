#include "io/wordnet/wordnet_nouns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/fold.h"
#include "base/stop.h"
#include "io/file/source.h"

namespace thicket {
namespace {

// The lines of a file, and the parts of each between blanks.
class Lines {
 public:
  Lines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  // The next line that is not the licence, whose lines begin with a blank, and not empty.
  bool Next() {
    while (!rest_.empty()) {
      StopPoint();
      const size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      if (!line_.empty() && line_.front() != ' ') return true;
    }
    return false;
  }
  // The next part of the line; empty at its end.
  std::string_view Part() {
    // Parts are short, and there are millions: the library's searches are slower.
    const char* at = line_.data();
    const char* const end = at + line_.size();
    while (at != end && *at == ' ') ++at;
    const char* const begin = at;
    while (at != end && *at != ' ') ++at;
    line_ = {at, static_cast<size_t>(end - at)};
    return {begin, static_cast<size_t>(at - begin)};
  }
  std::optional<uint32_t> Number(int base = 10) {
    const std::string_view part = Part();
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number, base);
    if (part.empty() || error != std::errc() || end != part.data() + part.size()) return {};
    return number;
  }
  uint32_t number() const { return number_; }

  Error Wrong(std::string_view what, uint32_t line) const {
    return ErrorAt(ErrorCode::kData, {.file = file_, .line = line}, what, kWordNetFormat);
  }
  Error Wrong(std::string_view what) const { return Wrong(what, number_); }

 private:
  std::string_view rest_;
  std::string_view line_;
  std::string file_;
  uint32_t number_ = 0;
};

std::string WithBlanks(std::string_view word) {
  std::string text(word);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// Finds synsets by the offset that WordNet calls them by.
class Offsets {
 public:
  struct Entry {
    uint32_t offset;
    uint32_t synset;
    uint32_t line;
  };

  void Add(Entry entry) { entries_.push_back(entry); }
  // To be called when all are there. The line of a second synset with the same offset, if there is one.
  std::optional<uint32_t> Close() {
    const auto by_offset = [](const Entry& a, const Entry& b) { return a.offset < b.offset; };
    if (!std::is_sorted(entries_.begin(), entries_.end(), by_offset)) {
      std::stable_sort(entries_.begin(), entries_.end(), by_offset);
    }
    const auto twice =
        std::adjacent_find(entries_.begin(), entries_.end(),
                           [](const Entry& a, const Entry& b) { return a.offset == b.offset; });
    if (twice == entries_.end()) return std::nullopt;
    return (twice + 1)->line;
  }
  std::optional<uint32_t> Find(uint32_t offset) const {
    const auto at =
        std::lower_bound(entries_.begin(), entries_.end(), offset,
                         [](const Entry& entry, uint32_t wanted) { return entry.offset < wanted; });
    if (at == entries_.end() || at->offset != offset) return std::nullopt;
    return at->synset;
  }

 private:
  std::vector<Entry> entries_;
};

// A pointer of data.noun whose target is only known by its offset.
struct Pointer {
  enum Kind { kKindOf, kInstanceOf, kDown };
  uint32_t synset;
  uint32_t offset;
  uint32_t line;
  Kind kind;
};

std::optional<Pointer::Kind> KindOf(std::string_view symbol) {
  if (symbol == "@") return Pointer::kKindOf;
  if (symbol == "@i") return Pointer::kInstanceOf;
  if (symbol == "~" || symbol == "~i") return Pointer::kDown;
  return std::nullopt;
}

// offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [symbol offset pos source/target...] | gloss
Status ParseSynset(Lines& lines, WordNetNouns& nouns, Offsets& offsets,
                   std::vector<Pointer>& pointers) {
  const auto number = static_cast<uint32_t>(nouns.synsets.size());
  const auto offset = lines.Number();
  if (!offset) return lines.Wrong("a synset must begin with its offset, but does not");
  offsets.Add({*offset, number, lines.number()});
  lines.Part();
  if (lines.Part() != "n") return lines.Wrong("a synset must be of nouns (n), but is not");
  const auto words = lines.Number(16);
  if (!words || *words == 0) {
    return lines.Wrong("a synset must say how many words it has, at least 1, but does not");
  }
  for (uint32_t word = 0; word < *words; ++word) {
    const std::string_view text = lines.Part();
    if (lines.Part().empty()) {
      return lines.Wrong(
          fmt::format("a synset must have as many words as it says, {}, but its line ends after {}",
                      *words, word));
    }
    if (word == 0) nouns.synsets.push_back({.name = WithBlanks(text)});
  }
  const auto count = lines.Number();
  if (!count) return lines.Wrong("a synset must say how many pointers it has, but does not");
  for (uint32_t i = 0; i < *count; ++i) {
    const std::string_view symbol = lines.Part();
    const auto target = lines.Number();
    const bool is_noun = lines.Part() == "n";
    if (!target || lines.Part().empty()) {
      return lines.Wrong(
          fmt::format("a synset must have as many pointers as it says, {}, of four parts each, but "
                      "pointer {} is not of four parts",
                      *count, i + 1));
    }
    const auto kind = KindOf(symbol);
    if (kind && is_noun) pointers.push_back({number, *target, lines.number(), *kind});
  }
  return {};
}

Status Resolve(const std::vector<Pointer>& pointers, const Offsets& offsets, const Lines& lines,
               WordNetNouns& nouns) {
  std::vector<bool> is_instance(nouns.synsets.size(), false);
  nouns.links.reserve(pointers.size());
  for (const Pointer& pointer : pointers) {
    const auto target = offsets.Find(pointer.offset);
    if (!target) {
      return lines.Wrong(
          "a synset must point to synsets of the file, but one of its pointers does "
          "not",
          pointer.line);
    }
    nouns.links.emplace_back(pointer.synset, *target);
    if (pointer.kind == Pointer::kDown) continue;
    uint32_t& hypernym = nouns.synsets[pointer.synset].hypernym;
    if (hypernym == WordNetNouns::kNone ||
        (is_instance[pointer.synset] && pointer.kind == Pointer::kKindOf)) {
      hypernym = *target;
      is_instance[pointer.synset] = pointer.kind == Pointer::kInstanceOf;
    }
  }
  return {};
}

// lemma pos synset_cnt p_cnt [symbol...] sense_cnt tagsense_cnt offset [offset...]
Status ParseWord(Lines& lines, const Offsets& offsets, WordNetNouns& nouns) {
  WordNetNouns::Word word;
  word.text = LowerCased(WithBlanks(lines.Part()));
  if (lines.Part() != "n") return lines.Wrong("a word must be a noun (n), but is not");
  const auto senses = lines.Number();
  const auto symbols = lines.Number();
  if (!senses || *senses == 0 || !symbols) {
    return lines.Wrong(
        "a word must say how many synsets, at least 1, and kinds of pointers it has, but does not");
  }
  for (uint32_t i = 0; i < *symbols; ++i) {
    if (lines.Part().empty()) break;
  }
  lines.Part();
  const auto met = lines.Number();
  for (uint32_t sense = 0; sense < *senses; ++sense) {
    const auto offset = lines.Number();
    if (!met || !offset) {
      return lines.Wrong(fmt::format(
          "a word must have its {} synsets behind its kinds of pointers, but has not", *senses));
    }
    const auto synset = offsets.Find(*offset);
    if (!synset) {
      return lines.Wrong("a word must name synsets of data.noun, but one of them is not there");
    }
    if (sense == 0) word.synset = *synset;
    WordNetNouns::Synset& named = nouns.synsets[*synset];
    if (named.sense == 0 && LowerCased(named.name) == word.text) named.sense = sense + 1;
  }
  word.senses = *senses;
  word.met_senses = *met;
  word.line = lines.number();
  nouns.words.push_back(std::move(word));
  return {};
}

}  // namespace

std::string WordNetPath(const std::string& folder, std::string_view file) {
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", file);
}

Result<WordNetTexts> ReadWordNetTexts(const std::string& folder, std::string_view if_missing,
                                      const Progress* progress) {
  const ReadAllOptions options = {
      .what = "a file of WordNet", .if_missing = if_missing, .progress = progress};
  WordNetTexts texts;
  THICKET_ASSIGN(texts.data, ReadAll(WordNetPath(folder, "data.noun"), options));
  THICKET_ASSIGN(texts.index, ReadAll(WordNetPath(folder, "index.noun"), options));
  THICKET_ASSIGN(texts.exceptions, ReadAll(WordNetPath(folder, "noun.exc"), options));
  return texts;
}

Result<WordNetNouns> ParseWordNet(const WordNetTexts& texts, const std::string& folder) {
  WordNetNouns nouns;
  Offsets offsets;
  std::vector<Pointer> pointers;
  Lines data(texts.data, WordNetPath(folder, "data.noun"));
  while (data.Next()) THICKET_TRY(ParseSynset(data, nouns, offsets, pointers));
  if (nouns.synsets.empty()) return data.Wrong("must hold synsets, but holds none", 0);
  if (const auto line = offsets.Close()) {
    return data.Wrong("a synset must have an offset of its own, but has that of another one",
                      *line);
  }
  THICKET_TRY(Resolve(pointers, offsets, data, nouns));

  Lines index(texts.index, WordNetPath(folder, "index.noun"));
  while (index.Next()) THICKET_TRY(ParseWord(index, offsets, nouns));
  if (nouns.words.empty()) return index.Wrong("must hold words, but holds none", 0);

  Lines exceptions(texts.exceptions, WordNetPath(folder, "noun.exc"));
  while (exceptions.Next()) {
    const std::string_view form = exceptions.Part();
    const std::string_view base = exceptions.Part();
    if (base.empty()) {
      return exceptions.Wrong(
          "an irregular form must have its base form behind it, but has nothing");
    }
    nouns.exceptions.emplace_back(LowerCased(WithBlanks(form)), LowerCased(WithBlanks(base)));
  }
  return nouns;
}

}  // namespace thicket
