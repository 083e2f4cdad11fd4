// The writers behind WriteRecords(), one per format that is one stream of bytes. Output leaves in pieces of about a
// megabyte.
#pragma once

#include <string>
#include <string_view>

#include "io/dataset_io.h"

namespace thicket {

class OutgoingTables;

// Collects output and passes it on in pieces.
class OutputBuffer {
 public:
  explicit OutputBuffer(const WriteBytes& write) : write_(&write) {}

  std::string& text() { return text_; }
  // To be called between records.
  Status FlushIfLarge();
  Status Flush();

 private:
  const WriteBytes* write_;
  std::string text_;
};

Status WriteJson(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                 const WriteBytes& write);
Status WriteCsv(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                const WriteBytes& write);

Status WriteXml(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                const WriteBytes& write);

Status WriteTransactions(const InputPolicy& input, OutgoingRecords& records,
                         const WriteOptions& options, const WriteBytes& write);

// Published bags as rows of a query log: a new number per bag, and one row per term.
Status WriteQuerylog(OutgoingRecords& records, const WriteOptions& options,
                     const WriteBytes& write);

// The table of one class, header first, with numbers and texts as `input` says.
Status WriteCsvTable(const InputPolicy& input, OutgoingTables& tables, ClassId id, char delimiter,
                     const WriteBytes& write);
// Appends a JSON string with its quotes.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace thicket
