#include "policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "policy/policy_reader.h"
#include "policy/yaml.h"

namespace thicket {

namespace {

const KeySet& Formats() {
  static const KeySet words = {
      {"jsonl", "json", "csv"},
      {"xml", "tables", "transactions", "querylog", "sqlite", "postgresql"},
      "convert the data to jsonl, json or csv"};
  return words;
}

const KeySet& Models() {
  static const KeySet words = {{"k-anonymity", "l-diversity"},
                               {"(alpha_lev^h, k)-anonymity", "k^(m,n)-anonymity", "l+-diversity",
                                "KL(m,n)-privacy", "vocabulary k-anonymity"}};
  return words;
}

const KeySet& Methods() {
  static const KeySet words = {
      {"clustree"},
      {"mlevclutree", "miracle", "miraclex", "dmiracle", "cdgh", "gcs", "acs", "ocs", "lplus",
       "incognito", "annealing", "og", "mog", "aa", "mm", "lg", "ssg", "lgbag"}};
  return words;
}

const KeySet& MethodKeys() {
  static const KeySet keys = {
      {"name", "mapping", "passes", "s", "m", "cost", "leftovers", "refine"},
      {"limit_s", "candidates", "climit", "th", "g", "metric", "suppression", "suppression_cost",
       "alpha", "top_h", "omega", "centre", "matching"}};
  return keys;
}

const KeySet& PrivacyKeys() {
  static const KeySet keys = {
      {"k", "l", "model"}, {"m", "n", "alpha", "theta", "epsilon", "negative", "sensitive_items"}};
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

Result<InputPolicy> ReadInput(const PolicyNode& node) {
  InputPolicy input;
  THICKET_TRY(node.MustHaveOnly({{"format", "path", "at", "delimiter"},
                                 {"session_gap"},
                                 "convert the data to jsonl, json or csv"}));
  if (node.Has("format")) {
    THICKET_ASSIGN(const std::string format, node.Child("format").Word(Formats()));
    if (format == "json") input.format = Format::kJson;
    if (format == "csv") input.format = Format::kCsv;
  }
  if (node.Has("path")) {
    THICKET_ASSIGN(input.path, node.Child("path").Text());
  }
  if (node.Has("at")) {
    if (input.format != Format::kJson) {
      return node.Child("at").Fail("must stand beside format: json, but does not", "remove it");
    }
    THICKET_ASSIGN(input.at, node.Child("at").Text());
  }
  if (node.Has("delimiter")) {
    if (input.format != Format::kCsv) {
      return node.Child("delimiter")
          .Fail("must stand beside format: csv, but does not", "remove it");
    }
    THICKET_ASSIGN(input.delimiter, ReadDelimiter(node.Child("delimiter")));
  }
  return input;
}

Status CheckModel(const PolicyNode& node, const PrivacyPolicy& privacy) {
  if (!privacy.k && !privacy.l) {
    return node.Fail("must have k or l, but has neither",
                     "set k: 5 for k-anonymity, l: 3 for l-diversity, or both");
  }
  if (!node.Has("model")) return {};
  const PolicyNode model = node.Child("model");
  THICKET_ASSIGN(const std::string name, model.Word(Models()));
  if (name == privacy.model()) return {};
  return model.Fail(
      fmt::format("must fit the keys, but is {} where the keys say {}", name, privacy.model()),
      "k alone is k-anonymity; l, with or without k, is l-diversity");
}

Result<PrivacyPolicy> ReadPrivacy(const PolicyNode& node, const Schema& schema) {
  PrivacyPolicy privacy;
  THICKET_TRY(node.MustHaveOnly(PrivacyKeys()));
  if (node.Has("k")) {
    THICKET_ASSIGN(privacy.k, node.Child("k").WholeNumber(2));
  }
  if (node.Has("l")) {
    THICKET_ASSIGN(privacy.l, node.Child("l").WholeNumber(2));
  }
  THICKET_TRY(CheckModel(node, privacy));
  const bool has_sensitive =
      std::any_of(schema.classes.begin(), schema.classes.end(),
                  [](const VertexClass& one) { return !one.sensitive.empty(); });
  if (privacy.l && !has_sensitive) {
    return node.Child("l").Fail("must have sensitive attributes to protect, but there are none",
                                "name them under sensitive, or use k alone");
  }
  return privacy;
}

Result<MethodPolicy> ReadMethod(const PolicyNode& node) {
  MethodPolicy method;
  // The name first: the parameters of another method are no mistake of their own.
  if (node.yaml().is_mapping() && node.Has("name")) {
    THICKET_ASSIGN(method.name, node.Child("name").Word(Methods()));
  }
  THICKET_TRY(node.MustHaveOnly(MethodKeys()));
  if (node.Has("mapping")) {
    THICKET_ASSIGN(method.mapping, node.Child("mapping").Word({{"lsap", "greedy", "labels"}, {}}));
  }
  if (node.Has("passes")) {
    THICKET_ASSIGN(method.passes, node.Child("passes").OnOff());
  }
  if (node.Has("s")) {
    THICKET_ASSIGN(method.s, node.Child("s").PositiveNumber());
  }
  if (node.Has("m")) {
    THICKET_ASSIGN(method.m, node.Child("m").PositiveNumber());
  }
  if (node.Has("cost")) {
    THICKET_ASSIGN(method.cost, node.Child("cost").Word({{"weighted", "faithful"}, {}}));
  }
  if (node.Has("leftovers")) {
    THICKET_ASSIGN(method.leftovers, node.Child("leftovers").Word({{"absorb", "suppress"}, {}}));
  }
  if (node.Has("refine")) {
    THICKET_ASSIGN(const bool refine, node.Child("refine").OnOff());
    if (refine) {
      return node.Child("refine").Fail("must be off, but is on, which is not in this version",
                                       "remove it");
    }
  }
  return method;
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
  Policy policy;
  policy.file = std::move(file);
  THICKET_ASSIGN(const std::shared_ptr<const YamlNode> document, ParseYaml(yaml, policy.file));
  const PolicyNode root(policy.file, *document, "", document->line);
  THICKET_TRY(root.MustHaveOnly({{"version", "input", "record", "privacy", "method"}, {}}));
  THICKET_TRY(CheckVersion(root));
  for (const char* section : {"record", "privacy"}) {
    if (root.Has(section)) continue;
    return root.Fail(fmt::format("must have the section {}, but has not", section),
                     fmt::format("add {}:", section));
  }
  if (root.Has("input")) {
    THICKET_ASSIGN(policy.input, ReadInput(root.Child("input")));
  }
  const PolicyNode record = root.Child("record");
  THICKET_ASSIGN(Schema schema, ReadSchema(record));
  if (policy.input.format == Format::kCsv && schema.classes.size() > 1) {
    return record.Child("children")
        .Fail("must be absent for format csv, but is there", "a CSV table is flat: one class");
  }
  THICKET_ASSIGN(policy.privacy, ReadPrivacy(root.Child("privacy"), schema));
  if (root.Has("method")) {
    THICKET_ASSIGN(policy.method, ReadMethod(root.Child("method")));
  }
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kJsonl:
      return "jsonl";
    case Format::kJson:
      return "json";
    case Format::kCsv:
      return "csv";
  }
  return "";
}

}  // namespace thicket
