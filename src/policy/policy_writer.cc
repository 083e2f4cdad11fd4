#include "policy/policy_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>
#include <vector>

#include "base/text.h"
#include "policy/method_table.h"
#include "policy/policy_reader.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

std::string_view UnitName(DateUnit unit) {
  switch (unit) {
    case DateUnit::kDay:
      return "day";
    case DateUnit::kMonth:
      return "month";
    case DateUnit::kQuarter:
      return "quarter";
    case DateUnit::kYear:
      return "year";
    case DateUnit::kDecade:
      return "decade";
  }
  return "";
}

template <typename T, typename Text>
std::string List(const std::vector<T>& items, Text text) {
  std::string list;
  for (const T& item : items) list += (list.empty() ? "" : ", ") + std::string(text(item));
  return "[" + list + "]";
}

std::string NumberOf(const Decimal& number) { return number.Text(); }

std::string_view UnknownName(UnknownValues unknown) {
  switch (unknown) {
    case UnknownValues::kError:
      return "error";
    case UnknownValues::kGeneralize:
      return "generalize";
    case UnknownValues::kLeaveOut:
      break;
  }
  return "missing";
}

std::string RecodingText(const Recoding& recoding) {
  switch (recoding.kind) {
    case Recoding::Kind::kTaxonomy:
      return "taxonomy: " + YamlScalar(recoding.file);
    case Recoding::Kind::kRanges:
      return "ranges: " + List(recoding.widths, NumberOf);
    case Recoding::Kind::kNumeric:
      return "numeric: true";
    case Recoding::Kind::kMask:
      return fmt::format("mask: {}", recoding.mask);
    case Recoding::Kind::kDate:
      return "date: " + List(recoding.units, UnitName) +
             (recoding.format.empty() ? "" : ", format: " + YamlScalar(recoding.format));
    case Recoding::Kind::kNetwork:
      return "network: " + YamlScalar(recoding.file);
  }
  return "";
}

// "missing: [NA, "?"]" behind what stands there already; nothing where no text stands for no value.
std::string MissingText(std::string before, const std::vector<std::string>& texts) {
  if (texts.empty()) return before;
  return before + (before.empty() ? "" : ", ") + "missing: " + List(texts, YamlScalar);
}

std::string QuasiText(const QuasiAttribute& attribute) {
  const Recoding& recoding = attribute.recoding;
  std::string text = RecodingText(recoding);
  if (recoding.unknown != UnknownValues::kError || recoding.kind == Recoding::Kind::kNetwork) {
    text += fmt::format(", unknown: {}", UnknownName(recoding.unknown));
  }
  return text;
}

std::string LevelsText(const SensitivityLevels& levels) {
  std::string text;
  const auto add = [&](const std::string& pair) { text += (text.empty() ? "" : ", ") + pair; };
  switch (levels.kind) {
    case SensitivityLevels::Kind::kNone:
      return "";
    case SensitivityLevels::Kind::kFrequency:
      return "frequency";
    case SensitivityLevels::Kind::kNumeric:
      if (levels.min) add("min: " + levels.min->Text());
      if (levels.max) add("max: " + levels.max->Text());
      add(levels.low_is_sensitive ? "sensitive: low" : "sensitive: high");
      break;
    case SensitivityLevels::Kind::kGiven:
      for (size_t i = 0; i < levels.given.size(); ++i) {
        if (levels.given[i].empty()) continue;
        add(fmt::format("{}: {}", i + 1, List(levels.given[i], YamlScalar)));
      }
      break;
  }
  return "{" + text + "}";
}

std::string SensitiveText(const SensitiveAttribute& attribute) {
  std::string text;
  if (!attribute.buckets.empty()) {
    text += "buckets: " + List(attribute.buckets, NumberOf);
  }
  if (!attribute.once.empty()) {
    text += (text.empty() ? "" : ", ") + ("once: " + List(attribute.once, YamlScalar));
  }
  const std::string levels = LevelsText(attribute.levels);
  if (!levels.empty()) text += (text.empty() ? "" : ", ") + ("levels: " + levels);
  if (attribute.anywhere) text += (text.empty() ? "" : ", ") + std::string("anywhere: on");
  return text;
}

std::string WhereOf(const VertexClass& type) {
  std::string pairs;
  for (const auto& [key, value] : type.where) {
    pairs += (pairs.empty() ? "" : ", ") + YamlScalar(key) + ": " + YamlScalar(value);
  }
  return "{" + pairs + "}";
}

