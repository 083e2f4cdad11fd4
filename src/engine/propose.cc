#include "engine/propose.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/text.h"
#include "engine/guess.h"
#include "engine/survey.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket {

namespace {

namespace fs = std::filesystem;

// A plain YAML scalar where that is safe, else one in double quotes.
std::string Yaml(std::string_view text) {
  const auto is_safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
  };
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  static const std::set<std::string> words = {"y",  "n",   "yes",  "no",   "true", "false",
                                              "on", "off", "null", "none", ".inf", ".nan"};
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_safe) &&
                     text.front() != '-' && words.count(lower) == 0 && !ParseNumber(text);
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// Letters, digits, - and _ only, for file and class names.
std::string Tame(std::string_view text, std::string_view otherwise) {
  std::string tame;
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    tame += good ? c : '_';
  }
  const bool any =
      std::any_of(tame.begin(), tame.end(), [](char c) { return c != '_' && c != '-'; });
  return any ? tame : std::string(otherwise);
}

// The file's name without its extensions.
std::string StemOf(const std::string& path) {
  fs::path name = fs::path(path).filename();
  while (!name.extension().empty()) name = name.stem();
  return name.string();
}

// The data as the policy must name it. What was given as absolute stays so, unless it stands at or below the policy.
std::string RelativePath(const std::string& data_path, const std::string& policy_path) {
  if (policy_path == "-") return data_path;
  std::error_code failure;
  const fs::path data = fs::absolute(data_path, failure).lexically_normal();
  if (failure) return data_path;
  const fs::path policy = fs::absolute(policy_path, failure).lexically_normal();
  if (failure) return data_path;
  const fs::path relative = data.lexically_relative(policy.parent_path());
  const bool outside = relative.empty() || *relative.begin() == "..";
  if (outside && fs::path(data_path).is_absolute()) return data_path;
  return relative.empty() ? data.string() : relative.string();
}

class PolicyWriter {
 public:
  explicit PolicyWriter(const Survey& survey) : survey_(survey) {}

  Result<Proposal> Write(const std::string& data_path, const std::string& policy_path) {
    if (!Publishes(survey_.root, true, true)) {
      return Error{ErrorCode::kData,
                   fmt::format("{}: must have an attribute that can be published, but each looks "
                               "like an identifier, a name or free text",
                               data_path == "-" ? "standard input" : data_path),
                   "write the policy by hand; docs/policy.md describes every key", ""};
    }
    Line(0, "",
         fmt::format("A first policy, guessed from {}{} record{}. Read every line before you",
                     survey_.partial ? "the first " : "", WithCommas(survey_.records),
                     survey_.records == 1 ? "" : "s"));
    Line(0, "",
         "publish: what an adversary may know, and what must stay secret, is your decision.");
    Line(0, "version: 1");
    Line(0, "input:");
    Line(1, fmt::format("format: {}", FormatName(survey_.format)));
    if (data_path != "-") {
      const std::string path = RelativePath(data_path, policy_path);
      Line(1, "path: " + Yaml(path),
           fs::path(path).is_absolute() ? "-i overrides it"
                                        : "relative to this file; -i overrides it");
    }
    if (!survey_.at.empty())
      Line(1, "at: " + Yaml(survey_.at), "the keys that lead to the records");
    Line(0, "record:");
    const std::string stem = data_path == "-" ? "" : Tame(StemOf(data_path), "record");
    Line(1, "class: " + Yaml(NewName(class_names_, Singular(stem.empty() ? "record" : stem), "")));
    ClassBody(survey_.root, true, true, 1);
    Line(0, "privacy:");
    Line(1, "k: 2", "each record looks like one other at least; 5 or more is usual");
    if (sensitive_) {
      Line(1, "", "l: 2 keeps sensitive values from being guessed; add it when they are confirmed");
    }
    return std::move(proposal_);
  }

 private:
  struct Attribute {
    const AttributeSurvey* survey;
    Guess guess;
  };

