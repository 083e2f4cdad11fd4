#include "verify/label_ancestors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "verify/value_reading.h"

namespace thicket {

namespace {

constexpr std::string_view kAnything = "*";
constexpr std::string_view kCollisionSuffix = " (any)";

std::vector<std::string> InTaxonomy(const Taxonomy& taxonomy, std::string_view label) {
  std::optional<Node> node = taxonomy.Find(label);
  if (!node && taxonomy.has_ranges()) {
    // A value inside the interval, which is then its parent.
    node = taxonomy.FindRange(label);
    if (node && *node != Taxonomy::kRoot) {
      std::vector<std::string> ancestors = InTaxonomy(taxonomy, taxonomy.label(*node));
      ancestors.insert(ancestors.begin(), taxonomy.label(*node));
      return ancestors;
    }
  }
  std::vector<std::string> ancestors;
  // What the file does not have stands right under the root.
  if (!node) return {taxonomy.label(Taxonomy::kRoot)};
  while (*node != Taxonomy::kRoot) {
    node = taxonomy.parent(*node);
    ancestors.push_back(taxonomy.label(*node));
  }
  return ancestors;
}

// Those after the label in the ancestors of a value below it; nothing if the label is not among them.
std::optional<std::vector<std::string>> AfterLabel(const Recoding& recoding,
                                                   const std::string& value,
                                                   std::string_view label) {
  const std::vector<std::string> all = LabelsAbove(recoding, value);
  const auto found = std::find(all.begin(), all.end(), label);
  if (found == all.end()) return std::nullopt;
  return std::vector<std::string>(found + 1, all.end());
}

std::vector<std::string> UnderMask(const Recoding& recoding, std::string_view label) {
  std::vector<std::string> letters;
  for (const char c : label) {
    const bool continues = (static_cast<uint8_t>(c) & 0xC0U) == 0x80U;
    if (!continues || letters.empty()) letters.emplace_back();
    letters.back() += c;
  }
  std::vector<std::string> ancestors;
  for (int masked = 0; masked < recoding.mask && masked < static_cast<int>(letters.size());
       ++masked) {
    std::string& letter = letters[letters.size() - 1 - static_cast<size_t>(masked)];
    if (letter == kAnything) continue;
    letter = kAnything;
    std::string text;
    for (const std::string& part : letters) text += part;
    ancestors.push_back(std::move(text));
  }
  return ancestors;
}

std::vector<std::string> InRecoding(const Recoding& recoding, std::string_view label) {
  if (recoding.kind == Recoding::Kind::kMask) {
    std::vector<std::string> above = LabelsAbove(recoding, label);
    // The stars of a label are masked already, but in a ZIP+4 code there are none.
    const bool has_part = !above.empty() && above.front().size() < label.size();
    return has_part ? above : UnderMask(recoding, label);
  }
  if (recoding.kind == Recoding::Kind::kNumeric) return {};
  if (FitsAsValue(recoding, label)) return LabelsAbove(recoding, label);
  if (recoding.kind == Recoding::Kind::kRanges) {
    const size_t comma = label.find(", ");
    if (comma == std::string_view::npos) return {};
    return AfterLabel(recoding, std::string(label.substr(1, comma - 1)), label)
        .value_or(std::vector<std::string>());
  }
  // Labels are the same however dates are written.
  Recoding plain = recoding;
  plain.format.clear();
  if (IsDayLabel(recoding, label)) return LabelsAbove(plain, label);
  for (int month = 1; month <= 12; ++month) {
    const std::string day = fmt::format("{}-{:02}-01", label.substr(0, 4), month);
    if (auto found = AfterLabel(plain, day, label)) return std::move(*found);
  }
  return {};
}

}  // namespace

std::vector<std::string> LabelAncestors(const LabelReader& reader, std::string_view label,
                                        const std::unordered_set<std::string_view>& published) {
  if (reader.taxonomy() != nullptr) {
    const std::string& root = reader.taxonomy()->label(Taxonomy::kRoot);
    if (reader.IsRoot(label)) {
      return label == root ? std::vector<std::string>() : std::vector<std::string>{root};
    }
    return InTaxonomy(*reader.taxonomy(), label);
  }
  if (reader.IsRoot(label)) return {};
  std::string_view plain = label;
  while (plain.ends_with(kCollisionSuffix)) plain.remove_suffix(kCollisionSuffix.size());
  std::vector<std::string> ancestors = InRecoding(reader.recoding(), plain);
  if (plain.size() == label.size()) ancestors.insert(ancestors.begin(), std::string(label));
  for (std::string& ancestor : ancestors) {
    const std::string taken = ancestor + std::string(kCollisionSuffix);
    if (published.contains(taken)) ancestor = taken;
  }
  // The label itself was there only for the node that its text was taken from.
  if (!ancestors.empty() && ancestors.front() == label) ancestors.erase(ancestors.begin());
  ancestors.emplace_back(kAnything);
  return ancestors;
}

}  // namespace thicket
