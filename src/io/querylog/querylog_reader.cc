#include "io/querylog/querylog_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/words.h"
#include "io/csv/csv_rows.h"
#include "io/querylog/log_users.h"
#include "io/querylog/query_store.h"
#include "io/querylog/query_time.h"
#include "io/querylog/querylog_columns.h"
#include "io/readers.h"

namespace thicket {

namespace {

constexpr ClassId kTerm = 1;

// From rows to queries.
class RowReader {
 public:
  RowReader(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink)
      : rows_(source, sink.dataset().source, 0, progress), sink_(&sink), clicked_(input.clicked) {
    rows_.ReadTabsAsLogs();
  }

  Status Run() {
    THICKET_TRY(rows_.ForEach(
        [&](const CsvRows::Fields& header, uint32_t line) { return ReadHeader(header, line); },
        [&](const CsvRows::Fields& row, uint32_t line) { return ReadRow(row, line); }));
    if (row_count_ > 0 && store_.size() == 0) {
      return ErrorAt(ErrorCode::kData, {.file = sink_->dataset().source},
                     "must have queries after which something was clicked, but has none",
                     "set clicked: off");
    }
    return {};
  }

  QueryStore& store() { return store_; }
  const LogUsers& users() const { return users_; }

 private:
  enum Column : size_t { kIdColumn, kQueryColumn, kTimeColumn, kRankColumn, kUrlColumn };

  Status ReadHeader(const CsvRows::Fields& header, uint32_t line) {
    columns_ = {{kAnonId, true},
                {kQuery, true},
                {kQueryTime, true},
                {kItemRank, clicked_},
                {kClickUrl, clicked_}};
    sink_->dataset().shape.log_delimiter = rows_.delimiter();
    return QuerylogHeader(*sink_).Find(header, line, columns_);
  }

  std::string_view Field(const CsvRows::Fields& row, Column column) const {
    const size_t at = columns_[column].column;
    return at < row.size() ? WithoutQuotes(row[at]) : std::string_view();
  }

  // Of a column that each row must have.
  Error Wrong(std::string_view field, uint32_t line, Column column, std::string_view what,
              std::string hint) const {
    ErrorPlace place = rows_.PlaceOf(field, line);
    place.path = columns_[column].name;
    return ErrorAt(ErrorCode::kData, std::move(place), what, std::move(hint), std::string(field));
  }

  Status ReadRow(const CsvRows::Fields& row, uint32_t line) {
    ++row_count_;
    const std::string_view id = Field(row, kIdColumn);
    const std::string_view time_text = Field(row, kTimeColumn);
    const std::optional<int64_t> time = ParseQueryTime(time_text);
    if (!time) {
      return Wrong(time_text, line, kTimeColumn,
                   "the time of every query must be one that can be read, but this one is not",
                   "write yyyy-mm-dd hh:mm:ss, a date alone, or seconds since 1970");
    }
    const uint32_t user = users_.Number(id);
    if (user == LogUsers::kNobody) {
      return Wrong(id, line, kIdColumn, "every query must have its user, but this one has none",
                   "complete the data, or take the row out");
    }
    const bool clicked = !Field(row, kRankColumn).empty() || !Field(row, kUrlColumn).empty();
    if (clicked_ && !clicked) return {};
    const std::string_view text = Field(row, kQueryColumn);
    THICKET_TRY(ReadTerms(text, line));
    Add({.user = user,
         .time = *time,
         .line = line,
         .text_hash = static_cast<uint32_t>(std::hash<std::string_view>()(text)),
         .terms = terms_});
    return {};
  }

  Status ReadTerms(std::string_view text, uint32_t line) {
    terms_.clear();
    words_.Read(text);
    while (const std::optional<std::string_view> word = words_.Next()) {
      const Symbol term = sink_->Intern(kTerm, 0, ValueKind::kString, *word);
      if (last_row_.size() <= term) last_row_.resize(2 * size_t{term} + 1, 0);
      if (std::exchange(last_row_[term], line) != line) terms_.push_back(term);
    }
    if (terms_.size() <= QueryStore::kMostTerms) return {};
    return rows_.Wrong(line,
                       fmt::format("a query must have at most {} different words, but has more",
                                   WithCommas(QueryStore::kMostTerms)),
                       "look for a quote that is not closed");
  }

  void Add(const LoggedQuery& query) {
    // Clicks on several results of a query mostly stand together.
    if (last_ && last_->user == query.user && last_->IsSameAs(query)) return;
    if (query.user >= met_.size()) met_.resize(users_.size(), false);
    const bool first = !met_[query.user] && (!last_ || users_.Before(last_->user, query.user));
    met_[query.user] = true;
    store_.Add(query, first);
    last_ = query;
    last_terms_.assign(query.terms.begin(), query.terms.end());
    last_->terms = last_terms_;
  }

