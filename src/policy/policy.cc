#include "policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/text.h"
#include "policy/method_table.h"
#include "policy/moved_vertices.h"
#include "policy/policy_reader.h"
#include "policy/yaml.h"

namespace thicket {

namespace {

const KeySet& Formats() {
  static const KeySet words = {
      {"jsonl", "json", "csv", "xml", "tables", "transactions", "querylog", "sqlite", "postgresql"},
      {}};
  return words;
}

const KeySet& ModelNames() {
  static const KeySet words = [] {
    KeySet names;
    for (const ModelRow& row : Models()) names.known.emplace_back(row.name);
    return names;
  }();
  return words;
}

const KeySet& PrivacyKeys() {
  static const KeySet keys = {{"k", "l", "m", "n", "negative", "alpha", "theta", "derive",
                               "sensitive_items", "epsilon", "model"},
                              {}};
  return keys;
}

Result<char> ReadDelimiter(const PolicyNode& node) {
  THICKET_ASSIGN(const std::string text, node.Text());
  if (text == "tab") return '\t';
  const bool usable = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80 &&
                      text[0] != '"' && text[0] != '\n' && text[0] != '\r';
  if (usable) return text[0];
  return node.Fail("must be one character, but is not", "use \",\", \";\", \"|\" or tab");
}

// What a key of `input` must stand beside.
Status MustFit(const PolicyNode& key, bool fits, std::string_view formats) {
  if (fits) return {};
  return key.Fail(fmt::format("must stand beside format: {}, but does not", formats), "remove it");
}

// What people call a format that has another name here, or none.
struct OtherName {
  std::string_view name;
  std::string_view hint;
};
constexpr OtherName kOtherNames[] = {
    {"sets", "use transactions: one set of items per line"},
    {"set", "use transactions: one set of items per line"},
    {"itemsets", "use transactions: one set of items per line"},
    {"baskets", "use transactions: one set of items per line"},
    {"transaction", "use transactions: one set of items per line"},
    {"ndjson", "use jsonl: one JSON object per line"},
    {"tsv", "use csv, which finds the delimiter by itself"},
    {"table", "use csv for one CSV file, or tables for a folder of CSV files"},
    {"folder", "use tables for a folder of CSV files that are joined by keys"},
    {"postgres", "use postgresql"},
    {"xlsx", "save the sheet as CSV (UTF-8), and use csv"},
    {"excel", "save the sheet as CSV (UTF-8), and use csv"},
    {"parquet", "export the data as CSV or JSON Lines, and use csv or jsonl"},
};

Result<Format> ReadFormat(const PolicyNode& node) {
  for (const OtherName& other : kOtherNames) {
    const Result<std::string> text = node.Text();
    if (!text.ok() || *text != other.name) continue;
    return node.Fail(
        fmt::format("must be {}, but is {}", JoinWords(Formats().known, " or "), *text),
        std::string(other.hint));
  }
  THICKET_ASSIGN(const std::string name, node.Word(Formats()));
  for (const Format format : kFormats) {
    if (name == FormatName(format)) return format;
  }
  return Format::kJsonl;
}

// A connection string is read by everyone who may read the policy.
Status MustHaveNoPassword(const PolicyNode& node, std::string_view connection) {
  const size_t scheme = connection.find("://");
  const size_t begin = scheme == std::string_view::npos ? connection.size() : scheme + 3;
  const std::string_view authority = connection.substr(begin, connection.find('/', begin) - begin);
  const std::string_view user = authority.substr(0, authority.rfind('@'));
  const bool in_url =
      authority.find('@') != std::string_view::npos && user.find(':') != std::string_view::npos;
  if (!in_url && connection.find("password=") == std::string_view::npos) return {};
  return node.Fail("must not hold a password, but does",
                   "put it into PGPASSWORD or into ~/.pgpass, and take it out of the policy");
}

// `usual`: the format where the policy names none.
Result<InputPolicy> ReadInput(const PolicyNode& node, Format usual) {
  InputPolicy input;
  input.format = usual;
  THICKET_TRY(node.MustHaveOnly({{"format", "path", "url", "at", "delimiter", "decimal", "encoding",
                                  "missing", "schema", "orphans", "session_gap", "clicked"},
                                 {}}));
  if (node.Has("format")) {
    THICKET_ASSIGN(input.format, ReadFormat(node.Child("format")));
  }
  const bool postgresql = input.format == Format::kPostgresql;
  if (node.Has("url")) {
    THICKET_TRY(MustFit(node.Child("url"), postgresql, "postgresql"));
    if (node.Has("path")) {
      return node.Child("url").Fail("must stand alone, but path says where the data is, too",
                                    "keep one of the two");
    }
  }
  for (const char* key : {"path", "url"}) {
    if (!node.Has(key)) continue;
    THICKET_ASSIGN(input.path, node.Child(key).Text());
    if (postgresql) THICKET_TRY(MustHaveNoPassword(node.Child(key), input.path));
  }
  if (node.Has("at")) {
    const bool fits = input.format == Format::kJson || input.format == Format::kXml;
    THICKET_TRY(MustFit(node.Child("at"), fits, "json or xml"));
    THICKET_ASSIGN(input.at, node.Child("at").Text());
  }
  if (node.Has("delimiter")) {
    const bool fits = input.format == Format::kCsv || input.format == Format::kTables ||
                      input.format == Format::kTransactions;
    THICKET_TRY(MustFit(node.Child("delimiter"), fits, "csv, tables or transactions"));
    THICKET_ASSIGN(input.delimiter, ReadDelimiter(node.Child("delimiter")));
  }
  THICKET_TRY(ReadTextKeys(node, input));
  if (node.Has("schema")) {
    THICKET_TRY(MustFit(node.Child("schema"), postgresql, "postgresql"));
    THICKET_ASSIGN(input.schema, node.Child("schema").Text());
  }
  if (node.Has("orphans")) {
    const PolicyNode orphans = node.Child("orphans");
    THICKET_TRY(MustFit(orphans, HasTables(input.format), "tables, sqlite or postgresql"));
    THICKET_ASSIGN(const std::string word, orphans.Word({{"error", "drop"}, {}}));
    input.drop_orphans = word == "drop";
  }
  for (const char* key : {"session_gap", "clicked"}) {
    if (!node.Has(key)) continue;
    THICKET_TRY(MustFit(node.Child(key), input.format == Format::kQuerylog, "querylog"));
  }
  THICKET_TRY(ReadQuerylogKeys(node, input));
  return input;
}

Status CheckModel(const PolicyNode& node, const PrivacyPolicy& privacy) {
  if (!privacy.k && !privacy.l && !privacy.theta) {
    return node.Fail("must have k or l, but has neither",
                     "set k: 5 for k-anonymity, l: 3 for l-diversity, or both; for a table also "
                     "theta: 0.34 for l+-diversity");
  }
  if (!node.Has("model")) return {};
  const PolicyNode model = node.Child("model");
  THICKET_ASSIGN(const std::string name, model.Word(ModelNames()));
  if (name == privacy.model_name()) return {};
  return model.Fail(
      fmt::format("must fit the keys, but is {} where the keys say {}", name, privacy.model_name()),
      "k alone is k-anonymity; l, with or without k, is l-diversity; theta, with or without k, is "
      "l+-diversity; k and alpha are "
      "(alpha_lev^h, k)-anonymity; k, m and n are k^(m,n)-anonymity; sensitive_items, or a method "
      "for sets, is KL(m,n)-privacy; k and epsilon are vocabulary k-anonymity");
}

Status ReadAlpha(const PolicyNode& node, PrivacyPolicy& privacy) {
  const std::string hint = "list the shares of levels 1 to 5: [0.8, 0.6, 0.4, 0.2, 0.1]";
  THICKET_ASSIGN(const std::vector<Decimal> shares, node.Numbers());
  if (shares.size() != SensitivityLevels::kCount) {
    return node.Fail(fmt::format("must have one share per level, which is {}, but has {}",
                                 SensitivityLevels::kCount, shares.size()),
                     hint);
  }
  if (!privacy.k) {
    return node.Fail("must stand beside k, but there is none",
                     "add k: 10, the least number of records in a class");
  }
  privacy.alpha.emplace();
  for (size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] <= Decimal() || shares[i] > Decimal(1)) {
      return node.Fail(
          fmt::format("must hold shares above 0 and up to 1, but one is {}", shares[i].Text()),
          hint);
    }
    (*privacy.alpha)[i] = shares[i].ToDouble();
  }
  return {};
}

