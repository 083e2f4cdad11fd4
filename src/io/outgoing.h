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
// A slot has several values where vertices were merged, and none where a label has no source. In a publication that is
// rearranged a vertex may stand below any ancestor of its class, not only below its parent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/missing_values.h"
#include "io/outgoing_value.h"
#include "record/dataset.h"
#include "record/publication.h"

namespace thicket {

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
  // Whether the slot shows suppressed values: texts, whatever its other values are.
  virtual bool HasSuppressed(ClassId id, size_t slot) const = 0;
  // The class of records that it belongs to, for --with-class.
  virtual uint32_t group() = 0;

 protected:
  OutgoingRecords(const Dataset& data, size_t count) : data_(&data), count_(count) {}

  const Dataset* data_;
  size_t count_;
  bool sparse_ = false;
  bool moved_ = false;
  const ClassId* vertex_class_ = nullptr;
  const uint32_t* subtree_size_ = nullptr;
};

// How labels are published. Keeps the texts of generalized ones that were needed lately, and knows at once where those of the last few
// labels of an attribute are: records of all classes take turns.
class LabelTexts {
 public:
  // The data set must outlive it.
  explicit LabelTexts(const EncodedDataset& data);
  // Valid until the next call.
  OutgoingValue Of(ClassId id, size_t attribute, Label label);

 private:
  // A power of two.
  static constexpr size_t kLately = 256;
  struct Lately {
    Label label = kNoLabel;
    OutgoingValue value = {};
  };
  struct Attribute {
    std::unordered_map<uint64_t, std::string> texts = {};
    // By the low bits of the label.
    std::vector<Lately> lately = {};
  };
  OutgoingValue Find(ClassId id, size_t attribute, Label label);

  const EncodedDataset* encoded_;
  // By class and quasi-identifier.
  std::vector<std::vector<Attribute>> attributes_;
};

// A publication (record/publication.h), whichever method made it. A suppressed value goes out as kSuppressedText.
class PublicationRecords final : public OutgoingRecords {
 public:
  // `order`: the numbers of published records, in the order in which they are written. Everything given must outlive it.
  PublicationRecords(const EncodedDataset& data, const Publication& publication,
                     const std::vector<uint32_t>& order);
  // In the order of their numbers.
  PublicationRecords(const EncodedDataset& data, const Publication& publication);

  void Select(size_t record) override;
  size_t ValueCount(size_t position, size_t slot) override;
  OutgoingValue ValueAt(size_t position, size_t slot, size_t index) override;
  bool HasSuppressed(ClassId id, size_t slot) const override;
  // Trees are numbered as they appear, so that the numbers say nothing about the order of the input.
  uint32_t group() override;

 private:
  size_t number(size_t record) const { return order_ == nullptr ? record : (*order_)[record]; }
  // Has the originals of records behind this one come near from memory (record/fetch_ahead.h): their roots, which is all of a row.
  void FetchAhead(size_t record) const;
  OutgoingValue LabelAt(size_t position, size_t slot);
  OutgoingValue ValueOf(Vertex source, ClassId id, size_t slot) const;
  // The different sensitive or kept values that stand at the position, missing ones left out.
  void Collect(size_t position, size_t slot);

  const EncodedDataset* encoded_;
  const Publication* publication_;
  const std::vector<uint32_t>* order_ = nullptr;
  PublishedTree tree_;
  Publication::Place place_{};
  LabelTexts texts_;
  // Where labels were moved, what is missing is absent.
  WrittenMissing missing_;
  // The text of the label that was asked for last, if it is one of several.
  std::string joined_;
  // What Collect() found last, and where.
  std::vector<OutgoingValue> collected_;
  size_t collected_position_ = kNowhere;
  size_t collected_slot_ = 0;
  // By tree; filled when the first one is asked for.
  std::vector<uint32_t> group_numbers_;

  static constexpr size_t kNowhere = ~size_t{0};
};

// A data set as it was read. Of published data what is missing is absent; of other data it is written, so that every name of the
// policy occurs.
class DatasetRecords final : public OutgoingRecords {
 public:
  // `write_missing`: whether missing values are written as the policy's texts for them, where there are such.
  explicit DatasetRecords(const Dataset& data, bool is_published = false,
                          bool write_missing = true);

  void Select(size_t record) override;
  size_t ValueCount(size_t position, size_t slot) override;
  OutgoingValue ValueAt(size_t position, size_t slot, size_t index) override;
  bool HasSuppressed(ClassId id, size_t slot) const override;
  uint32_t group() override { return 0; }

 private:
  Vertex root_ = 0;
  WrittenMissing missing_;
};

}  // namespace thicket
