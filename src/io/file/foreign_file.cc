#include "io/file/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace thicket {

namespace {

struct Mark {
  std::string_view begins;
  ForeignFile file;
};

// A literal with zeros in it.
template <size_t kSize>
constexpr std::string_view Bytes(const char (&bytes)[kSize]) {
  return {bytes, kSize - 1};
}

constexpr ForeignFile kOffice = {"a spreadsheet or document of an office program (.xlsx, .ods)",
                                 "save each sheet as CSV (UTF-8) there: one sheet is format: csv, "
                                 "several that are joined by keys "
                                 "are a folder of CSV files, format: tables"};
constexpr ForeignFile kOldOffice = {"an old spreadsheet or document of an office program (.xls)",
                                    kOffice.hint};
constexpr ForeignFile kZip = {"a ZIP archive", "unpack it, and give the file that is in it"};
constexpr ForeignFile kParquet = {
    "a Parquet file",
    "export it as CSV or as JSON Lines, for example by COPY ... TO 'data.csv' of DuckDB, or by "
    "to_csv of pandas"};

// What no text begins with.
constexpr Mark kMarks[] = {
    {Bytes("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), kOldOffice},
    {Bytes("ARROW1\0\0"), {"an Arrow or Feather file", kParquet.hint}},
    {Bytes("Obj\x01"), {"an Avro file", "export it as JSON Lines"}},
    {Bytes("\x89HDF\r\n\x1a\n"), {"an HDF5 file", "export it as CSV"}},
    {Bytes("$FL2@(#)"), {"an SPSS file", "save it as CSV (UTF-8)"}},
    {Bytes("$FL3@(#)"), {"an SPSS file", "save it as CSV (UTF-8)"}},
    {Bytes("<stata_dta>"), {"a Stata file", "save it as CSV (UTF-8)"}},
    {Bytes("%PDF-"), {"a PDF document", "give the data that it was made from"}},
    {Bytes("\xfd"
           "7zXZ\0"),
     {"compressed with xz", "decompress it (xz -d), or compress it with gzip or zstd"}},
    {Bytes("7z\xbc\xaf\x27\x1c"), {"a 7z archive", kZip.hint}},
};

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
}

// The name of the archive's first file stands behind 30 bytes of its header.
ForeignFile KindOfZip(std::string_view head) {
  const std::string_view first = head.substr(std::min<size_t>(head.size(), 30));
  for (const std::string_view office :
       {"[Content_Types].xml", "mimetype", "_rels/", "xl/", "docProps/"}) {
    if (first.starts_with(office)) return kOffice;
  }
  return kZip;
}

}  // namespace

Error ForeignFile::Wrong(const std::string& name) const {
  return ErrorAt(
      ErrorCode::kData, {.file = name},
      fmt::format("must be text, plain or compressed with gzip or zstd, but is {}", what),
      std::string(hint));
}

std::optional<ForeignFile> RecognizeForeignFile(std::string_view head) {
  if (head.starts_with("PK\x03\x04")) return KindOfZip(head);
  // A table may have a column PAR1; none has a control character in its name.
  if (head.starts_with("PAR1") && head.size() > 4 && IsControl(head[4])) return kParquet;
  if (head.starts_with("ORC") && head.size() > 3 && IsControl(head[3])) {
    return ForeignFile{"an ORC file", kParquet.hint};
  }
  if (head.starts_with("BZh") &&
      head.substr(std::min<size_t>(head.size(), 4)).starts_with("1AY&SY")) {
    return ForeignFile{"compressed with bzip2",
                       "decompress it (bzip2 -d), or compress it with gzip or zstd"};
  }
  for (const Mark& mark : kMarks) {
    if (head.starts_with(mark.begins)) return mark.file;
  }
  return std::nullopt;
}

}  // namespace thicket
