#include "io/json/json_record.h"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <utility>

#include "base/text.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using JsonObject = simdjson::ondemand::object;
using JsonValue = simdjson::ondemand::value;
using Role = DatasetSink::Key::Role;

bool IsContainer(json_type type) { return type == json_type::object || type == json_type::array; }

std::string_view NameOf(json_type type) {
  switch (type) {
    case json_type::array:
      return "an array";
    case json_type::object:
      return "an object";
    case json_type::number:
      return "a number";
    case json_type::string:
      return "a string";
    case json_type::boolean:
      return "a boolean";
    case json_type::null:
      return "null";
  }
  return "something else";
}

}  // namespace

bool JsonRecords::IsText(std::string_view text) {
  // Every surrogate, and few other characters, begin with this byte in UTF-8.
  return std::memchr(text.data(), 0xed, text.size()) == nullptr || IsUtf8(text);
}

void MakeRoom(simdjson::ondemand::parser& parser, size_t size) {
  if (size <= parser.capacity()) return;
  // simdjson checks all of its memory but that for strings. As much is asked for here first, which throws; what is given
  // back is there for the parser, which tries once more at its first text.
  ::operator delete(::operator new(2 * size));
  if (parser.allocate(size) != SUCCESS) throw std::bad_alloc();
}

Status JsonRecords::Read(JsonObject record, uint32_t place, size_t level) {
  THICKET_TRY(sink_->BeginRecord(place));
  choices_.clear();
  if (!ReadObject(record, 0, level)) return std::move(error_);
  return sink_->EndRecord();
}

Status JsonRecords::Walk(JsonValue value, size_t level) {
  if (!WalkValue(value, level)) return std::move(error_);
  return {};
}

bool JsonRecords::ReadObject(JsonObject object, ClassId id, size_t level) {
  if (layout_->nested[id]) {
    for (const ClassId child : sink_->schema().classes[id].children) next_index_[child] = 0;
    return ReadPlaces(object, id, {}, level);
  }
  if (level > kMostJsonLevels) return FailMalformed();
  for (auto field : object) {
    std::string_view name;
    JsonValue value;
    if (field.unescaped_key().get(name) != SUCCESS) return FailMalformed();
    if (field.value().get(value) != SUCCESS) return FailMalformed();
    if (DatasetSink::Key* key = sink_->Find(id, name)) {
      if (!ReadKey(*key, value, level)) return false;
    } else {
      if (!IsText(name)) return FailMalformed();
      if (!WalkValue(value, level + 1)) return false;
    }
  }
  return true;
}

bool JsonRecords::ReadKey(DatasetSink::Key& key, JsonValue value, size_t level) {
  if (!sink_->Meet(key)) {
    return Fail(
        sink_->Wrong(key.name, "a key must occur once, but occurs twice", "remove one of the two"));
  }
  if (key.role == Role::kChildren) return ReadChildren(value, key.child(), level + 1);
  json_type type{};
  if (value.type().get(type) != SUCCESS) return FailMalformed();
  if (key.role == Role::kDrop || key.role == Role::kClassNumber) {
    if (key.role == Role::kDrop && type != json_type::null) {
      if (Status status = sink_->MeetDropped(key); !status.ok())
        return Fail(std::move(status.error()));
    }
    if (key.role == Role::kClassNumber) sink_->SetClassNumber(Trim(value.raw_json_token()));
    return WalkValue(value, level + 1);
  }
  const bool list = type == json_type::array && key.role == Role::kValue && sink_->MayBeList(key);
  if (list) return ReadList(key, value, level + 1);
  if (IsContainer(type)) {
    return sink_->LeaveOutNested(key) ? WalkValue(value, level + 1) : FailNotPlain(key, type);
  }
  Scalar scalar;
  if (!ReadScalar(value, type, scalar)) return false;
  if (scalar.kind == ValueKind::kNone) return true;
  if (key.role == Role::kId) {
    Status status = sink_->SetId(key, scalar.text);
    return status.ok() || Fail(std::move(status.error()));
  }
  sink_->SetValue(key.slot(), scalar.kind, scalar.text);
  return true;
}

bool JsonRecords::FailNotPlain(const DatasetSink::Key& key, json_type type) {
  return Fail(sink_->Wrong(key.name,
                           std::string("must be a plain value, but is ").append(NameOf(type)),
                           "describe it under children, or take it out of the policy"));
}

bool JsonRecords::ReadList(const DatasetSink::Key& key, JsonValue value, size_t level) {
  if (level > kMostJsonLevels) return FailMalformed();
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != SUCCESS) return FailMalformed();
  bool first = true;
  for (auto item : array) {
    JsonValue element;
    json_type type{};
    if (item.get(element) != SUCCESS) return FailMalformed();
    if (element.type().get(type) != SUCCESS) return FailMalformed();
    if (IsContainer(type)) return FailNotPlain(key, type);
    Scalar scalar;
    if (!ReadScalar(element, type, scalar)) return false;
    if (scalar.kind == ValueKind::kNone) continue;
    if (first) {
      sink_->SetValue(key.slot(), scalar.kind, scalar.text);
    } else {
      sink_->AddListValue(key.slot(), scalar.kind, scalar.text);
    }
    first = false;
  }
  return true;
}

