#include "generate/generate.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "base/supervised.h"
#include "base/text.h"
#include "generate/customers.h"
#include "generate/electives.h"
#include "generate/policies.h"
#include "generate/programme.h"
#include "generate/students.h"
#include "generate/teachers.h"
#include "generate/transcripts.h"
#include "io/file/atomic_file.h"
#include "io/file/commit.h"
#include "io/file/file_plan.h"

namespace thicket {

namespace {

// Appends record number i as one line.
using AppendRecord = std::function<void(uint64_t i, std::string& out)>;

struct Generator {
  std::string name;
  std::string summary;
  uint64_t default_count;
  std::string_view (*policy)();
  // File name in taxonomies/, content.
  std::vector<std::pair<std::string, std::string (*)()>> taxonomies;
  AppendRecord (*make)(uint64_t seed);
};

AppendRecord MakeStudents(uint64_t seed) {
  return [writer = StudentWriter(seed, StudentWriter::Shape::kCourses)](
             uint64_t i, std::string& out) mutable { writer.Append(i, out); };
}

AppendRecord MakeCollegeYears(uint64_t seed) {
  return [writer = StudentWriter(seed, StudentWriter::Shape::kYears)](
             uint64_t i, std::string& out) mutable { writer.Append(i, out); };
}

AppendRecord MakeTranscripts(uint64_t seed) {
  return [writer = TranscriptWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  };
}

AppendRecord MakeElectives(uint64_t seed) {
  return [writer = ElectiveWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  };
}

AppendRecord MakeGrades(uint64_t seed) {
  return [writer = StudentWriter(seed, StudentWriter::Shape::kGrades)](
             uint64_t i, std::string& out) mutable { writer.Append(i, out); };
}

AppendRecord MakeEvaluations(uint64_t seed) {
  return [writer = StudentWriter(seed, StudentWriter::Shape::kEvaluations)](
             uint64_t i, std::string& out) mutable { writer.Append(i, out); };
}

AppendRecord MakeCustomers(uint64_t seed) {
  return [writer = CustomerWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  };
}

const std::vector<Generator>& Generators() {
  static const std::vector<Generator> generators = {
      {"students",
       "students, their courses with grades, and the books they bought",
       1000,
       StudentsPolicy,
       {{"major.csv", MajorTaxonomy}, {"course.csv", CourseTaxonomy}, {"book.csv", BookTaxonomy}},
       MakeStudents},
      {"college-years",
       "the same students, their courses grouped by college year",
       1000,
       CollegeYearsPolicy,
       {{"major.csv", MajorTaxonomy},
        {"year.csv", CollegeYearTaxonomy},
        {"course.csv", CourseTaxonomy},
        {"book.csv", BookTaxonomy}},
       MakeCollegeYears},
      {"transcripts",
       "students of a whole university and their courses: sparse, skewed, two levels",
       3162,
       TranscriptsPolicy,
       {{"course.csv", TranscriptCourseTaxonomy}},
       MakeTranscripts},
      {"electives",
       "students, the few courses that they chose, and a textbook for each: k-anonymity",
       1000,
       ElectivesPolicy,
       {{"course.csv", ElectiveCourseTaxonomy}, {"book.csv", ElectiveBookTaxonomy}},
       MakeElectives},
      {"grades",
       "the same students and their grades, by levels of sensitivity",
       1000,
       GradesPolicy,
       {{"major.csv", MajorTaxonomy}, {"course.csv", CourseTaxonomy}},
       MakeGrades},
      {"evaluations",
       "the same, and how they rate the one or two teachers of each course",
       1000,
       EvaluationsPolicy,
       {{"major.csv", MajorTaxonomy},
        {"course.csv", CourseTaxonomy},
        {"teacher.csv", TeacherTaxonomy}},
       MakeEvaluations},
      {"customers",
       "customers, their orders and the items ordered, as in TPC-H: k^(m,n)-anonymity",
       250'000,
       CustomersPolicy,
       {{"nation.csv", NationTaxonomy},
        {"price.csv", OrderPriceTaxonomy},
        {"date.csv", OrderDateTaxonomy},
        {"quantity.csv", QuantityTaxonomy},
        {"manufacturer.csv", ManufacturerTaxonomy},
        {"brand.csv", BrandTaxonomy}},
       MakeCustomers},
  };
  return generators;
}

const Generator* FindGenerator(std::string_view name) {
  for (const Generator& generator : Generators()) {
    if (generator.name == name) return &generator;
  }
  return nullptr;
}

Error UnknownGenerator(std::string_view name) {
  std::string list;
  for (const std::string& known : GeneratorNames()) {
    list += (list.empty() ? "" : ", ") + known;
  }
  const auto nearest = Nearest(name, GeneratorNames());
  return {ErrorCode::kUsage,
          fmt::format("generate: the name must be one of {}, but is '{}'", list, name),
          nearest ? fmt::format("did you mean {}?", *nearest) : "choose one of them", ""};
}

Status CreateDirectory(const std::filesystem::path& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (!failure) return {};
  return Error{ErrorCode::kIo,
               fmt::format("{}: the directory must be there or be created, but: {}", path.string(),
                           failure.message()),
               "choose a directory that you may write to", ""};
}

Status WriteRecords(const AppendRecord& append, uint64_t n, AtomicFile& file, Progress& progress) {
  constexpr size_t kFlushAt = size_t{1} << 20;
  std::string buffer;
  for (uint64_t i = 0; i < n; ++i) {
    append(i, buffer);
    if (buffer.size() >= kFlushAt) {
      if (progress.cancelled()) return Interrupted();
      THICKET_TRY(file.Write(buffer));
      buffer.clear();
    }
    progress.Advance(1);
  }
  if (progress.cancelled()) return Interrupted();
  return file.Write(buffer);
}

}  // namespace

std::vector<std::string> GeneratorNames() {
  std::vector<std::string> names;
  for (const Generator& generator : Generators()) names.push_back(generator.name);
  return names;
}

std::string_view GeneratorSummary(std::string_view name) {
  const Generator* generator = FindGenerator(name);
  return generator != nullptr ? std::string_view(generator->summary) : std::string_view();
}

uint64_t DefaultGenerated(std::string_view name) {
  const Generator* generator = FindGenerator(name);
  return generator != nullptr ? generator->default_count : 0;
}

namespace {

Status GenerateNow(std::string_view name, uint64_t n, uint64_t seed, const std::string& directory,
                   Progress& progress) {
  const Generator* generator = FindGenerator(name);
  if (generator == nullptr) return UnknownGenerator(name);
  if (n < kFewestGenerated || n > kMostGenerated) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("generate: n must be from {} to {}, but is {}", WithCommas(kFewestGenerated),
                    WithCommas(kMostGenerated), WithCommas(n)),
        "choose another number of records with -n", ""};
  }
  const std::filesystem::path root(directory);
  THICKET_TRY(CreateDirectory(root / "taxonomies"));

