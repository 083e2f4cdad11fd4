// Counting combinations against a count written straight from the definitions: explicit label trees, sets of all facts.

#include "verify/combinations.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/random.h"
#include "testing/forest_text.h"

namespace thicket::combinations_property_test {
namespace {

using testing::ParseSchema;

// Attribute "class.slot", label text.
using NaiveLabel = std::pair<std::string, std::string>;

// A node of a label tree, equal siblings merged.
struct NaiveTree {
  std::map<NaiveLabel, NaiveTree> children;
};

const std::map<std::string, std::string> kParent = {{"v0", "n0"}, {"v1", "n0"}, {"v2", "n1"},
                                                    {"v3", "n1"}, {"n0", "*"},  {"n1", "*"}};

bool AtOrBelow(std::string label, const std::string& general) {
  while (label != general) {
    const auto parent = kParent.find(label);
    if (parent == kParent.end()) return false;
    label = parent->second;
  }
  return true;
}

class NaiveRecord {
 public:
  NaiveRecord(const Dataset& data, RecordId record) : data_(data) {
    Read(data.forest.root(record), tree_);
  }

  bool Shows(const NaiveLabel& label) const { return Find(tree_, Exactly(label)); }
  bool ShowsAtOrBelow(const NaiveLabel& label) const { return Find(tree_, OrBelow(label)); }
  bool HasAbove(const NaiveLabel& above, const NaiveLabel& below, bool or_lower) const {
    return FindAbove(tree_, Exactly(above), or_lower ? OrBelow(below) : Exactly(below));
  }

  // Which labels a name is about.
  using About = std::function<bool(const NaiveLabel& shown)>;
  static About Exactly(const NaiveLabel& label) {
    return [label](const NaiveLabel& shown) { return shown == label; };
  }
  static About OrBelow(const NaiveLabel& label) {
    return [label](const NaiveLabel& shown) {
      return shown.first == label.first && AtOrBelow(shown.second, label.second);
    };
  }
  static About OrAbove(const NaiveLabel& label) {
    return [label](const NaiveLabel& shown) {
      return shown.first == label.first && AtOrBelow(label.second, shown.second);
    };
  }
  bool HasAny(const About& about) const { return Find(tree_, about); }
  bool HasAnyAbove(const About& above, const About& below) const {
    return FindAbove(tree_, above, below);
  }
  std::set<NaiveLabel> Labels() const {
    std::set<NaiveLabel> labels;
    Collect(tree_, labels);
    return labels;
  }
  // By attribute of a class: the texts that stand anywhere.
  const std::map<std::string, std::set<std::string>>& secrets() const { return secrets_; }

 private:
  void Read(Vertex v, NaiveTree& above) {
    const Forest& forest = data_.forest;
    const ClassId id = forest.class_of(v);
    const VertexClass& of = data_.schema->classes[id];
    NaiveTree* at = &above;
    for (size_t slot = 0; slot < of.quasi.size(); ++slot) {
      const Symbol symbol = forest.value(v, slot);
      if (symbol == kMissing) continue;
      at = &at->children[{of.name + "." + of.quasi[slot].name,
                          std::string(data_.dictionaries[id][slot].text(symbol))}];
    }
    for (size_t i = 0; i < of.sensitive.size(); ++i) {
      const size_t slot = of.sensitive_slot(i);
      const Symbol symbol = forest.value(v, slot);
      if (symbol == kMissing) continue;
      secrets_[of.name + "." + of.sensitive[i].name].insert(
          std::string(data_.dictionaries[id][slot].text(symbol)));
    }
    for (const Vertex child : forest.Children(v)) Read(child, *at);
  }
  static bool Find(const NaiveTree& tree, const About& about) {
    for (const auto& [shown, below] : tree.children) {
      if (about(shown) || Find(below, about)) return true;
    }
    return false;
  }
  static bool FindAbove(const NaiveTree& tree, const About& above, const About& below) {
    for (const auto& [shown, rest] : tree.children) {
      if (above(shown) && Find(rest, below)) return true;
      if (FindAbove(rest, above, below)) return true;
    }
    return false;
  }
  static void Collect(const NaiveTree& tree, std::set<NaiveLabel>& labels) {
    for (const auto& [shown, below] : tree.children) {
      labels.insert(shown);
      Collect(below, labels);
    }
  }

