// The records of `querylog`: queries of the shape of the log that AOL published in 2006 (Section 5.6 of Liu 2010),
// drawn from a distribution of their own.
//
// No query comes from that log. What is alike: the columns, separated by tabs, and three months of time; most people
// ask a few times, and some every day; queries come in sessions, minutes apart, and sessions hours or days apart;
// about half of the queries end with a click, and several clicks on one query are several rows. A query has a noun or
// two, or none. Nouns are WordNet's, a few of them very common and most of them rare. Users have interests, themes
// that are words near each other and words that are asked for together with them, so that sessions of different people
// are about the same things in the same words or in words nearby. Some nouns stand in the plural, and some words are
// no nouns. With session_gap 1h and clicked queries only, two million queries are 385,000 bags of 3.3 terms, 19,200 of
// them different; the thesis has 383,000 of 3.36, and 19,029.
//
//   THICKET_ASSIGN(const auto words, QueryWords::Load(progress));
//   QueryLogWriter writer(words, seed);
//   writer.Append(0, rows);   // 142  cheap dogs  2006-03-01 07:17:12  1  http://www.dog731.example
//
// Only whole numbers are used, so every machine draws the same queries. Constant time per query.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "generate/query_words.h"

namespace thicket {

inline constexpr uint64_t kQueryLogQueries = 2'000'000;
inline constexpr std::string_view kQueryLogHeader =
    "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n";

class QueryLogWriter {
 public:
  QueryLogWriter(std::shared_ptr<const QueryWords> words, uint64_t seed);

  // As StudentWriter::Append: queries must be asked for in their order, which is that of users and of their times. A
  // row for each click, or one without any.
  void Append(uint64_t number, std::string& out);

  // The tree of all nouns that the queries so far have (QueryWords::TreeOf).
  Taxonomy TermTaxonomy() const { return words_->TreeOf(occurs_); }

 private:
  // Numbers from 0 on with the sums of their weights up to and including their own.
  struct Choice {
    void Add(uint64_t weight);
    uint32_t Draw(Random& random) const;
    std::vector<uint64_t> sums;
  };

  void NextQuery();
  void BeginUser();
  void BeginSession();
  void DrawNouns();
  void AppendText();
  void AppendRows(std::string& out);

  std::shared_ptr<const QueryWords> words_;
  Random random_;
  Choice common_;   // a word, by its rank
  Choice popular_;  // a theme
  // The words of each theme by their ranks, the usual ones first.
  std::vector<std::vector<uint32_t>> themes_;
  std::vector<bool> occurs_;  // by rank

  // The user: who, what about, and of how many sessions of a hundred there is another.
  uint64_t user_ = 0;
  std::vector<uint32_t> interests_;
  uint64_t comes_back_ = 0;
  uint64_t sessions_ = 0;
  // The session: about what, and in how many thousandths there is another query.
  uint32_t theme_ = 0;
  uint64_t goes_on_ = 0;
  bool in_session_ = false;
  // The query: when, in seconds since the log begins; its nouns by rank; its text.
  int64_t time_ = 0;
  std::vector<uint32_t> nouns_;
  std::string text_;
};

}  // namespace thicket
