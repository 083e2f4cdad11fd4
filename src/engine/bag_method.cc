#include "engine/bag_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "cutting/sets/lg_bags.h"
#include "engine/word_meaning.h"
#include "grouping/bags/bags.h"
#include "grouping/bags/ssg.h"
#include "taxonomy/term_distances.h"
#include "utility/bag_lm.h"

namespace thicket {

namespace {

constexpr ClassId kTermClass = 1;

constexpr WordMeaning<BagCentre> kCentres[] = {{"majority", BagCentre::kMajority},
                                               {"hyper", BagCentre::kHyper},
                                               {"generalize", BagCentre::kGeneralize}};
constexpr WordMeaning<BagMatching> kMatchings[] = {{"exact", BagMatching::kExact},
                                                   {"greedy", BagMatching::kGreedy}};

// The bags of a data set. A term is the number of a value that occurs.
struct DatasetBags {
  Bags bags;
  // By bag: the record, and where its terms' vertices begin in `vertices`, which stand in the order of Bags::terms().
  std::vector<RecordId> record;
  std::vector<size_t> first_vertex;
  std::vector<Vertex> vertices;
  // By term.
  std::vector<Value> value_of_term;
  // Records without a term.
  std::vector<RecordId> empty;
  size_t owners = 0;

  Vertex vertex(size_t bag, size_t place) const { return vertices[first_vertex[bag] + place]; }
};

DatasetBags BagsOf(const EncodedDataset& data) {
  constexpr uint32_t kNone = ~uint32_t{0};
  const Forest& forest = data.forest();
  DatasetBags found;
  std::vector<uint32_t> term_of_value(data.classes[kTermClass].domains[0].value_count(), kNone);
  for (Vertex v = 0; v < forest.vertex_count(); ++v) {
    StopPoint();
    if (forest.class_of(v) == kTermClass) term_of_value[data.value(v, 0)] = 0;
  }
  // Terms are numbered in the order of their values, not in that of the data.
  for (Value value = 0; value < term_of_value.size(); ++value) {
    if (term_of_value[value] == kNone) continue;
    term_of_value[value] = static_cast<uint32_t>(found.value_of_term.size());
    found.value_of_term.push_back(value);
  }
  std::unordered_set<uint32_t> owners;
  std::vector<std::pair<uint32_t, Vertex>> terms;
  std::vector<uint32_t> numbers;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    terms.clear();
    numbers.clear();
    for (const Vertex v : forest.Children(forest.root(record))) {
      terms.emplace_back(term_of_value[data.value(v, 0)], v);
    }
    if (terms.empty()) {
      found.empty.push_back(record);
      continue;
    }
    std::sort(terms.begin(), terms.end());
    found.record.push_back(record);
    found.first_vertex.push_back(found.vertices.size());
    for (const auto& [term, vertex] : terms) {
      numbers.push_back(term);
      found.vertices.push_back(vertex);
    }
    const uint32_t owner = data.data.owners.empty() ? record : data.data.owners[record];
    owners.insert(owner);
    found.bags.Add(numbers, owner);
  }
  found.owners = owners.size();
  return found;
}

struct BagJob {
  const Policy& policy;
  const NetworkFiles& networks;
  const EncodedDataset& data;
  const DatasetBags& found;
  Parallel& parallel;
  Progress& progress;

  const Domain& domain() const { return data.classes[kTermClass].domains[0]; }
  Node leaf(uint32_t term) const {
    return domain().taxonomy().first_leaf() + found.value_of_term[term];
  }
  Label label(uint32_t term) const { return domain().Leaf(found.value_of_term[term]); }
};

// Bags that look alike are one class, whichever groups they came from: nobody who reads them can tell.
class BagPublisher {
 public:
  explicit BagPublisher(const BagJob& job) : job_(job) {}

  // `positions`: for each its labels and, by member, the place of its term.
  void Add(std::span<const uint32_t> bags,
           std::vector<std::pair<std::vector<Label>, std::vector<uint32_t>>> positions) {
    std::sort(positions.begin(), positions.end());
    std::vector<std::vector<Label>> labels;
    for (auto& [label, places] : positions) labels.push_back(std::move(label));
    std::vector<Member>& members = classes_[std::move(labels)];
    for (size_t member = 0; member < bags.size(); ++member) {
      Member one = {bags[member], {}};
      for (const auto& [label, places] : positions) one.places.push_back(places[member]);
      members.push_back(std::move(one));
    }
  }