  const Dataset& data_;
  NaiveTree tree_;
  std::map<std::string, std::set<std::string>> secrets_;
};

struct NaiveFact {
  // '+' and '-': a label; '>' and '!': a relation that holds, or does not.
  char kind;
  NaiveLabel label;
  NaiveLabel below;
  friend bool operator<(const NaiveFact& a, const NaiveFact& b) {
    return std::tie(a.kind, a.label, a.below) < std::tie(b.kind, b.label, b.below);
  }
};

struct NaiveVerdict {
  uint64_t least = 0;  // 0: nothing is supported
  uint64_t least_diverse = 0;
  std::set<std::set<NaiveFact>> rare;
  bool diverse = true;
};

std::set<NaiveLabel> LabelsOf(const std::vector<NaiveRecord>& records) {
  std::set<NaiveLabel> labels;
  for (const NaiveRecord& record : records) labels.merge(record.Labels());
  return labels;
}

// The labels and all that stands above them.
std::set<NaiveLabel> WithAncestors(const std::set<NaiveLabel>& labels) {
  std::set<NaiveLabel> nodes;
  for (const auto& [attribute, text] : labels) {
    for (std::string at = text;; at = kParent.at(at)) {
      nodes.emplace(attribute, at);
      if (!kParent.contains(at)) break;
    }
  }
  return nodes;
}

class NaiveCount {
 public:
  NaiveCount(const Dataset& data, const PrivacyPolicy& privacy) : data_(data), privacy_(privacy) {
    for (RecordId r = 0; r < data.forest.record_count(); ++r) records_.emplace_back(data, r);
    FindFacts();
  }

  NaiveVerdict Run() {
    std::vector<size_t> all;
    for (size_t r = 0; r < records_.size(); ++r) all.push_back(r);
    Choose(0, {}, all);
    if (privacy_.l) {
      FindNames();
      CheckDiversity(all);
      ChooseKnown(0, all);
    }
    return verdict_;
  }

 private:
  // In the order of classes and attributes, parents first.
  bool MayRelate(const std::string& above, const std::string& below) const {
    std::vector<std::string> path;
    const auto class_of = [](const std::string& attribute) {
      return attribute.substr(0, attribute.find('.'));
    };
    const auto& classes = data_.schema->classes;
    for (size_t id = 0; id < classes.size(); ++id) {
      if (classes[id].name != class_of(below)) continue;
      for (size_t at = id;; at = classes[at].parent) {
        std::vector<std::string> own;
        for (const QuasiAttribute& attribute : classes[at].quasi) {
          own.push_back(classes[at].name + "." + attribute.name);
        }
        path.insert(path.begin(), own.begin(), own.end());
        if (at == 0) break;
      }
    }
    const auto a = std::find(path.begin(), path.end(), above);
    const auto b = std::find(path.begin(), path.end(), below);
    return a < b;
  }

  void FindFacts() {
    const std::set<NaiveLabel> labels = LabelsOf(records_);
    const std::set<NaiveLabel> nodes = WithAncestors(labels);
    for (const NaiveLabel& x : labels) {
      facts_.push_back({'+', x, {}});
      for (const NaiveLabel& y : labels) {
        if (MayRelate(x.first, y.first)) facts_.push_back({'>', x, y});
      }
      if (!privacy_.negative) continue;
      for (const NaiveLabel& y : nodes) {
        if (MayRelate(x.first, y.first)) facts_.push_back({'!', x, y});
      }
    }
    if (!privacy_.negative) return;
    for (const NaiveLabel& y : nodes) facts_.push_back({'-', y, {}});
  }

