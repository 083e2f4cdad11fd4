#include "io/documents.h"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "io/file/atomic_folder.h"
#include "io/json/json_scan.h"
#include "io/readers.h"

namespace thicket {

namespace {

std::string_view Extension(Format format) { return format == Format::kXml ? ".xml" : ".json"; }

bool IsGlob(const std::string& location) {
  return location.find_first_of("*?[") != std::string::npos;
}

// Whether the name is that of a document, compressed or not.
bool IsDocument(Format format, std::string_view name) {
  for (const std::string_view packed : {"", ".gz", ".zst"}) {
    const std::string end = std::string(Extension(format)).append(packed);
    if (name.size() > end.size() && name.ends_with(end) && name.front() != '.') return true;
  }
  return false;
}

std::string Hint(ReadAs as) {
  return as == ReadAs::kOriginal ? "check the path, and input.path in the policy"
                                 : "check the path";
}

Result<DocumentFiles> Match(const std::string& pattern, ReadAs as) {
  glob_t matched{};
  const int failed = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matched);
  const std::unique_ptr<glob_t, void (*)(glob_t*)> owner(&matched, globfree);
  if (failed == GLOB_NOSPACE) throw std::bad_alloc();
  DocumentFiles files;
  for (size_t i = 0; failed == 0 && i < matched.gl_pathc; ++i) {
    struct stat status {};
    const char* path = matched.gl_pathv[i];
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)) files.paths.emplace_back(path);
  }
  if (files.paths.empty()) {
    return ErrorAt(ErrorCode::kIo, {.file = pattern},
                   "must match files with a document each, but matches none", Hint(as));
  }
  return files;
}

Result<DocumentFiles> List(Format format, const std::string& folder, ReadAs as) {
  std::vector<std::string> names;
  if (const int error = ListFolder(folder, names); error != 0) {
    return ErrorAt(ErrorCode::kIo, {.file = folder},
                   fmt::format("cannot be read: {}", std::strerror(error)), Hint(as));
  }
  const std::string prefix = folder + (folder.ends_with("/") ? "" : "/");
  DocumentFiles files;
  for (std::string& name : names) {
    struct stat status {};
    const bool is_document =
        as == ReadAs::kPublished ? IsDocumentName(format, name) : IsDocument(format, name);
    const bool is_file =
        is_document && stat((prefix + name).c_str(), &status) == 0 && S_ISREG(status.st_mode);
    if (is_file) {
      files.paths.push_back(prefix + name);
    } else {
      files.others.push_back(std::move(name));
    }
  }
  // A published folder with something else in it is no missing one.
  if (files.paths.empty() && (as != ReadAs::kPublished || files.others.empty())) {
    return ErrorAt(
        ErrorCode::kIo, {.file = folder},
        fmt::format("must hold files with a document each, *{}, but holds none", Extension(format)),
        Hint(as));
  }
  return files;
}

// Published documents are numbered without a gap: what comes after one is not among them.
void TakeNumbered(Format format, const std::string& folder, DocumentFiles& files) {
  const std::string prefix = folder + (folder.ends_with("/") ? "" : "/");
  std::sort(files.paths.begin(), files.paths.end());
  std::vector<std::string> numbered;
  while (true) {
    std::string next = prefix + DocumentName(format, numbered.size() + 1);
    if (!std::binary_search(files.paths.begin(), files.paths.end(), next)) break;
    numbered.push_back(std::move(next));
  }
  std::vector<std::string> sorted = numbered;
  std::sort(sorted.begin(), sorted.end());
  for (const std::string& path : files.paths) {
    if (!std::binary_search(sorted.begin(), sorted.end(), path)) {
      files.others.push_back(path.substr(prefix.size()));
    }
  }
  files.paths = std::move(numbered);
}

}  // namespace

bool HoldsDocuments(Format format, const std::string& location) {
  if ((format != Format::kJson && format != Format::kXml) || location == "-") return false;
  struct stat status {};
  if (stat(location.c_str(), &status) == 0) return S_ISDIR(status.st_mode);
  return IsGlob(location);
}

std::string DocumentName(Format format, uint64_t number) {
  return fmt::format("{}{}", number, Extension(format));
}

bool IsDocumentName(Format format, std::string_view name) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && number > 0 && name == DocumentName(format, number);
}

Result<DocumentFiles> FindDocuments(Format format, const std::string& location, ReadAs as) {
  struct stat status {};
  const bool folder = stat(location.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  if (!folder && as == ReadAs::kPublished) {
    return ErrorAt(ErrorCode::kUsage, {.file = location},
                   "published documents must be given as their folder, but this is a pattern",
                   "give the folder: whatever else is in it counts, too");
  }
  THICKET_ASSIGN(DocumentFiles files, folder ? List(format, location, as) : Match(location, as));
  if (as == ReadAs::kPublished) {
    TakeNumbered(format, location, files);
  } else {
    std::sort(files.paths.begin(), files.paths.end());
  }
  if (files.paths.empty()) {
    return ErrorAt(ErrorCode::kPromise, {.file = location},
                   fmt::format("published documents must be called 1{}, 2{} and so on, but are not",
                               Extension(format), Extension(format)),
                   "do not hand this folder out; publish again with thicket anonymize");
  }
  for (const std::string& path : files.paths) {
    if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      files.bytes += static_cast<uint64_t>(status.st_size);
    }
  }
  return files;
}

bool HoldsJsonLines(const std::string& path) {
  const Result<std::unique_ptr<Source>> source = Source::Open(path);
  if (!source.ok()) return false;
  constexpr size_t kPiece = size_t{1} << 16;
  std::string text;
  size_t end = std::string::npos;
  // One more character behind the first line is needed.
  while (text.size() < kLongestRecord) {
    const size_t size = text.size();
    text.resize(size + kPiece);
    const Result<size_t> got = (*source)->Read(text.data() + size, kPiece);
    text.resize(size + (got.ok() ? *got : 0));
    end = text.find('\n');
    if (!got.ok() || *got == 0 || (end != std::string::npos && end + 1 < text.size())) break;
  }
  if (end == std::string::npos || Trim(std::string_view(text).substr(end)).empty()) return false;
  const std::string_view line = Trim(std::string_view(text).substr(0, end));
  return line.starts_with('{') && !FindJsonFault(line);
}

Status ReadDocuments(const Policy& policy, const std::string& location, Progress& progress,
                     DatasetSink& sink) {
  const Format format = policy.input.format;
  THICKET_ASSIGN(const DocumentFiles files, FindDocuments(format, location, sink.reading_as()));
  for (const std::string& name : files.others) sink.CountOutside(name);
  sink.dataset().has_lines = false;
  sink.dataset().shape.documents = true;
  THICKET_ASSIGN(const std::unique_ptr<DocumentReader> reader,
                 format == Format::kXml ? OpenXmlDocuments(policy.input, progress, sink)
                                        : OpenJsonDocuments(policy.input, progress, sink));
  progress.Begin("read", files.bytes);
  for (const std::string& path : files.paths) {
    if (progress.cancelled()) return Interrupted();
    THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path));
    sink.dataset().source = path;
    THICKET_TRY(reader->Read(*source));
    if (!source->beside_data().empty()) sink.MeetUnnamedAt(source->name(), source->beside_data());
    sink.dataset().record_sources.resize(sink.records_begun(), path);
  }
  sink.dataset().source = location;
  THICKET_TRY(reader->Finish());
  progress.End();
  return {};
}

}  // namespace thicket
