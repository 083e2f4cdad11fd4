// Records whose names lead through objects and arrays, and classes that are told by values of their objects.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "io/json/json_appearance.h"
#include "io/json/json_record.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::json_type;
using JsonArray = simdjson::ondemand::array;
using JsonObject = simdjson::ondemand::object;
using JsonValue = simdjson::ondemand::value;
using Kind = JsonPlace::Kind;

// What is left out of places that the policy names.
constexpr std::string_view kFurther = " (after the first element)";
constexpr std::string_view kNoObject = " (not an object)";
constexpr std::string_view kNoClassHere = " (objects of no class)";

}  // namespace

JsonRecords::JsonRecords(const JsonLayout& layout, DatasetSink& sink)
    : layout_(&layout),
      sink_(&sink),
      states_(layout.places.size()),
      by_name_(layout.places.size()),
      next_index_(sink.schema().classes.size(), 0) {
  const Schema& schema = sink.schema();
  for (const VertexClass& type : schema.classes) bare_.emplace_back(type.where.size(), true);
  for (uint32_t number = 0; number < layout.places.size(); ++number) {
    const JsonPlace& place = layout.places[number];
    State& state = states_[number];
    if (place.kind == Kind::kValue) state.key = sink.FindNamed(place.id, place.path);
    for (const ClassId child : place.classes) {
      state.child_keys.push_back(sink.FindNamed(place.id, schema.classes[child].at));
      for (const auto& [key, value] : schema.classes[child].where) {
        tests_[number].emplace(key, Test{StepsOf(key)});
      }
    }
    for (const uint32_t below : place.below) {
      by_name_[number].emplace(layout.places[below].name, below);
    }
  }
}

void JsonRecords::Finish() {
  std::vector<JsonClassShape>& shape = sink_->dataset().shape.json;
  shape.resize(sink_->schema().classes.size());
  for (size_t i = 0; i < states_.size(); ++i) {
    const JsonPlace& place = layout_->places[i];
    if (states_[i].array) shape[place.id].arrays.insert(place.path);
  }
  for (size_t id = 0; id < bare_.size(); ++id) shape[id].bare = bare_[id];
}

bool JsonRecords::LeaveOut(uint32_t place, std::string_view what, JsonValue value, size_t level) {
  const JsonPlace& of = layout_->places[place];
  sink_->CountUnnamed(of.id, std::string(of.path).append(what));
  return WalkValue(value, level);
}

bool JsonRecords::ReadPlaces(JsonObject object, uint32_t place, Way way, size_t level) {
  if (level > kMostJsonLevels) return FailMalformed();
  const uint64_t number = ++objects_;
  for (auto field : object) {
    std::string_view name;
    JsonValue value;
    if (field.unescaped_key().get(name) != SUCCESS) return FailMalformed();
    if (field.value().get(value) != SUCCESS) return FailMalformed();
    const auto found = by_name_[place].find(name);
    if (found == by_name_[place].end()) {
      if (!IsText(name)) return FailMalformed();
      const JsonPlace& of = layout_->places[place];
      sink_->CountUnnamed(of.id, (of.path.empty() ? "" : of.path + "/") + StepOf(name));
      if (!WalkValue(value, level + 1)) return false;
      continue;
    }
    State& state = states_[found->second];
    if (std::exchange(state.last_object, number) == number) {
      return Fail(sink_->Wrong(layout_->places[found->second].path,
                               "a key must occur once, but occurs twice", "remove one of the two"));
    }
    if (!ReadPlace(found->second, value, way, level)) return false;
  }
  return true;
}

bool JsonRecords::ReadPlace(uint32_t place, JsonValue value, Way way, size_t level) {
  switch (layout_->places[place].kind) {
    case Kind::kObject:
      return ReadInner(place, value, way, level + 1);
    case Kind::kChildren:
      return ReadVertices(place, value, way, level + 1);
    case Kind::kValue:
      break;
  }
  const DatasetSink::Key* key = states_[place].key;
  if (!way.counts && key != nullptr && key->role == DatasetSink::Key::Role::kDrop) {
    Status status = sink_->MeetDropped(*key);
    if (!status.ok()) return Fail(std::move(status.error()));
    return WalkValue(value, level + 1);
  }
  if (!way.counts) return LeaveOut(place, kFurther, value, level + 1);
  // What a class is told by has been looked at before.
  if (layout_->places[place].where != JsonPlace::kNone) return WalkValue(value, level + 1);
  // Only published data has the number of a class of records.
  if (states_[place].key == nullptr) return LeaveOut(place, "", value, level + 1);
  return ReadKey(*states_[place].key, value, level);
}

bool JsonRecords::ReadInner(uint32_t place, JsonValue value, Way way, size_t level) {
  json_type type{};
  if (value.type().get(type) != SUCCESS) return FailMalformed();
  if (type == json_type::null) return WalkValue(value, level);
  if (type == json_type::object) {
    JsonObject object;
    if (value.get_object().get(object) != SUCCESS) return FailMalformed();
    return ReadPlaces(object, place, way, level);
  }
  if (type != json_type::array) return LeaveOut(place, kNoObject, value, level);
  if (level > kMostJsonLevels) return FailMalformed();
  states_[place].array = true;
  JsonArray array;
  if (value.get_array().get(array) != SUCCESS) return FailMalformed();
  bool first = true;
  for (auto item : array) {
    JsonValue element;
    if (item.get(element) != SUCCESS) return FailMalformed();
    if (element.type().get(type) != SUCCESS) return FailMalformed();
    const Way inside = {way.counts && first, true};
    first = false;
    if (!inside.counts && !layout_->places[place].around_vertices) {
      if (!LeaveOut(place, kFurther, element, level + 1)) return false;
      continue;
    }
    if (type != json_type::object) {
      if (!LeaveOut(place, kNoObject, element, level + 1)) return false;
      continue;
    }
    JsonObject object;
    if (element.get_object().get(object) != SUCCESS) return FailMalformed();
    if (!ReadPlaces(object, place, inside, level + 1)) return false;
  }
  return true;
}

