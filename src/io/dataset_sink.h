// What every reader does with what it finds: looks keys up in the policy, interns values, builds the forest, and keeps
// the rules that hold for all formats.
//
//   DatasetSink sink(policy, "students.jsonl", ReadAs::kOriginal);
//   sink.BeginRecord(line);
//   if (const DatasetSink::Key* key = sink.Find(id, "major")) sink.SetValue(key->slot(), ValueKind::kString, "CS");
//   THICKET_TRY(sink.EndRecord());
//   THICKET_ASSIGN(Dataset data, std::move(sink).Finish());
//
// The rules: identifiers are there and unique (original data) or not there at all (published data); no key twice in a
// vertex; a class is all objects or all plain values; every name of the policy occurs; what the policy does not name is
// counted for a warning (original data) or a finding (published data). Messages say where and never quote a value.
//
// A text that stands for no value (io/missing_values.h) is a missing value from here on.
//
// Published data must also look alike where it is alike: a reader tells TellApart() of every way of writing that is not
// the same throughout (io/one_way.h helps to notice).
//
// Under some models published data may differ from the original in two ways (PublishedStructure in policy/model.h): a
// vertex may stand in any ancestor of its class, under its own class's key, and sensitive and kept values may be lists.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "io/dataset_io.h"
#include "io/id_set.h"
#include "io/missing_values.h"

namespace thicket {

class DatasetSink {
 public:
  // What a key of a vertex stands for.
  struct Key {
    enum class Role : uint8_t { kValue, kChildren, kDrop, kId, kClassNumber };
    std::string name;
    Role role = Role::kDrop;
    // kValue: the slot; kChildren: the class.
    uint32_t target = 0;
    // One more than the number of the last vertex that had the key; 0 if none had.
    uint32_t last_vertex = 0;

    size_t slot() const { return target; }
    ClassId child() const { return static_cast<ClassId>(target); }
  };

  // A vertex that stands alone below its key, not in an array.
  static constexpr int64_t kAlone = -1;

  DatasetSink(const Policy& policy, std::string source, ReadAs as);

  Dataset& dataset() { return data_; }
  const Schema& schema() const { return *data_.schema; }
  ReadAs reading_as() const { return as_; }
  bool published() const { return as_ == ReadAs::kPublished; }

  // Whether a vertex may stand in any ancestor of its class; never in original data.
  bool vertices_move() const { return structure_.vertices_move; }

  // Whether a vertex may show several sensitive and kept values, as a list; never in original data.
  bool values_may_be_lists() const { return structure_.vertices_merge; }

  // The key, or null if the policy does not name it; it is then counted.
  Key* Find(ClassId id, std::string_view name);
  // The same without counting.
  Key* FindNamed(ClassId id, std::string_view name);
  // Counts a name that the policy does not have.
  void CountUnnamed(ClassId id, std::string_view name) { Count(keys_[id].unknown, name); }
  // Notes that the open vertex has the key; false if it had it before.
  bool Meet(Key& key) {
    const uint32_t vertex = builder_.current() + 1;
    const bool first = key.last_vertex != vertex;
    key.last_vertex = vertex;
    return first;
  }
  // Whether the open vertex has the key.
  bool Met(const Key& key) const { return key.last_vertex == builder_.current() + 1; }
  // Notes that the key occurs, for formats whose keys stand in a header.
  static void MeetInHeader(Key& key) { key.last_vertex = 1; }

  // From now on the forest is also full when more is held than may be. The progress must outlive the sink.
  void LimitMemory(const Progress& progress) { progress_ = &progress; }

