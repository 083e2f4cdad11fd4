#include "verify/one_cut.h"

#include <utility>

#include "base/stop.h"
#include "verify/label_ancestors.h"
#include "verify/value_reading.h"

namespace thicket {

namespace {

constexpr std::string_view kAnything = "*";

// By symbol: whether a record's root has it.
std::vector<bool> ShownAt(const Dataset& data, size_t slot) {
  std::vector<bool> shown(data.dictionaries[0][slot].size(), false);
  for (RecordId record = 0; record < data.forest.record_count(); ++record) {
    shown[data.forest.value(data.forest.root(record), slot)] = true;
  }
  return shown;
}

}  // namespace

Result<CutReading> CutReading::Of(const Dataset& published, size_t slot,
                                  const TaxonomyFiles& taxonomies,
                                  const std::vector<std::string>& known, const Dataset* original) {
  THICKET_ASSIGN(const LabelReader reader,
                 LabelReader::Of(published.schema->root().quasi[slot], taxonomies));
  CutReading reading(published, slot, reader);
  reading.ReadNames(original);
  reading.ReadLabels(known);
  return reading;
}

std::vector<std::string> CutReading::AncestorsOf(std::string_view label) const {
  std::vector<std::string> ancestors =
      LabelAncestors(reader_, label, has_original_ ? taken_ : texts_);
  if (!HasNamedRoot()) return ancestors;
  // What the file does not have, and what is missing, stands beside the file's root and below "*".
  const Taxonomy& taxonomy = *reader_.taxonomy();
  const bool is_known =
      taxonomy.Find(label) || (taxonomy.has_ranges() && taxonomy.FindRange(label));
  if (label == kAnything) return {};
  if (!is_known) return {std::string(kAnything)};
  ancestors.emplace_back(kAnything);
  return ancestors;
}

bool CutReading::HasNamedRoot() const {
  return reader_.taxonomy() != nullptr && reader_.taxonomy()->label(Taxonomy::kRoot) != kAnything;
}

bool CutReading::IsTop(std::string_view text) const {
  return HasNamedRoot() ? text == kAnything : reader_.IsRoot(text);
}

void CutReading::ReadNames(const Dataset* original) {
  has_original_ = original != nullptr;
  if (!has_original_ || reader_.taxonomy() != nullptr) return;
  const Dictionary& dictionary = original->dictionaries[0][slot_];
  const std::vector<bool> shown = ShownAt(*original, slot_);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    if (shown[symbol]) names_.insert(std::string(dictionary.text(symbol)) + " (any)");
  }
  for (const std::string& name : names_) taken_.insert(name);
}

bool CutReading::MayBeValue(const std::string& text) const {
  const Recoding& recoding = reader_.recoding();
  if (has_original_ || reader_.IsRoot(text)) return false;
  return recoding.kind == Recoding::Kind::kMask ||
         (recoding.kind == Recoding::Kind::kDate && FitsAsValue(recoding, text));
}

uint32_t CutReading::Number(std::string_view text) {
  if (IsTop(text)) {
    if (root_ == kFree) root_ = count_++;
    return root_;
  }
  const auto [found, is_new] = numbers_.emplace(text, count_);
  if (is_new) ++count_;
  const auto node = reader_.taxonomy() != nullptr ? reader_.taxonomy()->Find(text) : std::nullopt;
  if (node) by_node_.emplace(*node, found->second);
  return found->second;
}

void CutReading::ReadLabels(const std::vector<std::string>& known) {
  const Dictionary& dictionary = published_->dictionaries[0][slot_];
  const std::vector<bool> shown = ShownAt(*published_, slot_);
  known_ = known;
  for (const std::string& text : known_) texts_.insert(text);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    if (shown[symbol]) texts_.insert(dictionary.text(symbol));
  }
  for (const std::string& text : known_) Number(text);
  label_of_published_.assign(dictionary.size(), kFree);
  for (Symbol symbol = 0; symbol < dictionary.size(); ++symbol) {
    if (!shown[symbol]) continue;
    if (symbol == kMissing) {
      missing_ = count_++;
      label_of_published_[symbol] = missing_;
    } else {
      label_of_published_[symbol] = Number(dictionary.text(symbol));
    }
  }
  for (const std::string_view text : texts_) {
    StopPoint();
    for (std::string& ancestor : AncestorsOf(text)) above_.insert(std::move(ancestor));
  }
  // Whatever is published, a missing value as well, "*" is above it.
  if (count_ > 0) above_.insert(std::string(kAnything));
  const bool has_root = root_ != kFree;
  for (Symbol symbol = 0; symbol < dictionary.size() && !below_; ++symbol) {
    StopPoint();
    if (!shown[symbol] || label_of_published_[symbol] == root_) continue;
    bool is_below = has_root;
    if (symbol != kMissing && !is_below) {
      for (const std::string& ancestor : AncestorsOf(dictionary.text(symbol))) {
        is_below = is_below || (texts_.contains(ancestor) && !MayBeValue(ancestor));
      }
    }
    if (is_below) below_ = symbol;
  }
}

// The label that is the value or above it.
uint32_t CutReading::FindLabel(std::string_view value,
                               const std::vector<std::string>& ancestors) const {
  if (root_ != kFree) return root_;
  const auto own = numbers_.find(value);
  if (own != numbers_.end()) return own->second;
  // A file's number may be written in another way: 1993.0 is 1993.
  const auto node = reader_.taxonomy() != nullptr ? reader_.taxonomy()->Find(value) : std::nullopt;
  const auto same = node ? by_node_.find(*node) : by_node_.end();
  if (same != by_node_.end()) return same->second;
  for (const std::string& ancestor : ancestors) {
    const auto found = numbers_.find(ancestor);
    if (found != numbers_.end()) return found->second;
  }
  return kFree;
}

void CutReading::AddLine(Symbol symbol, std::string_view value,
                         const std::vector<std::string>& ancestors) {
  std::vector<uint32_t>& line = lines_[symbol];
  const auto add = [&](std::string key) {
    const auto next = static_cast<uint32_t>(line_labels_.size());
    const uint32_t label = line_labels_.emplace(std::move(key), next).first->second;
    // A short text is masked as a whole, and that is the root already.
    if (line.empty() || line.back() != label) line.push_back(label);
  };
  // A value and a group may have the same text.
  add("=" + std::string(value));
  for (const std::string& ancestor : ancestors) {
    if (above_.contains(ancestor)) break;
    add("^" + ancestor);
  }
}

void CutReading::Place(const Dataset& original, size_t slot) {
  const Dictionary& dictionary = original.dictionaries[0][slot];
  const std::vector<bool> shown = ShownAt(original, slot);
  const bool is_empty = count_ == 0;
  label_of_original_.assign(dictionary.size(), kFree);
  for (Symbol symbol = 0; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (!shown[symbol]) continue;
    if (symbol == kMissing) {
      label_of_original_[symbol] = root_ != kFree ? root_ : missing_;
      if (label_of_original_[symbol] == kFree) {
        AddLine(symbol, "", is_empty ? std::vector<std::string>{"*"} : std::vector<std::string>());
      }
      continue;
    }
    const std::string_view value = dictionary.text(symbol);
    const std::vector<std::string> ancestors = AncestorsOf(value);
    label_of_original_[symbol] = FindLabel(value, ancestors);
    if (label_of_original_[symbol] == kFree) AddLine(symbol, value, ancestors);
  }
}

}  // namespace thicket
