#include "verify/set_cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/fold.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr ClassId kItemClass = 1;
constexpr uint32_t kNone = ~uint32_t{0};

std::vector<uint32_t> SecretsBySymbol(const Dataset& data) {
  const QuasiAttribute& attribute = data.schema->classes[kItemClass].quasi.front();
  std::unordered_map<std::string, uint32_t> items;
  for (const std::string& item : attribute.sensitive_items) {
    items.emplace(FoldValue(item), static_cast<uint32_t>(items.size()));
  }
  const Dictionary& dictionary = data.dictionaries[kItemClass][0];
  std::vector<uint32_t> secrets(dictionary.size(), kNone);
  for (Symbol symbol = 1; symbol < dictionary.size() && !items.empty(); ++symbol) {
    StopPoint();
    const auto found = items.find(FoldValue(dictionary.text(symbol)));
    if (found != items.end()) secrets[symbol] = found->second;
  }
  return secrets;
}

}  // namespace

Result<SetCover> SetCover::Create(const Schema& schema, const TaxonomyFiles& taxonomies,
                                  const Dataset& published, const Dataset& original) {
  THICKET_ASSIGN(PathCover paths, PathCover::Create(schema, taxonomies, published, original));
  return SetCover(published, original, std::move(paths));
}

SetCover::SetCover(const Dataset& published, const Dataset& original, PathCover paths)
    : published_(&published),
      original_(&original),
      paths_(std::move(paths)),
      secret_of_published_(SecretsBySymbol(published)),
      secret_of_original_(SecretsBySymbol(original)) {}

void SetCover::Find(const Forest& forest, Vertex root, const std::vector<uint32_t>& secret_of,
                    std::vector<uint32_t>& found) {
  found.clear();
  for (const Vertex vertex : forest.Children(root)) {
    const uint32_t secret = secret_of[forest.value(vertex, 0)];
    if (secret != kNone) found.push_back(secret);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

bool SetCover::HasItsSecrets(Vertex published, Vertex original) {
  Find(published_->forest, published, secret_of_published_, found_published_);
  Find(original_->forest, original, secret_of_original_, found_original_);
  return found_published_ == found_original_;
}

Violation SetCover::Explain(Vertex published, Vertex original) {
  if (HasItsSecrets(published, original)) return paths_.Explain(published, original);
  const RecordId record = published_->forest.record_of(published);
  return {ViolationKind::kValueChanged,
          fmt::format("{}: a published set must have the sensitive items of its original, but has "
                      "not",
                      published_->Where(record)),
          1};
}

}  // namespace thicket
