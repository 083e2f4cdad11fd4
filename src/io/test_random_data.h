// Small random records of JoinedPolicy(), for the tests of this folder that write and read back.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "io/tables/test_tables.h"
#include "io/writers.h"

namespace thicket::testing {

// Texts of all sorts, numbers as a database would write them, and sometimes nothing.
inline std::string RandomJsonValue(Random& random) {
  std::string out;
  switch (random.Below(6)) {
    case 0:
      return "null";
    case 1:
      return std::to_string(static_cast<int64_t>(random.Next()));
    case 2:
      return NumberText((random.Uniform() - 0.5) * (random.Below(2) == 0 ? 1e300 : 100));
    case 3:
      AppendJsonString(std::to_string(random.Below(20)), out);
      return out;
    default: {
      const std::vector<std::string> pieces = {"a", "\"", "\n", "\t", "\\", "é", "😀", " ", "0"};
      std::string text;
      for (uint64_t i = random.Below(6); i > 0; --i) text += pieces[random.Below(pieces.size())];
      AppendJsonString(text, out);
      return out;
    }
  }
}

inline std::string RandomVertex(const Schema& schema, ClassId id, Random& random) {
  const VertexClass& type = schema.classes[id];
  std::string text = "{";
  for (size_t slot = 0; slot < type.value_count(); ++slot) {
    text += (slot > 0 ? ", " : "");
    AppendJsonString(type.slot_name(slot), text);
    text += ": " + RandomJsonValue(random);
  }
  for (const ClassId child : type.children) {
    text += ", \"" + schema.classes[child].at + "\": [";
    for (uint64_t i = random.Below(4); i > 0; --i) {
      text += RandomVertex(schema, child, random) + (i > 1 ? ", " : "");
    }
    text += "]";
  }
  return text + "}";
}

inline Dataset RandomDataset(uint64_t seed) {
  Policy policy = JoinedPolicy();
  policy.input.format = Format::kJsonl;
  Random random = Random::Seeded(seed);
  std::string text;
  for (uint64_t i = 1 + random.Below(5); i > 0; --i) {
    text += RandomVertex(*policy.schema, 0, random) + "\n";
  }
  auto data = Read(policy, text, ReadAs::kPublished);
  EXPECT_TRUE(data.ok()) << ErrorOf(data) << text;
  return std::move(*data);
}

}  // namespace thicket::testing
