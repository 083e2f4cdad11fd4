// Query accuracy: how well counts on the published data agree with counts on the original (section 6 of Ozalp et al.
// 2016).
//
// A query counts records, or vertices of one class, with one to three conditions on the path from the record's root to
// a vertex of that class: "how many students took CS301", "how many CS courses were taken by students born in
// [1990, 1995)", "how many B's were given in CS3**". A condition is
//
//   on a taxonomy      the value lies at or below a node other than the root
//   on a number        the value lies in a closed interval
//   on a sensitive one the value is the given one, or lies in its bucket
//
// Drawing one. A class is drawn evenly, records or vertices are drawn evenly (of the root class they are the same),
// then a vertex of the class and one to three different attributes on its path, one of them its own if it has any. Each
// condition is one that this vertex's path meets: the node is drawn evenly from the value and its ancestors, the ends
// of the interval evenly from the numbers below and above it. So the exact answer X is never 0, and values are asked
// for as often as they occur.
//
// Answering it on published data. A generalized value meets a condition with a probability: the fraction of its leaves
// that do, or of the width of its interval; where "*" also stands for missing numbers, missing is one value among all.
// Sensitive values are published as they are. Probabilities are taken as independent:
//
//   vertices  the sum over vertices of the product over the conditions
//   records   the sum over records of P(root), where P(v) is the product of the conditions on v, times, above the
//             counted class, 1 - the product of (1 - P(child)) over the children on the path
//
// The accuracy of a query is 1 - |Y - X| / X. The paper averages it as it is, so a query whose answer is far too high
// can weigh more than many good ones; `mean` is that average, `mean_bounded` counts such a query as 0, and the median
// is there for judgement.
//
//   THICKET_ASSIGN(QueryReport report, MeasureQueries(original, published, {}, parallel, progress));
//
// O(queries * (vertices of the classes on the path + distinct labels)); a thousand queries on 42,000 vertices take a
// fraction of a second. Many queries are answered while the records pass by once, class by class (utility/vertex_columns.h). The
// same seed asks the same queries on every machine and any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/result.h"
#include "record/dataset.h"
#include "record/published_labels.h"
#include "utility/vertex_columns.h"

namespace thicket {

struct Condition {
  ClassId vertex_class = 0;
  // The slot of the attribute; sensitive from VertexClass::sensitive_slot(0) on.
  size_t slot = 0;
  // A quasi-identifier's region, or a sensitive attribute's bucket in `label.low`.
  Label label;
};

struct Query {
  // The deepest class of the path; its vertices are what is counted, or what makes a record count.
  ClassId target = 0;
  bool count_records = true;
  std::vector<Condition> conditions;
};

struct QueryOptions {
  // How many queries are asked.
  size_t queries = 1000;
  // Chooses the queries.
  uint64_t seed = 1;
};

struct QueryReport {
  size_t queries = 0;
  double mean = 1;
  double mean_bounded = 1;
  double median = 1;
};

// A query that has an answer above 0 on the data. The data must have a record and an attribute that is not only kept.
class QueryDrawer {
 public:
  QueryDrawer(const EncodedDataset& data, uint64_t seed);
  bool can_draw() const { return !targets_.empty(); }
  Query Draw();

 private:
  Condition DrawCondition(Vertex vertex, size_t slot);

  const EncodedDataset* data_;
  Random random_;
  // The vertices of each class; the classes that have vertices and, on their path, attributes.
  std::vector<std::vector<Vertex>> vertices_;
  std::vector<ClassId> targets_;
};

// How likely a published label is to meet a condition on its quasi-identifier.
double MatchFraction(const Domain& domain, Label published, Label region);

// The exact answer, X.
double AnswerOnOriginal(const EncodedDataset& data, const Query& query);
// Of several queries at once, from the columns of the data; the same numbers.
std::vector<double> AnswerOnOriginal(const EncodedDataset& data, const VertexColumns& columns,
                                     std::span<const Query> queries);

// Answers queries on published data, Y. Keeps references to both data sets.
class PublishedAnswers {
 public:
  // Both data sets must have the same schema. Fails with kData if a published value is not one of the original's
  // domains, or a sensitive one does not occur in the original.
  static Result<PublishedAnswers> Read(const EncodedDataset& original, const Dataset& published);

  double Answer(const Query& query) const;
  // Of several queries at once, from the columns of the published data; the same numbers.
  std::vector<double> Answer(const VertexColumns& columns, std::span<const Query> queries) const;

 private:
  PublishedAnswers(const EncodedDataset& original, const Dataset& published, PublishedLabels labels)
      : original_(&original), published_(&published), labels_(std::move(labels)) {}
  Status ReadBuckets();
  // The probability that each symbol meets the condition.
  std::vector<double> Table(const Condition& condition) const;

  const EncodedDataset* original_;
  const Dataset* published_;
  PublishedLabels labels_;
  // By class, sensitive attribute and symbol of the published data.
  std::vector<std::vector<std::vector<uint32_t>>> buckets_;
};

// Fails as PublishedAnswers::Read does. Where there is nothing to ask for, no queries are asked and everything is 1.
Result<QueryReport> MeasureQueries(const EncodedDataset& original, const Dataset& published,
                                   const QueryOptions& options, Parallel& parallel,
                                   Progress& progress);

}  // namespace thicket
