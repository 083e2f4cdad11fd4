#include "survey/identifiers.h"

#include <gtest/gtest.h>

#include <string>

namespace thicket::identifiers_test {
namespace {

using Kind = IdentifierKind;

TEST(IdentifiersTest, RecognizesAddresses) {
  EXPECT_EQ(RecognizeIdentifier("ann.b@example.org"), Kind::kEmail);
  EXPECT_EQ(RecognizeIdentifier("https://example.org/people/17"), Kind::kUrl);
  EXPECT_EQ(RecognizeIdentifier("www.example.org"), Kind::kUrl);
  EXPECT_EQ(RecognizeIdentifier("192.168.0.17"), Kind::kIpAddress);
  EXPECT_EQ(RecognizeIdentifier("2001:db8::1"), Kind::kIpAddress);
  EXPECT_EQ(RecognizeIdentifier("00:1b:44:11:3a:b7"), Kind::kMacAddress);
}

TEST(IdentifiersTest, ChecksTheSumsOfAccountsAndCards) {
  EXPECT_EQ(RecognizeIdentifier("DE89 3704 0044 0532 0130 00"), Kind::kIban);
  EXPECT_EQ(RecognizeIdentifier("GB82WEST12345698765432"), Kind::kIban);
  EXPECT_EQ(RecognizeIdentifier("DE88370400440532013000"), Kind::kNone);
  EXPECT_EQ(RecognizeIdentifier("4111 1111 1111 1111"), Kind::kCard);
  EXPECT_EQ(RecognizeIdentifier("5500005555555559"), Kind::kCard);
  EXPECT_EQ(RecognizeIdentifier("4111111111111112"), Kind::kNone);
}

TEST(IdentifiersTest, RecognizesUuidsAndHashes) {
  EXPECT_EQ(RecognizeIdentifier("123e4567-e89b-12d3-a456-426614174000"), Kind::kUuid);
  EXPECT_EQ(RecognizeIdentifier("urn:uuid:123E4567-E89B-12D3-A456-426614174000"), Kind::kUuid);
  EXPECT_EQ(RecognizeIdentifier("d41d8cd98f00b204e9800998ecf8427e"), Kind::kHash);
  EXPECT_EQ(RecognizeIdentifier("123e4567-e89b-12d3-a456-42661417400x"), Kind::kNone);
}

TEST(IdentifiersTest, RecognizesNumbersInGroups) {
  for (const char* phone : {"202-224-3121", "(202) 224-3121", "+49 30 1234567", "555-1234",
                            "+442079460000", "123-45-6789"}) {
    EXPECT_EQ(RecognizeIdentifier(phone), Kind::kPhone) << phone;
  }
}

TEST(IdentifiersTest, LeavesDatesNumbersAndCodesAlone) {
  for (const char* text :
       {"2014-05-18", "18.05.2014", "5/18/2014", "1990-1995", "12345-6789", "978-3-16-148410-0",
        "1234567", "1234567.25", "-122.41941", "CS305", "10:30:00", "2014-05-18T10:30:00", "1.2.3",
        "", "Ann Example", "3.14159265", "12 345 678,90"}) {
    EXPECT_EQ(RecognizeIdentifier(text), Kind::kNone) << text;
  }
}

TEST(IdentifiersTest, AKindIsThatOfNearlyAll) {
  IdentifierCount count;
  EXPECT_EQ(count.kind(), Kind::kNone);
  for (int i = 0; i < 9; ++i) count.Add("a" + std::to_string(i) + "@example.org");
  EXPECT_EQ(count.kind(), Kind::kEmail);
  count.Add("unknown");
  EXPECT_EQ(count.kind(), Kind::kEmail);
  count.Add("unknown");
  EXPECT_EQ(count.kind(), Kind::kNone);
}

}  // namespace
}  // namespace thicket::identifiers_test