  static bool Holds(const NaiveRecord& record, const NaiveFact& fact) {
    if (fact.kind == '+') return record.Shows(fact.label);
    if (fact.kind == '-') return !record.ShowsAtOrBelow(fact.label);
    if (fact.kind == '>') return record.HasAbove(fact.label, fact.below, false);
    return record.Shows(fact.label) && !record.HasAbove(fact.label, fact.below, true);
  }

  // What says the same is one set: a relation says that its labels are there, and that a label is not there says that it is
  // not below another.
  static std::set<NaiveFact> Closed(const std::set<NaiveFact>& facts) {
    std::set<NaiveFact> more = facts;
    for (const NaiveFact& fact : facts) {
      if (fact.kind == '>' || fact.kind == '!') more.insert({'+', fact.label, {}});
      if (fact.kind == '>') more.insert({'+', fact.below, {}});
      if (fact.kind == '!' && facts.contains({'-', fact.below, {}})) more.erase(fact);
    }
    return more;
  }

  // What somebody who is after sensitive values may know of labels. A name is about some labels of an attribute.
  struct NaiveName {
    std::string attribute;
    NaiveRecord::About about;
    // Whether the labels are all of those at or below one, which may be known to be absent.
    bool is_whole;
  };
  struct NaiveKnown {
    // '+' and '-': something of a name; '>' and '!': a relation that holds, or does not.
    char kind;
    size_t name;
    size_t below;
  };

  void FindNames() {
    const std::set<NaiveLabel> labels = LabelsOf(records_);
    const std::set<NaiveLabel> nodes = WithAncestors(labels);
    for (const NaiveLabel& node : nodes) {
      names_.push_back({node.first, NaiveRecord::OrBelow(node), true});
    }
    for (const NaiveLabel& label : labels) {
      names_.push_back({label.first, NaiveRecord::Exactly(label), false});
      names_.push_back({label.first, NaiveRecord::OrAbove(label), false});
    }
    for (size_t x = 0; x < names_.size(); ++x) {
      known_.push_back({'+', x, x});
      if (privacy_.negative && names_[x].is_whole) known_.push_back({'-', x, x});
      for (size_t y = 0; y < names_.size(); ++y) {
        if (!MayRelate(names_[x].attribute, names_[y].attribute)) continue;
        known_.push_back({'>', x, y});
        if (privacy_.negative && names_[y].is_whole) known_.push_back({'!', x, y});
      }
    }
  }

  bool Fits(const NaiveRecord& record, const NaiveKnown& known) const {
    const NaiveRecord::About& about = names_[known.name].about;
    const NaiveRecord::About& below = names_[known.below].about;
    if (known.kind == '+') return record.HasAny(about);
    if (known.kind == '-') return !record.HasAny(about);
    if (known.kind == '>') return record.HasAnyAbove(about, below);
    return record.HasAny(about) && !record.HasAnyAbove(about, below);
  }

  void CheckDiversity(const std::vector<size_t>& fitting) {
    std::map<std::pair<std::string, std::string>, uint64_t> counts;
    for (const size_t r : fitting) {
      for (const auto& [attribute, texts] : records_[r].secrets()) {
        for (const std::string& text : texts) ++counts[{attribute, text}];
      }
    }
    for (const auto& [secret, count] : counts) {
      const uint64_t l = fitting.size() / count;
      if (verdict_.least_diverse == 0 || l < verdict_.least_diverse) verdict_.least_diverse = l;
      if (count * static_cast<uint64_t>(*privacy_.l) > fitting.size()) verdict_.diverse = false;
    }
  }

