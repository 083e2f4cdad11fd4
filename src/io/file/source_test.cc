#include "io/file/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/file/compress.h"
#include "io/test_policy.h"

namespace thicket::source_test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

std::string Compress(std::unique_ptr<Compressor> compressor, std::string_view text) {
  std::string out;
  const auto append = [&](std::string_view bytes) {
    out += bytes;
    return Status();
  };
  EXPECT_TRUE(compressor->Add(text.substr(0, text.size() / 2), append).ok());
  EXPECT_TRUE(compressor->Add(text.substr(text.size() / 2), append).ok());
  EXPECT_TRUE(compressor->Finish(append).ok());
  return out;
}

std::string Gzip(std::string_view text) { return Compress(Compressor::Gzip(), text); }
std::string Zstd(std::string_view text) { return Compress(Compressor::Zstd(), text); }

// Text that does not compress away.
std::string Noise(size_t size) {
  std::string text(size, ' ');
  uint32_t state = 1;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>('a' + (state >> 24) % 26);
  }
  return text;
}

TEST(Source, ReadsPlainFiles) {
  const TemporaryFolder folder;
  const std::string text = Noise(200000);
  EXPECT_EQ(*ReadAll(folder.File("a", text)), text);
  EXPECT_EQ(*ReadAll(folder.File("b", "")), "");
  EXPECT_EQ(*ReadAll(folder.File("c", "x")), "x");
}

TEST(Source, ReadsCompressedFilesWhateverTheirName) {
  const TemporaryFolder folder;
  const std::string text = Noise(3000000);
  EXPECT_EQ(*ReadAll(folder.File("a", Gzip(text))), text);
  EXPECT_EQ(*ReadAll(folder.File("b", Zstd(text))), text);
  EXPECT_EQ(*ReadAll(folder.File("c", Gzip(""))), "");
  EXPECT_EQ(*ReadAll(folder.File("d", Zstd(""))), "");
}

TEST(Source, ReadsSeveralMembersAsOne) {
  const TemporaryFolder folder;
  EXPECT_EQ(*ReadAll(folder.File("a", Gzip("one ") + Gzip("") + Gzip("two"))), "one two");
  EXPECT_EQ(*ReadAll(folder.File("b", Zstd("one ") + Zstd("") + Zstd("two"))), "one two");
  EXPECT_EQ(*ReadAll(folder.File("c", Gzip("one") + std::string(1000, '\0'))), "one");
}

// A gzip file whose header has the flags (RFC 1952, 2.3.1) and, behind the fixed part, the fields of these flags.
std::string GzipWith(char flags, const std::string& fields, std::string_view text) {
  std::string file = Gzip(text);
  file[3] = flags;
  return file.insert(10, fields);
}

// What the file holds beside the data, once it is read.
std::string BesideData(const std::string& path) {
  auto source = Source::Open(path);
  if (!source.ok()) return source.error().message;
  char buffer[1000];
  while (true) {
    const auto got = (*source)->Read(buffer, sizeof buffer);
    if (!got.ok()) return got.error().message;
    if (*got == 0) return std::string((*source)->beside_data());
  }
}

