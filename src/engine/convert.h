// The same records in another shape: `thicket convert`.
//
//   THICKET_ASSIGN(ConvertReport report, ConvertFile(policy, {.to = "sqlite", .output = "students.db"}, progress));
//
// Everything that the policy names goes along, identifiers and dropped attributes included, so that the result can be
// anonymized as the original could, with the same published content: records and siblings keep their order. It is private
// data, readable by its owner only. Before it appears it is read back and compared with what was read.
//
// Tables get running numbers as keys, in columns of their own where the key was the identifier. FORMAT's way to say that
// there is no value is used for missing values; CSV and XML cannot tell an empty text from none, and a warning says how
// many there were.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/records.h"
#include "engine/thicket.h"

namespace thicket {

struct ConvertRequest {
  // jsonl, json, csv, xml, tables, sqlite or postgresql.
  std::string to = {};
  // Overrides the policy's input.
  std::string input = {};
  // A file, a folder (tables), or a server (postgresql; empty for what the PG* variables say).
  std::string output = {};
  // postgresql: the schema to make.
  std::string into = {};
  // The data was published with the policy: it has no identifiers, and an error says so if it has. It stays public.
  bool published = false;
  // Where to write the policy that describes the result; empty for none.
  std::string policy = {};
};

struct ConvertReport {
  uint64_t records = 0;
  uint64_t vertices = 0;
  // Whether something was there before under the name of the output.
  bool replaced = false;
  std::vector<std::string> warnings;
};

Result<ConvertReport> ConvertFile(const LoadedPolicy& policy, const ConvertRequest& request,
                                  Progress& progress);

struct ConvertedText {
  std::string data;
  // The policy that describes it, as YAML. It names no input.
  std::string policy;
  ConvertReport report;
};

// Records in memory, read or pushed as whole or as published ones, into where the request says: a file, a folder of tables, a
// database. It says nothing of where they come from or of what they are (`input`, `published`): the records do.
Result<ConvertReport> StoreRecords(const LoadedPolicy& policy, RecordSet records,
                                   const ConvertRequest& request, Progress& progress);

// Such records as text in the format `to`: jsonl, json, csv, xml,
// transactions or, of published bags, querylog. It is as private as the records.
Result<ConvertedText> ConvertRecords(const LoadedPolicy& policy, RecordSet records,
                                     const std::string& to, Progress& progress);

}  // namespace thicket
