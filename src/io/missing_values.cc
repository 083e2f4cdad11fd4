#include "io/missing_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/fold.h"
#include "base/stop.h"
#include "base/text.h"

namespace thicket {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A number that every format can hold as one.
bool IsPlainNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t point = std::min(text.find('.'), text.size());
  const auto are_digits = [](std::string_view digits) {
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), IsDigit);
  };
  const std::string_view whole = text.substr(0, point);
  return are_digits(whole) && (whole.size() == 1 || whole.front() != '0') &&
         (point == text.size() || are_digits(text.substr(point + 1)));
}

bool HoldsNumbersOnly(const Dictionary& dictionary) {
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (dictionary.kind(symbol) != ValueKind::kNumber) return false;
  }
  return dictionary.size() > 1;
}

// Whether a database declares a type for the slot's column that is none of texts.
bool HasOtherType(const Dataset& data, ClassId id, size_t slot) {
  // Labels are texts: whatever the type was, columns of quasi-identifiers are published as texts.
  if (slot < data.schema->classes[id].quasi.size()) return false;
  for (const TableColumn& column : data.shape.tables[id].columns) {
    if (column.role != TableColumn::Role::kValue || column.slot != slot) continue;
    if (column.type.empty()) return false;
    const std::string type = LowerCased(column.type);
    const auto names = [&](std::string_view word) { return type.find(word) != std::string::npos; };
    return !names("char") && !names("text") && !names("clob");
  }
  return false;
}

}  // namespace

MissingTexts::MissingTexts(const Schema& schema) {
  const bool none = std::all_of(schema.classes.begin(), schema.classes.end(),
                                [](const VertexClass& type) { return type.missing.empty(); });
  if (none) return;
  for (const VertexClass& type : schema.classes) {
    std::vector<Slot>& slots = slots_.emplace_back(type.value_count());
    for (size_t slot = 0; slot < type.missing.size(); ++slot)
      slots[slot] = SlotOf(type.missing[slot]);
  }
}

MissingTexts::Slot MissingTexts::SlotOf(const std::vector<std::string>& texts) {
  Slot slot;
  if (texts.empty()) return slot;
  for (size_t byte = 0; byte < slot.begins.size(); ++byte) {
    const char c = static_cast<char>(byte);
    slot.begins[byte] = !IsDigit(c) && !IsLetter(c);
  }
  for (const std::string& text : texts) {
    slot.meanings.push_back(FoldValue(text));
    slot.blank = slot.blank || slot.meanings.back().empty();
    if (slot.meanings.back().empty()) continue;
    const char first = slot.meanings.back().front();
    const bool number = FoldNumber(text).has_value() || IsDigit(first);
    for (size_t byte = 0; byte < slot.begins.size(); ++byte) {
      const char c = static_cast<char>(byte);
      if (Lower(c) == first || (number && IsDigit(c))) slot.begins[byte] = true;
    }
  }
  return slot;
}

bool MissingTexts::StandsForNone(ClassId id, size_t slot, ValueKind kind, std::string_view text) {
  Slot& of = slots_[id][slot];
  if (of.meanings.empty() || kind == ValueKind::kNone) return false;
  // What cannot be seen is left out where texts are compared.
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; };
  const auto first = std::find_if_not(text.begin(), text.end(), is_blank);
  const bool may_be =
      first == text.end() ? of.blank : of.begins[static_cast<unsigned char>(*first)];
  if (!may_be) return false;
  const std::string meaning = FoldValue(text);
  if (std::find(of.meanings.begin(), of.meanings.end(), meaning) == of.meanings.end()) return false;
  ++of.ways[{kind, std::string(text)}];
  return true;
}

void MissingTexts::FindDifferences(bool merged, Dataset& data) const {
  for (size_t id = 0; id < slots_.size(); ++id) {
    const VertexClass& type = data.schema->classes[id];
    for (size_t slot = 0; slot < slots_[id].size(); ++slot) {
      const auto& ways = slots_[id][slot].ways;
      if (ways.empty()) continue;
      uint64_t written = 0;
      for (const auto& [way, count] : ways) written += count;
      uint64_t missing = 0;
      for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
        StopPoint();
        if (data.forest.class_of(v) == id && data.forest.value(v, slot) == kMissing) ++missing;
      }
      if (!merged && ways.size() == 1 && written == missing) continue;
      const std::string where =
          fmt::format("{}: {}", data.source,
                      data.schema->PathOf(static_cast<ClassId>(id), type.slot_name(slot)));
      data.findings.push_back(
          {Finding::Kind::kTellsApart, where,
           merged ? "a missing value must be absent, but is written as a text"
                  : "a missing value must be written in one way throughout, but is not",
           written});
    }
  }
}

WrittenMissing::WrittenMissing(const Dataset& data) {
  const Schema& schema = *data.schema;
  for (size_t i = 0; i < schema.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& type = schema.classes[id];
    std::vector<OutgoingValue>& values = values_.emplace_back(type.value_count());
    for (size_t slot = 0; slot < type.missing.size(); ++slot) {
      const std::vector<std::string>& texts = type.missing[slot];
      if (texts.empty() || HasOtherType(data, id, slot)) continue;
      const bool number =
          IsPlainNumber(texts.front()) && HoldsNumbersOnly(data.dictionaries[id][slot]);
      values[slot] = {number ? ValueKind::kNumber : ValueKind::kString, texts.front()};
    }
  }
}

}  // namespace thicket