  CsvRows rows_;
  DatasetSink* sink_;
  bool clicked_;
  std::vector<QuerylogHeader::Name> columns_;
  uint64_t row_count_ = 0;
  Words words_;
  std::vector<Symbol> terms_;
  // By term: the line of the last row that had it.
  std::vector<uint32_t> last_row_;
  LogUsers users_;
  // By user: whether the store has a query.
  std::vector<bool> met_;
  QueryStore store_;
  // What was added last.
  std::optional<LoggedQuery> last_;
  std::vector<Symbol> last_terms_;
};

// From the queries of a user to bags.
class BagBuilder {
 public:
  BagBuilder(const InputPolicy& input, DatasetSink& sink)
      : sink_(&sink), gap_(input.session_gap_s) {
    key_ = sink_->Find(0, sink_->schema().classes[kTerm].at);
  }

  // In the order of their times.
  Status AddUser(std::span<const LoggedQuery> queries) {
    if (queries.empty()) return {};
    for (size_t begin = 0; begin < queries.size();) {
      size_t end = begin + 1;
      while (end < queries.size() && IsNear(queries[end - 1], queries[end])) ++end;
      THICKET_TRY(AddBag(queries.subspan(begin, end - begin)));
      begin = end;
    }
    ++owner_;
    return {};
  }

 private:
  bool IsNear(const LoggedQuery& before, const LoggedQuery& after) const {
    return !gap_ || after.time - before.time <= *gap_;
  }

  Status AddBag(std::span<const LoggedQuery> queries) {
    THICKET_TRY(sink_->BeginRecord(queries.front().line));
    sink_->Meet(*key_);
    sink_->MeetArray(kTerm);
    sink_->MeetShape(kTerm, true, 0);
    index_ = 0;
    for (size_t begin = 0; begin < queries.size();) {
      size_t end = begin + 1;
      while (end < queries.size() && queries[end].time == queries[begin].time) ++end;
      THICKET_TRY(AddQueriesOfOneTime(queries.subspan(begin, end - begin)));
      begin = end;
    }
    sink_->dataset().owners.push_back(owner_);
    return sink_->EndRecord();
  }

  // Rows that are one query are found next to each other once they are sorted by their texts.
  Status AddQueriesOfOneTime(std::span<const LoggedQuery> queries) {
    if (queries.size() == 1) return AddQuery(queries.front());
    order_.resize(queries.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
      const uint32_t left = queries[a].text_hash;
      const uint32_t right = queries[b].text_hash;
      return left != right ? left < right : a < b;
    });
    is_first_.assign(queries.size(), true);
    for (size_t i = 1; i < order_.size(); ++i) {
      is_first_[order_[i]] = !queries[order_[i]].IsSameAs(queries[order_[i - 1]]);
    }
    for (size_t i = 0; i < queries.size(); ++i) {
      if (is_first_[i]) THICKET_TRY(AddQuery(queries[i]));
    }
    return {};
  }

  Status AddQuery(const LoggedQuery& query) {
    for (const Symbol term : query.terms) {
      if (!sink_->OpenVertex(kTerm, index_)) return sink_->Full();
      ++index_;
      sink_->SetSymbol(0, term);
      sink_->CloseVertex();
    }
    return {};
  }

  DatasetSink* sink_;
  std::optional<int64_t> gap_;
  DatasetSink::Key* key_;
  uint32_t owner_ = 0;
  // Of the term being added, among those of its bag.
  int64_t index_ = 0;
  std::vector<size_t> order_;
  std::vector<bool> is_first_;
};

}  // namespace

Status ReadOriginalQuerylog(const InputPolicy& input, Source& source, Progress& progress,
                            DatasetSink& sink) {
  progress.Begin("read", source.stored_bytes());
  RowReader rows(input, source, progress, sink);
  THICKET_TRY(rows.Run());
  progress.End();
  progress.Begin("bags", rows.store().size());
  BagBuilder bags(input, sink);
  THICKET_TRY(rows.store().ForEachUser(
      rows.users().InOrder(), sink.dataset().source, progress,
      [&](std::span<const LoggedQuery> queries) { return bags.AddUser(queries); }));
  progress.End();
  return {};
}

Status ReadQuerylog(const InputPolicy& input, Source& source, Progress& progress,
                    DatasetSink& sink) {
  if (!HoldsTerms(sink.schema())) return NotTerms();
  return sink.published() ? ReadPublishedQuerylog(source, progress, sink)
                          : ReadOriginalQuerylog(input, source, progress, sink);
}

Error NotTerms() {
  return ErrorAt(ErrorCode::kUsage, {.path = "input.format"},
                 "a query log holds bags: a record without attributes and one class below it with "
                 "exactly one quasi-identifier, but the policy has others",
                 "take the others out of the policy, or use format: jsonl or json");
}

}  // namespace thicket
