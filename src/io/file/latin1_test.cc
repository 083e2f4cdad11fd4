#include "io/file/latin1.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/text.h"

namespace thicket::latin1_test {
namespace {

using ::testing::HasSubstr;

// Reads a few bytes at a time.
Result<std::string> Decode(const std::string& bytes, size_t piece) {
  const std::unique_ptr<Source> source = Source::FromText(bytes);
  Latin1Source text(*source);
  std::string all;
  std::string buffer(piece, '\0');
  while (true) {
    THICKET_ASSIGN(const size_t got, text.Read(buffer.data(), buffer.size()));
    if (got == 0) return all;
    all.append(buffer, 0, got);
  }
}

TEST(Latin1Test, EveryByteIsOneCharacterAndComesBack) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  for (const size_t piece : {size_t{1}, size_t{3}, size_t{1000}}) {
    const Result<std::string> text = Decode(bytes, piece);
    ASSERT_TRUE(text.ok());
    EXPECT_TRUE(IsUtf8(*text));
    EXPECT_EQ(*ToLatin1(*text), bytes);
  }
}

TEST(Latin1Test, ReadsTheLettersOfWindows) {
  EXPECT_EQ(*Decode("M\xfcller \x80 5 \x93x\x94 \x96", 100), "Müller € 5 “x” –");
}

TEST(Latin1Test, RefusesOtherCharacters) {
  for (const char* text : {"Łódź", "日本", "😀"}) {
    const Result<std::string> bytes = ToLatin1(text);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().code, ErrorCode::kUsage);
    EXPECT_THAT(bytes.error().message, HasSubstr("characters of Latin-1 only"));
  }
}

TEST(Latin1Test, RefusesTheMarksOfOtherEncodings) {
  EXPECT_THAT(Decode("\xef\xbb\xbf"
                     "a",
                     100)
                  .error()
                  .message,
              HasSubstr("mark of UTF-8"));
  EXPECT_THAT(Decode("\xff\xfe"
                     "a",
                     1)
                  .error()
                  .message,
              HasSubstr("mark of UTF-16"));
  EXPECT_EQ(*Decode("a\xef\xbb\xbf", 1), "aï»¿");
  EXPECT_EQ(*Decode("", 1), "");
}

}  // namespace
}  // namespace thicket::latin1_test
