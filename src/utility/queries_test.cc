#include "utility/queries.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "utility/test_data.h"

namespace thicket::queries_test {
namespace {

enum : ClassId { kStudent, kCourse, kBook };

std::shared_ptr<const Schema> StudentSchema() {
  auto student = ToyClass("student", 0, {"major", "age"}, {"gpa"});
  student.quasi[1].recoding.kind = Recoding::Kind::kNumeric;
  student.sensitive[0].buckets = {0, 1, 2, 3, 4};
  return ToySchema(
      {student, ToyClass("course", 0, {"code"}, {"grade"}), ToyClass("book", 1, {"title"}, {})});
}

TaxonomyFiles StudentTaxonomies() {
  TaxonomyFiles files;
  files.emplace("major", ToyTaxonomy({{"*", "Computing", "CS"},
                                      {"*", "Computing", "SE"},
                                      {"*", "Engineering", "EE"},
                                      {"*", "Engineering", "ME"}}));
  files.emplace("code", ToyTaxonomy({{"*", "CS", "CS2**", "CS201"},
                                     {"*", "CS", "CS2**", "CS204"},
                                     {"*", "CS", "CS3**", "CS301"},
                                     {"*", "CS", "CS3**", "CS303"},
                                     {"*", "CS", "CS3**", "CS305"},
                                     {"*", "MATH", "MATH101"},
                                     {"*", "MATH", "MATH102"}}));
  files.emplace("title", ToyTaxonomy({{"*", "X", "X1"}, {"*", "X", "X2"}, {"*", "Y", "Y1"}}));
  return files;
}

const std::vector<std::string> kMajorNames = {"CS", "SE", "EE", "ME", ""};
const std::vector<std::string> kCodes = {"CS201", "CS204",   "CS301",  "CS303",
                                         "CS305", "MATH101", "MATH102"};
const std::vector<std::string> kTitles = {"X1", "X2", "Y1"};
const std::vector<std::string> kAges = {"18", "19", "21.5", "30", ""};
const std::vector<std::string> kGpas = {"0.5", "1.5", "2.5", "2.75", ""};
const std::vector<std::string> kLetters = {"A", "B", "C"};

ToyVertex RandomStudent(Random& random, size_t most_courses) {
  const auto pick = [&](const std::vector<std::string>& values) {
    return values[random.Below(values.size())];
  };
  ToyVertex student{kStudent, {pick(kMajorNames), pick(kAges)}, {pick(kGpas)}, {}};
  for (uint64_t i = random.Below(most_courses + 1); i > 0; --i) {
    ToyVertex course{kCourse, {pick(kCodes)}, {pick(kLetters)}, {}};
    for (uint64_t j = random.Below(3); j > 0; --j)
      course.children.push_back({kBook, {pick(kTitles)}, {}, {}});
    student.children.push_back(course);
  }
  return student;
}

EncodedDataset EncodeStudents(const std::vector<ToyVertex>& students) {
  ToyData toy(StudentSchema());
  for (const ToyVertex& student : students) toy.Add(student);
  auto encoded = Encode(toy.Build(), StudentTaxonomies());
  EXPECT_TRUE(encoded.ok()) << encoded.error().message;
  return std::move(*encoded);
}

// The original label, or a more general one.
std::string Generalized(Random& random, const Domain& domain, const std::string& text) {
  if (domain.is_numeric()) {
    if (text.empty() || random.Below(4) == 0) return domain.has_missing() ? "*" : text;
    if (random.Below(2) == 0) return text;
    const double number = std::stod(text);
    const auto& numbers = domain.numbers();
    uint32_t low = 0;
    while (numbers[low] != number) ++low;
    uint32_t high = low;
    low -= static_cast<uint32_t>(random.Below(low + 1));
    high += static_cast<uint32_t>(random.Below(numbers.size() - high));
    return low == high ? text : domain.Text({low, high});
  }
  const Taxonomy& taxonomy = domain.taxonomy();
  Node node = text.empty() ? static_cast<Node>(taxonomy.node_count() - 1) : *taxonomy.Find(text);
  const uint64_t up = random.Below(taxonomy.depth(node) + 1);
  if (up == 0) return text;
  for (uint64_t i = 0; i < up; ++i) node = taxonomy.parent(node);
  return taxonomy.label(node);
}

ToyVertex GeneralizedTree(Random& random, const EncodedDataset& data, ToyVertex vertex) {
  for (size_t i = 0; i < vertex.quasi.size(); ++i) {
    vertex.quasi[i] =
        Generalized(random, data.classes[vertex.vertex_class].domains[i], vertex.quasi[i]);
  }
  std::vector<ToyVertex> kept;
  for (const ToyVertex& child : vertex.children) {
    if (random.Below(5) > 0) kept.push_back(GeneralizedTree(random, data, child));
  }
  vertex.children = kept;
  return vertex;
}

// The set of data values that a published text may stand for. Numbers stand for whole intervals, so they are not
// handled here.
std::set<Node> LeavesBelow(const Taxonomy& taxonomy, Node node) {
  std::set<Node> leaves;
  for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
    for (Node at = leaf;; at = taxonomy.parent(at)) {
      if (at == node) leaves.insert(leaf);
      if (at == Taxonomy::kRoot) break;
    }
  }
  return leaves;
}

// The probability that the text meets the condition, from the definition.
double NaiveFraction(const EncodedDataset& data, const Condition& condition, const ToyVertex& v) {
  const size_t quasi = data.schema().classes[condition.vertex_class].quasi.size();
  if (condition.slot >= quasi) {
    const std::string& text = v.sensitive[condition.slot - quasi];
    if (condition.vertex_class == kStudent) {
      const uint32_t bucket =
          text.empty() ? 0 : static_cast<uint32_t>(std::floor(std::stod(text))) + 2;
      return bucket == condition.label.low ? 1 : 0;
    }
    const auto& dictionary = data.data.dictionaries[condition.vertex_class][condition.slot];
    return dictionary.text(condition.label.low) == text ? 1 : 0;
  }
  const Domain& domain = data.classes[condition.vertex_class].domains[condition.slot];
  const std::string& text = v.quasi[condition.slot];
  if (domain.is_numeric()) {
    const auto& exact = domain.numbers();
    std::vector<double> numbers;
    for (const Decimal& number : exact) numbers.push_back(number.ToDouble());
    const bool asks_missing = condition.label.low == numbers.size();
    if (text.empty()) return asks_missing ? 1 : 0;
    if (text == "*" && asks_missing) return 1.0 / static_cast<double>(domain.value_count());
    if (asks_missing) return 0;
    const double a = numbers[condition.label.low];
    const double b = numbers[condition.label.high];
    double low = numbers.front();
    double high = numbers.back();
    double scale = 1;
    if (text == "*") {
      if (domain.has_missing()) scale = 1 - 1.0 / static_cast<double>(domain.value_count());
    } else if (text.front() == '[') {
      low = std::stod(text.substr(1));
      high = std::stod(text.substr(text.find(',') + 1));
    } else {
      low = high = std::stod(text);
    }
    if (low == high) return a <= low && low <= b ? scale : 0;
    return scale * std::max(0.0, std::min(b, high) - std::max(a, low)) / (high - low);
  }
  const Taxonomy& taxonomy = domain.taxonomy();
  const Node node =
      text.empty() ? static_cast<Node>(taxonomy.node_count() - 1) : *taxonomy.Find(text);
  const auto mine = LeavesBelow(taxonomy, node);
  const auto wanted = LeavesBelow(taxonomy, condition.label.low);
  double common = 0;
  for (const Node leaf : mine) common += static_cast<double>(wanted.count(leaf));
  return common / static_cast<double>(mine.size());
}

// Every uncertain (vertex, condition) pair is a coin; all outcomes are enumerated and weighted.
struct Worlds {
  struct Coin {
    const ToyVertex* vertex;
    const Condition* condition;
    double probability;
    bool up = false;
  };
  std::vector<Coin> coins;