  Publication Publish() const {
    Publication published;
    for (const auto& [labels, members] : classes_) {
      StopPoint();
      const uint32_t root = published.Open(0, {});
      for (const std::vector<Label>& one_of : labels) {
        const Label label = one_of.size() == 1 ? one_of.front() : published.AddAlternatives(one_of);
        published.Open(kTermClass, {&label, 1});
      }
      published.Close(root);
      for (const Member& member : members) {
        const RecordId record = job_.found.record[member.bag];
        const Vertex source = job_.data.forest().root(record);
        published.AddRecord(record);
        published.AddSources({&source, 1});
        for (const uint32_t place : member.places) {
          const Vertex vertex = job_.found.vertex(member.bag, place);
          published.AddSources({&vertex, 1});
        }
      }
      published.EndTree();
    }
    published.Suppress(job_.found.empty);
    return published;
  }

 private:
  struct Member {
    uint32_t bag;
    std::vector<uint32_t> places;
  };

  const BagJob& job_;
  std::map<std::vector<std::vector<Label>>, std::vector<Member>> classes_;
};

Result<TermDistances> DistancesOf(const BagJob& job) {
  const QuasiAttribute& attribute = job.data.schema().classes[kTermClass].quasi[0];
  const auto epsilon = static_cast<uint32_t>(*job.policy.privacy.epsilon);
  const std::string what = fmt::format("the terms within {} steps of each other", epsilon);
  const Taxonomy& taxonomy = job.domain().taxonomy();
  const size_t terms = job.found.value_of_term.size();
  if (attribute.recoding.kind == Recoding::Kind::kNetwork) {
    const SemanticNetwork& network = *job.networks.at(attribute.recoding.file);
    std::vector<std::string> words;
    for (uint32_t term = 0; term < terms; ++term) words.push_back(taxonomy.label(job.leaf(term)));
    const uint64_t bytes = TermDistances::EstimateBytes(network, words, epsilon);
    THICKET_TRY(CheckMemory(job.progress, what, bytes));
    return TermDistances::OfNetwork(network, words, epsilon, job.parallel);
  }
  std::vector<Node> leaves;
  for (uint32_t term = 0; term < terms; ++term) leaves.push_back(job.leaf(term));
  const uint64_t bytes = TermDistances::EstimateBytes(taxonomy, leaves, epsilon);
  THICKET_TRY(CheckMemory(job.progress, what, bytes));
  return TermDistances::OfTaxonomy(taxonomy, leaves, epsilon, job.parallel);
}

// The labels, one of which each member has.
std::vector<Label> LabelsOf(const BagJob& job, const HyperTerm& hyper, BagCentre centre) {
  if (centre == BagCentre::kMajority) return {job.label(hyper.typical)};
  std::vector<Label> labels;
  for (const uint32_t term : hyper.terms) labels.push_back(job.label(term));
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  if (centre == BagCentre::kHyper) return labels;
  const auto merge = [&](Label a, Label b) { return job.domain().Merge(a, b); };
  return {std::accumulate(labels.begin() + 1, labels.end(), labels.front(), merge)};
}

// bLM, in the form of LM: what is published by another name than its own is generalized.
LossCount LossOf(const BagJob& job, const Publication& published, HyperTerms hyper) {
  const BagLoss measured = MeasureBagLm(job.data, published, hyper);
  LossCount loss;
  loss.labels = measured.occurrences;
  loss.suppressed = measured.suppressed;
  loss.loss = measured.blm() * static_cast<double>(measured.occurrences);
  for (const PublishedTree tree : published.trees()) {
    for (size_t member = 0; member < tree.records.size(); ++member) {
      for (size_t position = 1; position < tree.size(); ++position) {
        const Value own = job.data.value(tree.vertex(member, position), 0);
        if (tree.labels(position)[0] != job.domain().Leaf(own)) ++loss.generalized;
      }
    }
  }
  return loss;
}

MethodResult ResultOf(const BagJob& job, Publication published, HyperTerms hyper) {
  MethodResult result;
  result.published = std::move(published);
  Report::Bags bags;
  bags.terms = job.found.vertices.size();
  for (const PublishedTree tree : result.published.trees()) {
    bags.published += (tree.size() - 1) * tree.records.size();
    if (tree.size() == 1) bags.empty += tree.records.size();
  }
  bags.left_out = bags.terms - bags.published;
  result.bags = bags;
  result.bag_loss = LossOf(job, result.published, hyper);
  return result;
}

// A term that reads like several of them could not be told from them.
Status CheckMarks(const BagJob& job) {
  for (uint32_t term = 0; term < job.found.value_of_term.size(); ++term) {
    const std::string& text = job.domain().taxonomy().label(job.leaf(term));
    if (text.find(kAlternativesMark) == std::string::npos) continue;
    return ErrorAt(
        ErrorCode::kData, {.file = job.data.data.source},
        fmt::format("no term may hold {} for centre: hyper, which puts it between terms, but one "
                    "does",
                    kAlternativesMark),
        "rename the term, or choose another centre; --show-values prints it", text);
  }
  return {};
}

Error TooFewPeople(const BagJob& job) {
  return {ErrorCode::kPromise,
          fmt::format("k = {} needs the bags of at least {} people, but there {} {}; nothing was "
                      "published",
                      *job.policy.privacy.k, *job.policy.privacy.k,
                      job.found.owners == 1 ? "is" : "are", WithCommas(job.found.owners)),
          "lower k in the policy, or publish the bags of more people together", ""};
}

Result<MethodResult> RunSsg(const BagJob& job, bool exhaustive) {
  SsgOptions options;
  options.k = static_cast<uint32_t>(*job.policy.privacy.k);
  options.omega = job.policy.method.omega;
  options.exhaustive = exhaustive;
  THICKET_ASSIGN(options.centre, MeaningOf("centre", job.policy.method.centre, kCentres));
  THICKET_ASSIGN(options.matching, MeaningOf("matching", job.policy.method.matching, kMatchings));
  if (options.centre == BagCentre::kHyper) THICKET_TRY(CheckMarks(job));
  THICKET_ASSIGN(const TermDistances distances, DistancesOf(job));
  const SsgAnswer answer =
      GroupBags(job.found.bags, distances, options, job.parallel, job.progress);
  if (!answer.is_feasible) return TooFewPeople(job);
  BagPublisher publisher(job);
  for (const BagClass& of : answer.classes) {
    StopPoint();
    std::vector<std::pair<std::vector<Label>, std::vector<uint32_t>>> positions;
    for (const HyperTerm& hyper : of.hyper) {
      positions.emplace_back(LabelsOf(job, hyper, options.centre), hyper.places);
    }
    publisher.Add(of.bags, std::move(positions));
  }
  MethodResult result = ResultOf(job, publisher.Publish(), HyperTerms::kByPlace);
  result.bags->substitutes = options.centre == BagCentre::kMajority;
  result.search = {answer.candidates, answer.compared};
  return result;
}

Result<MethodResult> RunLocal(const BagJob& job, bool as_sets) {
  LeafBags leaves;
  std::vector<Node> bag;
  for (size_t i = 0; i < job.found.bags.size(); ++i) {
    StopPoint();
    bag.clear();
    for (const uint32_t term : job.found.bags.terms(i)) bag.push_back(job.leaf(term));
    leaves.Add(bag, job.found.bags.owner(i));
  }
  const LgBagsAnswer answer =
      GeneralizeBags(leaves, job.domain().taxonomy(), static_cast<uint64_t>(*job.policy.privacy.k),
                     {.as_sets = as_sets, .limit_s = job.policy.method.limit_s}, job.progress);
  if (!answer.is_feasible) return TooFewPeople(job);
  BagPublisher publisher(job);
  for (const LgBagClass& of : answer.classes) {
    StopPoint();
    std::vector<std::pair<std::vector<Label>, std::vector<uint32_t>>> positions;
    for (const LgBagClass::Label& label : of.labels) {
      for (uint32_t i = 0; i < label.count; ++i) {
        std::vector<uint32_t> places;
        for (const std::vector<uint32_t>& of_member : label.places) places.push_back(of_member[i]);
        positions.emplace_back(std::vector<Label>{{label.node, label.node}}, std::move(places));
      }
    }
    publisher.Add(of.bags, std::move(positions));
  }
  MethodResult result = ResultOf(job, publisher.Publish(), HyperTerms::kByLabel);
  result.search = {answer.weighed, answer.splits};
  if (answer.stopped_early) {
    result.warnings.emplace_back("limit_s ended the search: parts could have been divided further");
  }
  return result;
}

}  // namespace

Result<MethodResult> RunBagSearch(const Policy& policy, BagSearch search,
                                  const NetworkFiles& networks, const EncodedDataset& data,
                                  bool exhaustive, Parallel& parallel, Progress& progress) {
  const DatasetBags found = BagsOf(data);
  const BagJob job = {policy, networks, data, found, parallel, progress};
  if (found.owners < static_cast<size_t>(*policy.privacy.k)) return TooFewPeople(job);
  if (search == BagSearch::kSsg) return RunSsg(job, exhaustive);
  return RunLocal(job, search == BagSearch::kLg);
}

}  // namespace thicket
