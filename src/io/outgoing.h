// Records on their way out: what a writer sees of them, whether they are published or only converted.
//
//   for (size_t i = 0; i < records.count(); ++i) {
//     records.Select(i);
//     for (size_t position = 0; position < records.size(); ++position)
//       Use(records.vertex_class(position), records.Value(position, slot));
//   }
//
// A published label that was not generalized goes out as the value that came in, with its kind; a generalized one as its
// label, a string. Sensitive and kept values are the member's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/dataset.h"
#include "record/published.h"

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
  // Valid until the next call.
  virtual OutgoingValue Value(size_t position, size_t slot) = 0;
  // The class of records that it belongs to, for --with-class.
  virtual uint32_t group() const = 0;

 protected:
  OutgoingRecords(const Dataset& data, size_t count) : data_(&data), count_(count) {}

  const Dataset* data_;
  size_t count_;
  const ClassId* vertex_class_ = nullptr;
  const uint32_t* subtree_size_ = nullptr;
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
  OutgoingValue Value(size_t position, size_t slot) override;
  uint32_t group() const override { return place_.group; }

 private:
  std::string_view TextOf(ClassId id, size_t attribute, Label label);

  const EncodedDataset* encoded_;
  const Published* published_;
  const std::vector<Place>* order_;
  const PublishedClass* class_ = nullptr;
  Place place_{};
  // By class and quasi-identifier: texts of generalized labels that were needed lately.
  std::vector<std::vector<std::unordered_map<uint64_t, std::string>>> texts_;
};

// A data set as it was read.
class DatasetRecords final : public OutgoingRecords {
 public:
  explicit DatasetRecords(const Dataset& data);

  void Select(size_t record) override;
  OutgoingValue Value(size_t position, size_t slot) override;
  uint32_t group() const override { return 0; }

 private:
  Vertex root_ = 0;
};

}  // namespace thicket