  void Collect(const EncodedDataset& data, const Query& query, const ToyVertex& vertex) {
    for (const Condition& condition : query.conditions) {
      if (condition.vertex_class != vertex.vertex_class) continue;
      coins.push_back({&vertex, &condition, NaiveFraction(data, condition, vertex)});
    }
    for (const ToyVertex& child : vertex.children) Collect(data, query, child);
  }

  bool Holds(const ToyVertex& vertex) const {
    for (const Coin& coin : coins) {
      if (coin.vertex == &vertex && !coin.up) return false;
    }
    return true;
  }

  size_t Matches(const ToyVertex& vertex, ClassId target) const {
    if (!Holds(vertex)) return 0;
    if (vertex.vertex_class == target) return 1;
    size_t count = 0;
    for (const ToyVertex& child : vertex.children) count += Matches(child, target);
    return count;
  }

  double Expected(const Query& query, const ToyVertex& root, size_t coin = 0) {
    if (coin == coins.size()) {
      const size_t count = Matches(root, query.target);
      return query.count_records ? static_cast<double>(count > 0) : static_cast<double>(count);
    }
    double sum = 0;
    for (const bool up : {false, true}) {
      const double weight = up ? coins[coin].probability : 1 - coins[coin].probability;
      if (weight == 0) continue;
      coins[coin].up = up;
      sum += weight * Expected(query, root, coin + 1);
    }
    return sum;
  }
};

double NaiveAnswer(const EncodedDataset& data, const Query& query,
                   const std::vector<ToyVertex>& records) {
  double sum = 0;
  for (const ToyVertex& record : records) {
    Worlds worlds;
    worlds.Collect(data, query, record);
    sum += worlds.Expected(query, record);
  }
  return sum;
}

RC_GTEST_PROP(QueriesTest, AnswersAreExpectationsOverAllPossibleWorlds, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  std::vector<ToyVertex> students;
  for (int i = 0; i < 4; ++i) students.push_back(RandomStudent(random, 3));
  const EncodedDataset data = EncodeStudents(students);
  std::vector<ToyVertex> generalized;
  ToyData toy(data.data.schema);
  for (const ToyVertex& student : students) {
    generalized.push_back(GeneralizedTree(random, data, student));
    toy.Add(generalized.back());
  }
  const Dataset published = toy.Build();
  const auto answers = PublishedAnswers::Read(data, published);
  RC_ASSERT(answers.ok());
  QueryDrawer drawer(data, seed + 1);
  for (int i = 0; i < 10; ++i) {
    const Query query = drawer.Draw();
    const double exact = AnswerOnOriginal(data, query);
    RC_ASSERT(exact >= 1);
    RC_ASSERT(std::abs(exact - NaiveAnswer(data, query, students)) < 1e-9);
    RC_ASSERT(std::abs(answers->Answer(query) - NaiveAnswer(data, query, generalized)) < 1e-9);
  }
}

std::vector<ToyVertex> ThreeStudents() {
  return {{kStudent,
           {"CS", "18"},
           {"2.5"},
           {{kCourse, {"CS301"}, {"A"}, {}}, {kCourse, {"CS303"}, {"B"}, {}}}},
          {kStudent, {"SE", "30"}, {"1.5"}, {{kCourse, {"CS301"}, {"B"}, {}}}},
          {kStudent, {"EE", "21.5"}, {"2.75"}, {{kCourse, {"MATH101"}, {"A"}, {}}}}};
}

TEST(QueriesTest, AnswersASmallCaseLikeByHand) {
  const EncodedDataset data = EncodeStudents(ThreeStudents());
  ToyData toy(data.data.schema);
  toy.Add({kStudent,
           {"Computing", "[18, 30]"},
           {"2.5"},
           {{kCourse, {"CS3**"}, {"A"}, {}}, {kCourse, {"CS3**"}, {"B"}, {}}}});
  toy.Add({kStudent, {"Computing", "[18, 30]"}, {"1.5"}, {{kCourse, {"CS3**"}, {"B"}, {}}}});
  const Dataset published = toy.Build();
  const auto answers = PublishedAnswers::Read(data, published);
  ASSERT_TRUE(answers.ok());
  const Taxonomy& codes = data.classes[kCourse].domains[0].taxonomy();
  const Node cs301 = *codes.Find("CS301");
  const Taxonomy& majors = data.classes[kStudent].domains[0].taxonomy();
  const Node cs = *majors.Find("CS");

  const Query took{kCourse, true, {{kCourse, 0, {cs301, cs301}}}};
  EXPECT_EQ(AnswerOnOriginal(data, took), 2);
  EXPECT_NEAR(answers->Answer(took), 1 - 4.0 / 9 + 1.0 / 3, 1e-12);

  const Query courses{kCourse, false, {{kCourse, 0, {cs301, cs301}}}};
  EXPECT_EQ(AnswerOnOriginal(data, courses), 2);
  EXPECT_NEAR(answers->Answer(courses), 1, 1e-12);

  const Query by_major{kCourse, true, {{kStudent, 0, {cs, cs}}, {kCourse, 0, {cs301, cs301}}}};
  EXPECT_EQ(AnswerOnOriginal(data, by_major), 1);
  EXPECT_NEAR(answers->Answer(by_major), 0.5 * (5.0 / 9 + 1.0 / 3), 1e-12);

  // Ages 18 and 21.5 are ranks 0 and 1 of 18, 21.5, 30.
  const Query young{kStudent, true, {{kStudent, 1, {0, 1}}}};
  EXPECT_EQ(AnswerOnOriginal(data, young), 2);
  EXPECT_NEAR(answers->Answer(young), 2 * 3.5 / 12, 1e-12);

  // GPA in [2, 3): bucket 4, since 0 is missing and 1 is below the first bound.
  const Query good{kStudent, true, {{kStudent, 2, {4, 0}}}};
  EXPECT_EQ(AnswerOnOriginal(data, good), 2);
  EXPECT_EQ(answers->Answer(good), 1);
}

TEST(QueriesTest, ThePublishedOriginalIsFullyAccurate) {
  Random random = Random::Seeded(5);
  std::vector<ToyVertex> students;
  for (int i = 0; i < 200; ++i) students.push_back(RandomStudent(random, 8));
  const EncodedDataset data = EncodeStudents(students);
  ToyData toy(data.data.schema);
  for (const ToyVertex& student : students) toy.Add(student);
  const Dataset published = toy.Build();
  Parallel parallel(2);
  Progress progress;
  const auto report = MeasureQueries(data, published, {}, parallel, progress);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->queries, 1000U);
  EXPECT_EQ(report->mean, 1);
  EXPECT_EQ(report->mean_bounded, 1);
  EXPECT_EQ(report->median, 1);
}

