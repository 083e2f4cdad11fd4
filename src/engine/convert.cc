#include "engine/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/stop.h"
#include "base/supervised.h"
#include "base/text.h"
#include "engine/content.h"
#include "engine/record_content.h"
#include "io/dataset_io.h"
#include "io/file/atomic_file.h"
#include "io/file/commit.h"
#include "io/file/file_plan.h"
#include "io/wordnet/wordnet_reader.h"
#include "policy/policy_text.h"
#include "policy/policy_writer.h"

namespace thicket {

namespace {

Result<Format> FormatOf(const std::string& name) {
  std::vector<std::string> names;
  for (const Format format : kFormats) {
    names.emplace_back(FormatName(format));
    if (names.back() == name) return format;
  }
  const auto nearest = Nearest(name, names);
  return Error{ErrorCode::kUsage, fmt::format("--to must be a format, but '{}' is none", name),
               nearest ? fmt::format("did you mean {}?", *nearest)
                       : "use jsonl, json, csv, xml, tables, transactions, querylog, sqlite or "
                         "postgresql",
               ""};
}

// Names of the new shape. A name that is taken gets something behind it until it is free.
class Renaming {
 public:
  Renaming(Format from, Format to) : from_(from), to_(to) {}

  Schema Rename(Schema schema) {
    // What rows of one person have in common says who the record is about.
    VertexClass& root = schema.classes.front();
    if (!root.group_by.empty()) root.id = std::exchange(root.group_by, "");
    for (size_t id = 0; id < schema.classes.size(); ++id) {
      // New keys have one column.
      schema.classes[id].key_columns.clear();
      schema.classes[id].parent_columns.clear();
      if (HasTables(to_)) {
        NameTable(schema, static_cast<ClassId>(id));
      } else {
        NameKey(schema, static_cast<ClassId>(id));
      }
    }
    return schema;
  }

 private:
  static std::string Free(std::string name, std::set<std::string>& taken) {
    while (!taken.insert(name).second) name += '_';
    return name;
  }

  // Every name of the class's own attributes.
  static std::set<std::string> AttributesOf(const VertexClass& type) {
    std::set<std::string> names(type.drop.begin(), type.drop.end());
    if (!type.id.empty()) names.insert(type.id);
    for (size_t slot = 0; slot < type.value_count(); ++slot) names.insert(type.slot_name(slot));
    return names;
  }

  // "courses/course" -> "course". What is told by values has no name in the data but that of its class.
  static std::string LastStep(const VertexClass& type) {
    return type.where.empty() ? type.at.substr(type.at.rfind('/') + 1) : type.name;
  }

  void NameTable(Schema& schema, ClassId id) {
    VertexClass& type = schema.classes[id];
    std::set<std::string> columns = AttributesOf(type);
    if (!HasTables(from_)) {
      type.table = Free(id == 0 ? type.name : LastStep(type), tables_);
      type.key.clear();
    }
    // Keys are new numbers, so the identifier stays a column of its own.
    const bool joined = id == 0 || !type.children.empty();
    if (joined || !type.key.empty()) {
      const bool usable = !type.key.empty() && columns.count(type.key) == 0;
      type.key = Free(usable ? type.key : type.name + "_key", columns);
    }
    if (id == 0) return;
    const bool named = HasTables(from_) && columns.count(type.parent_key) == 0;
    type.parent_key = Free(named ? type.parent_key : schema.classes[type.parent].key, columns);
    type.at = type.table;
    type.where.clear();
  }

  void NameKey(Schema& schema, ClassId id) {
    VertexClass& type = schema.classes[id];
    const bool steps = from_ == Format::kXml && to_ != Format::kXml;
    if (id != 0) {
      std::set<std::string> taken = AttributesOf(schema.classes[type.parent]);
      for (const ClassId sibling : schema.classes[type.parent].children) {
        if (sibling < id) taken.insert(schema.classes[sibling].at);
      }
      type.at = Free(steps ? LastStep(type) : type.at, taken);
      if (steps) type.where.clear();
    }
    type.table.clear();
    type.key.clear();
    type.parent_key.clear();
  }

