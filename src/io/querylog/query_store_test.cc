#include "io/querylog/query_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "io/querylog/log_users.h"
#include "testing/cases.h"

namespace thicket::query_store_test {
namespace {

using ::testing::ElementsAre;

TEST(LogUsers, AreOneWhereIdentifiersMeanTheSame) {
  LogUsers users;
  EXPECT_EQ(users.Number("0017"), 0U);
  EXPECT_EQ(users.Number("142"), 1U);
  for (const char* same : {"17", "0017", " 17", "17.0"}) EXPECT_EQ(users.Number(same), 0U) << same;
  EXPECT_EQ(users.Number("Ann"), 2U);
  EXPECT_EQ(users.Number("ann "), 2U);
  EXPECT_EQ(users.Number("1e2"), 3U);
  EXPECT_EQ(users.Number("1E2 "), 3U);
  EXPECT_EQ(users.Number("100"), 4U);
  EXPECT_NE(users.Number("1e99999999999999999"), users.Number("2e99999999999999999"));
  EXPECT_EQ(users.Number(""), LogUsers::kNobody);
  EXPECT_EQ(users.Number(" "), LogUsers::kNobody);
  EXPECT_EQ(users.size(), 7U);
}

TEST(LogUsers, AreInAnOrderThatDoesNotDependOnTheLog) {
  LogUsers users;
  for (const char* id : {"b", "100", "-5", "20", "a", "3"}) users.Number(id);
  EXPECT_THAT(users.InOrder(), ElementsAre(5, 3, 1, 2, 4, 0));
}

struct Row {
  uint32_t user;
  int64_t time;
  uint32_t line;
  std::vector<Symbol> terms;
  bool operator==(const Row& other) const = default;
};

// What the store hands out, checked for ends of users.
std::vector<Row> HandedOut(QueryStore& store, const std::vector<uint32_t>& users) {
  std::vector<Row> rows;
  Progress progress;
  const Status status =
      store.ForEachUser(users, "log", progress, [&](std::span<const LoggedQuery> queries) {
        for (const LoggedQuery& query : queries) {
          EXPECT_EQ(query.user, queries.front().user);
          EXPECT_EQ(query.text_hash, query.line * 7);
          rows.push_back({query.user, query.time, query.line,
                          std::vector<Symbol>(query.terms.begin(), query.terms.end())});
        }
        return Status();
      });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(store.size(), 0U);
  return rows;
}

TEST(QueryStore, HandsOutQueriesInOrderHoweverTheyCame) {
  for (uint64_t seed = 0; seed < Cases(300); ++seed) {
    Random random = Random::Seeded(seed);
    // Users whose numbers are in the order of users, as in a sorted log, or the other way round.
    const auto users = static_cast<uint32_t>(1 + random.Below(4));
    const bool backwards = random.Below(2) == 0;
    std::vector<uint32_t> order(users);
    for (uint32_t i = 0; i < users; ++i) order[i] = backwards ? users - 1 - i : i;
    const uint64_t most_terms = random.Below(20) == 0 ? 400'000 : 4;
    std::vector<Row> rows;
    for (uint64_t count = 1 + random.Below(30); count > 0; --count) {
      rows.push_back({static_cast<uint32_t>(random.Below(users)),
                      static_cast<int64_t>(random.Below(8)) - 3, 0,
                      std::vector<Symbol>(random.Below(most_terms), 5)});
    }
    const bool sorted = random.Below(2) == 0;
    if (sorted) {
      std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.user, a.time) < std::tie(b.user, b.time);
      });
    }
    QueryStore store;
    std::vector<bool> met(users, false);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i].line = static_cast<uint32_t>(i + 2);
      const bool first =
          !met[rows[i].user] && !backwards && (i == 0 || rows[i - 1].user < rows[i].user);
      met[rows[i].user] = true;
      store.Add({rows[i].user, rows[i].time, rows[i].line, rows[i].line * 7, rows[i].terms}, first);
    }
    if (sorted && !backwards) {
      EXPECT_TRUE(store.in_order());
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      const auto place = [&](const Row& row) {
        return std::find(order.begin(), order.end(), row.user) - order.begin();
      };
      return std::tuple(place(a), a.time) < std::tuple(place(b), b.time);
    });
    ASSERT_EQ(HandedOut(store, order), rows) << seed;
  }
}

TEST(QueryStore, KeepsTheEarliestAndTheLatestTime) {
  QueryStore store;
  const std::vector<int64_t> times = {-62'167'305'600, -1, 0, 253'402'387'199};
  for (const int64_t time : times) store.Add({0, time, 1, 7, {}}, false);
  std::vector<int64_t> read;
  for (const Row& row : HandedOut(store, {0})) read.push_back(row.time);
  EXPECT_EQ(read, times);
}

TEST(QueryStore, StopsWhenItIsCancelled) {
  for (const bool sorted : {true, false}) {
    QueryStore store;
    store.Add({0, 5, 1, 7, {}}, true);
    store.Add({0, sorted ? 5 : 4, 2, 14, {}}, false);
    Progress progress;
    progress.Cancel();
    const std::vector<uint32_t> users = {0};
    const Status status = store.ForEachUser(users, "log", progress,
                                            [](std::span<const LoggedQuery>) { return Status(); });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  }
}

}  // namespace
}  // namespace thicket::query_store_test
