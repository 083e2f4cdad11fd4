// Reads one record after the other from simdjson's view of a JSON text into a DatasetSink.
//
// simdjson parses on demand: what nobody asks for is not checked. So everything is asked for, down to the last number
// in parts that the policy does not name; a text that gets through is JSON.
//
//   THICKET_ASSIGN(const JsonLayout layout, JsonLayout::Of(sink.schema(), sink.vertices_move()));
//   JsonRecords records(layout, sink);
//   Status status = records.Read(object, line, 1);
//   if (!status.ok() && records.malformed()) ...   // not JSON: FindJsonFault() says where
//
// Time is linear in the text; the stack is as deep as the JSON, at most kMostJsonLevels.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/json/json_layout.h"
#include "io/json/json_scan.h"

namespace thicket {

// Lets the parser hold a text of `size` bytes. Throws std::bad_alloc where there is no memory for that: the parser alone
// would read on without a place for its strings.
void MakeRoom(simdjson::ondemand::parser& parser, size_t size);

class JsonRecords {
 public:
  // Which class took an element of a place where classes are told by values.
  static constexpr ClassId kNoClass = std::numeric_limits<ClassId>::max();

  // Both must outlive it.
  JsonRecords(const JsonLayout& layout, DatasetSink& sink);

  // Reads a record that begins at `place`; `level` is how many containers are open with it.
  Status Read(simdjson::ondemand::object record, uint32_t place, size_t level);
  // Reads a value and forgets it.
  Status Walk(simdjson::ondemand::value value, size_t level);

  // After the last record: keeps how the records stood.
  void Finish();
  // Of the record that was read last: the classes that took elements where several stand at one place, in the order of the text.
  const std::vector<ClassId>& choices() const { return choices_; }

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
  bool ReadPlainChild(simdjson::ondemand::value value, simdjson::ondemand::json_type type,
                      ClassId child, int64_t index);
  bool ReadObjectChild(simdjson::ondemand::object object, ClassId child, int64_t index,
                       size_t level);
  bool ReadScalar(simdjson::ondemand::value value, simdjson::ondemand::json_type type,
                  Scalar& scalar);
  // Of classes with names that lead through others. `counts`: whether values may stand here, which is not so in the second
  // element of an array; `in_array`: whether some array stands between a vertex and what is below it.
  struct Way {
    bool counts = true;
    bool in_array = false;
  };
  bool ReadPlaces(simdjson::ondemand::object object, uint32_t place, Way way, size_t level);
  bool ReadPlace(uint32_t place, simdjson::ondemand::value value, Way way, size_t level);
  bool ReadInner(uint32_t place, simdjson::ondemand::value value, Way way, size_t level);
  bool ReadVertices(uint32_t place, simdjson::ondemand::value value, Way way, size_t level);
  bool ReadVertex(uint32_t place, simdjson::ondemand::value value, Way way, size_t level);
  bool Choose(const JsonPlace& place, simdjson::ondemand::object& object, ClassId& chosen);
  bool LookUp(simdjson::ondemand::object& object, const std::vector<std::string>& steps,
              std::string& text, bool& found);
  bool LeaveOut(uint32_t place, std::string_view what, simdjson::ondemand::value value,
                size_t level);
  bool WalkValue(simdjson::ondemand::value value, size_t level);
  bool WalkObject(simdjson::ondemand::object object, size_t level);

  bool Fail(Error error) {
    error_ = std::move(error);
    return false;
  }
  bool FailMalformed() { return Fail(Malformed()); }

  // What is known of a place of the layout.
  struct State {
    DatasetSink::Key* key = nullptr;
    // kChildren: by class of the place.
    std::vector<DatasetSink::Key*> child_keys = {};
    // The last object that had it.
    uint64_t last_object = 0;
    bool array = false;
  };
  // How the classes of a place are told by one key.
  struct Test {
    std::vector<std::string> steps;
    std::string text = {};
    bool found = false;
    bool bare = false;
  };

  const JsonLayout* layout_;
  DatasetSink* sink_;
  std::vector<State> states_;
  // By place: its keys.
  std::vector<std::unordered_map<std::string_view, uint32_t>> by_name_;
  // By place where classes are told by values: what is looked up.
  std::unordered_map<uint32_t, std::map<std::string, Test>> tests_;
  // By class: the position of the next vertex below the open parent, and by value of `where` whether all stood without quotes.
  std::vector<int64_t> next_index_;
  std::vector<std::vector<bool>> bare_;
  std::vector<ClassId> choices_;
  uint64_t objects_ = 0;
  bool malformed_ = false;
  Error error_;
};

// What kind of value a valid JSON text is, for messages: "an array".
std::string_view JsonKind(std::string_view json);

// "file:3:14: must be JSON, but what".
Error NotJson(const std::string& source, TextPosition position, std::string_view what,
              std::string hint);

}  // namespace thicket
