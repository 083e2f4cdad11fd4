#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/text.h"
#include "policy/policy_reader.h"

namespace thicket {

namespace {

constexpr std::string_view kRecodings =
    "add one of taxonomy: FILE, ranges: [5, 10, 20], numeric: true, mask: 2, date: [month, year]; "
    "the terms of bags may have network: wordnet";
constexpr int kMostMasked = 100;
constexpr double kWidestRange = 1e300;

const KeySet& QuasiKeys() {
  static const KeySet keys = {
      {"taxonomy", "ranges", "numeric", "mask", "date", "network", "format", "unknown", "missing"},
      {}};
  return keys;
}

// What a class's name and its attributes are called: each name has one role.
class Roles {
 public:
  Status Add(const std::string& name, const std::string& role, const PolicyNode& where) {
    if (name == kClassKey) {
      return where.Fail(
          fmt::format("must have another name, but \"{}\" is the key that --with-class adds", name),
          "rename it in the data, or take it out of the policy");
    }
    const auto [at, added] = roles_.emplace(name, role);
    if (added) return {};
    if (at->second == role) {
      return where.Fail(fmt::format("must be named once, but \"{}\" is there twice", name),
                        "remove one of the two");
    }
    return where.Fail(
        fmt::format("must have one role, but \"{}\" is both {} and {}", name, at->second, role),
        "name it in one place only");
  }