// What (alpha_lev^h, k)-anonymity needs beside alpha.
Status CheckLevels(const PolicyNode& node, const PrivacyPolicy& privacy, const Schema& schema) {
  const PolicyNode alpha = node.Child("alpha");
  if (privacy.l) {
    return alpha.Fail("must stand without l, but l is there, too",
                      "keep one of them: l limits each value, alpha each level of sensitivity");
  }
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (const SensitiveAttribute& attribute : schema.classes[id].sensitive) {
      const std::string name = schema.PathOf(static_cast<ClassId>(id), attribute.name);
      if (attribute.levels.kind == SensitivityLevels::Kind::kNone) {
        return alpha.Fail(
            fmt::format("must have levels for every sensitive attribute, but {} has none", name),
            "add levels to it: {min: 0, max: 4, sensitive: low}, {1: [a, b], 5: [c]} or frequency");
      }
      if (!attribute.once.empty()) {
        return alpha.Fail(fmt::format("must stand without once, but {} has it", name),
                          "remove once, and put its values into level 5");
      }
    }
  }
  return {};
}

// What `anywhere` is a share of.
Status CheckAnywhere(const PolicyNode& node, const PrivacyPolicy& privacy, const Schema& schema) {
  if (privacy.l || privacy.alpha) return {};
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (const SensitiveAttribute& attribute : schema.classes[id].sensitive) {
      if (!attribute.anywhere) continue;
      return node.Fail(
          fmt::format("must have l or alpha, since {} has anywhere: on, but has neither",
                      schema.PathOf(static_cast<ClassId>(id), attribute.name)),
          "add l: 2, so that a value stands in at most half of the records of a class, or remove "
          "anywhere");
    }
  }
  return {};
}

