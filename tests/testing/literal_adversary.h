// Plays every adversary of k^(m,n)-anonymity against a published JSON Lines file, from the definition alone: the text, the
// taxonomies, m and n. Shares no code with what publishes or verifies.
//
//   LiteralAdversary adversary(world, text);
//   const LiteralFindings found = adversary.Play({.m = 2, .n = 1, .negative = true});
//   found.worst_share;     // the most certain that anybody who knows so little can be about a sensitive value of a person
//
// The adversary may know of up to m values, specific or general, that a person has them; of up to n pairs of these that the
// one stands above the other; and with `negative` also of values and pairs that it is not so. A record fits as long as it can
// be the person's, for all that it shows: a general label may stand for any value below it.
//
// Every subset of all that can be known is tried: for a few records and values only.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thicket::testing {

// What the records look like. Keys of attributes and classes differ from each other.
struct LiteralWorld {
  // By attribute: child label to parent label.
  std::map<std::string, std::map<std::string, std::string>> taxonomies;
  // Attributes in the order in which they stand on a path.
  std::vector<std::string> path;
  std::set<std::string> sensitive;
  // Keys of arrays of objects.
  std::set<std::string> classes;
};

struct LiteralRules {
  size_t m = 1;
  size_t n = 0;
  bool negative = false;
};

struct LiteralFindings {
  // The largest share of a sensitive value among the records that fit some knowledge.
  double worst_share = 0;
  // The fewest records that fit some knowledge and are not none; 0 where nothing can be known.
  size_t fewest = 0;
};

class LiteralAdversary {
 public:
  LiteralAdversary(const LiteralWorld& world, std::string_view text) : world_(world), text_(text) {
    while (Peek() == '{') {
      records_.emplace_back();
      ReadObject(records_.back(), {});
    }
    for (const std::string& attribute : world.path) {
      std::set<std::string> labels;
      for (const auto& [child, parent] : world.taxonomies.at(attribute)) {
        labels.insert({child, parent});
      }
      for (const std::string& label : labels) values_.push_back({attribute, label});
    }
  }

  size_t records() const { return records_.size(); }

  LiteralFindings Play(const LiteralRules& rules) {
    rules_ = rules;
    found_ = {};
    facts_.clear();
    for (const Value& x : values_) {
      facts_.push_back({'+', x, x});
      if (rules.negative) facts_.push_back({'-', x, x});
      for (const Value& y : values_) {
        if (!StandsAbove(x.first, y.first) || rules.n == 0) continue;
        facts_.push_back({'>', x, y});
        if (rules.negative) facts_.push_back({'!', x, y});
      }
    }
    std::vector<size_t> all;
    for (size_t r = 0; r < records_.size(); ++r) all.push_back(r);
    Judge(all);
    std::vector<Fact> known;
    Learn(0, known, all);
    return found_;
  }

 private:
  // Attribute and label.
  using Value = std::pair<std::string, std::string>;
  struct Record {
    std::vector<std::vector<Value>> paths;
    std::set<Value> secrets;
  };
  struct Fact {
    // '+' has x, '-' lacks y, '>' has x above y, '!' has x but never above y.
    char kind;
    Value x;
    Value y;
  };

  // A reader of JSON, as far as published records need it.
  char Peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void Expect(char c) {
    if (Peek() != c) throw std::logic_error("unexpected JSON");
    ++at_;
  }
  std::string ReadText() {
    std::string value;
    if (Peek() != '"') {
      while (at_ < text_.size() &&
             std::string_view(",]} \n").find(text_[at_]) == std::string_view::npos) {
        value += text_[at_++];
      }
      return value;
    }
    for (++at_; text_.at(at_) != '"'; ++at_) value += text_[at_];
    ++at_;
    return value;
  }
  std::vector<std::string> ReadTexts() {
    if (Peek() != '[') return {ReadText()};
    std::vector<std::string> values;
    Expect('[');
    while (Peek() != ']') {
      values.push_back(ReadText());
      if (Peek() == ',') Expect(',');
    }
    Expect(']');
    return values;
  }
  void ReadObject(Record& record, std::vector<Value> path) {
    std::map<std::string, std::string> labels;
    std::vector<std::pair<std::string, size_t>> below;
    Expect('{');
    while (Peek() != '}') {
      const std::string key = ReadText();
      Expect(':');
      if (world_.classes.contains(key)) {
        Peek();
        below.emplace_back(key, at_);
        SkipArray();
      } else {
        for (const std::string& text : ReadTexts()) {
          if (world_.sensitive.contains(key)) record.secrets.emplace(key, text);
          if (world_.taxonomies.contains(key)) labels[key] = text;
        }
      }
      if (Peek() == ',') Expect(',');
    }
    Expect('}');
    for (const std::string& attribute : world_.path) {
      if (labels.contains(attribute)) path.emplace_back(attribute, labels[attribute]);
    }
    record.paths.push_back(path);
    const size_t end = at_;
    for (const auto& [key, begin] : below) {
      at_ = begin;
      Expect('[');
      while (Peek() != ']') {
        ReadObject(record, path);
        if (Peek() == ',') Expect(',');
      }
    }
    at_ = end;
  }
  void SkipArray() {
    size_t depth = 0;
    do {
      const char c = text_.at(at_++);
      if (c == '"') at_ = text_.find('"', at_) + 1;
      if (c == '[') ++depth;
      if (c == ']') --depth;
    } while (depth > 0);
  }

