// Reading and writing in every format: the same students, with throughput and peak memory.
//
//   build/bench_formats [N]     100,000 students unless N says otherwise
//
// Each measurement runs in a process of its own. What was written is read again and must hold as many vertices, or the
// program fails. PostgreSQL takes part where PGHOST is set; scripts/bench starts a server for it. MB are those of the data
// in that format (PostgreSQL: of the CSV tables).
#include <sys/mman.h>

#include <filesystem>
#include <map>
#include <string>

#include "engine/content.h"
#include "engine/convert.h"
#include "generate/generate.h"
#include "io/dataset_io.h"
#include "measure.h"

namespace thicket {
namespace {

namespace fs = std::filesystem;

uint64_t SizeOf(const fs::path& path) {
  if (!fs::is_directory(path)) return fs::file_size(path);
  uint64_t size = 0;
  for (const auto& file : fs::directory_iterator(path)) size += file.file_size();
  return size;
}

// Numbers that a child process leaves behind.
struct Shared {
  double seconds = 0;
  uint64_t vertices = 0;
};

class Bench {
 public:
  Bench(const fs::path& folder, uint64_t count) : folder_(folder) {
    Progress progress;
    MustDo(Generate("students", count, 7, (folder / "source").string(), progress));
    shared_ = static_cast<Shared*>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  }

  bool Run(const std::string& format) {
    const std::string output = format == "postgresql" ? "" : (folder_ / format).string();
    const std::string policy = (folder_ / (format + ".yaml")).string();
    if (PeakOf([&] { Convert(format, output, policy); }) == 0) return false;
    const uint64_t expected = shared_->vertices;

    const LoadedPolicy loaded = Must(LoadPolicy(policy));
    const uint64_t read_peak = PeakOf([&] { Read(loaded); });
    const double read = shared_->seconds;
    if (read_peak == 0 || shared_->vertices != expected) return false;
    const uint64_t write_peak = PeakOf([&] { Write(loaded, format); });
    const double write = shared_->seconds;
    if (write_peak == 0) return false;

    if (format == "postgresql") {
      size_[format] = size_["tables"];
    } else {
      size_[format] = SizeOf(output);
    }
    const double mb = static_cast<double>(size_[format]) / 1e6;
    const double vertices = static_cast<double>(expected) / 1e6;
    fmt::print(
        "{:<10} {:>7.1f} {:>8.2f} {:>6.0f} {:>8.2f} {:>7.0f} {:>8.2f} {:>6.0f} {:>8.2f} {:>7.0f}\n",
        format, mb, read, mb / read, vertices / read, static_cast<double>(read_peak) / 1e6, write,
        mb / write, vertices / write, static_cast<double>(write_peak) / 1e6);
    std::fflush(stdout);
    return true;
  }

 private:
  void Convert(const std::string& format, const std::string& output, const std::string& policy) {
    Progress progress;
    const LoadedPolicy source = Must(LoadPolicy((folder_ / "source/policy.yaml").string()));
    ConvertRequest request;
    request.to = format;
    request.output = output;
    request.policy = policy;
    if (format == "postgresql") request.into = "students";
    shared_->vertices = Must(ConvertFile(source, request, progress)).vertices;
  }

  void Read(const LoadedPolicy& policy) {
    Progress progress;
    shared_->seconds = SecondsOf([&] {
      shared_->vertices = Must(ReadDataset(policy.content().policy, policy.InputPath(),
                                           ReadAs::kOriginal, progress))
                              .forest.vertex_count();
    });
  }

  // The data set as it was read, written as published data is.
  void Write(const LoadedPolicy& policy, const std::string& format) {
    Progress progress;
    const Policy& rules = policy.content().policy;
    const Dataset data = Must(ReadDataset(rules, policy.InputPath(), ReadAs::kOriginal, progress));
    DatasetRecords records(data);
    const auto target =
        Must(DataTarget::Create(rules, {.path = (folder_ / (format + ".copy")).string(),
                                        .schema = format == "postgresql" ? "copy" : ""}));
    shared_->seconds = SecondsOf([&] {
      MustDo(target->Write(records, {}, progress));
      MustDo(target->Commit());
    });
  }

  fs::path folder_;
  Shared* shared_;
  std::map<std::string, uint64_t> size_;
};

int Main(uint64_t count) {
  std::string name = (fs::temp_directory_path() / "thicket_bench.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return 1;
  fmt::print("{} students\n", count);
  fmt::print("{:<10} {:>7} | {:>15} {:>8} {:>7} | {:>15} {:>8} {:>7}\n", "", "", "read", "million",
             "peak", "write", "million", "peak");
  fmt::print("{:<10} {:>7} {:>8} {:>6} {:>8} {:>7} {:>8} {:>6} {:>8} {:>7}\n", "format", "MB", "s",
             "MB/s", "vert./s", "MB", "s", "MB/s", "vert./s", "MB");
  bool good = true;
  {
    Bench bench(name, count);
    for (const Format format : kFormats) {
      if (format == Format::kCsv) continue;
      if (format == Format::kPostgresql && std::getenv("PGHOST") == nullptr) {
        fmt::print("postgresql: no server; set PGHOST, or run scripts/bench\n");
        continue;
      }
      good = bench.Run(std::string(FormatName(format))) && good;
    }
  }
  fs::remove_all(name);
  if (!good) fmt::print(stderr, "bench: a format failed\n");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace thicket

int main(int argc, char** argv) {
  return thicket::Main(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000);
}
