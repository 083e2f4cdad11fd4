#include "io/postgres/postgres_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace thicket::postgres_connection_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

InputPolicy Input(std::string path, std::string schema = "") {
  InputPolicy input;
  input.format = Format::kPostgresql;
  input.path = std::move(path);
  input.schema = std::move(schema);
  return input;
}

// "connection schema", or the message.
std::string Found(const InputPolicy& input, const std::string& location) {
  const auto place = FindPostgres(input, location);
  return place.ok() ? place->connection + " " + place->schema : place.error().message;
}

TEST(FindPostgres, EmptyIsThePolicysServerAndSchema) {
  EXPECT_EQ(Found(Input("postgresql://h/d", "raw"), ""), "postgresql://h/d raw");
  EXPECT_EQ(Found(Input("postgresql://h/d"), ""), "postgresql://h/d public");
  EXPECT_EQ(Found(Input(""), ""), "postgresql:// public");
}

TEST(FindPostgres, AConnectionStringReplacesTheServer) {
  EXPECT_EQ(Found(Input("postgresql://h/d", "raw"), "postgres://other/e"),
            "postgres://other/e raw");
  EXPECT_EQ(Found(Input("postgresql://h/d"), "host=other dbname=e"), "host=other dbname=e public");
}

TEST(FindPostgres, AnythingElseIsASchemaOfThePolicysServer) {
  EXPECT_EQ(Found(Input("postgresql://h/d", "raw"), "Published 2026"),
            "postgresql://h/d Published 2026");
  EXPECT_EQ(Found(Input(""), "published"), "postgresql:// published");
}

TEST(FindPostgres, RefusesAPasswordHoweverItIsWritten) {
  for (const char* location :
       {"postgresql://u:hunter2@h/d", "postgresql://h/d?password=hunter2",
        "postgresql://u:@h:5432/d?user=x&password=hunter2", "host=h password=hunter2",
        "host=h password = 'hunter2'", "host=h sslpassword=hunter2",
        "postgresql://u:hunter2%40@[::1]:5/d"}) {
    const auto place = FindPostgres(Input(""), location);
    ASSERT_FALSE(place.ok()) << location;
    EXPECT_EQ(place.error().code, ErrorCode::kUsage);
    EXPECT_THAT(place.error().message, HasSubstr("must not hold a password")) << location;
    EXPECT_THAT(place.error().message + place.error().hint, Not(HasSubstr("hunter2")));
    EXPECT_FALSE(FindPostgres(Input(location), "published").ok());
  }
}

TEST(FindPostgres, AColonElsewhereIsNoPassword) {
  for (const char* location :
       {"postgresql://u@h:5432/d", "postgresql://[::1]:5432/d",
        "postgresql://u@h/d?options=-csearch_path%3Da:b", "user=a:b host=h"}) {
    EXPECT_TRUE(FindPostgres(Input(""), location).ok()) << location;
  }
}

TEST(FindPostgres, NeverQuotesAConnectionStringThatItCannotRead) {
  for (const char* location : {"host=h password hunter2", "host=h password=it's hunter2",
                               "postgresql://h/d?pass=hunter2", "postgresql://u:hunter2@[h/d"}) {
    const auto place = FindPostgres(Input(""), location);
    ASSERT_FALSE(place.ok()) << location;
    EXPECT_EQ(place.error().code, ErrorCode::kUsage);
    EXPECT_THAT(place.error().message + place.error().hint, Not(HasSubstr("hunter2")));
  }
}

TEST(PostgresConnection, SaysThatNobodyListens) {
  const auto connection =
      PostgresConnection::Connect("host=/nonexistent dbname=school user=ann connect_timeout=2");
  ASSERT_FALSE(connection.ok());
  EXPECT_EQ(connection.error().code, ErrorCode::kIo);
  EXPECT_THAT(connection.error().message, HasSubstr("database school: cannot connect: "));
  EXPECT_THAT(connection.error().hint, HasSubstr("PG* variables"));
}

}  // namespace
}  // namespace thicket::postgres_connection_test
