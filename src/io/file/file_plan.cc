#include "io/file/file_plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "io/documents.h"
#include "io/tables/tables_reader.h"
#include "io/taxonomy_io.h"

namespace thicket {

namespace {

namespace fs = std::filesystem;

std::optional<FileIdentity> IdentityOf(const std::string& path, int standard_stream) {
  if (path == "-") return IdentifyDescriptor(standard_stream);
  return Identify(path);
}

Error SameFile(const std::string& where, const std::string& what, const std::string& other) {
  return ErrorAt(ErrorCode::kUsage, {.file = where},
                 fmt::format("{} must not replace {}, but this is the same file", what, other),
                 "choose another path");
}

Error InFolder(const std::string& folder, const std::string& what, const std::string& other) {
  return ErrorAt(ErrorCode::kUsage, {.file = folder},
                 fmt::format("{} must not replace {}, but that is in this folder", what, other),
                 "choose another path");
}

std::string NameOf(const std::string& path) { return path == "-" ? "standard output" : path; }

}  // namespace

std::vector<std::string> SqliteJournals(const std::string& path) {
  std::vector<std::string> bases = {path};
  std::error_code failed;
  const std::string real = fs::canonical(path, failed).string();
  if (!failed && real != path) bases.push_back(real);
  std::vector<std::string> journals;
  for (const std::string& base : bases) {
    for (const char* end : {"-wal", "-shm", "-journal"}) journals.push_back(base + end);
  }
  return journals;
}

void FilePlan::Read(const std::string& path, const std::string& what) {
  if (!path.empty()) inputs_.push_back({path, what});
}

void FilePlan::ReadPolicy(const Policy& policy) {
  Read(policy.file, "the policy");
  for (const std::string& path : TaxonomyPaths(policy)) Read(path, "a taxonomy");
  // Also where other data is read: it is the original of somebody.
  const std::string data = policy.Resolve(policy.input.path);
  const bool documents = HoldsDocuments(policy.input.format, data);
  if (std::error_code failed;
      !data.empty() && data != "-" && (documents || fs::exists(data, failed))) {
    ReadData(policy, data, "the data that the policy names");
  }
}

void FilePlan::ReadData(const Policy& policy, const std::string& location,
                        const std::string& what) {
  if (location.empty() || policy.input.format == Format::kPostgresql) return;
  if (HoldsDocuments(policy.input.format, location)) {
    const Result<DocumentFiles> files =
        FindDocuments(policy.input.format, location, ReadAs::kOriginal);
    // Where there are none, reading says so.
    if (!files.ok()) return;
    for (const std::string& path : files->paths) Read(path, "a document of " + what);
    return;
  }
  Read(location, what);
  if (policy.input.format == Format::kSqlite) KeepJournals(location, what);
  if (policy.input.format != Format::kTables) return;
  for (const VertexClass& type : policy.schema->classes) {
    for (const std::string& path : TablePaths(location, type.table)) {
      Read(path, "a table of " + what);
    }
  }
}

void FilePlan::ReadAnyData(const std::string& location, const std::string& what) {
  Read(location, what);
  KeepJournals(location, what);
  std::error_code failed;
  for (fs::directory_iterator at(location, failed), end; !failed && at != end;
       at.increment(failed)) {
    Read(at->path().string(), "a table of " + what);
  }
}

void FilePlan::KeepJournals(const std::string& path, const std::string& what) {
  if (path == "-") return;
  for (const std::string& journal : SqliteJournals(path)) {
    journals_.push_back({journal, "what SQLite keeps beside " + what});
  }
}

void FilePlan::Write(const std::string& path, const std::string& what) {
  if (!path.empty()) outputs_.push_back({{path, what}, false});
}

void FilePlan::WriteData(Format format, const std::string& path, const std::string& what,
                         bool documents) {
  if (path.empty() || format == Format::kPostgresql) return;
  outputs_.push_back({{path, what}, format == Format::kTables || documents});
  if (format == Format::kSqlite) KeepJournals(path, what);
}

Status FilePlan::Check() const {
  for (const Output& output : outputs_) THICKET_TRY(CheckOutput(output));
  return CheckStandardOutput();
}

Status FilePlan::CheckOutput(const Output& output) const {
  const std::string& path = output.file.path;
  const std::string& what = output.file.what;
  const std::optional<FileIdentity> identity = IdentityOf(path, STDOUT_FILENO);
  const auto check = [&](const File& other, int standard_stream) -> Status {
    const auto of_other = IdentityOf(other.path, standard_stream);
    if (identity && identity == of_other) return SameFile(NameOf(path), what, other.what);
    const std::string other_path =
        other.path == "-" ? fmt::format("/proc/self/fd/{}", standard_stream) : other.path;
    if (output.folder && identity && LiesIn(other_path, *identity)) {
      return InFolder(path, what, other.what);
    }
    return {};
  };
  for (const File& input : inputs_) THICKET_TRY(check(input, STDIN_FILENO));
  for (const File& journal : journals_) THICKET_TRY(check(journal, STDIN_FILENO));
  for (const Output& other : outputs_) {
    // Of two outputs that are one file the second is to blame, of a folder and what is in it the folder.
    if (&other == &output) continue;
    if (&other < &output && path == "-" && other.file.path == "-") {
      return SameFile(NameOf(path), what, other.file.what);
    }
    if (&other < &output || output.folder) THICKET_TRY(check(other.file, STDOUT_FILENO));
  }
  return {};
}

// What is printed is no output that was asked for, but goes into a file where the shell was told so. (Standard error is not
// looked at: the message would be what is written into the file.)
Status FilePlan::CheckStandardOutput() const {
  const auto identity = IdentifyDescriptor(STDOUT_FILENO);
  if (!identity) return {};
  const auto check = [&](const File& file) -> Status {
    if (IdentityOf(file.path, STDIN_FILENO) != identity) return {};
    return SameFile("standard output", "what is printed", file.what);
  };
  for (const File& input : inputs_) THICKET_TRY(check(input));
  for (const File& journal : journals_) THICKET_TRY(check(journal));
  for (const Output& output : outputs_) {
    if (output.file.path != "-") THICKET_TRY(check(output.file));
  }
  return {};
}

}  // namespace thicket
