// Builds a JSON document, for reports.
//
//   JsonWriter json;
//   json.BeginObject();
//   json.Key("records").Number(1000);
//   json.EndObject();
//   json.text();   // {"records": 1000}
//
// The caller keeps the nesting right; commas and escapes are taken care of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace thicket {

class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view value);
  JsonWriter& Number(uint64_t value);
  // Whole numbers exactly, others with six significant digits; not a number becomes null.
  JsonWriter& Number(double value);
  JsonWriter& Boolean(bool value);
  JsonWriter& Null();
  // A number or boolean that is text already.
  JsonWriter& Raw(std::string_view value);
  template <typename T>
  JsonWriter& Optional(const std::optional<T>& value) {
    if (!value) return Null();
    if constexpr (std::is_floating_point_v<T>) {
      return Number(static_cast<double>(*value));
    } else {
      return Number(static_cast<uint64_t>(*value));
    }
  }

  const std::string& text() const { return text_; }

 private:
  JsonWriter& Open(char bracket);
  JsonWriter& Close(char bracket);
  void Separate();

  std::string text_;
};

}  // namespace thicket