class Writer {
 public:
  explicit Writer(const Policy& policy) : policy_(policy) { FindMissing(); }

  std::string Write() {
    Line(0, "version: 1");
    Input();
    Line(0, "record:");
    Class(0, 1);
    Line(0, "privacy:");
    if (policy_.privacy.of_sets || policy_.privacy.of_bags || RowOf(policy_.method).sets) {
      Line(1, fmt::format("model: {}", policy_.privacy.model_name()));
    }
    if (policy_.privacy.k) Line(1, fmt::format("k: {}", *policy_.privacy.k));
    if (policy_.privacy.l) Line(1, fmt::format("l: {}", *policy_.privacy.l));
    if (policy_.privacy.m) Line(1, fmt::format("m: {}", *policy_.privacy.m));
    if (policy_.privacy.n) Line(1, fmt::format("n: {}", *policy_.privacy.n));
    if (policy_.privacy.epsilon) Line(1, fmt::format("epsilon: {}", *policy_.privacy.epsilon));
    if (policy_.privacy.negative) Line(1, "negative: on");
    if (!policy_.privacy.sensitive_items.empty()) {
      Line(1,
           "sensitive_items: " + List(policy_.privacy.sensitive_items,
                                      [](const SensitiveItem& of) { return YamlScalar(of.item); }));
    }
    Theta();
    if (policy_.privacy.alpha) {
      const std::vector<double> alpha(policy_.privacy.alpha->begin(), policy_.privacy.alpha->end());
      Line(1, "alpha: " + List(alpha, [](double share) { return NumberText(share); }));
    }
    Method();
    return std::move(text_);
  }

 private:
  void Line(size_t level, std::string_view text) {
    text_.append(2 * level, ' ');
    text_ += text;
    text_ += '\n';
  }
  void Pair(size_t level, std::string_view key, std::string_view value) {
    if (!value.empty()) Line(level, fmt::format("{}: {}", key, YamlScalar(value)));
  }
  // Numbers, on and off, and words of the policy language need no quotes.
  void PairAsItIs(size_t level, std::string_view key, std::string_view value) {
    if (!value.empty()) Line(level, fmt::format("{}: {}", key, value));
  }

  // A key of one column, or of all of several.
  void Columns(size_t level, std::string_view key, const std::string& one,
               const std::vector<std::string>& all) {
    if (all.empty()) {
      Pair(level, key, one);
    } else {
      Line(level, fmt::format("{}: {}", key, List(all, YamlScalar)));
    }
  }

  void Input() {
    const InputPolicy& input = policy_.input;
    Line(0, "input:");
    Pair(1, "format", FormatName(input.format));
    Pair(1, "path", input.path);
    Pair(1, "schema", input.schema);
    Pair(1, "at", input.at);
    if (input.delimiter != 0) {
      Pair(1, "delimiter", input.delimiter == '\t' ? "tab" : std::string(1, input.delimiter));
    }
    if (input.decimal == ',') Line(1, "decimal: \",\"");
    if (input.encoding == TextEncoding::kLatin1) Line(1, "encoding: latin1");
    if (!missing_.empty()) Line(1, "missing: " + List(missing_, YamlScalar));
    if (input.drop_orphans) Line(1, "orphans: drop");
    if (input.session_gap_s) {
      PairAsItIs(1, "session_gap", SessionGapText(*input.session_gap_s));
    }
    if (input.clicked) Line(1, "clicked: on");
  }

  // Where all attributes have the same texts for no value, `input` has them.
  const std::vector<std::string>& MissingOf(const VertexClass& type, size_t slot) const {
    static const std::vector<std::string> none;
    return !missing_.empty() || type.missing.empty() ? none : type.missing[slot];
  }
  void FindMissing() {
    for (const VertexClass& type : policy_.schema->classes) {
      if (type.value_count() > 0 && type.missing.empty()) return;
    }
    const std::vector<std::string>* same = nullptr;
    for (const VertexClass& type : policy_.schema->classes) {
      for (const std::vector<std::string>& texts : type.missing) {
        if (same != nullptr && *same != texts) return;
        same = &texts;
      }
    }
    if (same != nullptr) missing_ = *same;
  }

