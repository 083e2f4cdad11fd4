#include "generate/querylog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/fold.h"
#include "io/wordnet/wordnet_reader.h"
#include "taxonomy/lexicon.h"

namespace thicket::querylog_test {
namespace {

std::shared_ptr<const QueryWords> Words() {
  static const auto words =
      std::make_shared<const QueryWords>(std::move(QueryWords::Load(nullptr)).value());
  return words;
}

struct Row {
  uint64_t user;
  std::string query;
  std::string time;
  std::string rank;
  std::string url;
};

std::vector<Row> RowsOf(const std::string& text) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields(1);
    for (const char c : line) {
      if (c == '\t') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    EXPECT_EQ(fields.size(), 5U) << line;
    rows.push_back({std::stoull(fields[0]), fields[1], fields[2], fields[3], fields[4]});
  }
  return rows;
}

// Seconds since 2006-03-01.
int64_t SecondsOf(const std::string& time) {
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  char end = 0;
  EXPECT_EQ(std::sscanf(time.c_str(), "2006-%2d-%2d %2d:%2d:%2d%c", &month, &day, &hour, &minute,
                        &second, &end),
            5)
      << time;
  EXPECT_EQ(time.size(), 19U);
  EXPECT_GE(month, 3);
  EXPECT_LE(month, 5);
  EXPECT_GE(day, 1);
  EXPECT_LE(day, month == 4 ? 30 : 31);
  EXPECT_LT(hour, 24);
  EXPECT_LT(minute, 60);
  EXPECT_LT(second, 60);
  const int days = (month == 3 ? 0 : month == 4 ? 31 : 61) + day - 1;
  return ((int64_t{days} * 24 + hour) * 60 + minute) * 60 + second;
}

std::string TextOf(uint64_t n, uint64_t seed) {
  QueryLogWriter writer(Words(), seed);
  std::string text;
  for (uint64_t i = 0; i < n; ++i) writer.Append(i, text);
  return text;
}

constexpr uint64_t kMany = 60'000;

const std::vector<Row>& Many() {
  static const std::vector<Row> rows = RowsOf(TextOf(kMany, 1));
  return rows;
}

TEST(QueryLog, HasUsersAndTheirTimesInOrder) {
  for (size_t i = 1; i < Many().size(); ++i) {
    const Row& before = Many()[i - 1];
    const Row& row = Many()[i];
    ASSERT_LE(before.user, row.user);
    if (before.user != row.user) continue;
    ASSERT_LE(SecondsOf(before.time), SecondsOf(row.time));
    if (before.time != row.time) continue;
    // One query with several clicks.
    EXPECT_EQ(before.query, row.query);
    EXPECT_FALSE(before.rank.empty());
    EXPECT_LT(std::stoi(before.rank), std::stoi(row.rank));
  }
}

TEST(QueryLog, HasClicksOnHalfOfTheQueriesAndSeveralOnSome) {
  std::set<std::tuple<uint64_t, std::string, std::string>> queries;
  std::set<std::tuple<uint64_t, std::string, std::string>> clicked;
  size_t clicks = 0;
  for (const Row& row : Many()) {
    queries.emplace(row.user, row.query, row.time);
    EXPECT_EQ(row.rank.empty(), row.url.empty());
    if (row.rank.empty()) continue;
    ++clicks;
    clicked.emplace(row.user, row.query, row.time);
  }
  EXPECT_EQ(queries.size(), kMany);
  EXPECT_NEAR(static_cast<double>(clicked.size()), 0.55 * static_cast<double>(kMany), 600);
  EXPECT_GT(clicks, clicked.size() * 5 / 4);
}

// What a reader of query logs makes of the queries: bags of words by user and an hour, from the definition.
struct Bags {
  std::vector<std::vector<std::string>> terms;
  size_t other_words = 0;
  size_t changed_words = 0;
};

Bags BagsOf(const std::vector<Row>& rows) {
  const auto network = ReadWordNet(WordNetFolder());
  const Lexicon lexicon = Lexicon::OfNetwork(std::make_shared<SemanticNetwork>(*network));
  Bags bags;
  bags.terms.emplace_back();
  const Row* last = nullptr;
  for (const Row& row : rows) {
    if (row.rank.empty()) continue;
    if (last != nullptr && last->user == row.user && last->time == row.time) continue;
    if (last != nullptr &&
        (last->user != row.user || SecondsOf(row.time) - SecondsOf(last->time) > 3600)) {
      bags.terms.emplace_back();
    }
    last = &row;
    std::istringstream words(row.query);
    for (std::string word; words >> word;) {
      const auto base = lexicon.WordOf(word);
      if (!base) {
        ++bags.other_words;
        continue;
      }
      if (*base != word) ++bags.changed_words;
      bags.terms.back().push_back(*base);
    }
  }
  std::erase_if(bags.terms, [](const auto& bag) { return bag.empty(); });
  return bags;
}

// Section 5.6 of Liu 2010: 383K bags of 3.36 terms. There are 1.1 million clicked queries in two million.
TEST(QueryLog, HasBagsOfTheSizeOfThoseOfAol) {
  const Bags bags = BagsOf(Many());
  size_t all = 0;
  size_t small = 0;
  for (const auto& bag : bags.terms) {
    all += bag.size();
    if (bag.size() <= 2) ++small;
  }
  const auto count = static_cast<double>(bags.terms.size());
  EXPECT_NEAR(count / static_cast<double>(kMany), 383.0 / 2000.0, 0.006);
  EXPECT_NEAR(static_cast<double>(all) / count, 3.36, 0.1);
  EXPECT_GT(static_cast<double>(small) / count, 0.4);
  EXPECT_GT(bags.other_words, all / 5);
  EXPECT_GT(bags.changed_words, all / 10);
}

TEST(QueryLog, HasAFewWordsOftenAndMostSeldom) {
  std::map<std::string, size_t> count_of;
  size_t all = 0;
  for (const auto& bag : BagsOf(Many()).terms) {
    for (const std::string& term : bag) ++count_of[term];
    all += bag.size();
  }
  std::vector<size_t> counts;
  for (const auto& [term, count] : count_of) counts.push_back(count);
  std::sort(counts.rbegin(), counts.rend());
  EXPECT_GT(counts.size(), 2500U);
  EXPECT_GT(counts[0], all / 400);
  EXPECT_LT(counts[counts.size() / 2], 4U);
  EXPECT_GT(counts[99], all / 2000);
}

// Terms of a session are near each other more often than terms of two sessions.
TEST(QueryLog, HasSessionsAboutNearbyThings) {
  const Bags bags = BagsOf(Many());
  std::map<std::string, uint32_t> rank_of;
  for (uint32_t rank = 0; rank < Words()->size(); ++rank) rank_of[Words()->word(rank)] = rank;
  const auto near = [&](const std::string& a, const std::string& b) {
    const auto list = Words()->NearTo(rank_of.at(a));
    return std::any_of(list.begin(), list.end(),
                       [other = rank_of.at(b)](const auto& entry) { return entry.term == other; });
  };
  size_t within = 0;
  size_t across = 0;
  for (size_t i = 1; i < bags.terms.size(); ++i) {
    const auto& bag = bags.terms[i];
    if (bag.size() < 2 || bag[0] == bag[1]) continue;
    if (near(bag[0], bag[1])) ++within;
    if (near(bag[0], bags.terms[i - 1][0])) ++across;
  }
  EXPECT_GT(within, 500U);
  EXPECT_LT(across, within / 3);
}

TEST(QueryLog, GivesTheSameForTheSameSeedAndMoreOnlyAppend) {
  const std::string few = TextOf(200, 7);
  EXPECT_TRUE(TextOf(500, 7).starts_with(few));
  EXPECT_NE(TextOf(200, 8), few);
}

TEST(QueryLog, HasATreeOfTheNounsThatOccur) {
  QueryLogWriter writer(Words(), 3);
  std::string text;
  for (uint64_t i = 0; i < 2000; ++i) writer.Append(i, text);
  const Taxonomy tree = writer.TermTaxonomy();
  const Lexicon of_tree = Lexicon::OfTaxonomy(tree);
  const auto network = ReadWordNet(WordNetFolder());
  const Lexicon of_network = Lexicon::OfNetwork(std::make_shared<SemanticNetwork>(*network));
  std::set<std::string> met;
  for (const Row& row : RowsOf(text)) {
    std::istringstream words(row.query);
    for (std::string word; words >> word;) {
      const auto base = of_network.WordOf(word);
      EXPECT_EQ(of_tree.WordOf(word), base) << word;
      if (base) met.insert(*base);
    }
  }
  EXPECT_EQ(tree.leaf_count(), met.size());
}

}  // namespace
}  // namespace thicket::querylog_test
