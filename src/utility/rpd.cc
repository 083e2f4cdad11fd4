#include "utility/rpd.h"

#include <fmt/format.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"

namespace thicket {

namespace {

// d(u) * |C(u)|
double Factor(const LabelSpace& space, const PathTree::Node& node) {
  return node.depth * static_cast<double>(space.at_level(space.level(node.label)));
}

// By node: 1 / (d(u1) |C(u1)| ... d(un) |C(un)|).
std::vector<double> PathRpds(const LabelSpace& space, const PathTree& tree) {
  std::vector<double> rpd(tree.nodes.size(), 1);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    rpd[i] = rpd[tree.nodes[i].parent] / Factor(space, tree.nodes[i]);
  }
  return rpd;
}

double MeanRpd(const LabelSpace& space, const PathTrees& trees, size_t of_records) {
  if (of_records == 0) return 0;
  auto sum = static_cast<double>(of_records - trees.record_count());
  PathTree tree;
  Phase phase("rpd", trees.record_count());
  for (RecordId record = 0; record < trees.record_count(); ++record) {
    StopPoint();
    phase.Advance();
    trees.Read(record, tree);
    sum += RecordRpd(space, tree);
  }
  return sum / static_cast<double>(of_records);
}

}  // namespace

double RecordRpd(const LabelSpace& space, const PathTree& tree) {
  const std::vector<double> rpd = PathRpds(space, tree);
  double sum = 0;
  size_t leaves = 0;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].first_child != 0) continue;
    sum += rpd[i];
    ++leaves;
  }
  return sum / static_cast<double>(leaves);
}

Result<RpdReport> MeasureRpd(const EncodedDataset& original, const Dataset& published) {
  const LabelSpace space(original);
  THICKET_ASSIGN(const PathTrees after, PathTrees::OfPublished(space, original, published));
  const size_t records = original.forest().record_count();
  if (after.record_count() > records) {
    return ErrorAt(ErrorCode::kData, {.file = published.source},
                   fmt::format("published data must not have more records than the original, but "
                               "has {} instead of {}",
                               WithCommas(after.record_count()), WithCommas(records)),
                   "measure it against the data that it was made from");
  }
  const PathTrees before = PathTrees::OfOriginal(space, original);
  return RpdReport{MeanRpd(space, before, records), MeanRpd(space, after, records)};
}

double SynopsisRpd(const LabelSpace& space, const PathTrees& trees) {
  PathTree synopsis;
  synopsis.nodes.resize(1);
  std::vector<uint64_t> support = {0};
  // A node of the synopsis has too many children to look at each: the child by parent and label.
  std::unordered_map<uint64_t, uint32_t> child;
  std::vector<uint32_t> place;
  PathTree tree;
  Phase phase("rpd", trees.record_count());
  for (RecordId record = 0; record < trees.record_count(); ++record) {
    StopPoint();
    phase.Advance();
    trees.Read(record, tree);
    place.assign(tree.nodes.size(), 0);
    for (size_t i = 1; i < tree.nodes.size(); ++i) {
      const uint32_t parent = place[tree.nodes[i].parent];
      const auto [found, added] =
          child.try_emplace(uint64_t{parent} << 32 | tree.nodes[i].label, synopsis.nodes.size());
      place[i] = found->second;
      if (added) {
        synopsis.nodes[parent].first_child = place[i];
        synopsis.nodes.push_back({tree.nodes[i].label, parent, tree.nodes[i].depth, 0, 0});
        support.push_back(0);
      }
      ++support[place[i]];
    }
  }
  const size_t nodes = synopsis.nodes.size() - 1;
  if (nodes == 0) return 0;
  const std::vector<double> rpd = PathRpds(space, synopsis);
  std::vector<uint64_t> path_support(synopsis.nodes.size(), 0);
  double sum = 0;
  size_t leaves = 0;
  for (size_t i = 1; i < synopsis.nodes.size(); ++i) {
    path_support[i] = path_support[synopsis.nodes[i].parent] + support[i];
    if (synopsis.nodes[i].first_child != 0) continue;
    sum += static_cast<double>(path_support[i]) * rpd[i];
    ++leaves;
  }
  return sum / static_cast<double>(leaves) / static_cast<double>(nodes);
}

Result<RpdReport> MeasureSynopsisRpd(const EncodedDataset& original, const Dataset& published) {
  const LabelSpace space(original);
  THICKET_ASSIGN(const PathTrees after, PathTrees::OfPublished(space, original, published));
  const PathTrees before = PathTrees::OfOriginal(space, original);
  return RpdReport{SynopsisRpd(space, before), SynopsisRpd(space, after)};
}

}  // namespace thicket
