#include "io/dataset_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/memory.h"
#include "base/same_text.h"
#include "base/text.h"
#include "io/constants.h"

namespace thicket {

namespace {

constexpr char kMergeRecords[] = "each person must have one record; merge them first";
constexpr char kPublishAgain[] = "do not hand this file out; publish again with thicket anonymize";

constexpr char kMustBeNamed[] = "what is published must be named in the policy, but this is not";

// Unnamed keys beyond this many are counted together, so that data whose keys are themselves data fills no memory.
constexpr size_t kMostNames = 1000;

std::vector<std::string> NamesOf(const std::map<std::string, uint64_t, std::less<>>& counts) {
  std::vector<std::string> names;
  names.reserve(counts.size());
  for (const auto& [name, count] : counts) names.push_back(name);
  return names;
}

}  // namespace

DatasetSink::DatasetSink(const Policy& policy, std::string source, ReadAs as)
    : data_(Dataset::Empty(policy.schema, std::move(source))),
      missing_(*policy.schema),
      as_(as),
      tables_(HasTables(policy.input.format) || !policy.schema->root().group_by.empty()),
      structure_(as == ReadAs::kPublished ? policy.privacy.structure() : PublishedStructure()),
      builder_(*policy.schema),
      keys_(policy.schema->classes.size()),
      shapes_(policy.schema->classes.size()),
      vertices_(policy.schema->classes.size(), 0) {
  for (size_t id = 0; id < keys_.size(); ++id) AddKeys(static_cast<ClassId>(id));
}

void DatasetSink::AddKeys(ClassId id) {
  const VertexClass& type = schema().classes[id];
  shapes_[id].may_be_plain = type.value_count() == 1 && type.children.empty();
  std::vector<Key>& keys = keys_[id].keys;
  const auto add = [&](std::string_view name, Key::Role role, size_t target) {
    for (const Key& key : keys) {
      if (key.name == name) return;
    }
    keys.push_back({std::string(name), role, static_cast<uint32_t>(target), 0});
  };
  // What may not be published comes first, so that it wins should the policy name a key twice.
  if (!type.id.empty()) add(type.id, Key::Role::kId, 0);
  for (const std::string& name : type.drop) add(name, Key::Role::kDrop, 0);
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    add(type.slot_name(slot), Key::Role::kValue, slot);
  }
  if (!tables_) {
    const std::vector<ClassId> below = vertices_move() ? schema().ClassesBelow(id) : type.children;
    for (const ClassId child : below) {
      add(schema().classes[child].at, Key::Role::kChildren, child);
    }
  }
  if (id == 0 && published()) add(kClassKey, Key::Role::kClassNumber, 0);
  for (uint32_t i = 0; i < keys.size(); ++i) keys_[id].by_name.emplace(keys[i].name, i);
}

DatasetSink::Key* DatasetSink::Find(ClassId id, std::string_view name) {
  Keys& known = keys_[id];
  if (known.expected < known.keys.size() && SameText(known.keys[known.expected].name, name)) {
    return &known.keys[known.expected++];
  }
  const auto found = known.by_name.find(name);
  if (found == known.by_name.end()) {
    Count(known.unknown, name);
    return nullptr;
  }
  known.expected = found->second + 1;
  return &known.keys[found->second];
}

DatasetSink::Key* DatasetSink::FindNamed(ClassId id, std::string_view name) {
  const auto found = keys_[id].by_name.find(name);
  return found == keys_[id].by_name.end() ? nullptr : &keys_[id].keys[found->second];
}

Status DatasetSink::BeginRecord(uint32_t place) {
  place_ = place;
  ++records_begun_;
  has_id_ = false;
  path_.clear();
  lists_.clear();
  if (IsFull()) return Full();
  builder_.BeginRecord(place);
  path_.push_back({0, kAlone});
  ++vertices_[0];
  keys_[0].expected = 0;
  return {};
}

Status DatasetSink::EndRecord() {
  if (!has_id_ && !published() && !schema().root().id.empty()) {
    const auto nearest = Nearest(schema().root().id, NamesOf(keys_[0].unknown));
    return Wrong(schema().root().id, "every record must have its identifier, but this one has none",
                 nearest ? fmt::format("did you mean {}?", *nearest)
                         : "complete the data, or take id out of the policy");
  }
  CloseRecord();
  return {};
}

