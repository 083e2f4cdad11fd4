#include <memory>
#include <utility>

#include "io/data_target.h"
#include "io/file/atomic_file.h"

namespace thicket {

namespace {

class FileTarget final : public DataTarget {
 public:
  FileTarget(const Policy& policy, const OutputPlace& place, std::unique_ptr<AtomicFile> file)
      : policy_(policy), file_(std::move(file)) {
    if (place.documents) policy_.input.format = FormatOfFile(policy.input.format, place.path);
  }

  Status Write(OutgoingRecords& records, const WriteOptions& options, Progress& progress) override {
    THICKET_TRY(WriteRecords(policy_, records, options, [&](std::string_view bytes) {
      if (progress.cancelled()) return Status(Interrupted());
      return file_->Write(bytes);
    }));
    return file_->Close();
  }

  Result<Dataset> ReadBack(Progress& progress) override {
    return ReadDataset(policy_, file_->temporary_path(), ReadAs::kPublished, progress);
  }

  bool Replaces() const override { return file_->Replaces(); }
  Status Commit() override { return file_->Commit(); }
  bool MayHaveAppeared() const override { return file_->MayHaveAppeared(); }

 private:
  // In the format of the file.
  Policy policy_;
  std::unique_ptr<AtomicFile> file_;
};

}  // namespace

Result<std::unique_ptr<DataTarget>> CreateFileTarget(const Policy& policy,
                                                     const OutputPlace& place) {
  THICKET_ASSIGN(auto file, AtomicFile::Create(place.path, place.file_mode()));
  return std::unique_ptr<DataTarget>(std::make_unique<FileTarget>(policy, place, std::move(file)));
}

}  // namespace thicket