TEST(QueriesTest, NothingPublishedIsNotAccurateAtAll) {
  const EncodedDataset data = EncodeStudents(ThreeStudents());
  Parallel parallel(1);
  Progress progress;
  const Dataset published = ToyData(data.data.schema).Build();
  const auto report = MeasureQueries(data, published, {50, 3}, parallel, progress);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->mean, 0);
  EXPECT_EQ(report->median, 0);
}

TEST(QueriesTest, TheSameSeedGivesTheSameReportOnAnyNumberOfThreads) {
  Random random = Random::Seeded(6);
  std::vector<ToyVertex> students;
  for (int i = 0; i < 60; ++i) students.push_back(RandomStudent(random, 5));
  const EncodedDataset data = EncodeStudents(students);
  ToyData toy(data.data.schema);
  for (const ToyVertex& student : students) toy.Add(GeneralizedTree(random, data, student));
  const Dataset published = toy.Build();
  Progress progress;
  Parallel one(1);
  Parallel two(2);
  const auto a = MeasureQueries(data, published, {300, 9}, one, progress);
  const auto b = MeasureQueries(data, published, {300, 9}, two, progress);
  const auto other = MeasureQueries(data, published, {300, 10}, one, progress);
  ASSERT_TRUE(a.ok() && b.ok() && other.ok());
  EXPECT_EQ(a->mean, b->mean);
  EXPECT_EQ(a->median, b->median);
  EXPECT_NE(a->mean, other->mean);
  EXPECT_LT(a->mean, 1);
  EXPECT_GE(a->mean_bounded, a->mean);
}

