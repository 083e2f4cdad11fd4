// A table in Arrow's layout: columns that may be structs and lists, in chunks, as data frames hand it over.
//
//   THICKET_ASSIGN(ArrowTable table, ArrowTable::Pull(&stream, "students"));    // what __arrow_c_stream__ gave
//   table.rows();
//   table.Export(&out);                                                       // the same buffers, to whoever asks
//
// Nothing is copied either way: who made the buffers is told when the last table and the last one that was exported is gone.
// Copies share what they hold, and any number of threads may read. engine/tables.h reads records from tables and publishes them as
// tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/arrow_abi.h"
#include "base/result.h"

namespace thicket {

class ArrowTable {
 public:
  // Takes schema and chunks over, which hold together; each chunk is a struct array of the schema's columns, or of other values.
  ArrowTable(ArrowSchema schema, std::vector<ArrowArray> chunks);

  // Takes all chunks out of the stream, and releases it. `name` is what messages call the table. kData where the stream fails:
  // the message is that of whoever made the stream, and stands in Error::value alone, since it may quote data. kData, too, where chunks
  // are not what the schema says (arrow_check.h). `stopped` is asked between chunks: Interrupted() once it returns true.
  static Result<ArrowTable> Pull(ArrowArrayStream* stream, const std::string& name = "table",
                                 const std::function<bool()>& stopped = nullptr);
  // The same of arrays that somebody handed over; what is wrong is released.
  static Result<ArrowTable> Checked(ArrowSchema schema, std::vector<ArrowArray> chunks,
                                    const std::string& name = "table");

  // A stream of the same chunks, which share their buffers with the table.
  void Export(ArrowArrayStream* out) const;

  size_t rows() const;
  const ArrowSchema& schema() const { return content_->schema; }
  const std::vector<ArrowArray>& chunks() const { return content_->chunks; }

 private:
  struct Content {
    ArrowSchema schema{};
    std::vector<ArrowArray> chunks;
    Content() = default;
    Content(const Content&) = delete;
    Content& operator=(const Content&) = delete;
    ~Content();
  };

  std::shared_ptr<const Content> content_;
};

}  // namespace thicket
