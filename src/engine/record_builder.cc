#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/content.h"
#include "engine/record_content.h"
#include "engine/records.h"
#include "io/dataset_sink.h"

namespace thicket {

namespace {

ValueKind KindOf(RecordValue::Kind kind) {
  switch (kind) {
    case RecordValue::Kind::kNone:
      return ValueKind::kNone;
    case RecordValue::Kind::kText:
      return ValueKind::kString;
    case RecordValue::Kind::kNumber:
      return ValueKind::kNumber;
    case RecordValue::Kind::kBoolean:
      return ValueKind::kBoolean;
  }
  return ValueKind::kNone;
}

Error Misused(std::string_view what) {
  return ErrorAt(ErrorCode::kUsage, {.file = "RecordBuilder"}, what,
                 "call BeginRecord, then OpenVertex and CloseVertex in pairs, then EndRecord");
}

}  // namespace

// The open vertices, and how many children of each class they have so far, for the paths of messages.
class RecordBuilder::Impl {
 public:
  Impl(const LoadedPolicy& policy, RecordsAs as, Progress& progress, std::string name)
      : policy_(policy),
        rules_(PolicyOf(policy, as)),
        as_(as),
        progress_(&progress),
        sink_(rules_, std::move(name), ReadingAs(as)) {
    sink_.dataset().has_lines = false;
    sink_.LimitMemory(progress);
  }

  Status BeginRecord() {
    if (!open_.empty()) return Misused("EndRecord must come before BeginRecord, but did not");
    if (progress_->cancelled()) return Interrupted();
    THICKET_TRY(sink_.BeginRecord(++records_));
    Enter(0);
    return {};
  }

  Status EndRecord() {
    if (open_.empty()) return Misused("BeginRecord must come before EndRecord, but did not");
    if (open_.size() > 1) {
      return Misused("every vertex must be closed before EndRecord, but one is open");
    }
    open_.clear();
    return sink_.EndRecord();
  }

  Status OpenVertex(std::string_view name) {
    if (open_.empty()) return Misused("BeginRecord must come before OpenVertex, but did not");
    const ClassId above = open_.back().id;
    const std::vector<ClassId>& below = ClassesBelow(above);
    for (const ClassId id : below) {
      if (sink_.schema().classes[id].name != name) continue;
      const int64_t index = NextIndex(id);
      if (index == 0) MeetClass(above, id);
      sink_.MeetArray(id);
      sink_.MeetShape(id, false, index);
      if (!sink_.OpenVertex(id, index)) return sink_.Full();
      Enter(id);
      return {};
    }
    std::vector<std::string> names;
    for (const ClassId id : below) names.push_back(sink_.schema().classes[id].name);
    const auto nearest = Nearest(name, names);
    Error error = sink_.Wrong(
        "",
        fmt::format("a vertex below {} must be of a class of the policy, but {} is none",
                    sink_.schema().classes[above].name, name),
        nearest ? fmt::format("did you mean {}?", *nearest) : "leave it out, or add the class");
    error.code = ErrorCode::kUsage;
    return error;
  }

  Status CloseVertex() {
    if (open_.size() < 2) return Misused("OpenVertex must come before CloseVertex, but did not");
    Leave();
    if (!sink_.CloseVertex()) return sink_.Full();
    return {};
  }

  Status Set(std::string_view attribute, RecordValue value) {
    if (open_.empty()) return Misused("BeginRecord must come before Set, but did not");
    DatasetSink::Key* key = sink_.Find(open_.back().id, attribute);
    if (key == nullptr) return {};
    if (key->role == DatasetSink::Key::Role::kChildren) {
      return sink_.Wrong(attribute, "must be vertices of a class, but is a value",
                         "open a vertex for each of them");
    }
    if (!sink_.Meet(*key)) {
      return sink_.Wrong(attribute, "a key must occur once, but occurs twice",
                         "remove one of the two");
    }
    const ValueKind kind = KindOf(value.kind);
    if (kind == ValueKind::kNone) return {};
    if (!IsUtf8(value.text))
      return sink_.Wrong(attribute, "must be UTF-8, but is not", "convert it");
    switch (key->role) {
      case DatasetSink::Key::Role::kDrop:
        return sink_.MeetDropped(*key);
      case DatasetSink::Key::Role::kId:
        return sink_.SetId(*key, value.text);
      case DatasetSink::Key::Role::kClassNumber:
        sink_.SetClassNumber(value.text);
        return {};
      default:
        sink_.SetValue(key->slot(), kind, value.text);
        return {};
    }
  }

  Result<RecordSet> Finish() && {
    if (!open_.empty()) return Misused("EndRecord must come before Finish, but did not");
    THICKET_ASSIGN(Dataset data, std::move(sink_).Finish());
    return MakeRecordSet(std::move(data), as_);
  }

 private:
  struct Open {
    ClassId id;
    // Few classes stand below one, so they are looked for one by one.
    std::vector<std::pair<ClassId, int64_t>> children;
  };

  void Enter(ClassId id) {
    // Vectors of vertices that were closed are used again.
    if (spare_.empty()) {
      open_.push_back({id, {}});
      return;
    }
    open_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    open_.back().id = id;
    open_.back().children.clear();
  }
  void Leave() {
    spare_.push_back(std::move(open_.back()));
    open_.pop_back();
  }

  int64_t NextIndex(ClassId id) {
    for (auto& [known, count] : open_.back().children) {
      if (known == id) return count++;
    }
    open_.back().children.emplace_back(id, 1);
    return 0;
  }

  // Where labels may be moved, a vertex may stand in any ancestor.
  const std::vector<ClassId>& ClassesBelow(ClassId id) {
    if (!sink_.vertices_move()) return sink_.schema().classes[id].children;
    below_ = sink_.schema().ClassesBelow(id);
    return below_;
  }

  // Notes that the class occurs. Tables have no key for it.
  void MeetClass(ClassId above, ClassId id) {
    if (HasTables(rules_.input.format) || !rules_.schema->root().group_by.empty()) return;
    if (DatasetSink::Key* key = sink_.Find(above, sink_.schema().classes[id].at)) sink_.Meet(*key);
  }

  LoadedPolicy policy_;
  Policy rules_;
  RecordsAs as_;
  Progress* progress_;
  DatasetSink sink_;
  std::vector<Open> open_;
  std::vector<Open> spare_;
  std::vector<ClassId> below_;
  uint32_t records_ = 0;
};

RecordBuilder::RecordBuilder(const LoadedPolicy& policy, RecordsAs as, Progress& progress,
                             std::string name)
    : impl_(std::make_unique<Impl>(policy, as, progress, std::move(name))) {}
RecordBuilder::RecordBuilder(RecordBuilder&&) noexcept = default;
RecordBuilder& RecordBuilder::operator=(RecordBuilder&&) noexcept = default;
RecordBuilder::~RecordBuilder() = default;

Status RecordBuilder::BeginRecord() { return impl_->BeginRecord(); }
Status RecordBuilder::EndRecord() { return impl_->EndRecord(); }
Status RecordBuilder::OpenVertex(std::string_view class_name) {
  return impl_->OpenVertex(class_name);
}
Status RecordBuilder::CloseVertex() { return impl_->CloseVertex(); }
Status RecordBuilder::Set(std::string_view attribute, RecordValue value) {
  return impl_->Set(attribute, value);
}
Result<RecordSet> RecordBuilder::Finish() && { return std::move(*impl_).Finish(); }

}  // namespace thicket