  void ChooseKnown(size_t from, const std::vector<size_t>& fitting) {
    for (size_t i = from; i < known_.size(); ++i) {
      chosen_.push_back(known_[i]);
      std::set<size_t> named;
      int relations = 0;
      for (const NaiveKnown& known : chosen_) {
        named.insert({known.name, known.below});
        if (known.kind == '>' || known.kind == '!') ++relations;
      }
      std::vector<size_t> left;
      for (const size_t r : fitting) {
        if (Fits(records_[r], known_[i])) left.push_back(r);
      }
      // Nobody learns more from what tells nothing.
      const bool tells = left.size() < fitting.size();
      if (tells && !left.empty() && static_cast<int>(named.size()) <= *privacy_.m &&
          relations <= *privacy_.n) {
        CheckDiversity(left);
        ChooseKnown(i + 1, left);
      }
      chosen_.pop_back();
    }
  }

  void Choose(size_t from, const std::set<NaiveFact>& facts,
              const std::vector<size_t>& supporting) {
    for (size_t i = from; i < facts_.size(); ++i) {
      std::set<NaiveFact> longer = facts;
      longer.insert(facts_[i]);
      std::set<NaiveLabel> named;
      int relations = 0;
      for (const NaiveFact& fact : longer) {
        named.insert(fact.label);
        if (fact.kind == '+' || fact.kind == '-') continue;
        named.insert(fact.below);
        ++relations;
      }
      if (static_cast<int>(named.size()) > *privacy_.m || relations > *privacy_.n) continue;
      std::vector<size_t> left;
      for (const size_t r : supporting) {
        if (Holds(records_[r], facts_[i])) left.push_back(r);
      }
      if (left.empty()) continue;
      if (verdict_.least == 0 || left.size() < verdict_.least) verdict_.least = left.size();
      if (static_cast<int>(left.size()) < *privacy_.k) verdict_.rare.insert(Closed(longer));
      Choose(i + 1, longer, left);
    }
  }

  const Dataset& data_;
  const PrivacyPolicy& privacy_;
  std::vector<NaiveRecord> records_;
  std::vector<NaiveFact> facts_;
  std::vector<NaiveName> names_;
  std::vector<NaiveKnown> known_;
  std::vector<NaiveKnown> chosen_;
  NaiveVerdict verdict_;
};

struct RandomCase {
  std::shared_ptr<Schema> schema;
  TaxonomyFiles taxonomies;
  Dataset data;
  PrivacyPolicy privacy;
};

// Records of a few vertices; labels of any level; vertices moved to a further ancestor, missing values, empty records.
class RandomCaseMaker {
 public:
  explicit RandomCaseMaker(uint64_t seed) : random_(Random::Seeded(seed)) {}

  RandomCase Make(bool negative) {
    const char* const schemas[] = {"r(a|s){c(q,p|t){d(x|u)} e(y|w)}", "r(a,b){c(q|t){d(x|u)}}",
                                   "r(|s){i(item)}", "r(a,b,c|s)"};
    made_.schema = ParseSchema(schemas[random_.Below(4)]);
    TaxonomyBuilder builder("*");
    for (const char* inner : {"n0", "n1"}) builder.Add(TaxonomyBuilder::root(), inner);
    for (const char* leaf : {"v0", "v1", "v2", "v3"}) {
      builder.Add(*builder.Find(kParent.at(leaf)), leaf);
    }
    made_.taxonomies.emplace("t", std::move(builder).Build());
    for (VertexClass& of : made_.schema->classes) {
      for (QuasiAttribute& attribute : of.quasi) attribute.recoding.file = "t";
    }
    nested_ = random_.Below(2) == 0;
    data_ = Dataset::Empty(made_.schema, "published.jsonl");
    ForestBuilder records(*made_.schema);
    const bool sets = made_.schema->classes.size() == 2 && random_.Below(2) == 0;
    const size_t count = random_.Below(negative ? 6 : 9) + (sets ? 4 : 0);
    for (uint32_t r = 0; r < count; ++r) {
      records.BeginRecord(r + 1);
      if (sets) {
        FillSet(records);
      } else if (random_.Below(8) != 0) {
        Fill(0, negative ? 3 : 5, records);
      }
      records.EndRecord();
    }
    data_.forest = std::move(records).Build();
    made_.data = std::move(data_);
    made_.privacy.k = static_cast<int>(1 + random_.Below(3));
    made_.privacy.m = static_cast<int>(1 + random_.Below(negative ? 3 : 4));
    made_.privacy.n = static_cast<int>(random_.Below(3));
    made_.privacy.negative = negative;
    if (random_.Below(2) == 0) made_.privacy.l = static_cast<int>(2 + random_.Below(2));
    return std::move(made_);
  }