  Format from_;
  Format to_;
  std::set<std::string> tables_;
};

// How the records stand in the new format. What only the old one knew is forgotten.
SourceShape ShapeFor(Format from, Format to, const SourceShape& old) {
  if (from == to && !HasTables(to)) return old;
  SourceShape shape = SourceShape::Empty(old.plain.size());
  if (!HasTables(to)) {
    shape.plain = old.plain;
    shape.single = old.single;
  }
  const auto is_json = [](Format format) {
    return format == Format::kJson || format == Format::kJsonl;
  };
  if (is_json(from) && is_json(to)) shape.json = old.json;
  return shape;
}

// Texts that the format cannot tell from missing values.
uint64_t CountEmpty(const Dataset& data) {
  uint64_t count = 0;
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    StopPoint();
    const auto& dictionaries = data.dictionaries[data.forest.class_of(v)];
    for (size_t slot = 0; slot < dictionaries.size(); ++slot) {
      const Symbol symbol = data.forest.value(v, slot);
      if (symbol != kMissing && dictionaries[slot].text(symbol).empty()) ++count;
    }
  }
  return count;
}

// Whether both hold the same trees with the same texts, record by record.
bool SameContent(const Dataset& a, const Dataset& b) {
  const Forest& left = a.forest;
  const Forest& right = b.forest;
  if (left.record_count() != right.record_count() || left.vertex_count() != right.vertex_count())
    return false;
  for (Vertex v = 0; v < left.vertex_count(); ++v) {
    StopPoint();
    const ClassId id = left.class_of(v);
    if (id != right.class_of(v) || left.subtree_size(v) != right.subtree_size(v)) return false;
    for (size_t slot = 0; slot < a.dictionaries[id].size(); ++slot) {
      if (a.dictionaries[id][slot].text(left.value(v, slot)) !=
          b.dictionaries[id][slot].text(right.value(v, slot)))
        return false;
    }
  }
  return true;
}

// The policy that describes the result, seen from where it will stand.
Policy PolicyFor(const Policy& source, Format to, const ConvertRequest& request) {
  Policy policy = source;
  policy.file = request.policy;
  policy.input = InputPolicy{};
  policy.input.format = to;
  policy.input.schema = request.into;
  policy.input.path = to == Format::kPostgresql || request.policy.empty()
                          ? request.output
                          : RelativePath(request.output, request.policy);
  const auto is_csv = [](Format format) {
    return format == Format::kCsv || format == Format::kTables;
  };
  if (is_csv(source.input.format) && is_csv(to)) {
    policy.input.decimal = source.input.decimal;
    policy.input.encoding = source.input.encoding;
  }
  if (source.input.format == to) {
    policy.input.at = source.input.at;
    policy.input.session_gap_s = source.input.session_gap_s;
    policy.input.clicked = source.input.clicked;
  }
  Schema schema = Renaming(source.input.format, to).Rename(*source.schema);
  if (!request.policy.empty()) {
    for (VertexClass& type : schema.classes) {
      for (QuasiAttribute& attribute : type.quasi) {
        std::string& file = attribute.recoding.file;
        const bool of_system =
            attribute.recoding.kind == Recoding::Kind::kNetwork && file == kWordNet;
        if (!file.empty() && !of_system) {
          file = RelativePath(source.Resolve(file), request.policy);
        }
      }
    }
  }
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// Whether the format can hold the records, which are published ones or not.
Status CheckShape(const Policy& rules, Format to, bool published) {
  if (to == Format::kCsv && rules.schema->classes.size() > 1) {
    return Error{ErrorCode::kUsage,
                 "--to csv must have one class, since a table is flat, but the policy has children",
                 "use --to tables: one CSV file per class", ""};
  }
  const auto is_ordered = [](const VertexClass& type) { return type.ordered; };
  const std::vector<VertexClass>& classes = rules.schema->classes;
  const bool keeps_order = to == Format::kJson || to == Format::kJsonl || to == Format::kXml;
  if (!keeps_order && std::any_of(classes.begin(), classes.end(), is_ordered)) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("--to {} must have no class with ordered: true, since its rows have no "
                    "order of their own, but the policy has one",
                    FormatName(to)),
        "use --to jsonl, json or xml", ""};
  }
  if (to == Format::kTransactions && !HoldsSets(*rules.schema)) {
    return Error{
        ErrorCode::kUsage,
        "--to transactions must have sets: a record without attributes and one class below "
        "it with one attribute, but the policy has others",
        "use --to jsonl or --to tables", ""};
  }
  if (to == Format::kQuerylog && !HoldsTerms(*rules.schema)) {
    return Error{
        ErrorCode::kUsage,
        "--to querylog must have bags: a record without attributes and one class below it with "
        "one quasi-identifier, but the policy has others",
        "use --to jsonl or --to tables", ""};
  }
  if (to == Format::kQuerylog && !published) {
    return Error{ErrorCode::kUsage,
                 "--to querylog must have published bags, since a log has the user and the time of "
                 "each query, but records have neither",
                 "use --published for published bags, or --to jsonl", ""};
  }
  return {};
}

