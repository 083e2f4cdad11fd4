// The writers behind WritePublished(), and what they share: which text a position of a published record gets.
//
// A label that was not generalized goes out as the value that came in, with its kind; a generalized one as its label, a
// string. Sensitive and kept values are the member's own. Output leaves in pieces of about a megabyte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/dataset_io.h"

namespace thicket {

// Kind kNone: there is no value, and no text.
struct PublishedValue {
  ValueKind kind = ValueKind::kNone;
  std::string_view text;
};

// What stands in a slot of one position of one member.
class PublishedValues {
 public:
  explicit PublishedValues(const EncodedDataset& data);

  // Valid until the next call.
  PublishedValue Get(const PublishedClass& group, uint32_t member, size_t position, size_t slot);

 private:
  std::string_view TextOf(ClassId id, size_t attribute, Label label);

  const EncodedDataset* data_;
  // By class and quasi-identifier: texts of generalized labels that were needed lately.
  std::vector<std::vector<std::unordered_map<uint64_t, std::string>>> texts_;
};

// Collects output and passes it on in pieces.
class OutputBuffer {
 public:
  explicit OutputBuffer(const Write& write) : write_(&write) {}

  std::string& text() { return text_; }
  // To be called between records.
  Status FlushIfLarge();
  Status Flush();

 private:
  const Write* write_;
  std::string text_;
};

Status WriteJson(const InputPolicy& input, const EncodedDataset& data, const Published& published,
                 const std::vector<Place>& order, const WriteOptions& options, const Write& write);
Status WriteCsv(const EncodedDataset& data, const Published& published,
                const std::vector<Place>& order, const WriteOptions& options, const Write& write);

// Appends a JSON string with its quotes.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace thicket
