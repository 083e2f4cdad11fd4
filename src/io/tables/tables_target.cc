#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/data_target.h"
#include "io/file/atomic_file.h"
#include "io/file/atomic_folder.h"
#include "io/tables/outgoing_tables.h"
#include "io/tables/tables_reader.h"
#include "io/writers.h"

namespace thicket {

namespace {

class TablesTarget final : public DataTarget {
 public:
  TablesTarget(const Policy& policy, const OutputPlace& place, std::vector<std::string> files)
      : policy_(&policy),
        mode_(place.file_mode()),
        files_(std::move(files)),
        folder_(place, "tables", [this](std::string_view name) {
          return std::find(files_.begin(), files_.end(), name) != files_.end();
        }) {
    for (const std::string& file : files_) folder_.Add(file);
  }
  TablesTarget(const TablesTarget&) = delete;
  TablesTarget& operator=(const TablesTarget&) = delete;
  ~TablesTarget() override = default;

  Status Start() { return folder_.Start(); }

  Status Write(OutgoingRecords& records, const WriteOptions& options, Progress& progress) override {
    OutgoingTables tables(records, options);
    for (size_t id = 0; id < files_.size(); ++id) {
      THICKET_TRY(WriteTable(static_cast<ClassId>(id), records, tables, progress));
    }
    folder_.Sync();
    return {};
  }

  Result<Dataset> ReadBack(Progress& progress) override {
    return ReadDataset(*policy_, folder_.path(), ReadAs::kPublished, progress);
  }

  bool Replaces() const override { return folder_.Replaces(); }
  bool MayHaveAppeared() const override { return folder_.MayHaveAppeared(); }
  Status Commit() override { return folder_.Commit(); }

 private:
  Status WriteTable(ClassId id, const OutgoingRecords& records, OutgoingTables& tables,
                    Progress& progress) {
    auto file = AtomicFile::Create(folder_.path() + "/" + files_[id], mode_);
    if (!file.ok()) return folder_.Renamed(file.error());
    const auto write = [&](std::string_view bytes) {
      if (progress.cancelled()) return Status(Interrupted());
      return (*file)->Write(bytes);
    };
    const Status written =
        WriteCsvTable(policy_->input, tables, id, DelimiterOf(id, records), write);
    if (!written.ok()) return folder_.Renamed(written.error());
    const Status committed = (*file)->Commit();
    if (!committed.ok()) return folder_.Renamed(committed.error());
    return {};
  }

  char DelimiterOf(ClassId id, const OutgoingRecords& records) const {
    if (policy_->input.delimiter != 0) return policy_->input.delimiter;
    const TableShape& shape = records.data().shape.tables[id];
    const bool tabs = shape.columns.empty() && files_[id].find(".tsv") != std::string::npos;
    return tabs ? '\t' : shape.delimiter;
  }

  const Policy* policy_;
  mode_t mode_;
  // By class.
  std::vector<std::string> files_;
  AtomicFolder folder_;
};

}  // namespace

Result<std::unique_ptr<DataTarget>> CreateTablesTarget(const Policy& policy,
                                                       const OutputPlace& place) {
  THICKET_ASSIGN(std::vector<std::string> files, TableFileNames(policy));
  auto target = std::make_unique<TablesTarget>(policy, place, std::move(files));
  THICKET_TRY(target->Start());
  return std::unique_ptr<DataTarget>(std::move(target));
}

}  // namespace thicket
