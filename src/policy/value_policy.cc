// How values stand in the data: texts that stand for no value, decimal commas and encodings, dates in a way of their own, and what
// becomes of values that do not fit.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fold.h"
#include "policy/policy_reader.h"
#include "taxonomy/date_format.h"

namespace thicket {

namespace {

constexpr std::string_view kMissingHint = "list the texts in brackets: [NA, \"?\", \"\"]";

Result<std::vector<std::string>> ReadTexts(const PolicyNode& node) {
  if (!node.yaml().is_list()) {
    return node.Fail("must be a list of texts, but is not", std::string(kMissingHint));
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < node.yaml().items.size(); ++i) {
    const PolicyNode item = node.Item(i);
    if (!item.yaml().is_scalar() && !item.yaml().is_null()) {
      return item.Fail("must be a text, but is not", std::string(kMissingHint));
    }
    // YAML has this word for no value at all.
    texts.push_back(item.yaml().is_null() ? "NULL" : item.yaml().text);
    if (FoldValue(texts.back()) != kSuppressedText) continue;
    return item.Fail("must not be *, but is",
                     "an asterisk stands for any value where it is published");
  }
  return texts;
}

// The missing texts of all classes, found in the same order as the classes themselves were.
class MissingReader {
 public:
  MissingReader(Schema& schema, std::vector<std::string> of_input)
      : schema_(&schema), of_input_(std::move(of_input)) {}

  Status Read(const PolicyNode& node, ClassId id) {
    VertexClass& type = schema_->classes[id];
    std::vector<std::vector<std::string>> missing(type.value_count(), of_input_);
    size_t slot = 0;
    for (const QuasiAttribute& attribute : type.quasi) {
      THICKET_TRY(ReadSlot(node.Child("quasi").Child(attribute.name), missing[slot++]));
    }
    for (const SensitiveAttribute& attribute : type.sensitive) {
      const PolicyNode options = node.Child("sensitive").Child(attribute.name);
      THICKET_TRY(ReadSlot(options, missing[slot]));
      THICKET_TRY(CheckSensitive(options, attribute, missing[slot++]));
    }
    for (const std::string& name : type.keep) {
      const PolicyNode keep = node.Child("keep");
      if (keep.yaml().is_mapping()) THICKET_TRY(ReadSlot(keep.Child(name), missing[slot]));
      ++slot;
    }
    const bool any = std::any_of(missing.begin(), missing.end(),
                                 [](const auto& texts) { return !texts.empty(); });
    if (any) type.missing = std::move(missing);
    for (size_t i = 0; i < type.children.size(); ++i) {
      THICKET_TRY(Read(node.Child("children").Item(i), type.children[i]));
    }
    return {};
  }

 private:
  static Status ReadSlot(const PolicyNode& options, std::vector<std::string>& texts) {
    if (!options.yaml().is_mapping() || !options.Has("missing")) return {};
    THICKET_ASSIGN(texts, ReadTexts(options.Child("missing")));
    return {};
  }

  // The values are sensitive: the message names none.
  static Status CheckSensitive(const PolicyNode& options, const SensitiveAttribute& attribute,
                               const std::vector<std::string>& texts) {
    std::vector<std::string> meanings;
    for (const std::string& text : texts) meanings.push_back(FoldValue(text));
    const auto stands_for_none = [&](const std::string& value) {
      return std::find(meanings.begin(), meanings.end(), FoldValue(value)) != meanings.end();
    };
    const auto fail = [&](std::string_view key) {
      return options.Fail(
          fmt::format("must have other values in {} than those that stand for none, but has one of "
                      "them there",
                      key),
          fmt::format("take it out of {}, or out of missing", key));
    };
    if (std::any_of(attribute.once.begin(), attribute.once.end(), stands_for_none)) {
      return fail("once");
    }
    for (const auto& level : attribute.levels.given) {
      if (std::any_of(level.begin(), level.end(), stands_for_none)) return fail("levels");
    }
    return {};
  }

  Schema* schema_;
  std::vector<std::string> of_input_;
};

}  // namespace

Status ReadMissing(const PolicyNode& root, Format format, Schema& schema) {
  std::vector<std::string> of_input;
  if (root.Has("input") && root.Child("input").Has("missing")) {
    const PolicyNode missing = root.Child("input").Child("missing");
    if (format == Format::kQuerylog) {
      return missing.Fail("must be absent for format querylog, but is there",
                          "remove it: whatever stands in a query is a word");
    }
    THICKET_ASSIGN(of_input, ReadTexts(missing));
  }
  return MissingReader(schema, std::move(of_input)).Read(root.Child("record"), 0);
}

Status ReadTextKeys(const PolicyNode& node, InputPolicy& input) {
  const bool is_csv = input.format == Format::kCsv || input.format == Format::kTables;
  for (const char* key : {"decimal", "encoding"}) {
    if (!node.Has(key) || is_csv) continue;
    return node.Child(key).Fail("must stand beside format: csv or tables, but does not",
                                "remove it");
  }
  if (node.Has("decimal")) {
    THICKET_ASSIGN(const std::string mark, node.Child("decimal").Word({{".", ","}, {}}));
    input.decimal = mark[0];
  }
  if (node.Has("encoding")) {
    THICKET_ASSIGN(const std::string name, node.Child("encoding").Word({{"utf8", "latin1"}, {}}));
    input.encoding = name == "latin1" ? TextEncoding::kLatin1 : TextEncoding::kUtf8;
  }
  return {};
}

Status ReadUnknown(const PolicyNode& node, Recoding& recoding) {
  if (recoding.kind == Recoding::Kind::kNetwork) recoding.unknown = UnknownValues::kLeaveOut;
  if (!node.Has("unknown")) return {};
  THICKET_ASSIGN(const std::string word,
                 node.Child("unknown").Word({{"error", "generalize", "missing"}, {}}));
  recoding.unknown = word == "generalize" ? UnknownValues::kGeneralize
                     : word == "missing"  ? UnknownValues::kLeaveOut
                                          : UnknownValues::kError;
  return {};
}

Status ReadDateFormat(const PolicyNode& node, Recoding& recoding) {
  if (!node.Has("format")) return {};
  const PolicyNode format = node.Child("format");
  if (recoding.kind != Recoding::Kind::kDate) {
    return format.Fail("must stand beside date, but does not",
                       "remove it: it says how dates are written");
  }
  THICKET_ASSIGN(recoding.format, format.Text());
  const std::string fault = FaultOfDateFormat(recoding.format);
  if (fault.empty()) return {};
  return format.Fail(
      fault,
      "write it as \"%d.%m.%Y\" or \"%Y%m%d\"; %y is a year of two digits, %b a month "
      "by name, %H, %M and %S are a time");
}

}  // namespace thicket
