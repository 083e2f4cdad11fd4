#include "engine/records.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "base/supervised.h"
#include "engine/content.h"
#include "engine/record_content.h"
#include "io/dataset_io.h"
#include "io/outgoing.h"

namespace thicket {

namespace {

RecordValue::Kind KindOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNone:
      return RecordValue::Kind::kNone;
    case ValueKind::kString:
      return RecordValue::Kind::kText;
    case ValueKind::kNumber:
      return RecordValue::Kind::kNumber;
    case ValueKind::kBoolean:
      return RecordValue::Kind::kBoolean;
  }
  return RecordValue::Kind::kNone;
}

std::string_view NameOf(RecordsAs as) {
  switch (as) {
    case RecordsAs::kPublished:
      return "published";
    case RecordsAs::kWhole:
      return "whole";
    default:
      return "original";
  }
}

}  // namespace

ReadAs ReadingAs(RecordsAs as) {
  switch (as) {
    case RecordsAs::kPublished:
      return ReadAs::kPublished;
    case RecordsAs::kWhole:
      return ReadAs::kWhole;
    default:
      return ReadAs::kOriginal;
  }
}

Policy PolicyOf(const LoadedPolicy& policy, RecordsAs as) {
  const Policy& rules = policy.content().policy;
  return as == RecordsAs::kWhole ? WholePolicy(rules) : rules;
}

std::vector<RecordClass> ClassesOf(const LoadedPolicy& policy) {
  std::vector<RecordClass> classes;
  for (const VertexClass& type : policy.content().policy.schema->classes) {
    RecordClass& one = classes.emplace_back();
    one.name = type.name;
    one.at = type.at;
    one.parent = type.parent;
    const auto add = [&](const std::string& name, RecordClass::Role role) {
      one.attributes.push_back({name, role});
    };
    if (!type.id.empty()) add(type.id, RecordClass::Role::kId);
    for (const QuasiAttribute& attribute : type.quasi) {
      add(attribute.name, RecordClass::Role::kQuasi);
    }
    for (const SensitiveAttribute& attribute : type.sensitive) {
      add(attribute.name, RecordClass::Role::kSensitive);
    }
    for (const std::string& name : type.keep) add(name, RecordClass::Role::kKeep);
    for (const std::string& name : type.drop) add(name, RecordClass::Role::kDrop);
  }
  return classes;
}

RecordSet::RecordSet(std::shared_ptr<Content> content) : content_(std::move(content)) {}
RecordSet::RecordSet(const RecordSet&) = default;
RecordSet::RecordSet(RecordSet&&) noexcept = default;
RecordSet& RecordSet::operator=(const RecordSet&) = default;
RecordSet& RecordSet::operator=(RecordSet&&) noexcept = default;
RecordSet::~RecordSet() = default;

size_t RecordSet::size() const { return content_->data.forest.record_count(); }
size_t RecordSet::vertices() const { return content_->data.forest.vertex_count(); }

RecordVertex RecordSet::root(size_t record) const {
  return {content_.get(), content_->data.forest.root(static_cast<RecordId>(record))};
}

std::optional<uint32_t> RecordSet::class_number(size_t record) const {
  const std::vector<uint32_t>& numbers = content_->data.class_numbers;
  if (numbers.empty() || numbers[record] == Dataset::kNoClassNumber) return std::nullopt;
  return numbers[record];
}

std::vector<std::string> RecordSet::warnings() const {
  std::vector<std::string> warnings;
  for (const Warning& warning : content_->data.warnings) warnings.push_back(warning.message);
  for (const Finding& finding : content_->data.findings) warnings.push_back(finding.Text());
  return warnings;
}

std::shared_ptr<RecordSet::Content> RecordSet::Take() && { return std::move(content_); }

size_t RecordVertex::class_number() const { return content_->data.forest.class_of(vertex_); }

const std::string& RecordVertex::class_name() const {
  return content_->data.schema->classes[class_number()].name;
}

size_t RecordVertex::value_count() const {
  return content_->data.schema->classes[class_number()].value_count();
}

const std::string& RecordVertex::name(size_t value) const {
  return content_->data.schema->classes[class_number()].slot_name(value);
}

RecordValue RecordVertex::value(size_t value) const {
  const Dataset& data = content_->data;
  const Dictionary& dictionary = data.dictionaries[class_number()][value];
  const Symbol symbol = data.forest.value(vertex_, value);
  return {KindOf(dictionary.kind(symbol)), dictionary.text(symbol)};
}

