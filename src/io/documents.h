// Documents that are files of their own, one per person as a rule: a folder, or a glob ("bundles/*.json"). JSON and XML.
//
// Original documents are read in the order of their names. Published ones are called 1.json, 2.json and so on, in the order in which
// the records were shuffled, and whatever else is in a published folder is a finding. One document is in memory at a time.
//
// Without `input.at` each document is one record: an object, or the document's element. With it, `at` leads to records in each
// of them, and every published document holds one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_io.h"
#include "io/dataset_sink.h"
#include "io/file/source.h"

namespace thicket {

// Whether a location of data in the format is a folder or a glob of documents. A file of a name with such characters is none.
bool HoldsDocuments(Format format, const std::string& location);

struct DocumentFiles {
  // In the order of their names.
  std::vector<std::string> paths;
  // Their sizes, for progress.
  uint64_t bytes = 0;
  // Of a folder: what else is in it, by name.
  std::vector<std::string> others;
};

// Fails where there are none. Of a published folder only numbered files count.
Result<DocumentFiles> FindDocuments(Format format, const std::string& location, ReadAs as);

// "17.json": the name of a published document, and whether a name is one.
std::string DocumentName(Format format, uint64_t number);
bool IsDocumentName(Format format, std::string_view name);

// Whether a file holds several JSON objects, each on a line of its own, and not one document.
bool HoldsJsonLines(const std::string& path);

Status ReadDocuments(const Policy& policy, const std::string& location, Progress& progress,
                     DatasetSink& sink);

// What is wrong with a published document that holds several.
inline constexpr std::string_view kOneRecordPerDocument =
    "every published document must hold one record, but this one holds more";

// One document after another, each under its own name (sink.dataset().source).
class DocumentReader {
 public:
  virtual ~DocumentReader() = default;
  virtual Status Read(Source& source) = 0;
  // After the last one.
  virtual Status Finish() = 0;
};
// All must outlive the reader.
Result<std::unique_ptr<DocumentReader>> OpenJsonDocuments(const InputPolicy& input,
                                                          Progress& progress, DatasetSink& sink);
Result<std::unique_ptr<DocumentReader>> OpenXmlDocuments(const InputPolicy& input,
                                                         Progress& progress, DatasetSink& sink);

// Records as documents.
class DocumentWriter {
 public:
  virtual ~DocumentWriter() = default;
  // Appends the document that holds the record.
  virtual Status Write(size_t record, std::string& out) = 0;
};
Result<std::unique_ptr<DocumentWriter>> WriteJsonDocuments(const InputPolicy& input,
                                                           OutgoingRecords& records,
                                                           const WriteOptions& options);
Result<std::unique_ptr<DocumentWriter>> WriteXmlDocuments(const InputPolicy& input,
                                                          OutgoingRecords& records,
                                                          const WriteOptions& options);

}  // namespace thicket
