// Whole runs of the engine on generated data, for benchmark programs.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/progress.h"
#include "engine/content.h"
#include "engine/thicket.h"
#include "io/file/atomic_file.h"
#include "io/file/source.h"
#include "measure.h"

namespace thicket {

// Whether the program should end with an error.
inline bool bench_failed = false;

inline void WriteText(const std::filesystem::path& path, const std::string& text) {
  auto file = Must(AtomicFile::Create(path.string(), 0644));
  MustDo(file->Write(text));
  MustDo(file->Close());
  MustDo(file->Commit());
}

inline std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct Measured {
  Report report;
  double seconds = 0;
  std::string output;
};

inline Measured Anonymize(const LoadedPolicy& policy, const std::filesystem::path& directory,
                          int threads, bool exhaustive) {
  const std::filesystem::path out = directory / "out";
  Progress progress;
  RunOptions options;
  options.seed = 7;
  options.threads = threads;
  options.exhaustive = exhaustive;
  Measured result;
  result.seconds = SecondsOf([&] {
    result.report = Must(AnonymizeFile(policy, {"", out.string(), "", ""}, options, progress));
  });
  result.output = Must(ReadAll(out.string()));
  return result;
}

inline void Compare(const std::string& what, const Measured& a, const Measured& b) {
  if (a.output == b.output) return;
  fmt::print("  DIFFERENT OUTPUT: {}\n", what);
  bench_failed = true;
}

}  // namespace thicket