Status CheckRequest(const Policy& rules, Format to, const ConvertRequest& request) {
  const bool postgresql = to == Format::kPostgresql;
  if (postgresql == request.into.empty()) {
    return Error{ErrorCode::kUsage,
                 postgresql ? "--to postgresql must go into a new schema, but none is named"
                            : "--into must stand beside --to postgresql, but does not",
                 postgresql ? "give --into SCHEMA" : "leave it out", ""};
  }
  if (!postgresql && request.output.empty()) {
    return Error{ErrorCode::kUsage, "convert: the data must go somewhere, but -o is missing",
                 "give -o PATH", ""};
  }
  if (request.output == "-" && !IsStream(to)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("-o must be a path for {}, but is standard output", FormatName(to)),
                 "give -o PATH", ""};
  }
  THICKET_TRY(CheckShape(rules, to, request.published));
  if (request.policy == "-") {
    return Error{ErrorCode::kUsage, "--policy must be a file, but is standard output",
                 "give --policy FILE", ""};
  }
  return {};
}

// What is to be said about the data on its way.
ConvertReport Describe(const Dataset& data, Format to) {
  ConvertReport report;
  report.records = data.forest.record_count();
  report.vertices = data.forest.vertex_count();
  for (const Warning& warning : data.warnings) report.warnings.push_back(warning.message);
  if (!data.owners.empty()) {
    const uint64_t users = 1 + *std::max_element(data.owners.begin(), data.owners.end());
    if (users < report.records) {
      report.warnings.push_back(fmt::format(
          "{} bags of {} user{} are records of their own now, since {} does not say whose "
          "they are: one user's may hide each other",
          WithCommas(report.records), WithCommas(users), users == 1 ? "" : "s", FormatName(to)));
    }
  }
  const bool no_empty_texts = to == Format::kCsv || to == Format::kTables || to == Format::kXml ||
                              to == Format::kTransactions;
  if (const uint64_t empty = no_empty_texts ? CountEmpty(data) : 0; empty > 0) {
    report.warnings.push_back(
        fmt::format("{} empty text{} became missing, since {} cannot tell the two apart",
                    WithCommas(empty), empty == 1 ? "" : "s", FormatName(to)));
  }
  return report;
}

Error NotTheSame(const std::string& source, Format to) {
  return ErrorAt(ErrorCode::kData, {.file = source},
                 fmt::format("the data must be the same after it was read back from {}, but is "
                             "not; nothing was written",
                             FormatName(to)),
                 "look for values that the format cannot hold as they are");
}

FilePlan PlanFiles(const Policy& policy, const std::string& input, Format to,
                   const ConvertRequest& request) {
  FilePlan files;
  files.ReadData(policy, input, "the input");
  files.ReadPolicy(policy);
  files.WriteData(to, request.output, "the output");
  files.Write(request.policy, "the new policy");
  return files;
}

// `read` gives the records, by the policy that leaves nothing out of them; it is asked when their new place is known to be usable.
template <typename Read>
Result<ConvertReport> ConvertNow(const Policy& source, Format to, const ConvertRequest& request,
                                 const FilePlan& files, const Read& read, Progress& progress) {
  THICKET_TRY(files.Check());
  const Policy target = PolicyFor(source, to, request);
  const Policy whole = request.published ? target : WholePolicy(target);
  THICKET_ASSIGN(const auto output,
                 DataTarget::Create(whole, {.path = request.output,
                                            .schema = request.into,
                                            .mode = request.published ? 0644U : 0600U,
                                            .mask = progress.file_mask()}));
  THICKET_ASSIGN(Dataset data, read());
  data.schema = whole.schema;
  data.shape = ShapeFor(source.input.format, to, data.shape);

  ConvertReport report = Describe(data, to);
  for (const std::string& warning : report.warnings) progress.Warn(warning);
  DatasetRecords records(data, request.published,
                         !(request.published && source.privacy.structure().changes()));
  THICKET_TRY(output->Write(records, {}, progress));
  THICKET_ASSIGN(const Dataset again, output->ReadBack(progress));
  if (!SameContent(data, again)) return NotTheSame(data.source, to);
  std::unique_ptr<AtomicFile> description;
  if (!request.policy.empty()) {
    THICKET_ASSIGN(description, AtomicFile::Create(request.policy, 0644 & ~progress.file_mask()));
    THICKET_TRY(description->Write(FormatPolicy(target)));
  }
  if (progress.cancelled()) return Interrupted();
  report.replaced = output->Replaces();
  AtomicFile* const descriptions[] = {description.get()};
  THICKET_TRY(CommitBehind(descriptions, *output, files));
  return report;
}