  // The data goes last: where it stands, everything that it needs stands too.
  FilePlan plan;
  std::vector<std::unique_ptr<AtomicFile>> files;
  const auto create = [&](const std::filesystem::path& path) -> Status {
    plan.Write(path.string(), path.filename().string());
    THICKET_TRY(plan.Check());
    THICKET_ASSIGN(files.emplace_back(),
                   AtomicFile::Create(path.string(), 0644 & ~progress.file_mask()));
    return {};
  };
  for (const auto& [file_name, content] : generator->taxonomies) {
    THICKET_TRY(create(root / "taxonomies" / file_name));
    THICKET_TRY(files.back()->Write(content()));
  }
  THICKET_TRY(create(root / "policy.yaml"));
  THICKET_TRY(files.back()->Write(generator->policy()));
  THICKET_TRY(create(root / (generator->name + ".jsonl")));

  progress.Begin("generate", n);
  const Status written = WriteRecords(generator->make(seed), n, *files.back(), progress);
  progress.End();
  THICKET_TRY(written);
  return CommitAll(files, plan);
}

}  // namespace

Status Generate(std::string_view name, uint64_t n, uint64_t seed, const std::string& directory,
                Progress& progress) {
  return Supervised(progress, [&] { return GenerateNow(name, n, seed, directory, progress); });
}

}  // namespace thicket
