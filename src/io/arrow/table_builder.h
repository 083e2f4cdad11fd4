// A table in Arrow's layout from values that come row by row, whose columns and types show as they come.
//
//   TableBuilder builder("students");
//   builder.BeginStruct();                              // a row
//   builder.Key("year");
//   builder.Value({TableValue::Kind::kInteger, "1994"});
//   builder.Key("courses");
//   builder.BeginList();
//   builder.BeginStruct(); ... builder.EndStruct();
//   builder.EndList();
//   builder.EndStruct();
//   THICKET_ASSIGN(ArrowTable table, std::move(builder).Finish());
//
// A column holds values of one kind, where whole numbers count as other numbers beside these; a column of several kinds is a kData error
// with its path and the record. What a row does not have is null in it. O(values) time and memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/arrow/arrow_table.h"

namespace thicket {

struct TableValue {
  enum class Kind : uint8_t {
    kNone,
    kBoolean,
    kInteger,
    kFloat,
    // Exact, at most 38 digits.
    kDecimal,
    kText,
    // yyyy-mm-dd; hh:mm:ss[.ffffff]; both with a T between them, and with a Z behind where they are in UTC.
    kDate,
    kTime,
    kTimestamp,
    kZonedTimestamp,
  };
  Kind kind = Kind::kNone;
  std::string_view text = {};
};

class TableBuilder {
 public:
  // `name` is what messages call the table.
  explicit TableBuilder(std::string name = "records");
  TableBuilder(TableBuilder&&) noexcept;
  TableBuilder& operator=(TableBuilder&&) noexcept;
  ~TableBuilder();

  // Outside of everything a struct is a row. After Key(), inside a list, or outside: what comes next.
  Status BeginStruct();
  void EndStruct();
  Status BeginList();
  void EndList();
  Status Value(const TableValue& value);
  // Inside a struct: the column that the next value is for.
  Status Key(std::string_view name);

  // kData where a column has values of several kinds, or numbers that fit no type.
  Result<ArrowTable> Finish() &&;

 private:
  class Builder;
  std::unique_ptr<Builder> builder_;
};

}  // namespace thicket