 private:
  std::unordered_map<std::string, std::string> roles_;
};

Result<std::vector<Decimal>> ReadWidths(const PolicyNode& node) {
  THICKET_ASSIGN(std::vector<Decimal> widths, node.Numbers());
  for (size_t i = 0; i < widths.size(); ++i) {
    const std::string shown = widths[i].Text();
    if (widths[i] <= Decimal() || widths[i] > kWidestRange) {
      return node.Fail(fmt::format("must hold positive widths, but one is {}", shown),
                       "use widths such as [5, 10, 20]");
    }
    if (widths[i].digit_count() > Decimal::kMostWidthDigits) {
      return node.Fail(fmt::format("must hold widths of at most {} digits, but one has {}",
                                   Decimal::kMostWidthDigits, widths[i].digit_count()),
                       "use widths such as [5, 10, 20]");
    }
    if (i == 0) continue;
    const Decimal& finer = widths[i - 1];
    if (widths[i] <= finer) {
      return node.Fail(fmt::format("must ascend, but {} comes after {}", shown, finer.Text()),
                       "sort the widths from narrow to wide");
    }
    if (widths[i].FloorTo(finer) != widths[i]) {
      return node.Fail(
          fmt::format("must nest, but {} is not a multiple of {}", shown, finer.Text()),
          "make each width a multiple of the one before, such as [5, 10, 20]");
    }
  }
  return widths;
}

Result<std::vector<DateUnit>> ReadUnits(const PolicyNode& node) {
  static const std::vector<std::string> names = {"day", "month", "quarter", "year", "decade"};
  const std::string hint = "list units from fine to coarse: " + JoinWords(names, ", ");
  if (!node.yaml().is_list()) return node.Fail("must be a list of units, but is not", hint);
  if (node.yaml().items.empty()) {
    return node.Fail("must have at least one unit, but has none", hint);
  }
  std::vector<DateUnit> units;
  for (size_t i = 0; i < node.yaml().items.size(); ++i) {
    THICKET_ASSIGN(const std::string name, node.Item(i).Word({names, {}}));
    const auto unit =
        static_cast<DateUnit>(std::find(names.begin(), names.end(), name) - names.begin());
    if (!units.empty() && unit <= units.back()) {
      return node.Fail(fmt::format("must ascend, but {} comes after {}", name,
                                   names[static_cast<size_t>(units.back())]),
                       hint);
    }
    units.push_back(unit);
  }
  return units;
}

Result<Recoding> ReadRecoding(const PolicyNode& node) {
  if (!node.yaml().is_mapping() && !node.yaml().is_null()) {
    return node.Fail("must say how it is generalized, but does not", std::string(kRecodings));
  }
  THICKET_TRY(node.MustHaveOnly(QuasiKeys()));
  std::vector<std::string> given;
  for (const auto& [key, child] : node.Children()) {
    if (key != "unknown" && key != "format" && key != "missing") given.push_back(key);
  }
  if (given.empty()) {
    return node.Fail("must say how it is generalized, but does not", std::string(kRecodings));
  }
  if (given.size() > 1) {
    return node.Fail(fmt::format("must have one recoding, but has {}", JoinWords(given, " and ")),
                     "keep one of them");
  }

  Recoding recoding;
  const PolicyNode value = node.Child(given.front());
  if (given.front() == "taxonomy") {
    THICKET_ASSIGN(recoding.file, value.Text());
  } else if (given.front() == "ranges") {
    recoding.kind = Recoding::Kind::kRanges;
    THICKET_ASSIGN(recoding.widths, ReadWidths(value));
  } else if (given.front() == "numeric") {
    recoding.kind = Recoding::Kind::kNumeric;
    THICKET_ASSIGN(const bool on, value.OnOff());
    if (!on) return value.Fail("must be true, but is not", std::string(kRecodings));
  } else if (given.front() == "mask") {
    recoding.kind = Recoding::Kind::kMask;
    THICKET_ASSIGN(recoding.mask, value.WholeNumber(1));
    if (recoding.mask > kMostMasked) {
      return value.Fail(fmt::format("must be at most {}, but is {}", kMostMasked, recoding.mask),
                        "mask only as many characters as the values have");
    }
  } else if (given.front() == "network") {
    recoding.kind = Recoding::Kind::kNetwork;
    THICKET_ASSIGN(recoding.file, value.Text());
  } else {
    recoding.kind = Recoding::Kind::kDate;
    THICKET_ASSIGN(recoding.units, ReadUnits(value));
  }
  THICKET_TRY(ReadUnknown(node, recoding));
  THICKET_TRY(ReadDateFormat(node, recoding));
  return recoding;
}

Result<SensitiveAttribute> ReadSensitive(const std::string& name, const PolicyNode& node) {
  SensitiveAttribute attribute;
  attribute.name = name;
  THICKET_TRY(node.MustHaveOnly({{"buckets", "once", "levels", "anywhere", "missing"}, {}}));
  if (node.Has("buckets")) {
    const PolicyNode buckets = node.Child("buckets");
    THICKET_ASSIGN(attribute.buckets, buckets.Numbers());
    if (attribute.buckets.size() < 2) {
      return buckets.Fail("must have at least 2 bounds, but has 1", "list the bounds: [0, 1, 2]");
    }
    for (size_t i = 1; i < attribute.buckets.size(); ++i) {
      if (attribute.buckets[i] > attribute.buckets[i - 1]) continue;
      return buckets.Fail(fmt::format("must ascend, but {} comes after {}",
                                      attribute.buckets[i].Text(), attribute.buckets[i - 1].Text()),
                          "sort the bounds, each once");
    }
  }
  if (node.Has("levels")) {
    THICKET_ASSIGN(attribute.levels, ReadLevels(node.Child("levels")));
  }
  if (node.Has("anywhere")) {
    THICKET_ASSIGN(attribute.anywhere, node.Child("anywhere").OnOff());
  }
  if (node.Has("once")) {
    // The values are sensitive: messages name only their places.
    const PolicyNode once = node.Child("once");
    if (!once.yaml().is_list()) {
      return once.Fail("must be a list of values, but is not", "write it in brackets: [a, b]");
    }
    if (once.yaml().items.empty()) {
      return once.Fail("must have at least one value, but has none",
                       "list values in the brackets, or leave once out");
    }
    for (size_t i = 0; i < once.yaml().items.size(); ++i) {
      const PolicyNode item = once.Item(i);
      if (!item.yaml().is_scalar())
        return item.Fail("must be a plain value, but is not",
                         "write it without brackets or braces");
      if (FoldValue(item.yaml().text).empty()) {
        return item.Fail("must be a value, but is blank", "remove it: a missing value is no value");
      }
      attribute.once.push_back(item.yaml().text);
    }
  }
  return attribute;
}

class SchemaReader {
 public:
  explicit SchemaReader(Format format) : format_(format) {}

  Result<Schema> Read(const PolicyNode& record) {
    THICKET_TRY(ReadClass(record, 0));
    return std::move(schema_);
  }