bool JsonRecords::ReadVertices(uint32_t place, JsonValue value, Way way, size_t level) {
  const JsonPlace& of = layout_->places[place];
  json_type type{};
  if (value.type().get(type) != SUCCESS) return FailMalformed();
  // A class that is told by values must be met to occur.
  if (!of.chooses) sink_->Meet(*states_[place].child_keys.front());
  if (type == json_type::null) return WalkValue(value, level);
  if (type != json_type::array) return ReadVertex(place, value, way, level);
  if (level > kMostJsonLevels) return FailMalformed();
  states_[place].array = true;
  for (const ClassId child : of.classes) sink_->MeetArray(child);
  JsonArray array;
  if (value.get_array().get(array) != SUCCESS) return FailMalformed();
  for (auto item : array) {
    JsonValue element;
    if (item.get(element) != SUCCESS) return FailMalformed();
    if (!ReadVertex(place, element, {way.counts, true}, level + 1)) return false;
  }
  return true;
}

bool JsonRecords::ReadVertex(uint32_t place, JsonValue value, Way way, size_t level) {
  const JsonPlace& of = layout_->places[place];
  json_type type{};
  if (value.type().get(type) != SUCCESS) return FailMalformed();
  JsonObject object;
  if (type == json_type::object && value.get_object().get(object) != SUCCESS) {
    return FailMalformed();
  }
  ClassId child = of.classes.front();
  if (of.chooses) {
    child = kNoClass;
    if (type == json_type::object && !Choose(of, object, child)) return false;
    if (type != json_type::object && sink_->schema().classes[of.classes.back()].where.empty()) {
      child = of.classes.back();
    }
    choices_.push_back(child);
    if (child == kNoClass) {
      sink_->CountUnnamed(of.id, std::string(of.path).append(kNoClassHere));
      return type == json_type::object ? WalkObject(object, level) : WalkValue(value, level);
    }
    for (size_t i = 0; i < of.classes.size(); ++i) {
      if (of.classes[i] == child) sink_->Meet(*states_[place].child_keys[i]);
    }
  }
  if (way.in_array) sink_->MeetArray(child);
  const int64_t index = way.in_array ? next_index_[child]++ : DatasetSink::kAlone;
  if (type == json_type::object) return ReadObjectChild(object, child, index, level);
  return ReadChild(value, type, child, index, level);
}

// The first class whose values the object has.
bool JsonRecords::Choose(const JsonPlace& place, JsonObject& object, ClassId& chosen) {
  auto& tests = tests_[static_cast<uint32_t>(&place - layout_->places.data())];
  for (auto& [key, test] : tests) {
    test.found = false;
    if (!LookUp(object, test.steps, test.text, test.found)) return false;
    test.bare = test.found && test.text.front() != '"';
    if (test.found && !test.bare) {
      test.text = JsonCharacters::Unescape(test.text.substr(1, test.text.size() - 2));
    }
    if (object.reset().error() != SUCCESS) return FailMalformed();
  }
  for (const ClassId id : place.classes) {
    const WhereValues& where = sink_->schema().classes[id].where;
    const bool fits = std::all_of(where.begin(), where.end(), [&](const auto& pair) {
      const Test& test = tests.at(pair.first);
      return test.found && test.text == pair.second;
    });
    if (!fits) continue;
    for (size_t i = 0; i < where.size(); ++i) {
      if (!tests.at(where[i].first).bare) bare_[id][i] = false;
    }
    chosen = id;
    return true;
  }
  return true;
}

// The text of the value that the steps lead to, as it stands; of arrays the first element.
bool JsonRecords::LookUp(JsonObject& object, const std::vector<std::string>& steps,
                         std::string& text, bool& found) {
  JsonObject at = object;
  for (size_t i = 0; i < steps.size(); ++i) {
    JsonValue value;
    const simdjson::error_code error = at.find_field_unordered(steps[i]).get(value);
    if (error == simdjson::NO_SUCH_FIELD) return true;
    if (error != SUCCESS) return FailMalformed();
    json_type type{};
    if (value.type().get(type) != SUCCESS) return FailMalformed();
    while (type == json_type::array) {
      JsonArray array;
      if (value.get_array().get(array) != SUCCESS) return FailMalformed();
      bool empty = true;
      for (auto item : array) {
        if (item.get(value) != SUCCESS) return FailMalformed();
        empty = false;
        break;
      }
      if (empty) return true;
      if (value.type().get(type) != SUCCESS) return FailMalformed();
    }
    if (i + 1 < steps.size()) {
      if (type != json_type::object) return true;
      if (value.get_object().get(at) != SUCCESS) return FailMalformed();
      continue;
    }
    if (type == json_type::object || type == json_type::null) return true;
    text = Trim(value.raw_json_token());
    // A string that does not end is found out when the object is read.
    const bool whole = text.front() != '"' || (text.size() >= 2 && text.back() == '"');
    found = whole;
  }
  return true;
}

}  // namespace thicket