TEST(Source, KnowsWhatACompressedFileHoldsBesideTheData) {
  const TemporaryFolder folder;
  const std::string zero(1, '\0');
  const std::string comment = GzipWith(0x10, "Ann" + zero, "two");
  EXPECT_EQ(BesideData(folder.File("a", Gzip(Noise(300'000)))), "");
  EXPECT_EQ(BesideData(folder.File("a", Gzip("one") + Gzip("two"))),
            "more than one member of gzip");
  EXPECT_EQ(BesideData(folder.File("a", Gzip("one") + Gzip(""))), "more than one member of gzip");
  EXPECT_EQ(BesideData(folder.File("a", Gzip("") + Gzip("one"))), "more than one member of gzip");
  EXPECT_EQ(BesideData(folder.File("a", Gzip("one") + zero)), "zeros behind the end of gzip");
  EXPECT_EQ(BesideData(folder.File("a", comment)), "a comment of gzip");
  EXPECT_EQ(BesideData(folder.File("a", Gzip("one") + comment)), "more than one member of gzip");
  EXPECT_EQ(BesideData(folder.File("a", comment + Gzip("one"))), "a comment of gzip");
  EXPECT_EQ(BesideData(folder.File("a", GzipWith(0x04, "\x03" + zero + "Ann", "one"))),
            "an extra field of gzip");
  EXPECT_EQ(BesideData(folder.File("a.csv.gz", GzipWith(0x08, "a.csv" + zero, "one"))), "");
  EXPECT_EQ(BesideData(folder.File("a.csv.gz", GzipWith(0x08, "Ann.csv" + zero, "one"))),
            "the name of another file");
  EXPECT_EQ(BesideData(folder.File("a.csv.gz", GzipWith(0x08, std::string(600, 'a') + zero, "x"))),
            "the name of another file");

  const std::string skipped = std::string("\x5a\x2a\x4d\x18\x03", 5) + zero + zero + zero + "Ann";
  EXPECT_EQ(BesideData(folder.File("b", Zstd(Noise(300'000)))), "");
  EXPECT_EQ(BesideData(folder.File("b", Zstd("one") + Zstd("two"))), "more than one frame of zstd");
  EXPECT_EQ(BesideData(folder.File("b", Zstd("one") + Zstd(""))), "more than one frame of zstd");
  EXPECT_EQ(BesideData(folder.File("b", Zstd("") + Zstd("one"))), "more than one frame of zstd");
  EXPECT_EQ(BesideData(folder.File("b", Zstd("one") + skipped)),
            "a frame of zstd that holds no data");
  EXPECT_EQ(BesideData(folder.File("b", Zstd("one") + skipped + Zstd("two"))),
            "a frame of zstd that holds no data");
  EXPECT_EQ(*ReadAll(folder.File("b", Zstd("one ") + skipped + Zstd("two"))), "one two");
  EXPECT_EQ(BesideData(folder.File("b", Zstd("Z*M" + skipped))), "");
}

TEST(Source, RejectsEveryTruncationOfACompressedFile) {
  const TemporaryFolder folder;
  for (const std::string& whole : {Gzip(Noise(300)), Zstd(Noise(300))}) {
    for (size_t size = 4; size < whole.size(); ++size) {
      const auto content = ReadAll(folder.File("a", whole.substr(0, size)));
      ASSERT_FALSE(content.ok()) << size;
      EXPECT_EQ(content.error().code, ErrorCode::kData);
      EXPECT_THAT(content.error().message, HasSubstr(folder.path() + "/a: must be a whole"));
    }
  }
}

TEST(Source, RejectsDamagedCompressedFiles) {
  const TemporaryFolder folder;
  for (std::string bytes : {Gzip(Noise(3000)), Zstd(Noise(3000))}) {
    const auto trailing = ReadAll(folder.File("a", bytes + "garbage"));
    EXPECT_FALSE(trailing.ok());
    for (size_t i = 0; i < 40; ++i) bytes[bytes.size() / 2 + i] ^= 0x55;
    const auto content = ReadAll(folder.File("a", bytes));
    // zstd frames carry a checksum only if asked for; damage may then go unseen, but never crashes.
    if (bytes[0] == '\x1f') {
      ASSERT_FALSE(content.ok());
      EXPECT_EQ(content.error().code, ErrorCode::kData);
    }
  }
}

TEST(Source, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  const auto missing = ReadAll(folder.path() + "/none");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
  EXPECT_EQ(missing.error().message,
            folder.path() + "/none: cannot be read: No such file or directory");
  EXPECT_EQ(missing.error().hint, "check the path");
  const auto directory = ReadAll(folder.path());
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code, ErrorCode::kIo);
  EXPECT_THAT(directory.error().message, HasSubstr("Is a directory"));
  EXPECT_EQ(directory.error().hint, "give a file");
  if (geteuid() == 0) return;  // root may read everything
  const std::string locked = folder.File("locked", "x");
  ASSERT_EQ(chmod(locked.c_str(), 0), 0);
  const auto denied = ReadAll(locked);
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.error().hint, "get permission to read it, or give another file");
}

TEST(Source, NamesThePolicyWhereItMayHaveTheWrongPath) {
  const TemporaryFolder folder;
  Progress progress;
  const std::string none = folder.path() + "/none";
  const Policy policy = testing::StudentPolicy();
  EXPECT_EQ(ReadDataset(policy, none, ReadAs::kOriginal, progress).error().hint,
            "check the path, and input.path in the policy");
  EXPECT_EQ(ReadDataset(policy, none, ReadAs::kPublished, progress).error().hint, "check the path");
}

TEST(Source, KnowsHowFarItIs) {
  const TemporaryFolder folder;
  const std::string packed = Gzip(Noise(1000));
  auto source = Source::Open(folder.File("a", packed));
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->stored_bytes(), packed.size());
  char buffer[2000];
  while (*(*source)->Read(buffer, sizeof buffer) > 0) continue;
  EXPECT_EQ((*source)->bytes_taken(), packed.size());
}

TEST(Source, ReadsStandardInput) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string packed = Zstd("from a pipe");
  ASSERT_EQ(write(ends[1], packed.data(), packed.size()), static_cast<ssize_t>(packed.size()));
  close(ends[1]);
  const int saved = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  const auto content = ReadAll("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(*content, "from a pipe");
}

TEST(Source, RefusesAFileThatIsLongerThanItMayBe) {
  const TemporaryFolder folder;
  const ReadAllOptions options = {.what = "a policy", .most = 200'000};
  EXPECT_TRUE(ReadAll(folder.File("a", std::string(200'000, 'x')), options).ok());
  const std::string longer = folder.File("b", Zstd(std::string(200'001, 'x')));
  const auto content = ReadAll(longer, options);
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.error().code, ErrorCode::kData);
  EXPECT_EQ(content.error().message,
            longer + ": a policy must have at most 195.3 KiB, but has more");
}

TEST(Source, HoldsNoMoreThanItMay) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a", Gzip(std::string(1 << 20, 'x')));
  Progress progress;
  progress.set_max_memory(1);
  const auto content = ReadAll(path, {.progress = &progress});
  ASSERT_FALSE(content.ok());
  EXPECT_EQ(content.error().code, ErrorCode::kData);
}

}  // namespace
}  // namespace thicket::source_test