  // `place` is a line, or the number of the record if the source has no lines.
  Status BeginRecord(uint32_t place);
  Status EndRecord();
  // The same without the rule about identifiers, for readers that have kept it themselves.
  void CloseRecord() {
    builder_.EndRecord();
    path_.clear();
  }
  // `index` is the position among its siblings of the class, or kAlone. False if the forest is Full().
  bool OpenVertex(ClassId id, int64_t index) {
    if (IsFull()) return false;
    builder_.Open(id);
    path_.push_back({id, index});
    ++vertices_[id];
    keys_[id].expected = 0;
    return true;
  }
  // False if it had a list whose vertices no longer fit: the forest is Full().
  bool CloseVertex() {
    const bool has_list = !lists_.empty() && lists_.back().depth == path_.size();
    const Vertex vertex = builder_.current();
    const ClassId id = path_.back().id;
    builder_.Close();
    path_.pop_back();
    return !has_list || AddListed(vertex, id);
  }
  void SetValue(size_t slot, ValueKind kind, std::string_view text) {
    const ClassId id = path_.back().id;
    builder_.Set(slot, Intern(id, slot, kind, text));
  }

  // Whether a value of the open vertex may be a list: where vertices that became equal were merged, one vertex shows the
  // sensitive and kept values of all of them. The root is never one of several.
  bool MayBeList(const Key& key) const {
    return structure_.vertices_merge && path_.size() > 1 &&
           key.slot() >= schema().classes[path_.back().id].quasi.size();
  }
  // A further value of the slot, after the one that was set. In the forest it becomes part of a vertex of its own: right
  // after the open one, with the same quasi-identifiers and without children.
  void AddListValue(size_t slot, ValueKind kind, std::string_view text);

  // The same in two steps, for readers that meet a value before its vertex.
  Symbol Intern(ClassId id, size_t slot, ValueKind kind, std::string_view text) {
    if (missing_.any() && missing_.StandsForNone(id, slot, kind, text)) return kMissing;
    return data_.dictionaries[id][slot].Intern(kind, text);
  }
  void SetSymbol(size_t slot, Symbol symbol) { builder_.Set(slot, symbol); }

  // Whether something that is no plain value (an object, an array) is left out where the key's value is expected, as a missing value
  // that is counted for a warning: with `unknown: missing` in original data.
  bool LeaveOutNested(const Key& key);
  // Whether it would be, of a vertex of the class.
  bool MayLeaveOutNested(ClassId id, const Key& key) const;

  // The record's identifier: it must be new in original data, and may not be in published data.
  Status SetId(const Key& key, std::string_view id);
  // The name of the record's member where records are members of an object: an identifier too.
  Status SetMemberName(std::string_view name);
  // A dropped attribute that has a value.
  Status MeetDropped(const Key& key);

  // How a class's vertices stand in the source.
  void MeetArray(ClassId id) { shapes_[id].array = true; }
  // Notes that a vertex is a plain value or an object; false if it may not be, and then WrongShape() says why.
  bool MeetShape(ClassId id, bool plain, int64_t index) {
    Shape& shape = shapes_[id];
    shape.plain |= plain;
    shape.object |= !plain;
    shape.alone |= index == kAlone;
    return !shape.plain || (!shape.object && shape.may_be_plain);
  }
  Error WrongShape(ClassId id, bool plain, int64_t index) const;
  Error Full() const;

  // How many records there are so far.
  uint64_t records_begun() const { return records_begun_; }

  // Something outside the records that the policy does not name.
  void CountOutside(std::string_view path);

  // For published data; nothing happens with other data.
  //
  // Something that the policy does not name and that has no name of its own: "a comment", "a trigger". Where() says where,
  // or the source's name outside of records.
  void MeetUnnamed(std::string_view what);
  void MeetUnnamedAt(std::string where, std::string_view what);
  // Something in the record being read that is not written as in others. `name` is that of a value of the open vertex, or
  // empty; `rule` is "what must hold, but what is". Where a choice must be the same throughout and all records but the first
  // make it otherwise than the first one, the first one is found.
  void TellApart(std::string_view name, std::string_view rule);
  void TellApartAt(std::string where, std::string_view rule);
  // What stands under kClassKey: nothing but the number of a class may.
  void SetClassNumber(std::string_view text);

