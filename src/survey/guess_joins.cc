#include "survey/guess_joins.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "survey/guess_names.h"

namespace thicket {

namespace {

// Fewer values than this are among the values of another column by chance.
constexpr uint64_t kTellingValues = 20;

// How much a column looks like the key of its table.
int KeyRank(const JoinTable& table, size_t column) {
  if (table.columns[column].primary) return 3;
  if (NamesAnIdentifier(WordsOf(table.columns[column].name))) return 2;
  return column == 0 ? 1 : 0;
}

// "id" says that it is a key, but not whose.
bool IsGeneric(std::string_view column) {
  const std::vector<std::string> words = WordsOf(column);
  return words.size() < 2 &&
         (words.empty() || NamesAnIdentifier({words.front()}) || HasWord(words, {"code", "name"}));
}

// A column that leads to another row of its own table: "manager_id", "parent".
bool NamesARelative(std::string_view column) {
  const std::vector<std::string> words = WordsOf(column);
  return (words.size() > 1 && NamesAnIdentifier(words)) ||
         HasWord(words, {"parent", "manager", "supervisor", "boss", "mother", "father", "spouse",
                         "partner", "predecessor", "successor", "referrer"});
}

bool NearlyAllAreKeys(const AttributeSurvey& values, const KeyHashes& keys) {
  const double most_missing = (1 - kNearlyAll) * static_cast<double>(values.distinct());
  uint64_t missing = 0;
  for (const auto& [hash, holder] : values.holders()) {
    if (!HasKey(keys, hash) && static_cast<double>(++missing) > most_missing) return false;
  }
  return true;
}

class JoinGuesser {
 public:
  explicit JoinGuesser(const std::vector<JoinTable>& tables) : tables_(&tables) {}

  std::vector<Join> Run() {
    for (size_t table = 0; table < tables_->size(); ++table) {
      for (size_t column = 0; column < At(table).columns.size(); ++column) {
        FindTargets(table, column);
      }
    }
    DropMirrored();
    std::vector<Join> joins;
    for (const Candidate& candidate : candidates_) {
      const bool same = !joins.empty() && joins.back().table == candidate.join.table &&
                        joins.back().column == candidate.join.column;
      if (!same) joins.push_back(Best(candidate.join.table, candidate.join.column));
    }
    return joins;
  }

 private:
  struct Candidate {
    Join join;
    // 2: the name says so; 1: only the values do.
    int strength = 0;
  };

  const JoinTable& At(size_t table) const { return (*tables_)[table]; }

  void FindTargets(size_t table, size_t column) {
    const AttributeSurvey* values = At(table).columns[column].values;
    if (values == nullptr || values->distinct() == 0) return;
    for (size_t to = 0; to < tables_->size(); ++to) {
      Candidate best;
      int best_rank = -1;
      for (size_t key = 0; key < At(to).columns.size(); ++key) {
        if (!At(to).columns[key].keys || (to == table && key == column)) continue;
        const int strength = Strength(table, column, to, key);
        const int rank = KeyRank(At(to), key);
        if (strength == 0 || std::pair(strength, rank) <= std::pair(best.strength, best_rank)) {
          continue;
        }
        if (!NearlyAllAreKeys(*values, *At(to).columns[key].keys)) continue;
        best = {{table, column, to, key, 0}, strength};
        best_rank = rank;
      }
      if (best.strength > 0) candidates_.push_back(best);
    }
  }

  // How plausible the names make a join, before a value is compared; 0 if not at all.
  int Strength(size_t table, size_t column, size_t to, size_t key) const {
    const JoinColumn& from = At(table).columns[column];
    const std::string& name = from.name;
    const int rank = KeyRank(At(to), key);
    if (table == to) {
      // Weak, since "encounter_id" says the same of another table, and more surely.
      return rank > 0 && (NamesARelative(name) || NamesKeyOf(name, At(to).name)) ? 1 : 0;
    }
    const bool same_name =
        Joined(WordsOf(name)) == Joined(WordsOf(At(to).columns[key].name)) && !IsGeneric(name);
    const bool telling = from.values->distinct() >= kTellingValues;
    if (rank == 0) return (same_name || NamesKeyOf(name, At(to).name)) && telling ? 2 : 0;
    if (same_name || NamesKeyOf(name, At(to).name)) return 2;
    // An identifier of the table's own persons is among other keys by chance only if they are few.
    return from.values->numbers || (rank == 1 && !telling) ? 0 : 1;
  }

