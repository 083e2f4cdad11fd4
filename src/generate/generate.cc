#include "generate/generate.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "base/memory.h"
#include "base/phase.h"
#include "base/supervised.h"
#include "base/text.h"
#include "generate/baskets.h"
#include "generate/baskets_table.h"
#include "generate/census.h"
#include "generate/census_taxonomies.h"
#include "generate/customers.h"
#include "generate/electives.h"
#include "generate/enrolments.h"
#include "generate/patients_table.h"
#include "generate/policies.h"
#include "generate/programme.h"
#include "generate/query_words.h"
#include "generate/querylog.h"
#include "generate/querylog_table.h"
#include "generate/students.h"
#include "generate/teachers.h"
#include "generate/transcripts.h"
#include "io/file/atomic_file.h"
#include "io/file/commit.h"
#include "io/file/file_plan.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket {

namespace {

// Appends record number i as one line.
using AppendRecord = std::function<void(uint64_t i, std::string& out)>;

// Where records come from.
struct Records {
  AppendRecord append;
  // Taxonomies that follow from the records, and that the policy does not name: file name in taxonomies/, content, to
  // be asked for when all records are there.
  std::vector<std::pair<std::string, std::function<std::string()>>> taxonomies = {};
};

struct Generator {
  std::string name;
  std::string summary;
  uint64_t default_count;
  std::string_view (*policy)();
  // File name in taxonomies/, content.
  std::vector<std::pair<std::string, std::string (*)()>> taxonomies;
  Result<Records> (*make)(uint64_t seed, const Progress& progress);
  // What the data is: ".jsonl", of a table ".csv", of sets ".txt", of a query log ".tsv".
  std::string_view extension = ".jsonl";
  // Of a table: what stands above its rows.
  std::string_view header = {};
  // Whether there is no other number of records than the default.
  bool fixed_count = false;

  std::string FileName() const { return name + std::string(extension); }
};

Result<Records> MakeStudents(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = StudentWriter(seed, StudentWriter::Shape::kCourses)](
                     uint64_t i, std::string& out) mutable { writer.Append(i, out); }};
}

Result<Records> MakeCollegeYears(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = StudentWriter(seed, StudentWriter::Shape::kYears)](
                     uint64_t i, std::string& out) mutable { writer.Append(i, out); }};
}

Result<Records> MakeTranscripts(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = TranscriptWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  }};
}

Result<Records> MakeElectives(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = ElectiveWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  }};
}

Result<Records> MakeGrades(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = StudentWriter(seed, StudentWriter::Shape::kGrades)](
                     uint64_t i, std::string& out) mutable { writer.Append(i, out); }};
}

Result<Records> MakeEvaluations(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = StudentWriter(seed, StudentWriter::Shape::kEvaluations)](
                     uint64_t i, std::string& out) mutable { writer.Append(i, out); }};
}

Result<Records> MakeEnrolments(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = EnrolmentWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  }};
}

Result<Records> MakeCustomers(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = CustomerWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  }};
}

Result<Records> MakePatientsTable(uint64_t /*seed*/, const Progress& /*progress*/) {
  return Records{AppendPatient};
}

template <CensusWriter::Shape kShape>
Result<Records> MakeCensus(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = CensusWriter(seed, kShape)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  }};
}

Result<Records> MakeBaskets(uint64_t seed, const Progress& /*progress*/) {
  return Records{[writer = BasketWriter(seed)](uint64_t i, std::string& out) mutable {
    writer.Append(i, out);
  }};
}

Result<Records> MakeBasketsTable(uint64_t /*seed*/, const Progress& /*progress*/) {
  return Records{AppendTableBasket};
}

Result<Records> MakeQueryLog(uint64_t seed, const Progress& progress) {
  THICKET_ASSIGN(QueryWords words, QueryWords::Load(&progress));
  const auto writer =
      std::make_shared<QueryLogWriter>(std::make_shared<const QueryWords>(std::move(words)), seed);
  return Records{[writer](uint64_t i, std::string& out) { writer->Append(i, out); },
                 {{"term.csv", [writer] { return FormatTaxonomy(writer->TermTaxonomy()); }}}};
}