void DatasetSink::AddListValue(size_t slot, ValueKind kind, std::string_view text) {
  const ClassId id = path_.back().id;
  if (lists_.empty() || lists_.back().depth != path_.size()) {
    lists_.push_back({path_.size(), {}, std::vector<size_t>(schema().classes[id].value_count())});
  }
  Lists& lists = lists_.back();
  const size_t place = lists.count[slot]++;
  if (place == lists.further.size()) lists.further.emplace_back();
  lists.further[place].emplace_back(slot, Intern(id, slot, kind, text));
}

bool DatasetSink::AddListed(Vertex vertex, ClassId id) {
  const Lists lists = std::move(lists_.back());
  lists_.pop_back();
  for (const auto& values : lists.further) {
    if (IsFull()) return false;
    builder_.Open(id);
    ++vertices_[id];
    for (size_t slot = 0; slot < schema().classes[id].quasi.size(); ++slot) {
      builder_.Set(slot, builder_.forest().value(vertex, slot));
    }
    for (const auto& [slot, symbol] : values) builder_.Set(slot, symbol);
    builder_.Close();
  }
  return true;
}

bool DatasetSink::MayLeaveOutNested(ClassId id, const Key& key) const {
  const std::vector<QuasiAttribute>& quasi = schema().classes[id].quasi;
  if (published() || key.role != Key::Role::kValue || key.slot() >= quasi.size()) return false;
  return quasi[key.slot()].recoding.unknown == UnknownValues::kLeaveOut;
}

bool DatasetSink::LeaveOutNested(const Key& key) {
  const ClassId id = path_.back().id;
  if (!MayLeaveOutNested(id, key)) return false;
  ++nested_[schema().PathOf(id, key.name)];
  return true;
}

Status DatasetSink::SetId(const Key& key, std::string_view id) {
  if (published()) {
    Error error = Wrong(key.name, "published data must not hold an identifier, but holds one here",
                        kPublishAgain);
    error.code = ErrorCode::kPromise;
    error.value = id;
    return error;
  }
  has_id_ = true;
  if (const auto before = ids_.Add(id, place_)) {
    Error error = Wrong(key.name,
                        fmt::format("every record must have an identifier of its own, but "
                                    "this one is also that of {}",
                                    Place(*before)),
                        kMergeRecords);
    error.value = id;
    return error;
  }
  return {};
}

Status DatasetSink::SetMemberName(std::string_view name) {
  if (published() && name != std::to_string(place_)) {
    Error error = Wrong("",
                        "published data must have the running number of a record as its key, but "
                        "here is another",
                        kPublishAgain);
    error.code = ErrorCode::kPromise;
    error.value = name;
    return error;
  }
  if (const auto before = member_names_.Add(name, place_)) {
    Error error = Wrong("",
                        fmt::format("every record must have a key of its own, but this one is "
                                    "also that of {}",
                                    Place(*before)),
                        kMergeRecords);
    error.value = name;
    return error;
  }
  return {};
}

Status DatasetSink::MeetDropped(const Key& key) {
  if (!published()) return {};
  Error error = Wrong(key.name, "published data must not hold a dropped attribute, but does here",
                      kPublishAgain);
  error.code = ErrorCode::kPromise;
  return error;
}

Error DatasetSink::WrongShape(ClassId id, bool plain, int64_t index) const {
  const VertexClass& type = schema().classes[id];
  if (!shapes_[id].may_be_plain) {
    return WrongChild(
        id, index, "must be an object, but is a plain value",
        fmt::format("plain values need a class with exactly one attribute and no children; {} has "
                    "{} and {}",
                    type.name, type.value_count(), type.children.size()));
  }
  return WrongChild(id, index,
                    plain ? "must be an object like others of its class, but is a plain value"
                          : "must be a plain value like others of its class, but is an object",
                    "write all of them as objects, or all as plain values");
}

bool DatasetSink::HoldsTooMuch() {
  if (progress_ == nullptr) return false;
  held_ = CheckMemory(*progress_, data_.source);
  return !held_.ok();
}

Error DatasetSink::Full() const {
  if (!held_.ok()) return held_.error();
  return Wrong("", "the data must have fewer than 2^31 values and vertices, but has more",
               "split the data into several files");
}

void DatasetSink::CountOutside(std::string_view path) { Count(outside_, path); }

void DatasetSink::Count(std::map<std::string, uint64_t, std::less<>>& names,
                        std::string_view name) {
  const auto found = names.find(name);
  if (found != names.end()) {
    ++found->second;
  } else if (names_counted_ < kMostNames) {
    names.emplace(name, 1);
    ++names_counted_;
  } else {
    ++names_not_counted_;
  }
}