Result<ConvertReport> ConvertFileNow(const LoadedPolicy& policy, const ConvertRequest& request,
                                     Progress& progress) {
  const Policy& source = policy.content().policy;
  THICKET_ASSIGN(const Format to, FormatOf(request.to));
  THICKET_ASSIGN(const std::string input,
                 InputOf(policy, request.input, "add input.path, or give -i PATH"));
  THICKET_TRY(CheckRequest(source, to, request));
  const auto read = [&] {
    return request.published ? ReadDataset(source, input, ReadAs::kPublished, progress)
                             : ReadDataset(WholePolicy(source), input, ReadAs::kWhole, progress);
  };
  return ConvertNow(source, to, request, PlanFiles(source, input, to, request), read, progress);
}

// Records that somebody else may still read are copied.
Dataset Release(RecordSet records) {
  const std::shared_ptr<RecordSet::Content> content = std::move(records).Take();
  return content.use_count() == 1 ? std::move(content->data) : Dataset(content->data);
}

Status MustBeConvertible(const LoadedPolicy& policy, const RecordSet& records) {
  const bool is_public = records.content().as == RecordsAs::kPublished;
  return MustBe(policy, records, is_public ? RecordsAs::kPublished : RecordsAs::kWhole);
}

Result<ConvertReport> StoreRecordsNow(const LoadedPolicy& policy, RecordSet records,
                                      ConvertRequest request, Progress& progress) {
  const Policy& source = policy.content().policy;
  THICKET_ASSIGN(const Format to, FormatOf(request.to));
  THICKET_TRY(MustBeConvertible(policy, records));
  request.published = records.content().as == RecordsAs::kPublished;
  THICKET_TRY(CheckRequest(source, to, request));
  FilePlan files;
  files.WriteData(to, request.output, "the output");
  files.Write(request.policy, "the new policy");
  const auto read = [&]() -> Result<Dataset> { return Release(std::move(records)); };
  return ConvertNow(source, to, request, files, read, progress);
}

Result<ConvertedText> ConvertRecordsNow(const LoadedPolicy& policy, RecordSet records,
                                        const std::string& to_name, Progress& progress) {
  const Policy& source = policy.content().policy;
  THICKET_ASSIGN(const Format to, FormatOf(to_name));
  THICKET_TRY(MustBeConvertible(policy, records));
  const bool is_public = records.content().as == RecordsAs::kPublished;
  if (!IsStream(to)) {
    return Error{ErrorCode::kUsage,
                 fmt::format("text in memory must be of a format that is one stream of bytes, but "
                             "{} is not",
                             FormatName(to)),
                 "use jsonl, json, csv, xml, transactions or querylog, or StoreRecords()", ""};
  }
  THICKET_TRY(CheckShape(source, to, is_public));
  const Policy target = PolicyFor(source, to, {});
  const Policy whole = is_public ? target : WholePolicy(target);
  Dataset data = Release(std::move(records));
  data.schema = whole.schema;
  data.shape = ShapeFor(source.input.format, to, data.shape);
  ConvertedText result;
  result.report = Describe(data, to);
  result.policy = FormatPolicy(target);
  DatasetRecords outgoing(data, is_public, !(is_public && source.privacy.structure().changes()));
  THICKET_TRY(WriteRecords(whole, outgoing, {}, [&](std::string_view bytes) {
    if (progress.cancelled()) return Status(Interrupted());
    result.data.append(bytes);
    return Status();
  }));
  THICKET_ASSIGN(const Dataset again,
                 ReadDatasetText(whole, result.data, data.source, ReadAs::kPublished, progress));
  if (!SameContent(data, again)) return NotTheSame(data.source, to);
  return result;
}

}  // namespace

Result<ConvertedText> ConvertRecords(const LoadedPolicy& policy, RecordSet records,
                                     const std::string& to, Progress& progress) {
  return Supervised(progress,
                    [&] { return ConvertRecordsNow(policy, std::move(records), to, progress); });
}

Result<ConvertReport> StoreRecords(const LoadedPolicy& policy, RecordSet records,
                                   const ConvertRequest& request, Progress& progress) {
  return Supervised(progress,
                    [&] { return StoreRecordsNow(policy, std::move(records), request, progress); });
}

Result<ConvertReport> ConvertFile(const LoadedPolicy& policy, const ConvertRequest& request,
                                  Progress& progress) {
  return Supervised(progress, [&] { return ConvertFileNow(policy, request, progress); });
}

}  // namespace thicket
