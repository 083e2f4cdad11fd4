// Reading a published label is the inverse of writing it, for every recoding.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/outgoing.h"
#include "record/published_labels.h"
#include "testing/forest_text.h"

namespace thicket::label_texts_test {
namespace {

using testing::ParseSchema;

constexpr size_t kRecodings = 7;

Taxonomy Animals() {
  TaxonomyBuilder builder("animal");
  const auto birds = builder.Add(TaxonomyBuilder::root(), "bird");
  const auto small = builder.Add(birds, "small (bird)");
  for (const char* leaf : {"wren", "tit"}) builder.Add(small, leaf);
  builder.Add(birds, "eagle");
  builder.Add(TaxonomyBuilder::root(), "cow");
  return std::move(builder).Build();
}

// Intervals that hold the numbers of the data.
Taxonomy Ages() {
  TaxonomyBuilder builder("0-99");
  builder.SetRange(TaxonomyBuilder::root(), 0, 99, false);
  const auto add = [&](TaxonomyBuilder::Handle parent, const char* label, int low, int high) {
    const auto node = builder.Add(parent, label);
    builder.SetRange(node, low, high, false);
    return node;
  };
  const auto young = add(TaxonomyBuilder::root(), "0-19", 0, 19);
  add(young, "0-9", 0, 9);
  add(young, "10-19", 10, 19);
  add(TaxonomyBuilder::root(), "20-99", 20, 99);
  return std::move(builder).Build();
}

std::shared_ptr<Schema> AllRecodings() {
  auto schema = ParseSchema("r(file,unknown,ages,ranges,mask,date,numeric)");
  auto& quasi = schema->classes[0].quasi;
  quasi[0].recoding.file = "animals";
  quasi[1].recoding.file = "animals";
  quasi[1].recoding.unknown = UnknownValues::kGeneralize;
  quasi[2].recoding.file = "ages";
  quasi[3].recoding.kind = Recoding::Kind::kRanges;
  quasi[3].recoding.widths = {5, 20};
  quasi[4].recoding.kind = Recoding::Kind::kMask;
  quasi[4].recoding.mask = 2;
  quasi[5].recoding.kind = Recoding::Kind::kDate;
  quasi[5].recoding.units = {DateUnit::kMonth, DateUnit::kYear, DateUnit::kDecade};
  quasi[6].recoding.kind = Recoding::Kind::kNumeric;
  return schema;
}

std::string Number(Random& random) {
  std::string text = random.Below(4) == 0 ? "-" : "";
  text += std::to_string(random.Below(40));
  if (random.Below(3) == 0) text += "." + std::to_string(random.Below(100));
  return text;
}

// Some read like labels of other values, or like what the software calls a missing one.
std::string Text(size_t slot, Random& random) {
  static const std::vector<std::string> leaves = {"wren", "tit", "eagle", "cow"};
  static const std::vector<std::string> odd = {"*",   "* (any)", "\x01missing", "a*",
                                               "ab*", "ab",      "abc",         "[1, 2]"};
  switch (slot) {
    case 0:
      return leaves[random.Below(leaves.size())];
    case 1:
      return random.Below(2) == 0 ? leaves[random.Below(leaves.size())]
                                  : odd[1 + random.Below(odd.size() - 1)];
    case 2:
      return std::to_string(random.Below(100));
    case 4:
      return odd[random.Below(odd.size())];
    case 5: {
      std::string date = std::to_string(1989 + random.Below(4));
      if (random.Below(3) > 0) date += "-0" + std::to_string(1 + random.Below(3));
      if (date.size() > 4 && random.Below(2) > 0) date += "-1" + std::to_string(random.Below(3));
      return date;
    }
    default:
      return Number(random);
  }
}

EncodedDataset RandomValues(Random& random) {
  const auto schema = AllRecodings();
  Dataset data = Dataset::Empty(schema, "random.jsonl");
  ForestBuilder builder(*schema);
  const bool missing = random.Below(2) == 0;
  for (uint32_t record = 0; record < 1 + random.Below(12); ++record) {
    builder.BeginRecord(record + 1);
    for (size_t slot = 0; slot < kRecodings; ++slot) {
      if (missing && random.Below(4) == 0) continue;
      const ValueKind kind = random.Below(2) == 0 ? ValueKind::kString : ValueKind::kNumber;
      builder.Set(slot, data.dictionaries[0][slot].Intern(kind, Text(slot, random)));
    }
    builder.EndRecord();
  }
  data.forest = std::move(builder).Build();
  Result<EncodedDataset> encoded =
      Encode(std::move(data), {{"animals", Animals()}, {"ages", Ages()}});
  if (!encoded.ok()) RC_FAIL(encoded.error().message);
  return std::move(*encoded);
}

// Every label that can be published: nodes above values of the data, or intervals between two of its numbers.
std::vector<Label> LabelsOf(const Domain& domain) {
  std::vector<Label> labels;
  const auto count = static_cast<uint32_t>(domain.value_count());
  for (Value a = 0; a < count; ++a) {
    for (Value b = a; b < count; ++b)
      labels.push_back(domain.Merge(domain.Leaf(a), domain.Leaf(b)));
  }
  return labels;
}

RC_GTEST_PROP(LabelTextsPropertyTest, WhatIsReadIsWhatWasWritten, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  const EncodedDataset data = RandomValues(random);
  LabelTexts texts(data);
  for (size_t slot = 0; slot < kRecodings; ++slot) {
    const Domain& domain = data.classes[0].domains[slot];
    std::vector<bool> occurs(domain.value_count(), false);
    for (Vertex v = 0; v < data.forest().vertex_count(); ++v) occurs[data.value(v, slot)] = true;
    for (const Label label : LabelsOf(domain)) {
      if (domain.IsLeaf(label)) {
        // A leaf of the file that nobody has is never written.
        if (!occurs[domain.LeafValue(label)]) continue;
        const OutgoingValue written = texts.Of(0, slot, label);
        RC_ASSERT((written.kind == ValueKind::kNone) == domain.IsMissing(domain.LeafValue(label)));
        if (written.kind == ValueKind::kNone) continue;
      }
      const std::string text(texts.Of(0, slot, label).text);
      const std::optional<Label> read = ReadLabel(domain, text);
      RC_ASSERT(read.has_value());
      RC_ASSERT(*read == label);
    }
  }
  // And the whole data set as it is: missing values, too.
  const auto labels = PublishedLabels::Read(data, data.data);
  RC_ASSERT(labels.ok());
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
    for (size_t slot = 0; slot < kRecodings; ++slot) {
      const Label leaf = data.classes[0].domains[slot].Leaf(data.value(v, slot));
      RC_ASSERT(labels->of(0, slot, data.forest().value(v, slot)) == leaf);
    }
  }
}

}  // namespace
}  // namespace thicket::label_texts_test