  void Line(size_t level, std::string_view text, std::string_view comment = "") {
    std::string line(2 * level, ' ');
    line += text;
    if (!comment.empty()) {
      if (!text.empty()) line.resize(std::max<size_t>(line.size() + 2, 40), ' ');
      line += fmt::format("# {}", comment);
    }
    proposal_.policy += line + "\n";
  }

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
    place.vertices = of_class.vertices;
    place.class_key = of_class.key;
    place.partial = survey_.partial;
    for (const auto& attribute : of_class.attributes) {
      if (attribute->name.empty() && !of_class.plain) continue;
      if (of_class.HasChild(attribute->name)) continue;
      // A plain value has no name of its own.
      if (of_class.plain) {
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
    return of_class.plain ? Tame(Singular(of_class.key), "value") : attribute.survey->name;
  }

  void Names(std::string_view key, const std::vector<const Attribute*>& attributes, size_t level) {
    if (attributes.empty()) return;
    Line(level, fmt::format("{}:", key));
    for (const Attribute* attribute : attributes) {
      Line(level + 1, "- " + Yaml(attribute->survey->name), attribute->guess.reason);
    }
  }

  // A flat taxonomy of all values, as a file; returns its path.
  std::string AddTaxonomy(const AttributeSurvey& attribute, const std::string& name,
                          const std::string& class_key) {
    std::vector<std::string> values = attribute.values();
    std::sort(values.begin(), values.end());
    TaxonomyBuilder builder("*");
    for (std::string& value : values) builder.Add(TaxonomyBuilder::root(), std::move(value));
    const std::string file = NewName(file_names_, Tame(name, "values"),
                                     class_key.empty() ? "" : Tame(class_key, "class"));
    std::string path = fmt::format("taxonomies/{}.csv", file);
    proposal_.files.emplace_back(path, FormatTaxonomy(std::move(builder).Build()));
    return path;
  }

  void Quasi(const ClassSurvey& of_class, const Attribute& attribute, size_t level) {
    const std::string name = NameOf(of_class, attribute);
    std::string recoding = attribute.guess.recoding;
    if (recoding.empty()) {
      recoding = "taxonomy: " + AddTaxonomy(*attribute.survey, name, of_class.key);
      if (survey_.partial) recoding += ", unknown: generalize";
    }
    Line(level, fmt::format("{}: {{{}}}", Yaml(name), recoding), attribute.guess.reason);
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
    for (const Attribute* id : with_role(GuessedRole::kId)) {
      Line(level, "id: " + Yaml(id->survey->name), id->guess.reason + "; never published");
    }
    Names("drop", with_role(GuessedRole::kDrop), level);
    if (of_class.plain) {
      // Its one attribute has no key, so "keep" names it as the other roles do.
      for (const Attribute* kept : with_role(GuessedRole::kKeep)) {
        Line(level, fmt::format("keep: [{}]", Yaml(NameOf(of_class, *kept))), kept->guess.reason);
      }
    } else {
      Names("keep", with_role(GuessedRole::kKeep), level);
    }
    const auto quasi = with_role(GuessedRole::kQuasi);
    if (!quasi.empty()) Line(level, "quasi:");
    for (const Attribute* attribute : quasi) Quasi(of_class, *attribute, level + 1);
    const auto sensitive = with_role(GuessedRole::kSensitive);
    if (!sensitive.empty()) Line(level, "sensitive:");
    for (const Attribute* attribute : sensitive) {
      Line(level + 1,
           fmt::format("{}: {{{}}}", Yaml(NameOf(of_class, *attribute)), attribute->guess.recoding),
           attribute->guess.reason);
      sensitive_ = true;
    }
    Children(of_class, one_per_record, level);
    LeftOut(of_class, one_per_record, level);
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
      const std::string name = NewName(class_names_, Tame(Singular(child->key), "child"),
                                       Tame(Singular(of_class.key), "record"));
      Line(level + 1, "- class: " + Yaml(name),
           fmt::format("{} in all", WithCommas(child->vertices)));
      Line(level + 2, "at: " + Yaml(child->key));
      ClassBody(*child, false, alone, level + 2);
    }
  }

  // What the policy does not name is not published; say why it is not named.
  void LeftOut(const ClassSurvey& of_class, bool one_per_record, size_t level) {
    const auto say = [&](const std::string& name, std::string_view why) {
      Line(level, "", fmt::format("left out: {} ({})", Yaml(name), why));
    };
    for (const auto& child : of_class.children) {
      if (of_class.HasAttribute(child->key)) {
        say(child->key, "sometimes a plain value, sometimes not");
      } else if (child->vertices == 0) {
        say(child->key, "always empty");
      } else if (child->odd) {
        say(child->key, "arrays in arrays, or nested too deeply");
      } else if (child->plain && child->objects) {
        say(child->key, "sometimes an object, sometimes a plain value");
      } else if (child->key.empty() || !Publishes(*child, false, one_per_record && !child->array)) {
        say(child->key, "nothing in it could be published");
      }
    }
    for (const std::string& name : of_class.nulls) {
      if (!of_class.HasAttribute(name) && !of_class.HasChild(name)) say(name, "always missing");
    }
    if (!of_class.plain && of_class.HasAttribute("")) say("", "has no name");
  }

  const Survey& survey_;
  Proposal proposal_;
  std::set<std::string> class_names_;
  std::set<std::string> file_names_;
  bool sensitive_ = false;
};

}  // namespace

Result<Proposal> ProposePolicy(const std::string& data_path, const std::string& policy_path) {
  THICKET_ASSIGN(const Survey survey, SurveyData(data_path));
  return PolicyWriter(survey).Write(data_path, policy_path);
}

}  // namespace thicket