  // Fails if a class or attribute of the policy never occurred. Finish() calls it too.
  Status CheckNames() const;
  Result<Dataset> Finish() &&;

  // "students.jsonl:17", the record being read.
  ErrorPlace PlaceOfRecord() const;
  std::string Where() const { return PlaceOfRecord().Text(); }
  // "students.jsonl:17: courses[2].code: what"; `name` may be empty for the vertex itself.
  Error Wrong(std::string_view name, std::string_view what, std::string hint = "") const;
  // The same for a child of the open vertex that is not open itself.
  Error WrongChild(ClassId id, int64_t index, std::string_view what, std::string hint = "") const;

 private:
  struct Step {
    ClassId id;
    int64_t index;
  };
  struct Keys {
    std::vector<Key> keys;
    std::unordered_map<std::string_view, uint32_t> by_name;
    // Keys mostly come in one order: the one that followed the last key is tried first.
    uint32_t expected = 0;
    std::map<std::string, uint64_t, std::less<>> unknown;
  };
  struct Shape {
    bool array = false;
    bool alone = false;
    bool plain = false;
    bool object = false;
    // Exactly one attribute and no children.
    bool may_be_plain = false;
  };

  // The further values of an open vertex.
  struct Lists {
    // Of the vertex: how many are open with it.
    size_t depth;
    // By the place in the lists, first the second place: slot and value.
    std::vector<std::vector<std::pair<size_t, Symbol>>> further;
    // By slot: how many further values it has.
    std::vector<size_t> count;
  };

  // A rule that was broken.
  struct Told {
    // In data_.findings.
    size_t finding = 0;
    // How many records broke it, and the number of the last one, from 1 on.
    uint64_t records = 0;
    uint64_t last_record = 0;
    // Whether the first record was among them.
    bool met_first = false;
  };

  // Whether nothing fits in any more: asked for every vertex, and of the memory now and then.
  bool IsFull() {
    if (builder_.full()) return true;
    return ++asked_ % kVerticesBetweenChecks == 0 && HoldsTooMuch();
  }
  bool HoldsTooMuch();
  void AddKeys(ClassId id);
  bool AddListed(Vertex vertex, ClassId id);
  void Count(std::map<std::string, uint64_t, std::less<>>& names, std::string_view name);
  Error NeverOccurs(const Keys& keys, const std::string& path, const std::string& name,
                    std::string_view kind) const;
  void AddWarnings();
  void AddFindings();
  void AddFinding(Finding::Kind kind, std::string where, std::string_view rule);
  void FindTheOddOneOut();
  // What messages call a class: its table, or the keys that lead to it.
  std::string NameOf(size_t id) const;
  std::string PathTo(std::string_view name) const;
  std::string Place(uint32_t place) const;

  Dataset data_;
  MissingTexts missing_;
  ReadAs as_;
  // Whether classes are tables, joined by keys.
  bool tables_;
  // What published data may do with vertices; nothing in original data.
  PublishedStructure structure_;
  ForestBuilder builder_;
  std::vector<Keys> keys_;
  std::vector<Shape> shapes_;
  std::vector<Step> path_;
  std::vector<Lists> lists_;
  std::vector<uint64_t> vertices_;
  IdSet ids_;
  IdSet member_names_;
  std::map<std::string, uint64_t, std::less<>> outside_;
  // By path: values that were left out since they are no plain ones.
  std::map<std::string, uint64_t> nested_;
  std::map<std::string, Told, std::less<>> told_;
  uint64_t records_begun_ = 0;
  size_t names_counted_ = 0;
  uint64_t names_not_counted_ = 0;
  uint32_t place_ = 0;
  bool has_id_ = false;
  static constexpr uint64_t kVerticesBetweenChecks = uint64_t{1} << 14;
  const Progress* progress_ = nullptr;
  uint64_t asked_ = 0;
  // The error about the memory, once it was too much.
  Status held_;
};

}  // namespace thicket