Result<Records> MakeQueryLogTable(uint64_t /*seed*/, const Progress& /*progress*/) {
  return Records{AppendTableQuery};
}

std::vector<std::pair<std::string, std::string (*)()>> CensusTaxonomies() {
  return {{"age.csv", [] { return CensusAgeTaxonomy(CensusGrain::kStandard); }},
          {"education.csv", CensusEducationTaxonomy},
          {"native-country.csv", [] { return CensusCountryTaxonomy(CensusGrain::kStandard); }},
          {"workclass.csv", CensusWorkclassTaxonomy},
          {"marital-status.csv", CensusMaritalTaxonomy},
          {"sex.csv", CensusSexTaxonomy},
          {"race.csv", CensusRaceTaxonomy}};
}

std::vector<std::pair<std::string, std::string (*)()>> CensusTaxonomiesOfAll() {
  auto files = CensusTaxonomies();
  files.emplace_back("occupation.csv", CensusOccupationTaxonomy);
  files.emplace_back("salary-class.csv", CensusSalaryTaxonomy);
  return files;
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
      {"enrolments",
       "students of an open university, their modules with results, and the assessments with "
       "scores",
       kEnrolmentRecords,
       EnrolmentsPolicy,
       {{"region.csv", EnrolmentRegionTaxonomy},
        {"education.csv", EnrolmentEducationTaxonomy},
        {"deprivation.csv", EnrolmentDeprivationTaxonomy},
        {"age.csv", EnrolmentAgeTaxonomy},
        {"gender.csv", EnrolmentGenderTaxonomy},
        {"module.csv", EnrolmentModuleTaxonomy},
        {"presentation.csv", EnrolmentPresentationTaxonomy},
        {"assessment.csv", EnrolmentAssessmentTaxonomy}},
       MakeEnrolments},
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
      {"patients-table",
       "a table of ten patients, of which the thesis on l+-diversity tells its examples",
       kPatientsInTable,
       PatientsTablePolicy,
       {{"education.csv", PatientEducationTaxonomy}, {"country.csv", PatientCountryTaxonomy}},
       MakePatientsTable,
       ".csv",
       kPatientsHeader,
       true},
      {"census",
       "a table of people and their work, of the shape of the Adult data set: l+-diversity",
       kCensusRecords, CensusPolicy, CensusTaxonomies(), MakeCensus<CensusWriter::Shape::kPlain>,
       ".csv", kCensusHeader},
      {"census-variants",
       "the same, widened: all records after the first 45,222 are variants of these", 1'000'000,
       CensusVariantsPolicy, CensusTaxonomies(), MakeCensus<CensusWriter::Shape::kVariants>, ".csv",
       kCensusHeader},
      {"census-repeated",
       "the same again and again with noise, nine quasi-identifiers: k-anonymity of a large table",
       1'000'000, CensusRepeatedPolicy, CensusTaxonomiesOfAll(),
       MakeCensus<CensusWriter::Shape::kRepeated>, ".csv", kCensusHeader},
      {"baskets",
       "what is bought together, of the shape of the POS data set: sets, k^m-anonymity",
       kBasketRecords,
       BasketsPolicy,
       {{"item.csv", BasketItemTaxonomy}},
       MakeBaskets,
       ".txt"},
      {"baskets-table",
       "five baskets, of which the thesis on KL(m,n)-privacy tells its examples",
       kBasketsInTable,
       BasketsTablePolicy,
       {{"item.csv", TableItemTaxonomy}},
       MakeBasketsTable,
       ".txt",
       {},
       true},
      {"querylog",
       "what people looked for, of the shape of AOL's query log: bags, vocabulary k-anonymity",
       kQueryLogQueries,
       QueryLogPolicy,
       {},
       MakeQueryLog,
       ".tsv",
       kQueryLogHeader},
      {"querylog-table",
       "the queries of five people, of which the thesis on vocabulary k-anonymity tells its "
       "examples",
       kQueriesInTable,
       QueryLogTablePolicy,
       {{"term.csv", TableTermTaxonomy}},
       MakeQueryLogTable,
       ".tsv",
       kQueryLogHeader,
       true},
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
  return ErrorAt(
      ErrorCode::kIo, {.file = path.string()},
      fmt::format("the directory must be there or be created, but: {}", failure.message()),
      "choose a directory that you may write to");
}

