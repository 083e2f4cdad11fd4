// Documents that are files of their own, one per person: looked at as if they were records of one file.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "io/documents.h"
#include "io/json/json_record.h"
#include "io/json/json_scan.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

// Documents beyond this are not looked at.
constexpr size_t kMostBytes = size_t{1} << 28;

bool EndsLike(Format format, std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name.ends_with(format == Format::kJson ? ".json" : ".xml");
}

bool HoldsTables(const std::string& folder) {
  std::error_code failed;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.find(".csv") != std::string::npos || name.find(".tsv") != std::string::npos) {
      return true;
    }
  }
  return false;
}

// A document on one line.
Status AppendJson(const std::string& file, const std::string& document, std::string& text) {
  const std::string_view json = Trim(document);
  if (const auto fault = FindJsonFault(json)) {
    return NotJson(file, PositionOf(json, fault->offset), fault->what, fault->hint);
  }
  std::string line(json.size(), '\0');
  size_t length = 0;
  if (simdjson::minify(json.data(), json.size(), line.data(), length) != simdjson::SUCCESS) {
    throw std::bad_alloc();
  }
  line.resize(length);
  text += line + "\n";
  return {};
}

// The document's element, without what stands before it.
void AppendXml(const std::string& document, std::string& text) {
  size_t begin = 0;
  while (begin < document.size() &&
         (document[begin] != '<' || document.compare(begin, 2, "<?") == 0 ||
          document.compare(begin, 4, "<!--") == 0)) {
    if (document.compare(begin, 2, "<?") == 0) {
      begin = std::min(document.find("?>", begin), document.size() - 2) + 2;
    } else if (document.compare(begin, 4, "<!--") == 0) {
      begin = std::min(document.find("-->", begin), document.size() - 3) + 3;
    } else {
      ++begin;
    }
  }
  text.append(document, begin) += "\n";
}

}  // namespace

std::optional<Format> FindDocumentFormat(const std::string& path) {
  for (const Format format : {Format::kJson, Format::kXml}) {
    if (!HoldsDocuments(format, path)) continue;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored) && HoldsTables(path)) continue;
    const Result<DocumentFiles> files = FindDocuments(format, path, ReadAs::kOriginal);
    if (files.ok() && EndsLike(format, files->paths.front())) return format;
  }
  return std::nullopt;
}

Result<Survey> SurveyDocuments(Format format, const std::string& path,
                               const SurveyOptions& options) {
  THICKET_ASSIGN(const DocumentFiles files, FindDocuments(format, path, ReadAs::kOriginal));
  std::string text = format == Format::kXml ? "<documents>\n" : "";
  bool partial = false;
  for (size_t i = 0; i < files.paths.size() && !partial; ++i) {
    if (options.progress != nullptr && options.progress->cancelled()) return Interrupted();
    ReadAllOptions reading;
    reading.what = "a document";
    reading.progress = options.progress;
    THICKET_ASSIGN(const std::string document, ReadAll(files.paths[i], reading));
    partial = i == kMostSurveyed || text.size() > kMostBytes;
    if (partial) break;
    if (format == Format::kXml) {
      AppendXml(document, text);
    } else {
      THICKET_TRY(AppendJson(files.paths[i], document, text));
    }
  }
  if (format == Format::kXml) text += "</documents>\n";
  THICKET_ASSIGN(
      Survey survey,
      SurveyText(text, format == Format::kXml ? path + ".xml" : path + ".jsonl", options));
  survey.format = format;
  survey.at.clear();
  survey.partial = survey.partial || partial;
  return survey;
}

}  // namespace thicket