  // Where each person has exactly one visit, the keys of persons are among those that visits name: a join in the wrong
  // direction.
  void DropMirrored() {
    const auto weaker = [&](const Candidate& a) {
      return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& b) {
        const bool mirrored = a.join.table == b.join.to && a.join.column == b.join.key &&
                              a.join.to == b.join.table && a.join.key == b.join.column;
        return mirrored && Direction(a) < Direction(b);
      });
    };
    std::vector<Candidate> kept;
    for (const Candidate& candidate : candidates_) {
      if (!weaker(candidate)) kept.push_back(candidate);
    }
    candidates_ = std::move(kept);
  }

  std::tuple<int, int, bool> Direction(const Candidate& candidate) const {
    const Join& join = candidate.join;
    return {candidate.strength,
            KeyRank(At(join.to), join.key) - KeyRank(At(join.table), join.column),
            PersonRank(At(join.to).name) > 0 && PersonRank(At(join.table).name) == 0};
  }

  Join Best(size_t table, size_t column) const {
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates_) {
      if (candidate.join.table != table || candidate.join.column != column) continue;
      if (best == nullptr || Preference(candidate) > Preference(*best)) best = &candidate;
    }
    return best->join;
  }

  // A key that is a foreign key itself (a table with one row per person) is not the source.
  std::tuple<int, bool, bool, int> Preference(const Candidate& candidate) const {
    const Join& join = candidate.join;
    const bool borrowed =
        std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
          return other.join.table == join.to && other.join.column == join.key;
        });
    return {candidate.strength, !borrowed, PersonRank(At(join.to).name) > 0,
            KeyRank(At(join.to), join.key)};
  }

  const std::vector<JoinTable>* tables_;
  // By table and column.
  std::vector<Candidate> candidates_;
};

class TreeGrower {
 public:
  TreeGrower(const std::vector<JoinTable>& tables, std::vector<Join> joins) : tables_(&tables) {
    tree_.joins = std::move(joins);
    tree_.parent.assign(tables.size(), JoinTree::kNone);
    tree_.key.assign(tables.size(), JoinTree::kNone);
    depth_.assign(tables.size(), 0);
  }

