// Records on their way out: what a writer sees of them, whether they are published or only converted.
//
//   for (size_t i = 0; i < records.count(); ++i) {
//     records.Select(i);
//     for (size_t position = 0; position < records.size(); ++position)
//       Use(records.vertex_class(position), records.Value(position, slot));
//   }
//
// A published label that was not generalized goes out as the value that came in, with its kind; a generalized one as its
// label, a string. Sensitive and kept values are the member's own. What is not there is absent in published records,
// however it stood in the source: a missing value has no key, and an empty list neither, so that records that look alike
// are written alike.
//
// Records that were recoded globally (record/recoded.h) differ in two ways: a slot may have several values, and a vertex
// may stand below any ancestor of its class, not only below its parent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/dataset.h"
#include "record/published.h"
#include "record/recoded.h"

namespace thicket {

// Kind kNone: there is no value, and no text.
struct OutgoingValue {
  ValueKind kind = ValueKind::kNone;
  std::string_view text;
};

class OutgoingRecords {
 public:
  virtual ~OutgoingRecords() = default;

  // Schema, and how the records stood in their source.
  const Dataset& data() const { return *data_; }
  const Schema& schema() const { return *data_->schema; }
  size_t count() const { return count_; }

  // Turns to a record; the calls below are about it. Any order, any number of times.
  virtual void Select(size_t record) = 0;

  // Its vertices in preorder: those below `position` are the next subtree_size(position) - 1.
  size_t size() const { return subtree_size_[0]; }
  ClassId vertex_class(size_t position) const { return vertex_class_[position]; }
  uint32_t subtree_size(size_t position) const { return subtree_size_[position]; }
  // Whether a vertex shows only what is there: no key without a value, no list without elements.
  bool sparse() const { return sparse_; }
  // Whether vertices may stand below an ancestor of their class that is not its parent.
  bool moved() const { return moved_; }
  // How many values a slot has: 1 (which may be missing), unless the records are sparse, which have 0 where it is.
  // Quasi-identifiers never have more than 1, and neither has the root.
  virtual size_t ValueCount(size_t /*position*/, size_t /*slot*/) { return 1; }
  // One of them, in the order of their texts; missing if there are none. Valid until the next call.
  virtual OutgoingValue ValueAt(size_t position, size_t slot, size_t index) = 0;
  OutgoingValue Value(size_t position, size_t slot) { return ValueAt(position, slot, 0); }
  // The class of records that it belongs to, for --with-class.
  virtual uint32_t group() const = 0;

 protected:
  OutgoingRecords(const Dataset& data, size_t count) : data_(&data), count_(count) {}

  const Dataset* data_;
  size_t count_;
  bool sparse_ = false;
  bool moved_ = false;
  const ClassId* vertex_class_ = nullptr;
  const uint32_t* subtree_size_ = nullptr;
};

// How labels are published. Keeps the texts of generalized ones that were needed lately.
class LabelTexts {
 public:
  // The data set must outlive it.
  explicit LabelTexts(const EncodedDataset& data);
  // Valid until the next call.
  OutgoingValue Of(ClassId id, size_t attribute, Label label);

 private:
  const EncodedDataset* encoded_;
  // By class and quasi-identifier.
  std::vector<std::vector<std::unordered_map<uint64_t, std::string>>> texts_;
};

// Which published record comes next: the number of its class and of the member in it.
struct Place {
  uint32_t group;
  uint32_t member;
};

// Published records in the given order. Everything given must outlive it.
class PublishedRecords final : public OutgoingRecords {
 public:
  PublishedRecords(const EncodedDataset& data, const Published& published,
                   const std::vector<Place>& order);

  void Select(size_t record) override;
  size_t ValueCount(size_t position, size_t slot) override;
  OutgoingValue ValueAt(size_t position, size_t slot, size_t index) override;
  uint32_t group() const override { return place_.group; }

 private:
  const EncodedDataset* encoded_;
  const Published* published_;
  const std::vector<Place>* order_;
  const PublishedClass* class_ = nullptr;
  Place place_{};
  LabelTexts texts_;
};

// Globally recoded records in the given order. Everything given must outlive it.
class RecodedRecords final : public OutgoingRecords {
 public:
  RecodedRecords(const EncodedDataset& data, const Recoded& recoded,
                 const std::vector<RecordId>& order);

  void Select(size_t record) override;
  size_t ValueCount(size_t position, size_t slot) override;
  OutgoingValue ValueAt(size_t position, size_t slot, size_t index) override;
  // There are no classes of records.
  uint32_t group() const override { return 0; }

 private:
  // The different sensitive or kept values that the vertex shows, missing ones left out.
  void CollectSymbols(size_t position, size_t slot);

  const EncodedDataset* encoded_;
  const Recoded* recoded_;
  const std::vector<RecordId>* order_;
  uint32_t root_ = 0;
  LabelTexts texts_;
  // What CollectSymbols() found last, and for which vertex and slot.
  std::vector<Symbol> symbols_;
  uint32_t symbols_vertex_ = ~uint32_t{0};
  size_t symbols_slot_ = 0;
};

// A data set as it was read.
class DatasetRecords final : public OutgoingRecords {
 public:
  explicit DatasetRecords(const Dataset& data);

  void Select(size_t record) override;
  OutgoingValue ValueAt(size_t position, size_t slot, size_t index) override;
  uint32_t group() const override { return 0; }

 private:
  Vertex root_ = 0;
};

}  // namespace thicket
