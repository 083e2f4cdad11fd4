#include "io/file/commit.h"

#include <functional>
#include <utility>

#include "io/file/temporary.h"

namespace thicket {

namespace {

// Files that are there for now. They go back unless they have become final, also when an exception passes.
class ForNow {
 public:
  // `appeared`: whether that has appeared for which the files are there.
  explicit ForNow(std::function<bool()> appeared) : appeared_(std::move(appeared)) {}
  ForNow(const ForNow&) = delete;
  ForNow& operator=(const ForNow&) = delete;
  ~ForNow() {
    try {
      (void)End().ok();
    } catch (
        ...) {  // NOLINT(bugprone-empty-catch): the exception that is passing says what went wrong
    }
  }

  Status Commit(AtomicFile& file) {
    files_.push_back(&file);
    Status committed = file.CommitForNow();
    if (!committed.ok()) files_.pop_back();
    return committed;
  }

  // An error: some files could not be taken back.
  Status End() {
    Status status;
    const bool stay = !files_.empty() && appeared_();
    for (; !files_.empty(); files_.pop_back()) {
      if (stay) {
        files_.back()->Settle();
        continue;
      }
      Status back = files_.back()->TakeBack();
      if (!back.ok()) status = std::move(back);
    }
    return status;
  }

 private:
  std::function<bool()> appeared_;
  std::vector<AtomicFile*> files_;
};

// What failed is the error; where something could not be taken back in addition, the hint says so.
Status Ended(Status status, ForNow& for_now) {
  const Status back = for_now.End();
  if (!status.ok() && !back.ok()) {
    status.error().hint =
        back.error().message + (back.error().hint.empty() ? "" : "; " + back.error().hint);
  }
  return status;
}

}  // namespace

Status CommitAll(const std::vector<std::unique_ptr<AtomicFile>>& files, const FilePlan& plan) {
  if (files.empty()) return {};
  for (const auto& file : files) THICKET_TRY(file->Close());
  CommitScope scope;
  AtomicFile& last = *files.back();
  ForNow for_now([&] { return last.MayHaveAppeared(); });
  const auto commit = [&]() -> Status {
    for (size_t i = 0; i + 1 < files.size(); ++i) THICKET_TRY(for_now.Commit(*files[i]));
    THICKET_TRY(plan.Check());
    return last.Commit();
  };
  Status status = Ended(commit(), for_now);
  if (last.MayHaveAppeared()) scope.Done();
  return status;
}

Status CommitBehind(std::span<AtomicFile* const> descriptions, DataTarget& data,
                    const FilePlan& plan) {
  CommitScope scope;
  ForNow for_now([&] { return data.MayHaveAppeared(); });
  const auto commit = [&]() -> Status {
    for (AtomicFile* description : descriptions) {
      if (description != nullptr) THICKET_TRY(for_now.Commit(*description));
    }
    THICKET_TRY(plan.Check());
    return data.Commit();
  };
  Status status = Ended(commit(), for_now);
  if (data.MayHaveAppeared()) scope.Done();
  return status;
}

}  // namespace thicket
