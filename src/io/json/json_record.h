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
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/json/json_scan.h"

namespace thicket {

// Lets the parser hold a text of `size` bytes. Throws std::bad_alloc where there is no memory for that: the parser alone
// would read on without a place for its strings.
void MakeRoom(simdjson::ondemand::parser& parser, size_t size);

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
  // Whether nothing is left of a document that was read through.
  static bool AtEnd(simdjson::ondemand::document& document) {
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  }
  // Whether unescaped text is UTF-8: simdjson lets escaped halves of surrogate pairs through.
  static bool IsText(std::string_view text);

 private:
  struct Scalar {
    ValueKind kind = ValueKind::kNone;
    std::string_view text;
  };

  // These run for every value: they return false after an error, which is then in error_.
  bool ReadObject(simdjson::ondemand::object object, ClassId id, size_t level);
  bool ReadKey(DatasetSink::Key& key, simdjson::ondemand::value value, size_t level);
  bool ReadList(const DatasetSink::Key& key, simdjson::ondemand::value value, size_t level);
  bool FailNotPlain(const DatasetSink::Key& key, simdjson::ondemand::json_type type);
  bool ReadChildren(simdjson::ondemand::value value, ClassId child, size_t level);
  bool ReadChild(simdjson::ondemand::value value, simdjson::ondemand::json_type type, ClassId child,
                 int64_t index, size_t level);
  bool ReadScalar(simdjson::ondemand::value value, simdjson::ondemand::json_type type,
                  Scalar& scalar);
  bool WalkValue(simdjson::ondemand::value value, size_t level);

  bool Fail(Error error) {
    error_ = std::move(error);
    return false;
  }
  bool FailMalformed() { return Fail(Malformed()); }

  DatasetSink* sink_;
  bool malformed_ = false;
  Error error_;
};

// What kind of value a valid JSON text is, for messages: "an array".
std::string_view JsonKind(std::string_view json);

// "file:3:14: must be JSON, but what".
Error NotJson(const std::string& source, TextPosition position, std::string_view what,
              std::string hint);

}  // namespace thicket