  JoinTree Run() {
    tree_.person = FindPerson();
    ChooseKeys();
    barred_ = Reached(tree_.person);
    // A table that waits for one on its way gets its turn again.
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t table = 0; table < tables_->size(); ++table) {
        if (tree_.Holds(table) || barred_[table]) continue;
        open_.assign(tables_->size(), false);
        grown |= Attach(table);
      }
    }
    KeepKeys();
    return std::move(tree_);
  }

 private:
  // The tables that a table reaches by joins, itself not included.
  std::vector<bool> Reached(size_t from) const {
    std::vector<bool> reached(tables_->size(), false);
    std::vector<size_t> waiting = {from};
    while (!waiting.empty()) {
      const size_t table = waiting.back();
      waiting.pop_back();
      for (const Join& join : tree_.joins) {
        if (join.table != table || reached[join.to] || join.to == from) continue;
        // What is known of a person by their own key is a table below, not above.
        if (table == from && from == tree_.person && join.column == tree_.key[from]) continue;
        reached[join.to] = true;
        waiting.push_back(join.to);
      }
    }
    return reached;
  }

  size_t FindPerson() {
    tree_.person = JoinTree::kNone;
    std::vector<size_t> count(tables_->size(), 0);
    for (size_t table = 0; table < tables_->size(); ++table) {
      const std::vector<bool> reached = Reached(table);
      for (size_t to = 0; to < reached.size(); ++to) count[to] += reached[to] ? 1 : 0;
    }
    const bool joined = std::any_of(count.begin(), count.end(), [](size_t n) { return n > 0; });
    const auto score = [&](size_t number) {
      const JoinTable& table = (*tables_)[number];
      const size_t rank = PersonRank(table.name);
      const bool reached = count[number] > 0 || !joined;
      const bool has_traits =
          std::any_of(table.columns.begin(), table.columns.end(),
                      [](const JoinColumn& column) { return NamesATrait(column.name); });
      // A single person has nobody to be like.
      return std::tuple(rank > 0 && reached, table.rows > 1, has_traits && reached, count[number],
                        rank == 0 ? 0 : 1000 - rank, table.rows);
    };
    size_t best = 0;
    for (size_t table = 1; table < tables_->size(); ++table) {
      if (score(table) > score(best)) best = table;
    }
    return best;
  }

  // A table has one key: the one that most others use.
  void ChooseKeys() {
    for (size_t table = 0; table < tables_->size(); ++table) {
      std::vector<size_t> uses((*tables_)[table].columns.size(), 0);
      for (const Join& join : tree_.joins) {
        if (join.to == table && join.table != table) ++uses[join.key];
      }
      const auto most = std::max_element(uses.begin(), uses.end());
      if (most != uses.end() && *most > 0) {
        tree_.key[table] = static_cast<size_t>(most - uses.begin());
      }
    }
  }

  bool Attach(size_t table) {
    open_[table] = true;
    const uint64_t rows = (*tables_)[table].rows;
    const auto most_orphans = static_cast<uint64_t>((1 - kNearlyAll) * static_cast<double>(rows));
    size_t best = JoinTree::kNone;
    std::tuple<bool, size_t, uint64_t> best_score;
    for (size_t i = 0; i < tree_.joins.size(); ++i) {
      const Join& join = tree_.joins[i];
      if (join.table != table || !CanBeAbove(join)) continue;
      if (rows > 0 && join.orphans == rows) continue;
      const bool good = join.orphans <= most_orphans;
      // Where every parent loses rows, the one that loses least.
      const std::tuple score(good, good ? depth_[join.to] + 1 : 0, rows - join.orphans);
      if (best != JoinTree::kNone && score <= best_score) continue;
      best = i;
      best_score = score;
    }
    open_[table] = false;
    if (best == JoinTree::kNone) return false;
    tree_.parent[table] = best;
    depth_[table] = depth_[tree_.joins[best].to] + 1;
    return true;
  }

  // Whether the other table is in the tree, or can be put there, with the key that the join needs.
  bool CanBeAbove(const Join& join) {
    const size_t to = join.to;
    if (to == join.table || join.key != tree_.key[to] || barred_[to] || open_[to]) return false;
    if (to == tree_.person) return true;
    if (tree_.parent[to] == JoinTree::kNone && !Attach(to)) return false;
    // A column that leads up is replaced by the parent's new key, so nothing can be joined to it.
    return tree_.joins[tree_.parent[to]].column != join.key;
  }

  // Keys that something of the tree is joined by, and those that are named like one.
  void KeepKeys() {
    std::vector<bool> used(tables_->size(), false);
    for (const size_t parent : tree_.parent) {
      if (parent != JoinTree::kNone) used[tree_.joins[parent].to] = true;
    }
    for (size_t table = 0; table < tables_->size(); ++table) {
      if (!used[table]) tree_.key[table] = OwnKey(table);
    }
  }

  size_t OwnKey(size_t table) const {
    size_t best = JoinTree::kNone;
    int best_rank = 1;
    const std::vector<JoinColumn>& columns = (*tables_)[table].columns;
    for (size_t column = 0; column < columns.size(); ++column) {
      const int rank = KeyRank((*tables_)[table], column);
      if (!columns[column].keys || IsForeign(table, column) || rank <= best_rank) continue;
      best = column;
      best_rank = rank;
    }
    return best;
  }

  bool IsForeign(size_t table, size_t column) const {
    return std::any_of(tree_.joins.begin(), tree_.joins.end(), [&](const Join& join) {
      return join.table == table && join.column == column;
    });
  }

  const std::vector<JoinTable>* tables_;
  JoinTree tree_;
  // By table: how far from the persons, once it is in the tree.
  std::vector<size_t> depth_;
  // Tables that the persons refer to.
  std::vector<bool> barred_;
  // Tables that are being attached.
  std::vector<bool> open_;
};

}  // namespace

bool HasKey(const KeyHashes& keys, uint64_t hash) {
  return std::binary_search(keys.begin(), keys.end(), hash);
}

std::vector<Join> GuessJoins(const std::vector<JoinTable>& tables) {
  return JoinGuesser(tables).Run();
}

JoinTree GrowJoinTree(const std::vector<JoinTable>& tables, std::vector<Join> joins) {
  return TreeGrower(tables, std::move(joins)).Run();
}

}  // namespace thicket