// How many labels an adversary may know at most under k^(m,n)-anonymity; relations between them fit one word.
constexpr int kMostKnownLabels = 8;

// What k^(m,n)-anonymity needs beside m and n.
Status CheckCombinations(const PolicyNode& node, const PrivacyPolicy& privacy,
                         const Schema& schema) {
  if (!privacy.m || !privacy.n) {
    const char* there = privacy.m ? "m" : privacy.n ? "n" : "negative";
    return node.Child(there).Fail(
        "must stand beside k, m and n, but one of them is missing",
        "m is how many labels an adversary knows, n how many relations between them: m: 3, n: 2");
  }
  if (!privacy.k) {
    return node.Child("m").Fail("must stand beside k, but there is none",
                                "add k: 5, the least number of records that fit any knowledge");
  }
  if (privacy.alpha) {
    return node.Child("alpha").Fail("must stand without m and n, but they are there, too",
                                    "keep one of them: alpha is for classes of look-alikes");
  }
  if (*privacy.m > kMostKnownLabels) {
    return node.Child("m").Fail(
        fmt::format("must be at most {}, but is {}", kMostKnownLabels, *privacy.m),
        "nobody can count the combinations of so many labels; k alone protects whole records");
  }
  const int most = *privacy.m * (*privacy.m - 1) / 2;
  if (*privacy.n > most) {
    return node.Child("n").Fail(
        fmt::format("must be at most {}, the pairs of m = {} labels, but is {}", most, *privacy.m,
                    *privacy.n),
        "lower n, or raise m");
  }
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (const QuasiAttribute& attribute : schema.classes[id].quasi) {
      if (attribute.recoding.kind != Recoding::Kind::kNumeric) continue;
      return node.Child("m").Fail(
          fmt::format("must have a hierarchy for every quasi-identifier, but {} has free intervals",
                      schema.PathOf(static_cast<ClassId>(id), attribute.name)),
          "replace numeric: true by ranges, for example ranges: [5, 10, 20]");
    }
    for (const SensitiveAttribute& attribute : schema.classes[id].sensitive) {
      if (attribute.once.empty() && !attribute.anywhere) continue;
      const bool once = !attribute.once.empty();
      return node.Child("m").Fail(
          fmt::format("must stand without {}, but {} has it", once ? "once" : "anywhere",
                      schema.PathOf(static_cast<ClassId>(id), attribute.name)),
          once ? "remove once: it is for classes of look-alikes"
               : "remove anywhere: beside m and n, l counts a value wherever it stands already");
    }
  }
  return {};
}