Error DatasetSink::NeverOccurs(const Keys& keys, const std::string& path, const std::string& name,
                               std::string_view kind) const {
  const auto nearest = Nearest(name, NamesOf(keys.unknown));
  return ErrorAt(
      ErrorCode::kData, {.file = data_.source, .path = path.empty() ? name : path + "." + name},
      fmt::format("every {} of the policy must occur in the data, but this one does not", kind),
      nearest ? fmt::format("did you mean {}?", *nearest)
              : "correct the name in the policy, or take it out");
}

Status DatasetSink::CheckNames() const {
  if (published()) return {};
  for (size_t id = 0; id < keys_.size(); ++id) {
    const std::string path = NameOf(id);
    // The attribute of plain values has no key, and a class without vertices no place for one.
    if (id != 0 && (vertices_[id] == 0 || shapes_[id].plain)) continue;
    for (const Key& key : keys_[id].keys) {
      if (key.last_vertex != 0) continue;
      if (key.role == Key::Role::kValue) return NeverOccurs(keys_[id], path, key.name, "attribute");
      if (key.role == Key::Role::kId) return NeverOccurs(keys_[id], path, key.name, "identifier");
      if (key.role == Key::Role::kChildren) return NeverOccurs(keys_[id], path, key.name, "class");
    }
  }
  return {};
}

void DatasetSink::AddWarnings() {
  const auto add = [&](const std::string& path, uint64_t count) {
    const std::string times = count == 1 ? "" : fmt::format(" ({} times)", WithCommas(count));
    data_.warnings.push_back({fmt::format("{}: not named in the policy, left out{}", path, times)});
  };
  for (const auto& [path, count] : outside_) add(path, count);
  for (size_t id = 0; id < keys_.size(); ++id) {
    const std::string path = NameOf(id);
    for (const auto& [name, count] : keys_[id].unknown) {
      add(path.empty() ? name : path + "." + name, count);
    }
  }
  if (names_not_counted_ > 0) add("more keys", names_not_counted_);
  for (const auto& [path, count] : nested_) {
    data_.warnings.push_back(
        {fmt::format("{}: {} {} no plain {}, and {} as missing", path, WithCommas(count),
                     count == 1 ? "value is" : "values are", count == 1 ? "value" : "values",
                     count == 1 ? "counts" : "count")});
  }
}

void DatasetSink::AddFindings() {
  const auto add = [&](const std::string& path, std::string_view rule, uint64_t count) {
    data_.findings.push_back({Finding::Kind::kUnnamed,
                              path.empty() ? data_.source : data_.source + ": " + path,
                              std::string(rule), count});
  };
  for (const auto& [path, count] : outside_) add(path, kMustBeNamed, count);
  for (size_t id = 0; id < keys_.size(); ++id) {
    const Keys& keys = keys_[id];
    const std::string path = NameOf(id);
    const bool any_known = std::any_of(keys.keys.begin(), keys.keys.end(),
                                       [](const Key& key) { return key.last_vertex != 0; });
    // Where no name is one of the policy's, the names may be values: those of people, or the first row of a table.
    if (!any_known && !keys.unknown.empty()) {
      add(path,
          fmt::format("what is published must be named in the policy, but none of {} names here is",
                      WithCommas(keys.unknown.size())),
          1);
      continue;
    }
    for (const auto& [name, count] : keys.unknown) {
      add(path.empty() ? name : path + "." + name, kMustBeNamed, count);
    }
  }
  if (names_not_counted_ > 0) add("more keys", kMustBeNamed, names_not_counted_);
}

void DatasetSink::AddFinding(Finding::Kind kind, std::string where, std::string_view rule) {
  if (!published()) return;
  auto found = told_.find(rule);
  if (found == told_.end()) {
    found = told_.emplace(rule, Told{data_.findings.size()}).first;
    data_.findings.push_back({kind, std::move(where), std::string(rule), 0});
  }
  Told& told = found->second;
  ++data_.findings[told.finding].count;
  if (told.last_record != records_begun_) ++told.records;
  told.last_record = records_begun_;
  told.met_first |= records_begun_ < 2;
}

