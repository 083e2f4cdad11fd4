// Records in memory: pushed in one by one, or read from text or from where they are kept; and pulled out again.
//
//   RecordBuilder builder(policy, RecordsAs::kOriginal, progress);
//   THICKET_TRY(builder.BeginRecord());
//   THICKET_TRY(builder.Set("student_id", {.text = "S17"}));
//   THICKET_TRY(builder.Set("birth_year", {.kind = RecordValue::Kind::kNumber, .text = "1994"}));
//   THICKET_TRY(builder.OpenVertex("course"));                       // a class of the policy, below the open vertex
//   THICKET_TRY(builder.Set("code", {.text = "CS305"}));
//   THICKET_TRY(builder.CloseVertex());
//   THICKET_TRY(builder.EndRecord());
//   THICKET_ASSIGN(RecordSet students, std::move(builder).Finish());
//
//   THICKET_ASSIGN(AnonymizedRecords result, AnonymizeRecords(policy, std::move(students), {}, progress));
//   for (size_t i = 0; i < result.records.size(); ++i) {
//     const RecordVertex student = result.records.root(i);
//     Use(student.Find("birth_year").text);                          // "[1990, 1995)"
//     for (const RecordVertex& course : student.children()) Use(course.class_name(), course.Find("code").text);
//   }
//
// The rules are those of every format: identifiers are there and unique, every name of the policy occurs, and what the
// policy does not name is left out with a warning. What is pulled out of published records is what has passed the check,
// not a copy made before or after it. Whatever the policy's format: it only matters to text and files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/thicket.h"

namespace thicket {

// What records are, which decides what may be in them.
enum class RecordsAs : uint8_t {
  // As they came from their source: with identifiers, to be anonymized or compared with.
  kOriginal,
  // Made by Thicket: an identifier or a dropped value in them is a kPromise error.
  kPublished,
  // Original data of which nothing is left out, also not identifiers and what is dropped: for ConvertRecords().
  kWhole,
};

struct RecordValue {
  enum class Kind : uint8_t { kNone, kText, kNumber, kBoolean };
  Kind kind = Kind::kText;
  // UTF-8, as it stands in the source: a number keeps its zeros, a boolean is "true" or "false". Empty if missing.
  std::string_view text = {};
};

// A class of the policy: what a vertex of it has, and where it stands.
struct RecordClass {
  enum class Role : uint8_t { kQuasi, kSensitive, kKeep, kDrop, kId };
  struct Attribute {
    std::string name;
    Role role = Role::kKeep;
  };
  std::string name;
  // The key, element or table of its vertices; empty for the root.
  std::string at;
  // The number of the class above, which comes before it; the root is its own.
  size_t parent = 0;
  std::vector<Attribute> attributes;
};

// Parents first: the root is class 0.
std::vector<RecordClass> ClassesOf(const LoadedPolicy& policy);

class RecordVertex;

// Records that do not change any more. Copies are cheap, and share what they hold; any number of threads may read.
class RecordSet {
 public:
  struct Content;
  explicit RecordSet(std::shared_ptr<Content> content);
  RecordSet(const RecordSet&);
  RecordSet(RecordSet&&) noexcept;
  RecordSet& operator=(const RecordSet&);
  RecordSet& operator=(RecordSet&&) noexcept;
  ~RecordSet();

  // How many records, and how many vertices in all of them.
  size_t size() const;
  size_t vertices() const;
  // Valid as long as a set that holds the record.
  RecordVertex root(size_t record) const;
  // Published with RunOptions::with_class: the class of records that it belongs to.
  std::optional<uint32_t> class_number(size_t record) const;
  // What was left out or let pass while they were read.
  std::vector<std::string> warnings() const;

  const Content& content() const { return *content_; }
  // For the engine: the content, of which nobody else knows.
  std::shared_ptr<Content> Take() &&;

 private:
  std::shared_ptr<Content> content_;
};

// A vertex of a record, with its values and what stands below it. Small, to be passed by value.
//
// In published k^(m,n)-anonymous records a vertex may stand below any ancestor of its class; and one that shows several
// sensitive or kept values comes as several vertices with the same quasi-identifiers, one after the other.
class RecordVertex {
 public:
  RecordVertex(const RecordSet::Content* content, uint32_t vertex)
      : content_(content), vertex_(vertex) {}

  // The number and the name of its class (ClassesOf()).
  size_t class_number() const;
  const std::string& class_name() const;
  // Its values: quasi-identifiers, sensitive and kept ones, in the order of the policy. kNone where there is none.
  size_t value_count() const;
  const std::string& name(size_t value) const;
  RecordValue value(size_t value) const;
  // The value of an attribute; kNone also where the class has none of this name.
  RecordValue Find(std::string_view attribute) const;
  // Grouped by class, in the order of the policy; within a class in the order in which they stand.
  std::vector<RecordVertex> children() const;
  // How many vertices it has below it, itself included.
  size_t size() const;

 private:
  const RecordSet::Content* content_;
  uint32_t vertex_;
};

// Takes records one by one. After an error the builder is of no use any more. A call that does not fit (a vertex that is
// not open, an unknown class) is a kUsage error; data that breaks a rule a kData error with the record's number and path.
class RecordBuilder {
 public:
  // `name` is what messages call the records. The progress, which bounds the memory, must outlive the builder.
  RecordBuilder(const LoadedPolicy& policy, RecordsAs as, Progress& progress,
                std::string name = "records");
  RecordBuilder(RecordBuilder&&) noexcept;
  RecordBuilder& operator=(RecordBuilder&&) noexcept;
  ~RecordBuilder();

  // Opens the root of a new record.
  Status BeginRecord();
  Status EndRecord();
  // Opens a vertex below the one that is open.
  Status OpenVertex(std::string_view class_name);
  Status CloseVertex();
  // A value of the open vertex. What the policy does not name is left out, and counted for a warning.
  Status Set(std::string_view attribute, RecordValue value);

  // Fails if a name of the policy never occurred, or if there was no record.
  Result<RecordSet> Finish() &&;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Text in the policy's format, not compressed; `name` is what messages call it. kUsage for formats that are not one stream of
// bytes (tables, sqlite, postgresql).
Result<RecordSet> ParseRecords(const LoadedPolicy& policy, std::string_view text, RecordsAs as,
                               Progress& progress, const std::string& name = "records");
// From where they are kept: a file, "-" for standard input, a folder of tables, a server. Empty: what the policy names.
Result<RecordSet> ReadRecords(const LoadedPolicy& policy, const std::string& location, RecordsAs as,
                              Progress& progress);
// Text in the policy's format.
Result<std::string> FormatRecords(const LoadedPolicy& policy, const RecordSet& records,
                                  Progress& progress);

struct AnonymizedRecords {
  RecordSet records;
  Report report;
  // By place in `records`, the place in the original; empty unless RunOptions::link is set.
  RecordLink link = {};
};

// Anonymizes and verifies; nothing is returned that has not passed the check. Records that the caller has no other copy of
// (std::move) are not copied.
Result<AnonymizedRecords> AnonymizeRecords(const LoadedPolicy& policy, RecordSet original,
                                           const RunOptions& options, Progress& progress);

}  // namespace thicket