 private:
  void Set(ClassId id, size_t slot, std::string_view text, ForestBuilder& records) {
    records.Set(slot, data_.dictionaries[id][slot].Intern(ValueKind::kString, text));
  }

  // Who has one of two items of a kind has S, as a rule, and who has both has not: what both give away, and none by itself.
  void FillSet(ForestBuilder& records) {
    const bool first = random_.Below(2) == 0;
    const bool second = random_.Below(2) == 0;
    if (first != second && random_.Below(10) < 8) {
      Set(0, made_.schema->classes[0].sensitive_slot(0), "S", records);
    }
    for (const char* item : {"v0", "v1"}) {
      if (!(item[1] == '0' ? first : second)) continue;
      records.Open(1);
      Set(1, 0, item, records);
      records.Close();
    }
  }

  void Fill(ClassId id, size_t most, ForestBuilder& records) {
    const VertexClass& of = made_.schema->classes[id];
    const char* const labels[] = {"v0", "v1", "n1", "*", "n0", "v2"};
    for (size_t slot = 0; slot < of.quasi.size(); ++slot) {
      if (random_.Below(3) != 0) Set(id, slot, labels[random_.Below(nested_ ? 6 : 3)], records);
    }
    for (size_t i = 0; i < of.sensitive.size(); ++i) {
      const char* const values[] = {"S", "T", "U"};
      if (random_.Below(3) != 0) Set(id, of.sensitive_slot(i), values[random_.Below(3)], records);
    }
    const std::vector<ClassId> below = made_.schema->ClassesBelow(id);
    if (below.empty()) return;
    for (size_t i = random_.Below(most); i > 0; --i) {
      const ClassId child = below[random_.Below(below.size())];
      records.Open(child);
      Fill(child, 2, records);
      records.Close();
    }
  }

  Random random_;
  bool nested_ = false;
  RandomCase made_;
  Dataset data_;
};

void Compare(uint64_t seed, bool negative) {
  RandomCase random = RandomCaseMaker(seed).Make(negative);
  const NaiveVerdict naive = NaiveCount(random.data, random.privacy).Run();
  const Result<Verdict> verdict = VerifyPublished(*random.schema, random.privacy, random.taxonomies,
                                                  random.data, nullptr, 1 + seed % 2);
  RC_ASSERT(verdict.ok());
  RC_TAG(verdict->holds ? "holds" : "broken");
  RC_ASSERT(static_cast<uint64_t>(verdict->k.value_or(0)) == naive.least);
  RC_ASSERT(verdict->violations.total(ViolationKind::kRareCombination) == naive.rare.size());
  RC_ASSERT(static_cast<uint64_t>(verdict->l.value_or(0)) == naive.least_diverse);
  RC_ASSERT((verdict->violations.total(ViolationKind::kNotDiverse) == 0) == naive.diverse);
  // Siblings of random records stand in any order, by which look-alikes can be told apart: a matter of its own.
  const bool one_way = verdict->violations.total(ViolationKind::kTellsApart) == 0;
  RC_ASSERT(verdict->holds == (naive.rare.empty() && naive.diverse && one_way));
}

RC_GTEST_PROP(CombinationsPropertyTest, AgreesWithTheDefinition, (uint64_t seed)) {
  Compare(seed, false);
}

RC_GTEST_PROP(CombinationsPropertyTest, AgreesWithTheDefinitionOfNegativeKnowledge,
              (uint64_t seed)) {
  Compare(seed, true);
}

}  // namespace
}  // namespace thicket::combinations_property_test