Result<PrivacyPolicy> ReadPrivacy(const PolicyNode& node, const Schema& schema) {
  PrivacyPolicy privacy;
  if (node.Has("k")) {
    THICKET_ASSIGN(privacy.k, node.Child("k").WholeNumber(2));
  }
  if (node.Has("l")) {
    THICKET_ASSIGN(privacy.l, node.Child("l").WholeNumber(2));
  }
  if (node.Has("m")) {
    THICKET_ASSIGN(privacy.m, node.Child("m").WholeNumber(1));
  }
  if (node.Has("n")) {
    THICKET_ASSIGN(privacy.n, node.Child("n").WholeNumber(0));
  }
  if (node.Has("negative")) {
    THICKET_ASSIGN(privacy.negative, node.Child("negative").OnOff());
  }
  THICKET_TRY(ReadTheta(node, schema, privacy.theta));
  if (node.Has("alpha")) THICKET_TRY(ReadAlpha(node.Child("alpha"), privacy));
  if (privacy.m || privacy.n || privacy.negative) {
    THICKET_TRY(CheckCombinations(node, privacy, schema));
  }
  THICKET_TRY(CheckModel(node, privacy));
  const bool has_sensitive =
      std::any_of(schema.classes.begin(), schema.classes.end(),
                  [](const VertexClass& one) { return !one.sensitive.empty(); });
  if ((privacy.l || privacy.alpha) && !has_sensitive) {
    return node.Child(privacy.l ? "l" : "alpha")
        .Fail("must have sensitive attributes to protect, but there are none",
              "name them under sensitive, or use k alone");
  }
  if (privacy.alpha) THICKET_TRY(CheckLevels(node, privacy, schema));
  THICKET_TRY(CheckAnywhere(node, privacy, schema));
  return privacy;
}

Status CheckVersion(const PolicyNode& root) {
  if (!root.Has("version")) {
    return root.Fail("must have a version, but has none", "add version: 1 at the top");
  }
  const PolicyNode version = root.Child("version");
  THICKET_ASSIGN(const int number, version.WholeNumber(1));
  if (number == 1) return {};
  return version.Fail(fmt::format("must be 1, but is {}", number), "set version: 1");
}

}  // namespace

std::string Policy::Resolve(std::string_view path) const {
  const std::filesystem::path given{std::string(path)};
  if (path.empty() || path == "-" || given.is_absolute()) return std::string(path);
  return (std::filesystem::path(file).parent_path() / given).string();
}

Result<Policy> ParsePolicy(std::string_view yaml, std::string file) {
  THICKET_ASSIGN(const std::shared_ptr<const YamlNode> document, ParseYaml(yaml, file));
  return ReadPolicy(*document, std::move(file));
}