RecordValue RecordVertex::Find(std::string_view attribute) const {
  for (size_t i = 0; i < value_count(); ++i) {
    if (name(i) == attribute) return value(i);
  }
  return {RecordValue::Kind::kNone, {}};
}

std::vector<RecordVertex> RecordVertex::children() const {
  std::vector<RecordVertex> children;
  for (const Vertex child : content_->data.forest.Children(vertex_)) {
    children.emplace_back(content_, child);
  }
  return children;
}

size_t RecordVertex::size() const { return content_->data.forest.subtree_size(vertex_); }

Status MustBe(const LoadedPolicy& policy, const RecordSet& records, RecordsAs as) {
  const Dataset& data = records.content().data;
  if (records.content().as != as) {
    return ErrorAt(ErrorCode::kUsage, {.file = data.source},
                   std::string("the records must be ")
                       .append(NameOf(as))
                       .append(" ones, but are ")
                       .append(NameOf(records.content().as)),
                   "read or push them as what they are needed for");
  }
  // Whole records have a schema of their own, made from the policy's.
  const Schema& expected = *policy.content().policy.schema;
  bool same = data.schema->classes.size() == expected.classes.size();
  for (size_t id = 0; same && id < expected.classes.size(); ++id) {
    const VertexClass& left = data.schema->classes[id];
    const VertexClass& right = expected.classes[id];
    same = left.name == right.name && left.quasi.size() == right.quasi.size() &&
           left.sensitive.size() == right.sensitive.size() && left.keep.size() >= right.keep.size();
    for (size_t slot = 0; same && slot < right.value_count(); ++slot) {
      same = left.slot_name(slot) == right.slot_name(slot);
    }
  }
  if (same) return {};
  return ErrorAt(ErrorCode::kUsage, {.file = data.source},
                 "the records must have the classes and attributes of the policy, but have others",
                 "read or push them with the policy that they are used with");
}

Policy WholePolicy(const Policy& policy) {
  Schema schema = *policy.schema;
  for (VertexClass& type : schema.classes) {
    if (!type.id.empty()) type.keep.push_back(type.id);
    if (type.id.empty() && !type.group_by.empty()) type.keep.push_back(type.group_by);
    type.keep.insert(type.keep.end(), type.drop.begin(), type.drop.end());
    type.id.clear();
    type.drop.clear();
  }
  Policy whole = policy;
  whole.schema = std::make_shared<const Schema>(std::move(schema));
  return whole;
}

Result<RecordSet> ParseRecords(const LoadedPolicy& policy, std::string_view text, RecordsAs as,
                               Progress& progress, const std::string& name) {
  return Supervised(progress, [&]() -> Result<RecordSet> {
    const Policy rules = PolicyOf(policy, as);
    THICKET_ASSIGN(Dataset data, ReadDatasetText(rules, text, name, ReadingAs(as), progress));
    return MakeRecordSet(std::move(data), as);
  });
}

Result<RecordSet> ReadRecords(const LoadedPolicy& policy, const std::string& location, RecordsAs as,
                              Progress& progress) {
  return Supervised(progress, [&]() -> Result<RecordSet> {
    const Policy rules = PolicyOf(policy, as);
    THICKET_ASSIGN(const std::string place,
                   InputOf(policy, location, "add input.path, or name one"));
    THICKET_ASSIGN(Dataset data, ReadDataset(rules, place, ReadingAs(as), progress));
    return MakeRecordSet(std::move(data), as);
  });
}

Result<std::string> FormatRecords(const LoadedPolicy& policy, const RecordSet& records,
                                  Progress& progress) {
  return Supervised(progress, [&]() -> Result<std::string> {
    THICKET_TRY(MustBe(policy, records, records.content().as));
    const Policy rules = PolicyOf(policy, records.content().as);
    const bool is_public = records.content().as == RecordsAs::kPublished;
    DatasetRecords outgoing(records.content().data, is_public,
                            !(is_public && rules.privacy.structure().changes()));
    std::string text;
    THICKET_TRY(WriteRecords(rules, outgoing, {}, [&](std::string_view bytes) {
      if (progress.cancelled()) return Status(Interrupted());
      text.append(bytes);
      return Status();
    }));
    return text;
  });
}

}  // namespace thicket