 private:
  // Appends the class and, in preorder, those below it. YAML's own limit on nesting bounds the recursion.
  Status ReadClass(const PolicyNode& node, ClassId parent) {
    const bool is_root = schema_.classes.empty();
    THICKET_TRY(CheckClassKeys(node, is_root));
    VertexClass result;
    result.parent = parent;
    THICKET_ASSIGN(result.name, node.Child("class").Text());
    const auto [other, added] = class_paths_.emplace(result.name, node.path());
    if (!added) {
      return node.Child("class").Fail(
          fmt::format("must be a name of its own, but {} is called {} too", other->second,
                      result.name),
          "give each class another name");
    }
    Roles roles;
    if (HasTables(format_)) {
      if (node.Has("id")) {
        THICKET_ASSIGN(result.id, node.Child("id").Text());
      }
      THICKET_TRY(ReadJoin(node, result, roles));
    } else if (is_root) {
      THICKET_TRY(ReadGroupBy(node, format_, result.group_by));
      groups_ = !result.group_by.empty();
    } else if (groups_) {
      result.at = result.name;
    } else {
      THICKET_TRY(ReadAt(node, format_, result));
      for (const auto& [key, value] : result.where) {
        THICKET_TRY(roles.Add(key, "where", node.Child("where")));
      }
    }
    THICKET_TRY(ReadOrdered(node, format_, result));
    THICKET_TRY(ReadAttributes(node, result, roles));
    const bool has_children = node.Has("children") && !node.Child("children").yaml().is_null();
    if (result.quasi.empty() && result.sensitive.empty() && result.keep.empty() && !has_children) {
      return node.Fail("must have attributes or children, but has none",
                       "add quasi, sensitive, keep or children");
    }
    if (schema_.classes.size() > std::numeric_limits<ClassId>::max()) {
      return node.Fail("must be one of at most 65,536 classes, but is one more",
                       "describe fewer classes");
    }
    const auto id = static_cast<ClassId>(schema_.classes.size());
    schema_.classes.push_back(std::move(result));
    if (!is_root) schema_.classes[parent].children.push_back(id);
    return has_children ? ReadChildren(node.Child("children"), id, roles) : Status();
  }

  // Which keys a class may have depends on how the format says where its vertices are.
  KeySet ClassKeys(bool is_root) const {
    KeySet keys = {{"class", "drop", "keep", "quasi", "sensitive", "children"}, {}};
    if (is_root) keys.known.insert(keys.known.end(), {"id", "group_by"});
    if (HasTables(format_)) {
      keys.known.insert(keys.known.end(), {"table", "key"});
      if (!is_root) keys.known.emplace_back("parent");
    } else if (!is_root && !groups_) {
      keys.known.insert(keys.known.end(), {"at", "where"});
    }
    if (!is_root) keys.known.emplace_back("ordered");
    return keys;
  }

  Status CheckClassKeys(const PolicyNode& node, bool is_root) const {
    if (node.yaml().is_mapping()) THICKET_TRY(CheckMisplaced(node, is_root));
    THICKET_TRY(node.MustHaveOnly(ClassKeys(is_root)));
    if (!node.Has("class")) {
      return node.Fail("must have a class, but has none", "add class: NAME");
    }
    if (HasTables(format_)) return CheckJoin(node, is_root);
    if (!is_root && !groups_ && !node.Has("at")) {
      return node.Fail("must say where it is, but has no at", "add at: KEY");
    }
    return {};
  }

  // Keys that are right somewhere else.
  Status CheckMisplaced(const PolicyNode& node, bool is_root) const {
    if (!is_root && node.Has("id")) {
      return node.Child("id").Fail("must stand in record, but stands in a child class",
                                   "put it under drop: identifiers of children are not published");
    }
    if (HasTables(format_)) {
      if (is_root && node.Has("group_by")) {
        std::string unused;
        return ReadGroupBy(node, format_, unused);
      }
      if (node.Has("at")) {
        return node.Child("at").Fail(
            fmt::format("must be absent for format {}, but is there", FormatName(format_)),
            "use table, key and parent to say where the rows are");
      }
      if (is_root && node.Has("parent")) {
        return node.Child("parent").Fail(
            "must be absent, but is there: the person table joins to no other",
            "describe the table of persons under record, and the others under children");
      }
      return {};
    }
    for (const char* key : {"table", "key", "parent"}) {
      if (!node.Has(key)) continue;
      return node.Child(key).Fail(
          fmt::format(
              "must stand beside format: tables, sqlite or postgresql, but the format is {}",
              FormatName(format_)),
          is_root ? "remove it" : "use at to say where the class is");
    }
    if (is_root && node.Has("at")) {
      return node.Child("at").Fail("must stand in a child class, but stands in record",
                                   "use input.at to say where the records are");
    }
    return {};
  }

