#include "survey/propose.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/supervised.h"
#include "base/text.h"
#include "io/arrow/arrow_json.h"
#include "io/xml/xml_layout.h"
#include "policy/policy_text.h"
#include "policy/policy_writer.h"
#include "survey/clinical.h"
#include "survey/guess.h"
#include "survey/guess_names.h"
#include "survey/survey.h"
#include "survey/value_options.h"
#include "taxonomy/taxonomy_file.h"
#include "taxonomy/together.h"

namespace thicket {

namespace {

class PolicyWriter {
 public:
  PolicyWriter(const Survey& survey, const SurveyOptions& options)
      : survey_(survey), schema_(options.schema) {}

  // `in_memory`: the data is text, and the path only its name.
  Result<Proposal> Write(const std::string& data_path, const std::string& policy_path,
                         bool in_memory) {
    proposal_.format = FormatName(survey_.format);
    if (survey_.format == Format::kTransactions) {
      Heading();
      Input(in_memory ? "-" : data_path, policy_path);
      Sets(RootName(data_path));
      return std::move(proposal_);
    }
    if (survey_.format == Format::kQuerylog) {
      Heading();
      Input(in_memory ? "-" : data_path, policy_path);
      Querylog();
      return std::move(proposal_);
    }
    if (!survey_.group_by.empty() && !Publishes(*survey_.root.children.front(), false, false)) {
      return ErrorAt(
          ErrorCode::kData, {.file = data_path == "-" ? "standard input" : data_path},
          fmt::format("must have a row for each person, or columns that can be published "
                      "in each row, but {} repeats, and all that differs between its "
                      "rows looks like an identifier or free text",
                      YamlScalar(survey_.group_by)),
          "keep one row of each person, or write the policy by hand");
    }
    if (!Publishes(survey_.root, true, true)) {
      return ErrorAt(ErrorCode::kData, {.file = data_path == "-" ? "standard input" : data_path},
                     "must have an attribute that can be published, but each looks like an "
                     "identifier, a name or free text",
                     "write the policy by hand; docs/policy.md describes every key");
    }
    Heading();
    Input(in_memory ? "-" : data_path, policy_path);
    flat_ =
        std::none_of(survey_.root.children.begin(), survey_.root.children.end(),
                     [&](const auto& child) { return Publishes(*child, false, !child->array); });
    Line(0, "record:");
    Line(1, "class: " + YamlScalar(NewName(class_names_, RootName(data_path), "")));
    if (!survey_.group_by.empty()) {
      Line(1, "group_by: " + YamlScalar(survey_.group_by),
           fmt::format("{} people in {} rows; replaced by new numbers", WithCommas(survey_.records),
                       WithCommas(survey_.root.children.front()->vertices)));
    }
    ClassBody(survey_.root, true, true, 1);
    for (const auto& [table, why] : survey_.other_tables) {
      Line(1, "", fmt::format("left out: the table {} ({})", YamlScalar(table), why));
    }
    Line(0, "privacy:");
    Line(1, "k: 2", "each record looks like one other at least; 5 or more is usual");
    if (sensitive_) {
      Line(1, "", "l: 2 keeps sensitive values from being guessed; add it when they are confirmed");
      Line(1, "", "(thicket plan foretells what an l costs)");
    }
    if (flat_) {
      Line(0, "",
           "method: {name: lplus, suppression: violating-records} recodes all rows alike, at the");
      Line(0, "", "least loss, proven; without it each group of look-alikes is recoded by itself");
    }
    return std::move(proposal_);
  }

 private:
  struct Attribute {
    const AttributeSurvey* survey;
    Guess guess;
  };

  void Line(size_t level, std::string_view text, std::string_view comment = "") {
    proposal_.policy += PolicyLine(level, text, comment);
  }

  void Heading() {
    const TableJoins& joins = survey_.root.joins;
    const bool partial = joins.table.empty() ? survey_.partial : joins.rows > survey_.root.vertices;
    Line(0, "",
         fmt::format("A first policy, guessed from {}{} record{}. Read every line before you",
                     partial ? "the first " : "", WithCommas(survey_.records),
                     survey_.records == 1 ? "" : "s"));
    Line(0, "",
         "publish: what an adversary may know, and what must stay secret, is your decision.");
    Line(0, "version: 1");
  }

