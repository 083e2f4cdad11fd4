#include "io/json_record.h"

#include <cstring>

#include "base/text.h"
#include "io/json_scan.h"

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

Status JsonRecords::Read(JsonObject record, uint32_t place, size_t level) {
  THICKET_TRY(sink_->BeginRecord(place));
  THICKET_TRY(ReadObject(record, 0, level));
  return sink_->EndRecord();
}

Status JsonRecords::ReadObject(JsonObject object, ClassId id, size_t level) {
  if (level > kMostJsonLevels) return Malformed();
  for (auto field : object) {
    std::string_view name;
    JsonValue value;
    if (field.unescaped_key().get(name) != SUCCESS) return Malformed();
    if (field.value().get(value) != SUCCESS || !IsText(name)) return Malformed();
    if (DatasetSink::Key* key = sink_->Find(id, name)) {
      THICKET_TRY(ReadKey(*key, value, level));
    } else {
      THICKET_TRY(Walk(value, level + 1));
    }
  }
  return {};
}

Status JsonRecords::ReadKey(DatasetSink::Key& key, JsonValue value, size_t level) {
  THICKET_TRY(sink_->Meet(key));
  if (key.role == Role::kChildren) return ReadChildren(value, key.child(), level + 1);
  json_type type{};
  if (value.type().get(type) != SUCCESS) return Malformed();
  if (key.role == Role::kDrop || key.role == Role::kClassNumber) {
    if (key.role == Role::kDrop && type != json_type::null) THICKET_TRY(sink_->MeetDropped(key));
    return Walk(value, level + 1);
  }
  if (IsContainer(type)) {
    return sink_->Wrong(key.name, std::string("must be a plain value, but is ").append(NameOf(type)),
                        "describe it under children, or take it out of the policy");
  }
  THICKET_ASSIGN(const Scalar scalar, ReadScalar(value, type));
  if (scalar.kind == ValueKind::kMissing) return {};
  if (key.role == Role::kId) return sink_->SetId(key, scalar.text);
  sink_->SetValue(key.slot(), scalar.kind, scalar.text);
  return {};
}

Status JsonRecords::ReadChildren(JsonValue value, ClassId child, size_t level) {
  json_type type{};
  if (value.type().get(type) != SUCCESS) return Malformed();
  if (type == json_type::null) return Walk(value, level);
  if (type != json_type::array) return ReadChild(value, type, child, DatasetSink::kAlone, level);
  if (level > kMostJsonLevels) return Malformed();
  sink_->MeetArray(child);
  simdjson::ondemand::array array;
  if (value.get_array().get(array) != SUCCESS) return Malformed();
  int64_t index = 0;
  for (auto item : array) {
    JsonValue element;
    json_type element_type{};
    if (item.get(element) != SUCCESS) return Malformed();
    if (element.type().get(element_type) != SUCCESS) return Malformed();
    THICKET_TRY(ReadChild(element, element_type, child, index, level + 1));
    ++index;
  }
  return {};
}

Status JsonRecords::ReadChild(JsonValue value, json_type type, ClassId child, int64_t index,
                              size_t level) {
  if (type == json_type::array) {
    return sink_->WrongChild(child, index, "must be an object or a plain value, but is an array");
  }
  const bool plain = type != json_type::object;
  THICKET_TRY(sink_->MeetShape(child, plain, index));
  THICKET_TRY(sink_->OpenVertex(child, index));
  if (plain) {
    THICKET_ASSIGN(const Scalar scalar, ReadScalar(value, type));
    if (scalar.kind != ValueKind::kMissing) sink_->SetValue(0, scalar.kind, scalar.text);
  } else {
    JsonObject object;
    if (value.get_object().get(object) != SUCCESS) return Malformed();
    THICKET_TRY(ReadObject(object, child, level));
  }
  sink_->CloseVertex();
  return {};
}

Result<JsonRecords::Scalar> JsonRecords::ReadScalar(JsonValue value, json_type type) {
  Scalar scalar;
  if (type == json_type::string) {
    scalar.kind = ValueKind::kString;
    if (value.get_string().get(scalar.text) != SUCCESS || !IsText(scalar.text)) return Malformed();
    return scalar;
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
  if (!good) return Malformed();
  return scalar;
}

Status JsonRecords::Walk(JsonValue value, size_t level) {
  json_type type{};
  if (value.type().get(type) != SUCCESS) return Malformed();
  if (!IsContainer(type)) {
    THICKET_TRY(ReadScalar(value, type));
    return {};
  }
  if (level > kMostJsonLevels) return Malformed();
  if (type == json_type::array) {
    simdjson::ondemand::array array;
    if (value.get_array().get(array) != SUCCESS) return Malformed();
    for (auto item : array) {
      JsonValue element;
      if (item.get(element) != SUCCESS) return Malformed();
      THICKET_TRY(Walk(element, level + 1));
    }
    return {};
  }
  JsonObject object;
  if (value.get_object().get(object) != SUCCESS) return Malformed();
  for (auto field : object) {
    std::string_view name;
    JsonValue member;
    if (field.unescaped_key().get(name) != SUCCESS) return Malformed();
    if (field.value().get(member) != SUCCESS || !IsText(name)) return Malformed();
    THICKET_TRY(Walk(member, level + 1));
  }
  return {};
}

}  // namespace thicket