// The first record makes the choices that the others are held against. If all of them differ, it is the first that does.
void DatasetSink::FindTheOddOneOut() {
  for (const auto& [rule, told] : told_) {
    Finding& finding = data_.findings[told.finding];
    if (finding.kind != Finding::Kind::kTellsApart || rule.find("throughout") == std::string::npos)
      continue;
    if (records_begun_ < 3 || told.records + 1 != records_begun_ || told.met_first) continue;
    finding.where = data_.Where(RecordId{0});
    finding.count = 1;
  }
}

void DatasetSink::MeetUnnamed(std::string_view what) {
  if (published()) MeetUnnamedAt(path_.empty() ? data_.source : Where(), what);
}

void DatasetSink::MeetUnnamedAt(std::string where, std::string_view what) {
  AddFinding(Finding::Kind::kUnnamed, std::move(where),
             fmt::format("what is published must be named in the policy, but here is {}", what));
}

void DatasetSink::TellApart(std::string_view name, std::string_view rule) {
  if (!published()) return;
  const std::string path = PathTo(name);
  const std::string where = place_ == 0 ? data_.source : Where();
  TellApartAt(path.empty() ? where : where + ": " + path, rule);
}

void DatasetSink::TellApartAt(std::string where, std::string_view rule) {
  AddFinding(Finding::Kind::kTellsApart, std::move(where), rule);
}

void DatasetSink::SetClassNumber(std::string_view text) {
  if (!published()) return;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = error == std::errc() && end == text.data() + text.size() &&
                    number != Dataset::kNoClassNumber && (text.size() == 1 || text.front() != '0');
  if (!good) {
    AddFinding(Finding::Kind::kUnnamed, Where() + ": " + std::string(kClassKey),
               "must be the number of a class of records, but is something else");
    return;
  }
  // Records that were read before this one without a number have none.
  data_.class_numbers.resize(builder_.forest().record_count(), Dataset::kNoClassNumber);
  data_.class_numbers.push_back(number);
}

Result<Dataset> DatasetSink::Finish() && {
  if (builder_.forest().record_count() == 0) {
    return ErrorAt(ErrorCode::kData, {.file = data_.source},
                   "must hold records, but holds no records",
                   data_.has_lines ? "check that it is the right file"
                                   : "check that it is the right file, and what input.at says");
  }
  THICKET_TRY(CheckNames());
  if (published()) {
    AddFindings();
  } else {
    AddWarnings();
  }
  if (!data_.class_numbers.empty()) {
    data_.class_numbers.resize(builder_.forest().record_count(), Dataset::kNoClassNumber);
  }
  for (size_t id = 0; id < shapes_.size(); ++id) {
    data_.shape.plain[id] = shapes_[id].plain;
    data_.shape.single[id] = shapes_[id].alone && !shapes_[id].array;
  }
  data_.forest = std::move(builder_).Build();
  THICKET_TRY(CheckConstants(data_, as_));
  if (published()) missing_.FindDifferences(structure_.changes(), data_);
  FindTheOddOneOut();
  return std::move(data_);
}

std::string DatasetSink::Place(uint32_t place) const {
  return data_.has_lines ? fmt::format("line {}", place) : fmt::format("record {}", place);
}

ErrorPlace DatasetSink::PlaceOfRecord() const {
  ErrorPlace place = {.file = data_.source};
  (data_.has_lines ? place.line : place.record) = place_;
  return place;
}

std::string DatasetSink::NameOf(size_t id) const {
  return tables_ ? schema().classes[id].table : schema().PathOf(static_cast<ClassId>(id));
}

std::string DatasetSink::PathTo(std::string_view name) const {
  std::string path;
  for (const Step& step : path_) {
    if (step.id == 0) continue;
    if (!path.empty()) path += '.';
    path += schema().classes[step.id].at;
    if (step.index != kAlone) path += fmt::format("[{}]", step.index);
  }
  if (!path.empty() && !name.empty()) path += '.';
  return path.append(name);
}

Error DatasetSink::Wrong(std::string_view name, std::string_view what, std::string hint) const {
  ErrorPlace place = PlaceOfRecord();
  place.path = PathTo(name);
  return ErrorAt(ErrorCode::kData, std::move(place), what, std::move(hint));
}

Error DatasetSink::WrongChild(ClassId id, int64_t index, std::string_view what,
                              std::string hint) const {
  std::string name = schema().classes[id].at;
  if (index != kAlone) name += fmt::format("[{}]", index);
  return Wrong(name, what, std::move(hint));
}

}  // namespace thicket