  void Input(const std::string& data_path, const std::string& policy_path) {
    Line(0, "input:");
    Line(1, fmt::format("format: {}", FormatName(survey_.format)));
    if (survey_.format == Format::kPostgresql) {
      // Without a password: the connection would not have been made with one in it.
      Line(1, "path: " + YamlScalar(data_path), "-i overrides it");
      if (!schema_.empty()) Line(1, "schema: " + YamlScalar(schema_));
    } else if (data_path != "-") {
      const std::string path = RelativePath(data_path, policy_path);
      Line(1, "path: " + YamlScalar(path),
           path.starts_with('/') ? "-i overrides it" : "relative to this file; -i overrides it");
    }
    if (survey_.decimal == ',') {
      Line(1, "decimal: \",\"", "numbers have a comma before their fraction");
    }
    if (survey_.encoding == TextEncoding::kLatin1) {
      Line(1, "encoding: latin1", "not UTF-8; check the letters beyond a to z");
    }
    if (survey_.format == Format::kTransactions && survey_.sets.delimiter != 0) {
      Line(1, "delimiter: " + YamlScalar(std::string(1, survey_.sets.delimiter)),
           "between the items of a set");
    }
    if (survey_.format == Format::kQuerylog) {
      Line(1, "session_gap: 1h", "a pause between two queries that begins a new bag;");
      Line(1, "", "without it all queries of a user are one");
      if (survey_.querylog.clicked) {
        Line(1, "clicked: on", "queries without a click are left out");
      }
    }
    if (!survey_.at.empty()) {
      Line(1, "at: " + YamlScalar(survey_.at),
           survey_.format == Format::kXml ? "the elements that lead to the records"
                                          : "the keys that lead to the records");
    }
    if (const uint64_t orphans = CountOrphans(survey_.root); orphans > 0) {
      Line(1, "orphans: drop",
           fmt::format("{} row{} no parent, and {} left out", WithCommas(orphans),
                       orphans == 1 ? " has" : "s have", orphans == 1 ? "is" : "are"));
    }
  }

  // Sets: everything that is in one may be known, and a taxonomy is made from the data.
  void Sets(const std::string& name) {
    constexpr size_t kFanout = 4;
    const SetsOfItems& sets = survey_.sets.sets;
    Taxonomy taxonomy = TogetherTaxonomy(sets, kFanout);
    taxonomy.SetOrigin({kFanout, ItemOrder::kTogether});
    const std::string path = "taxonomies/item.csv";
    proposal_.files.emplace_back(path, FormatTaxonomy(taxonomy));
    Line(0, "record:");
    Line(1, "class: " + YamlScalar(name == "item" ? "set" : name), "a set of items per line");
    Line(1, "children:");
    Line(2, "- class: item", fmt::format("{} in all", WithCommas(sets.members.size())));
    Line(3, "at: items");
    Line(3, "quasi:");
    Line(4, fmt::format("item: {{taxonomy: {}}}", path),
         fmt::format("{} distinct values, in groups of {} that appear",
                     WithCommas(sets.items.size()), kFanout));
    Line(4, "",
         "with the same others, made from the data; groups that mean something are better to read");
    const uint64_t k = survey_.records < 10 ? 2 : 5;
    Line(0, "privacy:");
    Line(1, fmt::format("k: {}", k), "whoever knows");
    Line(1, "m: 3", "up to three items of a set (raise it if more may be known)");
    Line(1, "n: 0", fmt::format("finds {} sets that fit, or none", k));
  }

  // Query logs: whatever somebody searched for may be known.
  void Querylog() {
    const uint64_t users = survey_.querylog.users;
    Line(0, "record:");
    Line(1, "class: vocabulary", "a bag of words that a user searched for");
    Line(1, "children:");
    Line(2, "- class: term");
    Line(3, "at: terms");
    Line(3, "quasi:");
    Line(4, "term: {network: wordnet}", "nouns of WordNet (apt-get install wordnet-base);");
    Line(4, "", "other words are left out, unless unknown: generalize keeps them");
    Line(0, "privacy:");
    Line(1, fmt::format("k: {}", users < 10 ? 2 : 5),
         fmt::format("bags of so many users look alike, of {}{}",
                     survey_.partial ? "more than " : "", WithCommas(users)));
    Line(1, "epsilon: 6", "how many steps a published word may be from the one that it");
    Line(1, "", "stands for; 0 leaves words out instead of replacing them");
  }

  static uint64_t CountOrphans(const ClassSurvey& of_class) {
    uint64_t count = of_class.joins.orphans;
    for (const auto& child : of_class.children) count += CountOrphans(*child);
    return count;
  }