  bool StandsAbove(const std::string& upper, const std::string& lower) const {
    const auto a = std::find(world_.path.begin(), world_.path.end(), upper);
    const auto b = std::find(world_.path.begin(), world_.path.end(), lower);
    return a < b;
  }
  bool IsAtOrBelow(const Value& value, const Value& general) const {
    if (value.first != general.first) return false;
    const auto& parents = world_.taxonomies.at(value.first);
    for (std::string label = value.second; label != general.second;) {
      const auto parent = parents.find(label);
      if (parent == parents.end()) return false;
      label = parent->second;
    }
    return true;
  }
  // What the person has can be what is shown; what is shown is certain to be of that kind.
  bool Can(const Value& shown, const Value& x) const {
    return IsAtOrBelow(shown, x) || IsAtOrBelow(x, shown);
  }
  bool Must(const Value& shown, const Value& x) const { return IsAtOrBelow(shown, x); }

  using Test = bool (LiteralAdversary::*)(const Value&, const Value&) const;
  bool Has(const Record& record, const Value& x, Test test) const {
    for (const auto& path : record.paths) {
      for (const Value& shown : path) {
        if ((this->*test)(shown, x)) return true;
      }
    }
    return false;
  }
  bool HasAbove(const Record& record, const Value& x, const Value& y, Test test) const {
    for (const auto& path : record.paths) {
      for (size_t i = 0; i < path.size(); ++i) {
        for (size_t j = i + 1; j < path.size(); ++j) {
          if ((this->*test)(path[i], x) && (this->*test)(path[j], y)) return true;
        }
      }
    }
    return false;
  }
  bool Fits(const Record& record, const Fact& fact) const {
    if (fact.kind == '+') return Has(record, fact.x, &LiteralAdversary::Can);
    if (fact.kind == '-') return !Has(record, fact.x, &LiteralAdversary::Must);
    if (fact.kind == '>') return HasAbove(record, fact.x, fact.y, &LiteralAdversary::Can);
    return Has(record, fact.x, &LiteralAdversary::Can) &&
           !HasAbove(record, fact.x, fact.y, &LiteralAdversary::Must);
  }
  // Whether labels below the value are published: then it is known roughly, and k says nothing of what is never below it.
  bool IsRough(const Value& x) const {
    return std::any_of(records_.begin(), records_.end(), [&](const Record& record) {
      for (const auto& path : record.paths) {
        for (const Value& shown : path) {
          if (shown != x && IsAtOrBelow(shown, x)) return true;
        }
      }
      return false;
    });
  }

  void Judge(const std::vector<size_t>& fitting) {
    std::map<Value, size_t> counts;
    for (const size_t r : fitting) {
      for (const Value& secret : records_[r].secrets) ++counts[secret];
    }
    for (const auto& [secret, count] : counts) {
      found_.worst_share = std::max(
          found_.worst_share, static_cast<double>(count) / static_cast<double>(fitting.size()));
    }
  }

  void Learn(size_t from, std::vector<Fact>& known, const std::vector<size_t>& fitting) {
    for (size_t i = from; i < facts_.size(); ++i) {
      std::vector<size_t> left;
      for (const size_t r : fitting) {
        if (Fits(records_[r], facts_[i])) left.push_back(r);
      }
      if (left.empty()) continue;
      // What excludes nobody leads nowhere, but counts for k.
      known.push_back(facts_[i]);
      std::set<Value> named;
      size_t relations = 0;
      bool asks_k = true;
      for (const Fact& fact : known) {
        named.insert({fact.x, fact.y});
        if (fact.kind == '>' || fact.kind == '!') ++relations;
        if (fact.kind == '!' && IsRough(fact.x)) asks_k = false;
      }
      if (named.size() <= rules_.m && relations <= rules_.n) {
        if (asks_k && (found_.fewest == 0 || left.size() < found_.fewest)) {
          found_.fewest = left.size();
        }
        if (left.size() < fitting.size()) {
          Judge(left);
          Learn(i + 1, known, left);
        }
      }
      known.pop_back();
    }
  }

  const LiteralWorld& world_;
  std::string_view text_;
  size_t at_ = 0;
  std::vector<Record> records_;
  std::vector<Value> values_;
  std::vector<Fact> facts_;
  LiteralRules rules_;
  LiteralFindings found_;
};

}  // namespace thicket::testing
