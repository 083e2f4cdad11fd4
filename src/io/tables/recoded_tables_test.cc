#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "io/tables/outgoing_tables.h"
#include "io/tables/test_tables.h"
#include "io/test_publication.h"
#include "io/writers.h"
#include "testing/cases.h"

// Globally recoded data as joined tables, out and in again.
namespace thicket::recoded_tables_test {
namespace {

using testing::ByCombinations;
using testing::Changed;
using testing::Describe;
using testing::ErrorOf;
using testing::FlatEncoding;
using testing::FlatLabel;
using testing::JoinedPolicy;
using testing::PublicationText;
using testing::RandomPublication;
using testing::Read;
using testing::ReadTexts;
using testing::RecodedBuilder;

// With one level more: pages(BID) below books.
Policy DeepPolicy(Format format = Format::kTables) {
  Policy policy = Changed(JoinedPolicy(), [](std::vector<VertexClass>& classes) {
    classes[2].key = "BID";
    classes[2].sensitive = {{"mood", {}, {}}};
    classes[2].children = {4};
    VertexClass page;
    page.name = "page";
    page.table = page.at = "pages";
    page.parent = 2;
    page.parent_key = "BID";
    page.quasi = {testing::Quasi("kind"), testing::Quasi("size")};
    page.keep = {"note"};
    classes.push_back(page);
  });
  policy.input.format = format;
  return ByCombinations(policy);
}

EncodedDataset DeepData() {
  auto data = Read(
      DeepPolicy(Format::kJsonl),
      R"({"major":"a","gpa":"g","campus":"x","courses":[{"code":"p","grade":"A","books":[{"title":"b","mood":"m",)"
      R"("pages":[{"kind":"k","size":"s","note":"n"},{"kind":"l","note":"o"}]},{"title":"c","mood":"q"}]},)"
      R"({"code":"q","grade":"B"},{"code":"r","grade":"C"}],"tags":["t"]})"
      "\n"
      R"({"major":"b","gpa":"h","tags":["u"]})",
      ReadAs::kPublished);
  EXPECT_TRUE(data.ok()) << ErrorOf(data);
  return FlatEncoding(std::move(*data));
}

// One CSV text per class.
std::vector<std::string> Texts(const EncodedDataset& data, const Publication& published) {
  PublicationRecords records(data, published);
  OutgoingTables tables(records, {});
  std::vector<std::string> texts(data.schema().classes.size());
  for (size_t id = 0; id < texts.size(); ++id) {
    const Status status = WriteCsvTable(InputPolicy(), tables, static_cast<ClassId>(id), ',',
                                        [&](std::string_view bytes) {
                                          texts[id] += bytes;
                                          return Status();
                                        });
    EXPECT_TRUE(status.ok());
  }
  return texts;
}

std::string ReadText(const std::vector<std::string>& texts) {
  const auto data = ReadTexts(DeepPolicy(), texts, ReadAs::kPublished);
  return data.ok() ? Describe(*data) : ErrorOf(data);
}

Publication MovedPages(const EncodedDataset& data) {
  const auto label = [&](ClassId id, size_t q, const char* text) {
    return FlatLabel(data, id, q, text);
  };
  RecodedBuilder builder;
  builder.Open(0, {label(0, 0, "a")}, {0});
  builder.Open(1, {label(1, 0, "*")}, {1, 6, 7});
  builder.Open(2, {label(2, 0, "b")}, {2});
  builder.Open(4, {label(4, 0, "k"), kNoLabel}, {3}).Close().Close();
  builder.Open(4, {kNoLabel, label(4, 1, "s")}, {}).Close().Close();
  builder.Open(4, {label(4, 0, "l"), kNoLabel}, {4}).Close();
  builder.Close();
  builder.Open(0, {kNoLabel}, {9});
  builder.Open(1, {label(1, 0, "q")}, {}).Close();
  builder.Close();
  return builder.published();
}

TEST(RecodedTables, AMovedRowNamesItsAncestorInAColumnOfItsOwn) {
  const EncodedDataset data = DeepData();
  const std::vector<std::string> texts = Texts(data, MovedPages(data));
  EXPECT_EQ(texts[0], "ID,major,gpa,campus\n1,a,g,x\n2,,h,\n");
  // Three courses are one vertex with three grades, so three rows; books belong to the first.
  EXPECT_EQ(texts[1], "CID,SID,code,grade\n1,1,*,A\n2,1,*,B\n3,1,*,C\n4,2,q,\n");
  EXPECT_EQ(texts[2], "BID,CID,title,mood\n1,1,b,m\n");
  EXPECT_EQ(texts[3], "SID,tag\n");
  EXPECT_EQ(texts[4], "BID,kind,size,note,CID,SID\n1,k,,n,,\n,,s,,1,\n,l,,o,,1\n");
  EXPECT_EQ(ReadText(texts),
            "student('a','g','x'){course('*','A'){book('b','m'){page('k',-,'n')}page(-,'s',-)}"
            "course('*','B')course('*','C')page('l',-,'o')}\n"
            "student(-,'h',-){course('q',-)}\n");
}

TEST(RecodedTables, ARowMustLeadToExactlyOneOtherThatIsThere) {
  const EncodedDataset data = DeepData();
  std::vector<std::string> texts = Texts(data, MovedPages(data));
  const std::string again = " [do not hand this data out; publish again with thicket anonymize]";
  texts[4] = "BID,kind,CID,SID\n1,k,1,\n";
  EXPECT_EQ(ReadText(texts),
            "pages.csv:2: CID: a row must lead to one other, but this one leads to two" + again);
  texts[4] = "BID,kind,CID,SID\n,k,1,1\n";
  EXPECT_EQ(ReadText(texts),
            "pages.csv:2: SID: a row must lead to one other, but this one leads to two" + again);
  texts[4] = "BID,kind,CID,SID\n,k,,3\n";
  EXPECT_EQ(ReadText(texts),
            "pages.csv:2: SID: every row must have its parent in students.csv, but this one has "
            "none (1 of 1 rows)" +
                again);
  texts[4] = "BID,kind,SID\n1,k,\n,k,\n";
  EXPECT_EQ(ReadText(texts),
            "pages.csv:3: BID: every row must have its parent in books.csv, but this one has none "
            "(1 of 2 rows)" +
                again);
}

TEST(RecodedTables, OriginalDataAndOtherPromisesHaveNoSuchColumns) {
  const EncodedDataset data = DeepData();
  const std::vector<std::string> texts = Texts(data, MovedPages(data));
  Policy other = DeepPolicy();
  other.privacy.m = other.privacy.n = std::nullopt;
  EXPECT_THAT(ErrorOf(ReadTexts(other, texts, ReadAs::kPublished)),
              ::testing::StartsWith("pages.csv:3: BID: every row must have its parent"));
  const auto original = ReadTexts(DeepPolicy(), texts, ReadAs::kOriginal);
  ASSERT_FALSE(original.ok());
}

TEST(RecodedTables, AnyPublicationComesBackAsItWas) {
  const EncodedDataset data = DeepData();
  for (uint64_t seed = 0; seed < Cases(100); ++seed) {
    Random random = Random::Seeded(seed);
    const Publication published = RandomPublication(data, random, true).Make();
    const std::vector<std::string> texts = Texts(data, published);
    ASSERT_EQ(ReadText(texts), PublicationText(data, published).All()) << texts[4];
  }
}

// Through a place that data goes to, as a run does.
void ExpectComesBack(Format format, const OutputPlace& place, int seeds) {
  const Policy policy = DeepPolicy(format);
  const EncodedDataset data = DeepData();
  for (int seed = 0; seed < seeds; ++seed) {
    Random random = Random::Seeded(static_cast<uint64_t>(seed));
    const Publication published = RandomPublication(data, random, true).Make();
    PublicationRecords records(data, published);
    Progress progress;
    auto target = DataTarget::Create(policy, place);
    ASSERT_TRUE(target.ok()) << target.error().message;
    const Status written = (*target)->Write(records, {}, progress);
    ASSERT_TRUE(written.ok()) << written.error().message;
    const auto again = (*target)->ReadBack(progress);
    ASSERT_TRUE(again.ok()) << ErrorOf(again);
    ASSERT_EQ(Describe(*again), PublicationText(data, published).All());
    target->reset();
    // Moved rows are there also when the published data is only converted.
    DatasetRecords converted(*again);
    const auto other = DataTarget::Create(policy, place);
    ASSERT_TRUE(other.ok()) << other.error().message;
    ASSERT_TRUE((*other)->Write(converted, {}, progress).ok());
    const auto twice = (*other)->ReadBack(progress);
    ASSERT_TRUE(twice.ok()) << ErrorOf(twice);
    ASSERT_EQ(Describe(*twice), Describe(*again));
  }
}

TEST(RecodedTables, AFolderOfTablesGivesRecodedDataBack) {
  const testing::TemporaryFolder folder;
  ExpectComesBack(Format::kTables, {folder.path() + "/out", "", 0644}, 5);
}

TEST(RecodedTables, SqliteGivesRecodedDataBack) {
  const testing::TemporaryFolder folder;
  ExpectComesBack(Format::kSqlite, {folder.path() + "/out.db", "", 0644}, 5);
}

TEST(PostgresRecoded, GivesRecodedDataBack) {
  if (std::getenv("THICKET_TEST_SERVER") == nullptr) {
    GTEST_SKIP() << "needs tests/postgres_server.py";
  }
  ExpectComesBack(Format::kPostgresql, {"", "recoded", 0644}, 3);
}

}  // namespace
}  // namespace thicket::recoded_tables_test