// `write` is given the text piece by piece.
template <typename Write>
Status WriteRecords(const Generator& generator, uint64_t n, const AppendRecord& append,
                    Progress& progress, const Write& write) {
  constexpr size_t kFlushAt = size_t{1} << 20;
  std::string buffer(generator.header);
  Phase phase("generate", n);
  for (uint64_t i = 0; i < n; ++i) {
    append(i, buffer);
    if (buffer.size() >= kFlushAt) {
      if (progress.cancelled()) return Interrupted();
      THICKET_TRY(write(buffer));
      buffer.clear();
    }
    phase.Advance();
  }
  if (progress.cancelled()) return Interrupted();
  return write(buffer);
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

std::string GeneratedFile(std::string_view name) {
  const Generator* generator = FindGenerator(name);
  return generator != nullptr ? generator->FileName() : std::string();
}

namespace {

// The generator of this name, if it makes so many records.
Result<const Generator*> GeneratorFor(std::string_view name, uint64_t n) {
  const Generator* generator = FindGenerator(name);
  if (generator == nullptr) return UnknownGenerator(name);
  if (generator->fixed_count) {
    if (n == generator->default_count) return generator;
    return Error{ErrorCode::kUsage,
                 fmt::format("generate: n must be {} for {}, but is {}",
                             WithCommas(generator->default_count), name, WithCommas(n)),
                 "leave out -n", ""};
  }
  if (n < kFewestGenerated || n > kMostGenerated) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("generate: n must be from {} to {}, but is {}", WithCommas(kFewestGenerated),
                    WithCommas(kMostGenerated), WithCommas(n)),
        "choose another number of records with -n", ""};
  }
  return generator;
}

Status GenerateNow(std::string_view name, uint64_t n, uint64_t seed, const std::string& directory,
                   Progress& progress) {
  THICKET_ASSIGN(const Generator* generator, GeneratorFor(name, n));
  THICKET_ASSIGN(const Records records, generator->make(seed, progress));
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
  const size_t first_of_records = files.size();
  for (const auto& [file_name, content] : records.taxonomies) {
    THICKET_TRY(create(root / "taxonomies" / file_name));
  }
  THICKET_TRY(create(root / "policy.yaml"));
  THICKET_TRY(files.back()->Write(generator->policy()));
  THICKET_TRY(create(root / generator->FileName()));

  THICKET_TRY(WriteRecords(*generator, n, records.append, progress,
                           [&](const std::string& text) { return files.back()->Write(text); }));
  for (size_t i = 0; i < records.taxonomies.size(); ++i) {
    THICKET_TRY(files[first_of_records + i]->Write(records.taxonomies[i].second()));
  }
  return CommitAll(files, plan);
}

}  // namespace

Status Generate(std::string_view name, uint64_t n, uint64_t seed, const std::string& directory,
                Progress& progress) {
  return Supervised(progress, [&] { return GenerateNow(name, n, seed, directory, progress); });
}

Result<GeneratedText> GenerateText(std::string_view name, uint64_t n, uint64_t seed,
                                   Progress& progress) {
  return Supervised(progress, [&]() -> Result<GeneratedText> {
    THICKET_ASSIGN(const Generator* generator, GeneratorFor(name, n));
    THICKET_ASSIGN(const Records records, generator->make(seed, progress));
    GeneratedText result;
    result.policy = generator->policy();
    for (const auto& [file_name, content] : generator->taxonomies) {
      result.taxonomies.emplace("taxonomies/" + file_name, content());
    }
    const auto keep = [&](const std::string& text) -> Status {
      THICKET_TRY(CheckMemory(progress, generator->FileName(), text.size()));
      result.data += text;
      return {};
    };
    THICKET_TRY(WriteRecords(*generator, n, records.append, progress, keep));
    for (const auto& [file_name, content] : records.taxonomies) {
      result.other_taxonomies.emplace("taxonomies/" + file_name, content());
    }
    return result;
  });
}

}  // namespace thicket
