// The verifier against one written word by word from Definitions 3.7 to 3.15 of Ozalp et al. 2016, which tries every
// set of bijections.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "testing/forest_text.h"
#include "verify/verify.h"

namespace thicket::verify_property_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;

// By vertex of the first tree, in preorder: its image.
using Bijection = std::vector<Vertex>;

// Every bijection between the subtrees of a and b that keeps edges, classes and quasi-identifiers (Definition 3.11).
std::vector<Bijection> Bijections(const Schema& schema, const Forest& forest, Vertex a, Vertex b) {
  const ClassId id = forest.class_of(a);
  if (forest.class_of(b) != id) return {};
  for (size_t slot = 0; slot < schema.classes[id].quasi.size(); ++slot) {
    if (forest.value(a, slot) != forest.value(b, slot)) return {};
  }
  std::vector<Vertex> children;
  std::vector<Vertex> images;
  for (const Vertex child : forest.Children(a)) children.push_back(child);
  for (const Vertex child : forest.Children(b)) images.push_back(child);
  if (children.size() != images.size()) return {};
  std::vector<Bijection> all;
  do {
    std::vector<Bijection> partial = {{b}};
    for (size_t i = 0; i < children.size(); ++i) {
      std::vector<Bijection> longer;
      for (const Bijection& tail : Bijections(schema, forest, children[i], images[i])) {
        for (const Bijection& head : partial) {
          longer.push_back(head);
          longer.back().insert(longer.back().end(), tail.begin(), tail.end());
        }
      }
      partial = std::move(longer);
    }
    all.insert(all.end(), partial.begin(), partial.end());
  } while (std::next_permutation(images.begin(), images.end()));
  return all;
}

// Definition 3.8, with every sensitive attribute by itself.
bool IsDiverse(const Schema& schema, const Dataset& data, const std::vector<Vertex>& aligned,
               int l) {
  const ClassId id = data.forest.class_of(aligned[0]);
  for (size_t i = 0; i < schema.classes[id].sensitive.size(); ++i) {
    std::map<std::string, int> frequency;
    const size_t slot = schema.classes[id].sensitive_slot(i);
    for (const Vertex v : aligned) {
      ++frequency[std::string(data.dictionaries[id][slot].text(data.forest.value(v, slot)))];
    }
    for (const auto& [value, count] : frequency) {
      if (count * l > static_cast<int>(aligned.size())) return false;
    }
  }
  return true;
}

// Definition 3.13: whether some choice of one bijection per further record makes every set of aligned vertices diverse.
bool SomeChoiceIsDiverse(const Schema& schema, const Dataset& data,
                         const std::vector<std::vector<Bijection>>& choices,
                         std::vector<Bijection>& chosen, int l) {
  if (chosen.size() < choices.size()) {
    for (const Bijection& bijection : choices[chosen.size()]) {
      chosen.push_back(bijection);
      if (SomeChoiceIsDiverse(schema, data, choices, chosen, l)) return true;
      chosen.pop_back();
    }
    return false;
  }
  for (size_t position = 0; position < chosen[0].size(); ++position) {
    std::vector<Vertex> aligned;
    aligned.reserve(chosen.size());
    for (const Bijection& bijection : chosen) aligned.push_back(bijection[position]);
    if (!IsDiverse(schema, data, aligned, l)) return false;
  }
  return true;
}