  // What the record is: after its table, its element or the file.
  std::string RootName(const std::string& data_path) const {
    std::string name = data_path == "-" ? "record" : StemOf(data_path);
    if (!survey_.root.joins.table.empty()) name = StemOf(survey_.root.joins.table);
    if (survey_.format == Format::kXml) name = LastStep(survey_.at);
    return Singular(SafeName(name, "record"));
  }

  // Of a key such as "courses/course".
  static std::string LastStep(const std::string& key) { return key.substr(key.rfind('/') + 1); }

  static std::string NewName(std::set<std::string>& taken, const std::string& name,
                             const std::string& parent) {
    std::string chosen = name;
    if (!parent.empty() && taken.count(chosen) != 0) chosen = parent + "_" + name;
    for (int i = 2; !taken.insert(chosen).second; ++i) chosen = fmt::format("{}_{}", name, i);
    return chosen;
  }

  std::vector<Attribute> GuessAll(const ClassSurvey& of_class, bool root,
                                  bool one_per_record) const {
    std::vector<Attribute> attributes;
    AttributePlace place;
    place.root = root;
    place.one_per_record = one_per_record;
    place.row_of_person = !root && !survey_.group_by.empty();
    place.flat = flat_;
    place.vertices = of_class.vertices;
    place.class_key = of_class.key;
    place.partial = survey_.partial;
    place.id_taken = root && (!of_class.joins.key.empty() || !survey_.group_by.empty());
    for (const auto& attribute : of_class.attributes) {
      if (attribute->name.empty() && !of_class.plain) continue;
      if (of_class.HasChild(attribute->name)) continue;
      const TableJoins::Second* second = of_class.joins.FindSecond(attribute->name);
      place.key_of = second == nullptr ? std::string_view() : second->table;
      place.key_published = second != nullptr && second->in_tree;
      // A plain value has no name of its own, nor has the text of an element.
      if (of_class.plain || attribute->name == kXmlText) {
        AttributeSurvey named = *attribute;
        named.name = of_class.key;
        attributes.push_back({attribute.get(), GuessAttribute(named, place)});
      } else {
        attributes.push_back({attribute.get(), GuessAttribute(*attribute, place)});
      }
      place.id_taken = place.id_taken || attributes.back().guess.role == GuessedRole::kId;
    }
    return attributes;
  }

  // Whether anything of the class would be published.
  bool Publishes(const ClassSurvey& of_class, bool root, bool one_per_record) const {
    if (of_class.vertices == 0 || of_class.odd || (of_class.plain && of_class.objects))
      return false;
    for (const Attribute& attribute : GuessAll(of_class, root, one_per_record)) {
      const GuessedRole role = attribute.guess.role;
      if (role != GuessedRole::kDrop && role != GuessedRole::kId) return true;
    }
    return std::any_of(of_class.children.begin(), of_class.children.end(), [&](const auto& child) {
      return !of_class.HasAttribute(child->key) &&
             Publishes(*child, false, one_per_record && !child->array);
    });
  }

  std::string NameOf(const ClassSurvey& of_class, const Attribute& attribute) const {
    return of_class.plain ? SafeName(Singular(LastStep(of_class.key)), "value")
                          : attribute.survey->name;
  }

  void Names(std::string_view key, const std::vector<const Attribute*>& attributes, size_t level) {
    if (attributes.empty()) return;
    Line(level, fmt::format("{}:", key));
    for (const Attribute* attribute : attributes) {
      Line(level + 1, "- " + YamlScalar(attribute->survey->name), attribute->guess.reason);
    }
  }

  // A flat taxonomy of all values, as a file; returns its path.
  std::string AddTaxonomy(const AttributeSurvey& attribute, const std::string& name,
                          const std::string& class_key) {
    const std::string file = NewName(file_names_, SafeName(name, "values"),
                                     class_key.empty() ? "" : SafeName(class_key, "class"));
    std::string path = fmt::format("taxonomies/{}.csv", file);
    proposal_.files.emplace_back(path, FlatTaxonomy(attribute));
    return path;
  }

  void Quasi(const ClassSurvey& of_class, const Attribute& attribute, size_t level) {
    const std::string name = NameOf(of_class, attribute);
    std::string recoding = attribute.guess.recoding;
    if (recoding.empty()) {
      const std::string key = LastStep(of_class.key);
      recoding = "taxonomy: " +
                 AddTaxonomy(*attribute.survey, name == kXmlText ? Singular(key) : name, key);
      if (survey_.partial) recoding += ", unknown: generalize";
    }
    Line(level, fmt::format("{}: {{{}}}", YamlScalar(name), recoding), attribute.guess.reason);
  }