  // The snowflake rules of Nergiz et al. 2008, section IV-A, as far as the policy alone can break them.
  static Status CheckJoin(const PolicyNode& node, bool is_root) {
    if (!node.Has("table")) {
      return node.Fail("must say which table it is, but has no table", "add table: NAME");
    }
    if (!is_root && !node.Has("parent")) {
      return node.Fail("must join to the class above it, but has no parent",
                       "add parent: COLUMN, the foreign key to the table above");
    }
    const bool joined = node.Has("children") && !node.Child("children").yaml().is_null();
    if (joined && !node.Has("key")) {
      return node.Fail("must have a key, since other tables join to it, but has none",
                       "add key: COLUMN");
    }
    return {};
  }

  Status ReadJoin(const PolicyNode& node, VertexClass& result, Roles& roles) {
    THICKET_ASSIGN(result.table, node.Child("table").Text());
    const auto [other, added] = table_paths_.emplace(result.table, node.path());
    if (!added) {
      return node.Child("table").Fail(
          fmt::format("must be a table of its own, but {} is {} too", other->second, result.table),
          "describe each table once");
    }
    if (node.Has("key")) {
      THICKET_TRY(ReadKey(node, result));
      // The key of the person table usually is the identifier itself.
      if (result.key != result.id) {
        THICKET_TRY(MustNotBeAttribute(node, "key", result.key));
        THICKET_TRY(roles.Add(result.key, "key", node.Child("key")));
      }
    }
    if (node.Has("parent")) {
      THICKET_TRY(ReadParent(node, schema_.classes[result.parent], result));
      result.at = result.table;
      THICKET_TRY(MustNotBeAttribute(node, "parent", result.parent_key));
      THICKET_TRY(roles.Add(result.parent_key, "parent", node.Child("parent")));
    }
    return {};
  }

  static Status MustNotBeAttribute(const PolicyNode& node, const std::string& role,
                                   const std::string& column) {
    for (const auto& [kind, what] : {std::pair("quasi", "a quasi-identifier"),
                                     std::pair("sensitive", "a sensitive attribute")}) {
      if (!node.Has(kind) || node.Child(kind).yaml().Find(column) == nullptr) continue;
      return node.Child(kind).Child(column).Fail(
          fmt::format("must not be {}, but is: it is the {} that tables are joined by", what, role),
          "take it out: join keys are replaced by new ones; or publish a copy of the column");
    }
    return {};
  }

  static Status ReadAttributes(const PolicyNode& node, VertexClass& result, Roles& roles) {
    if (node.Has("id")) {
      const PolicyNode id = node.Child("id");
      THICKET_ASSIGN(result.id, id.Text());
      THICKET_TRY(roles.Add(result.id, "id", id));
    }
    THICKET_TRY(ReadNames(node, "drop", result.drop, roles));
    if (node.Has("keep") && !node.Child("keep").yaml().is_null()) {
      const PolicyNode keep = node.Child("keep");
      THICKET_TRY(ReadKeep(keep, result));
      for (size_t i = 0; i < result.keep.size(); ++i) {
        const bool list = keep.yaml().is_list();
        THICKET_TRY(
            roles.Add(result.keep[i], "keep", list ? keep.Item(i) : keep.Child(result.keep[i])));
      }
    }
    THICKET_TRY(ReadQuasi(node, result, roles));
    if (!node.Has("sensitive")) return {};
    const PolicyNode sensitive = node.Child("sensitive");
    if (sensitive.yaml().is_list()) {
      return sensitive.Fail("must be a mapping from attribute to options, but is a list",
                            "write sensitive: {grade: {}}");
    }
    THICKET_TRY(sensitive.MustBeMapping());
    for (const auto& [name, child] : sensitive.Children()) {
      THICKET_TRY(CheckName(name, child));
      THICKET_TRY(roles.Add(name, "sensitive", child));
      THICKET_ASSIGN(SensitiveAttribute attribute, ReadSensitive(name, child));
      result.sensitive.push_back(std::move(attribute));
    }
    return {};
  }

