// Reads one record after the other from simdjson's view of a JSON text into a DatasetSink.
//
// simdjson parses on demand: what nobody asks for is not checked. So everything is asked for, down to the last number
// in parts that the policy does not name; a text that gets through is JSON.
//
//   JsonRecords records(sink);
//   Status status = records.Read(object, line, 1);
//   if (!status.ok() && records.malformed()) ...   // not JSON: FindJsonFault() says where
//
// Time is linear in the text; the stack is as deep as the JSON, at most kMostJsonLevels.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "io/dataset_sink.h"

namespace thicket {

class JsonRecords {
 public:
  explicit JsonRecords(DatasetSink& sink) : sink_(&sink) {}

  // Reads a record that begins at `place`; `level` is how many containers are open with it.
  Status Read(simdjson::ondemand::object record, uint32_t place, size_t level);
  // Reads a value and forgets it.
  Status Walk(simdjson::ondemand::value value, size_t level);

  // Whether the error that was returned last is that the text is not JSON.
  bool malformed() const { return malformed_; }
  Error Malformed() {
    malformed_ = true;
    return {ErrorCode::kData, "must be JSON, but is not", "", ""};
  }
  // Whether unescaped text is UTF-8: simdjson lets escaped halves of surrogate pairs through.
  static bool IsText(std::string_view text);

 private:
  struct Scalar {
    ValueKind kind = ValueKind::kMissing;
    std::string_view text;
  };

  Status ReadObject(simdjson::ondemand::object object, ClassId id, size_t level);
  Status ReadKey(DatasetSink::Key& key, simdjson::ondemand::value value, size_t level);
  Status ReadChildren(simdjson::ondemand::value value, ClassId child, size_t level);
  Status ReadChild(simdjson::ondemand::value value, simdjson::ondemand::json_type type,
                   ClassId child, int64_t index, size_t level);
  Result<Scalar> ReadScalar(simdjson::ondemand::value value, simdjson::ondemand::json_type type);

  DatasetSink* sink_;
  bool malformed_ = false;
};

}  // namespace thicket