  void ClassBody(const ClassSurvey& of_class, bool root, bool one_per_record, size_t level) {
    const std::vector<Attribute> attributes = GuessAll(of_class, root, one_per_record);
    const auto with_role = [&](GuessedRole role) {
      std::vector<const Attribute*> result;
      for (const Attribute& attribute : attributes) {
        if (attribute.guess.role == role) result.push_back(&attribute);
      }
      return result;
    };
    if (!of_class.joins.table.empty()) Joins(of_class.joins, root, level);
    for (const Attribute* id : with_role(GuessedRole::kId)) {
      Line(level, "id: " + YamlScalar(id->survey->name), id->guess.reason + "; never published");
    }
    Names("drop", with_role(GuessedRole::kDrop), level);
    const auto kept = with_role(GuessedRole::kKeep);
    if (!kept.empty()) Line(level, "keep:");
    for (const Attribute* attribute : kept) {
      Line(level + 1,
           fmt::format("{}: {{constant: {}}}", YamlScalar(NameOf(of_class, *attribute)),
                       YamlScalar(attribute->survey->values().front())),
           attribute->guess.reason + "; another value is an error");
    }
    const auto quasi = with_role(GuessedRole::kQuasi);
    if (!quasi.empty()) Line(level, "quasi:");
    for (const Attribute* attribute : quasi) Quasi(of_class, *attribute, level + 1);
    const auto sensitive = with_role(GuessedRole::kSensitive);
    if (!sensitive.empty()) Line(level, "sensitive:");
    for (const Attribute* attribute : sensitive) {
      Line(level + 1,
           fmt::format("{}: {{{}}}", YamlScalar(NameOf(of_class, *attribute)),
                       attribute->guess.recoding),
           attribute->guess.reason);
      sensitive_ = true;
    }
    Children(of_class, one_per_record, level);
    LeftOut(of_class, one_per_record, level);
  }

  // The table, and the columns by which it is joined.
  void Joins(const TableJoins& joins, bool root, size_t level) {
    Line(level, "table: " + YamlScalar(joins.table), root ? PersonReason() : "");
    if (!joins.key.empty()) {
      Line(level, "key: " + YamlScalar(joins.key), "replaced by a new one");
      if (root) Line(level, "id: " + YamlScalar(joins.key), "the key of a person; never published");
    }
    if (joins.parent.empty()) return;
    const std::string orphans =
        joins.orphans == 0 ? ""
                           : fmt::format("; {} of {} rows have no parent",
                                         WithCommas(joins.orphans), WithCommas(joins.rows));
    Line(level, "parent: " + YamlScalar(joins.parent),
         (joins.declared ? "a declared foreign key" : "its values are keys of the table above") +
             orphans);
  }

  std::string PersonReason() const {
    const size_t below = CountClasses(survey_.root) - 1;
    if (below == 0) return "";
    return fmt::format("one row for each person: {} other table{} here", below,
                       below == 1 ? " leads" : "s lead");
  }

  static size_t CountClasses(const ClassSurvey& of_class) {
    size_t count = 1;
    for (const auto& child : of_class.children) count += CountClasses(*child);
    return count;
  }

  void Children(const ClassSurvey& of_class, bool one_per_record, size_t level) {
    bool any = false;
    for (const auto& child : of_class.children) {
      const bool alone = one_per_record && !child->array;
      if (of_class.HasAttribute(child->key) || child->key.empty() ||
          !Publishes(*child, false, alone)) {
        continue;
      }
      if (!any) Line(level, "children:");
      any = true;
      const bool table = !child->joins.table.empty();
      const auto name_of = [&](const ClassSurvey& one) {
        return Singular(table ? StemOf(one.key) : LastStep(one.key));
      };
      const std::string name = NewName(class_names_, SafeName(name_of(*child), "child"),
                                       SafeName(name_of(of_class), "record"));
      Line(level + 1, "- class: " + YamlScalar(name),
           fmt::format("{} in all", WithCommas(table ? child->joins.rows : child->vertices)));
      if (!table && survey_.group_by.empty()) Line(level + 2, "at: " + YamlScalar(child->key));
      if (child->AreTuples() && survey_.format != Format::kXml && !table) {
        Line(level + 2, "ordered: true",
             fmt::format("always {} numbers: which is which is part of the data", child->longest));
      }
      ClassBody(*child, false, alone, level + 2);
    }
  }