  static Status ReadQuasi(const PolicyNode& node, VertexClass& result, Roles& roles) {
    if (!node.Has("quasi")) return {};
    const PolicyNode quasi = node.Child("quasi");
    if (quasi.yaml().is_list()) {
      return quasi.Fail("must be a mapping from attribute to recoding, but is a list",
                        "write quasi: {major: {taxonomy: FILE}}");
    }
    THICKET_TRY(quasi.MustBeMapping());
    for (const auto& [name, child] : quasi.Children()) {
      THICKET_TRY(CheckName(name, child));
      THICKET_TRY(roles.Add(name, "quasi", child));
      THICKET_ASSIGN(Recoding recoding, ReadRecoding(child));
      result.quasi.push_back({name, std::move(recoding)});
    }
    return {};
  }

  static Status CheckName(const std::string& name, const PolicyNode& node) {
    if (!name.empty()) return {};
    return node.Fail("must have a name, but the name is empty", "fill it in, or remove the key");
  }

  static Status ReadNames(const PolicyNode& node, const std::string& role,
                          std::vector<std::string>& names, Roles& roles) {
    if (!node.Has(role) || node.Child(role).yaml().is_null()) return {};
    const PolicyNode list = node.Child(role);
    THICKET_ASSIGN(names, list.Texts());
    for (size_t i = 0; i < names.size(); ++i) {
      THICKET_TRY(roles.Add(names[i], role, list.Item(i)));
    }
    return {};
  }

  Status ReadChildren(const PolicyNode& node, ClassId parent, Roles& roles) {
    if (!node.yaml().is_list()) {
      return node.Fail("must be a list of classes, but is not", "write - class: NAME, at: KEY");
    }
    for (size_t i = 0; i < node.yaml().items.size(); ++i) {
      const PolicyNode child = node.Item(i);
      if (child.yaml().is_mapping() && child.Has("at")) {
        VertexClass placed;
        THICKET_TRY(ReadAt(child, format_, placed));
        THICKET_TRY(roles.Add(placed.at, "at", child.Child("at")));
      }
      THICKET_TRY(ReadClass(child, parent));
    }
    return {};
  }

  Format format_;
  // Whether rows of a flat table are the children.
  bool groups_ = false;
  Schema schema_;
  std::map<std::string, std::string> class_paths_;
  std::map<std::string, std::string> table_paths_;
};

// The first thing that a format of plain sets or bags has no place for.
Error NotPlain(const PolicyNode& record, const Schema& schema, Format format) {
  const bool sets = format == Format::kTransactions;
  const std::string hint =
      sets
          ? "a line is a set: describe its items as one class with one attribute, such as "
            "children: "
            "[{class: item, at: items, quasi: {item: {taxonomy: FILE}}}]"
          : "what a user searched for is a bag: describe its terms as one class with one "
            "quasi-identifier, such as children: [{class: term, at: terms, quasi: {term: {network: "
            "wordnet}}}]";
  const std::string absent =
      fmt::format("must be absent for format {}, but is there", FormatName(format));
  for (const char* key : {"id", "drop", "keep", "quasi", "sensitive"}) {
    if (record.Has(key)) return record.Child(key).Fail(absent, hint);
  }
  const size_t classes = schema.root().children.size();
  if (classes != 1) {
    return record.Fail(fmt::format("must have exactly one class below it for format {}, but has {}",
                                   FormatName(format), classes),
                       hint);
  }
  const PolicyNode item = record.Child("children").Item(0);
  for (const char* key : {"children", "drop", "keep"}) {
    if (item.Has(key)) return item.Child(key).Fail(absent, hint);
  }
  if (!sets && item.Has("sensitive")) return item.Child("sensitive").Fail(absent, hint);
  return item.Fail(fmt::format("must have exactly one {} for format {}, but has {}",
                               sets ? "attribute" : "quasi-identifier", FormatName(format),
                               schema.classes[1].value_count()),
                   hint);
}

}  // namespace

Result<Schema> ReadSchema(const PolicyNode& record, Format format) {
  THICKET_ASSIGN(Schema schema, SchemaReader(format).Read(record));
  if ((format == Format::kTransactions && !HoldsSets(schema)) ||
      (format == Format::kQuerylog && !HoldsTerms(schema))) {
    return NotPlain(record, schema, format);
  }
  THICKET_TRY(CheckPaths(record, schema, format));
  THICKET_TRY(CheckGroups(record, schema));
  return schema;
}

}  // namespace thicket
