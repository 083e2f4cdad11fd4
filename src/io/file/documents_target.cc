#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "base/phase.h"
#include "io/data_target.h"
#include "io/documents.h"
#include "io/file/atomic_file.h"
#include "io/file/atomic_folder.h"

namespace thicket {

namespace {

class DocumentsTarget final : public DataTarget {
 public:
  DocumentsTarget(const Policy& policy, const OutputPlace& place)
      : policy_(&policy),
        mode_(place.file_mode()),
        folder_(place, "documents", [format = policy.input.format](std::string_view name) {
          return IsDocumentName(format, name);
        }) {}

  Status Start() { return folder_.Start(); }

  Status Write(OutgoingRecords& records, const WriteOptions& options, Progress& progress) override {
    const Format format = policy_->input.format;
    THICKET_ASSIGN(const std::unique_ptr<DocumentWriter> writer,
                   format == Format::kXml ? WriteXmlDocuments(policy_->input, records, options)
                                          : WriteJsonDocuments(policy_->input, records, options));
    Phase phase("write", records.count());
    std::string text;
    for (size_t i = 0; i < records.count(); ++i) {
      if (progress.cancelled()) return Interrupted();
      text.clear();
      THICKET_TRY(writer->Write(i, text));
      std::string name = DocumentName(format, i + 1);
      const std::string path = folder_.path() + "/" + name;
      folder_.Add(std::move(name));
      THICKET_TRY(WriteFile(path, text));
      phase.Advance();
    }
    return Sync();
  }

  Result<Dataset> ReadBack(Progress& progress) override {
    return ReadDataset(*policy_, folder_.path(), ReadAs::kPublished, progress);
  }

  bool Replaces() const override { return folder_.Replaces(); }
  bool MayHaveAppeared() const override { return folder_.MayHaveAppeared(); }
  Status Commit() override { return folder_.Commit(); }

 private:
  Status WriteFile(const std::string& path, std::string_view text) const {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return CannotWrite(folder_.name(), errno);
    int error = 0;
    while (!text.empty() && error == 0) {
      const ssize_t written = write(file, text.data(), text.size());
      if (written < 0 && errno != EINTR) error = errno;
      if (written > 0) text.remove_prefix(static_cast<size_t>(written));
    }
    if (error == 0 && fchmod(file, mode_) != 0) error = errno;
    if (close(file) != 0 && error == 0) error = errno;
    return error == 0 ? Status() : Status(CannotWrite(folder_.name(), error));
  }

  // All files at once: one by one takes a disk milliseconds each.
  Status Sync() const {
    const int folder = open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return CannotWrite(folder_.name(), errno);
    const int error = syncfs(folder) == 0 ? 0 : errno;
    close(folder);
    return error == 0 ? Status() : Status(CannotWrite(folder_.name(), error));
  }

  const Policy* policy_;
  mode_t mode_;
  AtomicFolder folder_;
};

}  // namespace

Result<std::unique_ptr<DataTarget>> CreateDocumentsTarget(const Policy& policy,
                                                          const OutputPlace& place) {
  auto target = std::make_unique<DocumentsTarget>(policy, place);
  THICKET_TRY(target->Start());
  return std::unique_ptr<DataTarget>(std::move(target));
}

}  // namespace thicket