Result<Policy> ReadPolicy(const YamlNode& document, std::string file) {
  Policy policy;
  policy.file = std::move(file);
  const PolicyNode root(policy.file, document, "", document.line, document.column);
  THICKET_TRY(root.MustHaveOnly({{"version", "input", "record", "privacy", "method"}, {}}));
  THICKET_TRY(CheckVersion(root));
  for (const char* section : {"record", "privacy"}) {
    if (root.Has(section)) continue;
    return root.Fail(fmt::format("must have the section {}, but has not", section),
                     fmt::format("add {}:", section));
  }
  const PolicyNode record = root.Child("record");
  // Only such tables have rows of one person.
  const bool grouped = record.yaml().is_mapping() && record.Has("group_by");
  policy.input.format = grouped ? Format::kCsv : InputPolicy().format;
  if (root.Has("input")) {
    THICKET_ASSIGN(policy.input, ReadInput(root.Child("input"), policy.input.format));
  }
  THICKET_ASSIGN(Schema schema, ReadSchema(record, policy.input.format));
  const bool flat = policy.input.format == Format::kCsv && schema.root().group_by.empty();
  if (flat && schema.classes.size() > 1) {
    return record.Child("children")
        .Fail("must be absent for format csv, but is there",
              "a CSV table is flat: one class, unless group_by says which rows are one person's; "
              "sets "
              "of items, one per line, are format: transactions, and several CSV files that are "
              "joined by keys format: tables");
  }
  THICKET_TRY(ReadMissing(root, policy.input.format, schema));
  THICKET_TRY(root.Child("privacy").MustHaveOnly(PrivacyKeys()));
  if (AsksForBags(root, policy.input.format)) {
    THICKET_ASSIGN(policy.privacy, ReadBagPrivacy(root, schema));
  } else if (AsksForItems(root)) {
    THICKET_ASSIGN(policy.privacy, ReadItemPrivacy(root, schema));
  } else {
    THICKET_ASSIGN(policy.privacy, ReadPrivacy(root.Child("privacy"), schema));
  }
  if (policy.privacy.structure().vertices_move) {
    THICKET_TRY(CheckMovedVertices(record, schema, policy.input.format));
  }
  const MethodRow& for_sets = BestSetMethod(policy.privacy, schema);
  policy.method.name =
      for_sets.name.empty() ? DefaultMethod(root, policy.privacy.model()).name : for_sets.name;
  if (root.Has("method")) {
    THICKET_ASSIGN(policy.method,
                   ReadMethod(root.Child("method"), policy.privacy, policy.method.name));
  }
  if (RowOf(policy.method).flat) THICKET_TRY(CheckTable(root, policy, schema));
  if (policy.privacy.of_bags) {
    THICKET_TRY(CheckBagMethod(root, policy, schema));
  } else {
    THICKET_TRY(CheckNetworks(record, schema));
    if (RowOf(policy.method).sets) THICKET_TRY(CheckSetMethod(root, policy, schema));
  }
  THICKET_TRY(CheckOrdered(root, policy, schema));
  for (const SensitiveItem& item : policy.privacy.sensitive_items) {
    schema.classes[1].quasi.front().sensitive_items.push_back(item.item);
  }
  if (policy.privacy.of_bags) {
    schema.classes[1].quasi.front().may_be_several = PublishesAlternatives(policy.method);
  }
  for (SensitiveAttribute& attribute : schema.classes.front().sensitive) {
    attribute.may_be_suppressed = MaySuppressValues(policy);
  }
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

bool HoldsSets(const Schema& schema) {
  if (schema.classes.size() != 2) return false;
  const VertexClass& set = schema.root();
  const VertexClass& item = schema.classes[1];
  return set.value_count() == 0 && set.drop.empty() && set.id.empty() && item.drop.empty() &&
         item.keep.empty() && item.value_count() == 1;
}

bool HoldsTerms(const Schema& schema) {
  return HoldsSets(schema) && schema.classes[1].quasi.size() == 1;
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kJsonl:
      return "jsonl";
    case Format::kJson:
      return "json";
    case Format::kCsv:
      return "csv";
    case Format::kXml:
      return "xml";
    case Format::kTables:
      return "tables";
    case Format::kTransactions:
      return "transactions";
    case Format::kQuerylog:
      return "querylog";
    case Format::kSqlite:
      return "sqlite";
    case Format::kPostgresql:
      return "postgresql";
  }
  return "";
}

}  // namespace thicket