TEST(QueriesTest, ColumnsGiveTheAnswersOfTheTrees) {
  Random random = Random::Seeded(8);
  std::vector<ToyVertex> students;
  // More than pass by at once.
  for (int i = 0; i < 600; ++i) students.push_back(RandomStudent(random, 5));
  const EncodedDataset data = EncodeStudents(students);
  ToyData toy(data.data.schema);
  for (const ToyVertex& student : students) toy.Add(GeneralizedTree(random, data, student));
  const Dataset published = toy.Build();
  const auto answers = PublishedAnswers::Read(data, published);
  ASSERT_TRUE(answers.ok());
  const VertexColumns before(data.schema(), data.forest(), data.values());
  const VertexColumns after(data.schema(), published.forest, published.forest.values());
  QueryDrawer drawer(data, 4);
  std::vector<Query> queries;
  for (int i = 0; i < 200; ++i) queries.push_back(drawer.Draw());
  const std::vector<double> exact = AnswerOnOriginal(data, before, queries);
  const std::vector<double> found = answers->Answer(after, queries);
  for (size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(exact[i], AnswerOnOriginal(data, queries[i])) << i;
    EXPECT_EQ(found[i], answers->Answer(queries[i])) << i;
  }
}

TEST(QueriesTest, QueriesHaveOneToThreeConditionsOnOnePath) {
  const EncodedDataset data = EncodeStudents(ThreeStudents());
  QueryDrawer drawer(data, 2);
  std::set<size_t> sizes;
  std::set<std::pair<ClassId, bool>> counted;
  for (int i = 0; i < 500; ++i) {
    const Query query = drawer.Draw();
    sizes.insert(query.conditions.size());
    counted.insert({query.target, query.count_records});
    std::set<std::pair<ClassId, size_t>> attributes;
    bool own = false;
    for (const Condition& condition : query.conditions) {
      attributes.insert({condition.vertex_class, condition.slot});
      own = own || condition.vertex_class == query.target;
      EXPECT_LE(condition.vertex_class, query.target);
    }
    EXPECT_TRUE(own);
    EXPECT_EQ(attributes.size(), query.conditions.size());
  }
  EXPECT_EQ(sizes, (std::set<size_t>{1, 2, 3}));
  EXPECT_EQ(counted, (std::set<std::pair<ClassId, bool>>{
                         {kStudent, true}, {kCourse, true}, {kCourse, false}}));
}

TEST(QueriesTest, RejectsASensitiveValueThatIsNotInTheOriginal) {
  const EncodedDataset data = EncodeStudents(ThreeStudents());
  ToyData toy(data.data.schema);
  toy.Add({kStudent, {"CS", "18"}, {"3.99"}, {}});
  const Dataset published = toy.Build();
  const auto answers = PublishedAnswers::Read(data, published);
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().code, ErrorCode::kData);
  EXPECT_EQ(answers.error().message.find("3.99"), std::string::npos);
}

TEST(QueriesTest, StopsWhenCancelled) {
  const EncodedDataset data = EncodeStudents(ThreeStudents());
  const Dataset published = ToyData(data.data.schema).Build();
  Parallel parallel(1);
  Progress progress;
  progress.Cancel();
  const auto report = MeasureQueries(data, published, {}, parallel, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kInterrupted);
}

TEST(QueriesTest, DataWithoutRecordsAsksNothing) {
  const EncodedDataset data = EncodeStudents({});
  const Dataset published = ToyData(data.data.schema).Build();
  Parallel parallel(1);
  Progress progress;
  const auto report = MeasureQueries(data, published, {}, parallel, progress);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->queries, 0U);
}

}  // namespace
}  // namespace thicket::queries_test
