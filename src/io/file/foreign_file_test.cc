#include "io/file/foreign_file.h"

#include <gtest/gtest.h>

namespace thicket::foreign_file_test {
namespace {

std::string_view KindOf(std::string_view head) {
  const std::optional<ForeignFile> found = RecognizeForeignFile(head);
  return found ? found->what : "text";
}

TEST(ForeignFileTest, TellsWhatAFileIsByItsFirstBytes) {
  const std::string zip_header = std::string("PK\x03\x04", 4) + std::string(26, '\0');
  EXPECT_EQ(KindOf(zip_header + "[Content_Types].xml"),
            "a spreadsheet or document of an office program (.xlsx, .ods)");
  EXPECT_EQ(KindOf(zip_header + "mimetypeapplication/vnd.oasis"),
            "a spreadsheet or document of an office program (.xlsx, .ods)");
  EXPECT_EQ(KindOf(zip_header + "data.csv"), "a ZIP archive");
  EXPECT_EQ(KindOf("PK\x03\x04"), "a ZIP archive");
  EXPECT_EQ(KindOf("PAR1\x15\x04"), "a Parquet file");
  EXPECT_EQ(KindOf("ORC\x08"), "an ORC file");
  EXPECT_EQ(KindOf("BZh91AY&SY"), "compressed with bzip2");
}

TEST(ForeignFileTest, TextIsText) {
  for (const char* text : {"", "PK", "PAR1", "PAR1,PAR2\n", "PAR1\n", "ORC;x", "ORC\t1", "BZh9",
                           "BZh9 and more", "Obj", "%PDF", "<?xml", "7z", "$FL2", "{\"a\": 1}"}) {
    EXPECT_EQ(KindOf(text), "text") << text;
  }
  EXPECT_EQ(KindOf("\x1f\x8b\x08"), "text");
  EXPECT_EQ(KindOf("\x28\xb5\x2f\xfd"), "text");
}

}  // namespace
}  // namespace thicket::foreign_file_test