bool JsonRecords::ReadChildren(JsonValue value, ClassId child, size_t level) {
  json_type type{};
  if (value.type().get(type) != SUCCESS) return FailMalformed();
  if (type == json_type::null) return WalkValue(value, level);
  if (type != json_type::array) return ReadChild(value, type, child, DatasetSink::kAlone, level);
  if (level > kMostJsonLevels) return FailMalformed();
  sink_->MeetArray(child);
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != SUCCESS) return FailMalformed();
  int64_t index = 0;
  for (auto item : array) {
    JsonValue element;
    json_type element_type{};
    if (item.get(element) != SUCCESS) return FailMalformed();
    if (element.type().get(element_type) != SUCCESS) return FailMalformed();
    if (!ReadChild(element, element_type, child, index, level + 1)) return false;
    ++index;
  }
  return true;
}

bool JsonRecords::ReadChild(JsonValue value, json_type type, ClassId child, int64_t index,
                            size_t level) {
  if (type == json_type::array) {
    return Fail(
        sink_->WrongChild(child, index, "must be an object or a plain value, but is an array",
                          "put its elements into the outer array, or take it out of the policy"));
  }
  if (type != json_type::object) return ReadPlainChild(value, type, child, index);
  JsonObject object;
  if (value.get_object().get(object) != SUCCESS) return FailMalformed();
  return ReadObjectChild(object, child, index, level);
}

bool JsonRecords::ReadPlainChild(JsonValue value, json_type type, ClassId child, int64_t index) {
  if (!sink_->MeetShape(child, true, index)) return Fail(sink_->WrongShape(child, true, index));
  if (!sink_->OpenVertex(child, index)) return Fail(sink_->Full());
  Scalar scalar;
  if (!ReadScalar(value, type, scalar)) return false;
  if (scalar.kind != ValueKind::kNone) sink_->SetValue(0, scalar.kind, scalar.text);
  return sink_->CloseVertex() || Fail(sink_->Full());
}

bool JsonRecords::ReadObjectChild(JsonObject object, ClassId child, int64_t index, size_t level) {
  if (!sink_->MeetShape(child, false, index)) return Fail(sink_->WrongShape(child, false, index));
  if (!sink_->OpenVertex(child, index)) return Fail(sink_->Full());
  if (!ReadObject(object, child, level)) return false;
  return sink_->CloseVertex() || Fail(sink_->Full());
}

bool JsonRecords::ReadScalar(JsonValue value, json_type type, Scalar& scalar) {
  if (type == json_type::string) {
    scalar.kind = ValueKind::kString;
    const bool good = value.get_string().get(scalar.text) == SUCCESS && IsText(scalar.text);
    return good || FailMalformed();
  }
  scalar.text = Trim(value.raw_json_token());
  bool good = false;
  if (type == json_type::number) {
    scalar.kind = ValueKind::kNumber;
    good = IsJsonNumber(scalar.text);
  } else if (type == json_type::boolean) {
    scalar.kind = ValueKind::kBoolean;
    good = scalar.text == "true" || scalar.text == "false";
  } else {
    good = type == json_type::null && scalar.text == "null";
  }
  return good || FailMalformed();
}

bool JsonRecords::WalkValue(JsonValue value, size_t level) {
  json_type type{};
  if (value.type().get(type) != SUCCESS) return FailMalformed();
  if (!IsContainer(type)) {
    Scalar scalar;
    return ReadScalar(value, type, scalar);
  }
  if (level > kMostJsonLevels) return FailMalformed();
  if (type == json_type::array) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) != SUCCESS) return FailMalformed();
    for (auto item : array) {
      JsonValue element;
      if (item.get(element) != SUCCESS) return FailMalformed();
      if (!WalkValue(element, level + 1)) return false;
    }
    return true;
  }
  JsonObject object;
  if (value.get_object().get(object) != SUCCESS) return FailMalformed();
  return WalkObject(object, level);
}

bool JsonRecords::WalkObject(JsonObject object, size_t level) {
  if (level > kMostJsonLevels) return FailMalformed();
  for (auto field : object) {
    std::string_view name;
    JsonValue member;
    if (field.unescaped_key().get(name) != SUCCESS) return FailMalformed();
    if (field.value().get(member) != SUCCESS || !IsText(name)) return FailMalformed();
    if (!WalkValue(member, level + 1)) return false;
  }
  return true;
}

std::string_view JsonKind(std::string_view json) {
  switch (json.front()) {
    case '[':
      return "an array";
    case '{':
      return "an object";
    case '"':
      return "a string";
    case 't':
    case 'f':
      return "a boolean";
    case 'n':
      return "null";
    default:
      return "a number";
  }
}

Error NotJson(const std::string& source, TextPosition position, std::string_view what,
              std::string hint) {
  return ErrorAt(ErrorCode::kData,
                 {.file = source, .line = position.line, .column = position.column},
                 fmt::format("must be JSON, but {}", what), std::move(hint));
}

}  // namespace thicket