// Definitions 3.12 and 3.15.
bool NaiveHolds(const Schema& schema, const PrivacyPolicy& privacy, const Dataset& data) {
  const Forest& forest = data.forest;
  std::vector<bool> done(forest.record_count(), false);
  for (RecordId first = 0; first < forest.record_count(); ++first) {
    if (done[first]) continue;
    std::vector<std::vector<Bijection>> choices;
    for (RecordId other = first; other < forest.record_count(); ++other) {
      std::vector<Bijection> bijections =
          Bijections(schema, forest, forest.root(first), forest.root(other));
      if (bijections.empty()) continue;
      done[other] = true;
      // The first record keeps its own order.
      if (other == first) bijections.resize(1);
      choices.push_back(std::move(bijections));
    }
    const int size = static_cast<int>(choices.size());
    if (size < privacy.k.value_or(1) || size < privacy.l.value_or(1)) return false;
    std::vector<Bijection> chosen;
    if (privacy.l && !SomeChoiceIsDiverse(schema, data, choices, chosen, *privacy.l)) return false;
  }
  return true;
}

struct Shape {
  std::string label;
  std::vector<Shape> children;
};

// Three levels over few labels; with `distinct` no two siblings have the same one.
Shape RandomShape(Random& random, int level, bool distinct) {
  Shape shape{std::string(1, "ab"[random.Below(2)]), {}};
  if (level == 2) return shape;
  const size_t children =
      random.Below(level == 0 ? 3 : 2) + (level == 0 && random.Below(2) == 0 ? 1 : 0);
  for (size_t i = 0; i < children; ++i) {
    shape.children.push_back(RandomShape(random, level + 1, distinct));
    if (distinct) shape.children.back().label = std::string(1, "abc"[i]);
  }
  return shape;
}

// The shape with random sensitive values, siblings in random order, and now and then a different label.
std::string Fill(Random& random, Shape shape, int level) {
  random.Shuffle(shape.children);
  std::string text(1, "rcd"[level]);
  const bool odd = random.Below(60) == 0;
  text += "(" + shape.label + (odd ? "z" : "") + "|";
  text += std::string(1, "STUVWX"[random.Below(6)]) + "){";
  for (Shape& child : shape.children) text += Fill(random, std::move(child), level + 1);
  return text + "}";
}

struct Outcome {
  bool position_holds;
  bool naive_holds;
};

Outcome Compare(uint64_t seed, bool distinct) {
  Random random = Random::Seeded(seed);
  auto schema = ParseSchema("r(q|s){c(q|s){d(q|s)}}");
  for (VertexClass& vertex_class : schema->classes) {
    vertex_class.quasi[0].recoding.kind = Recoding::Kind::kMask;
  }
  std::string text;
  for (size_t group = 0; group < 1 + random.Below(2); ++group) {
    const Shape shape = RandomShape(random, 0, distinct);
    const size_t size = 2 + random.Below(2);
    for (size_t i = 0; i < size; ++i) text += Fill(random, shape, 0);
  }
  const Dataset data = ParseForest(schema, text);
  PrivacyPolicy privacy;
  privacy.l = 2;
  if (random.Below(3) == 0) privacy = {2, std::nullopt};
  Result<Verdict> verdict = VerifyPublished(*schema, privacy, {}, data);
  if (!verdict.ok()) return {false, NaiveHolds(*schema, privacy, data)};
  // The definition knows no order of siblings.
  const Violations& violations = verdict->violations;
  const bool holds = violations.total() == violations.total(ViolationKind::kTellsApart);
  return {holds, NaiveHolds(*schema, privacy, data)};
}

RC_GTEST_PROP(VerifyPropertyTest, WhatItAcceptsIsDiverseByTheDefinition, (uint64_t seed)) {
  const Outcome outcome = Compare(seed, false);
  RC_TAG(outcome.position_holds ? "accepted" : "rejected");
  RC_ASSERT(!outcome.position_holds || outcome.naive_holds);
}

RC_GTEST_PROP(VerifyPropertyTest, AgreesWithTheDefinitionWhereSiblingsHaveDistinctLabels,
              (uint64_t seed)) {
  const Outcome outcome = Compare(seed, true);
  RC_TAG(outcome.position_holds ? "accepted" : "rejected");
  RC_ASSERT(outcome.position_holds == outcome.naive_holds);
}

}  // namespace
}  // namespace thicket::verify_property_test
