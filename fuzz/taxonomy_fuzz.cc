// Any bytes as a taxonomy file, in all its formats: ParseTaxonomy must answer, and what it lets through must be a
// well-numbered tree that reads back from its own CSV form.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "check.h"
#include "taxonomy/taxonomy_file.h"

namespace {

using thicket::fuzz::Check;

void CheckTree(const thicket::Taxonomy& taxonomy) {
  using thicket::Node;
  Check(taxonomy.node_count() >= 2 && taxonomy.leaf_count() >= 1);
  Check(taxonomy.leaves(thicket::Taxonomy::kRoot) == taxonomy.leaf_count());
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    Check(taxonomy.Find(taxonomy.label(node)) == node);
    Check(taxonomy.Loss(node) >= 0 && taxonomy.Loss(node) <= 1);
    if (node > 0) Check(taxonomy.parent(node) < node && !taxonomy.is_leaf(taxonomy.parent(node)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const thicket::Result<thicket::Taxonomy> taxonomy = thicket::ParseTaxonomy(text, "t.csv");
  if (!taxonomy.ok()) {
    Check(taxonomy.error().code == thicket::ErrorCode::kUsage);
    Check(taxonomy.error().message.starts_with("t.csv"));
    return 0;
  }
  CheckTree(*taxonomy);
  const std::string csv = thicket::FormatTaxonomy(*taxonomy);
  const thicket::Result<thicket::Taxonomy> again = thicket::ParseTaxonomy(csv, "t.csv");
  Check(again.ok());
  Check(thicket::FormatTaxonomy(*again) == csv);
  Check(again->node_count() == taxonomy->node_count());
  Check(!thicket::ShowTaxonomy(*taxonomy, 50).empty());
  return 0;
}