  void Theta() {
    if (!policy_.privacy.theta) return;
    const ThetaPolicy& theta = *policy_.privacy.theta;
    if (theta.values.empty()) {
      Line(1, "theta: " + theta.otherwise.Text());
    } else {
      std::string pairs = "default: " + theta.otherwise.Text();
      for (const ThetaPolicy::OfValue& of : theta.values) {
        pairs += fmt::format(", {}: {}", YamlScalar(of.value), of.theta.Text());
      }
      Line(1, "theta: {" + pairs + "}");
    }
    if (theta.from_frequency) Line(1, "derive: frequency");
  }

  // `level` is that of the class's keys; the first line of a child class begins with "- ".
  void Class(ClassId id, size_t level) {
    const VertexClass& type = policy_.schema->classes[id];
    if (id == 0) {
      Pair(level, "class", type.name);
    } else {
      Line(level - 1, "- class: " + YamlScalar(type.name));
    }
    if (HasTables(policy_.input.format)) {
      Pair(level, "table", type.table);
      Columns(level, "key", type.key, type.key_columns);
      Columns(level, "parent", type.parent_key, type.parent_columns);
    } else if (policy_.schema->root().group_by.empty()) {
      Pair(level, "at", PathOfVertices(type));
      if (!type.where.empty()) Line(level, "where: " + WhereOf(type));
    }
    if (type.ordered) PairAsItIs(level, "ordered", "true");
    Pair(level, "group_by", type.group_by);
    Pair(level, "id", type.id);
    if (!type.drop.empty()) Line(level, "drop: " + List(type.drop, YamlScalar));
    Keep(type, level);
    if (!type.quasi.empty()) Line(level, "quasi:");
    for (size_t i = 0; i < type.quasi.size(); ++i) {
      Line(level + 1, fmt::format("{}: {{{}}}", YamlScalar(type.quasi[i].name),
                                  MissingText(QuasiText(type.quasi[i]), MissingOf(type, i))));
    }
    if (!type.sensitive.empty()) Line(level, "sensitive:");
    for (size_t i = 0; i < type.sensitive.size(); ++i) {
      Line(level + 1, fmt::format("{}: {{{}}}", YamlScalar(type.sensitive[i].name),
                                  MissingText(SensitiveText(type.sensitive[i]),
                                              MissingOf(type, type.sensitive_slot(i)))));
    }
    if (!type.children.empty()) Line(level, "children:");
    for (const ClassId child : type.children) Class(child, level + 2);
  }

  void Keep(const VertexClass& type, size_t level) {
    if (type.keep.empty()) return;
    bool plain = type.constants.empty();
    for (size_t i = 0; i < type.keep.size(); ++i) {
      plain = plain && MissingOf(type, type.keep_slot(i)).empty();
    }
    if (plain) {
      Line(level, "keep: " + List(type.keep, YamlScalar));
      return;
    }
    Line(level, "keep:");
    for (size_t i = 0; i < type.keep.size(); ++i) {
      const auto constant = type.constants.find(type.keep[i]);
      const std::string known =
          constant == type.constants.end() ? "" : "constant: " + YamlScalar(constant->second);
      Line(level + 1, fmt::format("{}: {{{}}}", YamlScalar(type.keep[i]),
                                  MissingText(known, MissingOf(type, type.keep_slot(i)))));
    }
  }

  void Method() {
    const MethodPolicy& method = policy_.method;
    const MethodRow& row = RowOf(method);
    Line(0, "method:");
    Pair(1, "name", method.name);
    for (const MethodParameter* parameter : row.own) {
      const std::string value = parameter->ValueIn(method);
      const bool is_name = std::holds_alternative<MethodParameter::Attribute>(parameter->type);
      PairAsItIs(1, parameter->key, is_name && !value.empty() ? YamlScalar(value) : value);
    }
    if (!row.may_refine) return;
    for (const MethodParameter* parameter : RefineParameters()) {
      if (parameter->IsDefaultIn(method)) continue;
      PairAsItIs(1, parameter->key, parameter->ValueIn(method));
    }
  }

  const Policy& policy_;
  // What stands for no value in all attributes; empty if they differ.
  std::vector<std::string> missing_;
  std::string text_;
};

}  // namespace

std::string YamlScalar(std::string_view text) {
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

std::string FormatPolicy(const Policy& policy) { return Writer(policy).Write(); }

}  // namespace thicket