  // "once", "17 times".
  static std::string Times(uint64_t count) {
    return count == 1 ? "once" : WithCommas(count) + " times";
  }

  // What the policy does not name is not published; say why it is not named.
  void LeftOut(const ClassSurvey& of_class, bool one_per_record, size_t level) {
    const auto say = [&](const std::string& name, std::string_view why) {
      Line(level, "", fmt::format("left out: {} ({})", YamlScalar(name), why));
    };
    for (const auto& child : of_class.children) {
      if (of_class.HasAttribute(child->key)) {
        const auto plain =
            std::find_if(of_class.attributes.begin(), of_class.attributes.end(),
                         [&](const auto& attribute) { return attribute->name == child->key; });
        say(child->key,
            fmt::format(
                "sometimes a plain value, {}, sometimes not, {}: no class can describe both",
                Times((*plain)->present), Times(child->vertices)));
      } else if (child->vertices == 0) {
        say(child->key, "always empty");
      } else if (child->odd) {
        say(child->key, fmt::format("arrays in arrays, or nested too deeply: no class can describe "
                                    "them; {}",
                                    Times(child->vertices)));
      } else if (child->plain && child->objects) {
        say(child->key, fmt::format("sometimes an object, sometimes a plain value: no class can "
                                    "describe both; {}",
                                    Times(child->vertices)));
      } else if (child->key.empty() || !Publishes(*child, false, one_per_record && !child->array)) {
        say(child->key, "nothing in it could be published");
      }
    }
    for (const auto& [name, why] : of_class.left_out) say(name, why);
    for (const std::string& name : of_class.nulls) {
      if (!of_class.HasAttribute(name) && !of_class.HasChild(name)) say(name, "always missing");
    }
    if (!of_class.plain && of_class.HasAttribute("")) say("", "has no name");
  }

  const Survey& survey_;
  std::string schema_;
  Proposal proposal_;
  std::set<std::string> class_names_;
  std::set<std::string> file_names_;
  // Whether records are single vertices.
  bool flat_ = false;
  bool sensitive_ = false;
};

}  // namespace

std::map<std::string, ValueTree> Proposal::Taxonomies() const {
  std::map<std::string, ValueTree> taxonomies;
  for (const auto& [name, text] : files) taxonomies.emplace(name, text);
  return taxonomies;
}

Result<Proposal> ProposeFor(const Survey& survey, const SurveyOptions& options,
                            const std::string& data_path, const std::string& policy_path,
                            bool in_memory) {
  return PolicyWriter(survey, options).Write(data_path, policy_path, in_memory);
}

Result<Proposal> ProposePolicy(const std::string& data_path, const std::string& policy_path,
                               const SurveyOptions& options) {
  const auto propose = [&]() -> Result<Proposal> {
    THICKET_ASSIGN(std::optional<Proposal> clinical,
                   ProposeClinical(data_path, policy_path, options));
    if (clinical) return *std::move(clinical);
    THICKET_ASSIGN(const Survey survey, SurveyData(data_path, options));
    return ProposeFor(survey, options, data_path, policy_path, /*in_memory=*/false);
  };
  Progress own;
  return Supervised(options.progress != nullptr ? *options.progress : own, propose);
}

Result<Proposal> ProposePolicyForText(std::string_view text, const std::string& name,
                                      const ProposeOptions& options) {
  const auto propose = [&]() -> Result<Proposal> {
    THICKET_ASSIGN(const Survey survey, SurveyText(text, name, options));
    return ProposeFor(survey, options, name, "-", /*in_memory=*/true);
  };
  Progress own;
  return Supervised(options.progress != nullptr ? *options.progress : own, propose);
}

Result<Proposal> ProposePolicyForTable(const ArrowTable& table, const std::string& name,
                                       const ProposeOptions& options) {
  const auto propose = [&]() -> Result<Proposal> {
    // One more than is looked at, so that it shows where there are more.
    THICKET_ASSIGN(const std::string text, ArrowAsJson(table, kMostSurveyed + 1, name));
    THICKET_ASSIGN(Survey survey, SurveyText(text, name + ".jsonl", options));
    THICKET_TRY(FindPersonsOfTable(table, name, survey));
    return ProposeFor(survey, options, name, "-", /*in_memory=*/true);
  };
  Progress own;
  return Supervised(options.progress != nullptr ? *options.progress : own, propose);
}

}  // namespace thicket
