#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace thicket::json_writer_test {
namespace {

TEST(JsonWriter, SeparatesAndNests) {
  JsonWriter json;
  json.BeginObject().Key("a").Number(uint64_t{1}).Key("b").BeginArray();
  json.String("x").Boolean(true).Null().Number(0.5).BeginObject().EndObject();
  json.EndArray().Key("c").BeginObject().EndObject().EndObject();
  EXPECT_EQ(json.text(), R"({"a": 1, "b": ["x", true, null, 0.5, {}], "c": {}})");
}

TEST(JsonWriter, EscapesWhatJsonAsksFor) {
  JsonWriter json;
  json.String("q\" b\\ n\n");
  EXPECT_EQ(json.text(), R"("q\" b\\ n\u000a")");
}

TEST(JsonWriter, RoundsWhatIsNotWhole) {
  JsonWriter json;
  json.BeginArray().Number(25346126.0).Number(25346126.5).Number(-13.0 / 3).Number(4e38);
  json.Number(std::numeric_limits<double>::quiet_NaN()).EndArray();
  EXPECT_EQ(json.text(), "[25346126, 2.53461e+07, -4.33333, 4e+38, null]");
}

TEST(JsonWriter, SeparatesAfterAStringThatEndsInASpaceOrBracket) {
  JsonWriter json;
  json.BeginArray().String("a ").String("b[").String("c").EndArray();
  EXPECT_EQ(json.text(), R"(["a ", "b[", "c"])");
}

}  // namespace
}  // namespace thicket::json_writer_test
