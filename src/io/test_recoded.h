// Encoded and globally recoded data, for the tests of this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/test_policy.h"
#include "record/recoded.h"

namespace thicket::testing {

// Every symbol of every quasi-identifier is a leaf right below the root.
inline EncodedDataset FlatEncoding(Dataset data) {
  EncodedDataset encoded;
  encoded.codes.resize(data.forest.value_count());
  for (size_t id = 0; id < data.schema->classes.size(); ++id) {
    ClassEncoding& encoding = encoded.classes.emplace_back();
    for (size_t q = 0; q < data.schema->classes[id].quasi.size(); ++q) {
      TaxonomyBuilder builder("*");
      const size_t symbols = data.dictionaries[id][q].size();
      for (Symbol symbol = 1; symbol < symbols; ++symbol) {
        builder.Add(TaxonomyBuilder::root(), std::to_string(symbol));
      }
      builder.Add(TaxonomyBuilder::root(), "missing");
      Taxonomy taxonomy = std::move(builder).Build();
      std::vector<Symbol> symbol_of_value(symbols, kMissing);
      std::vector<Value> value_of_symbol(symbols,
                                         *taxonomy.Find("missing") - taxonomy.first_leaf());
      for (Symbol symbol = 1; symbol < symbols; ++symbol) {
        value_of_symbol[symbol] = *taxonomy.Find(std::to_string(symbol)) - taxonomy.first_leaf();
        symbol_of_value[value_of_symbol[symbol]] = symbol;
      }
      for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
        if (data.forest.class_of(v) == id) {
          encoded.codes[data.forest.first_value(v) + q] = value_of_symbol[data.forest.value(v, q)];
        }
      }
      encoding.domains.push_back(Domain::FromTaxonomy(std::move(taxonomy), true));
      encoding.symbol_of_value.push_back(std::move(symbol_of_value));
    }
  }
  encoded.data = std::move(data);
  return encoded;
}

// Recoded trees, vertex by vertex: Open() goes below the vertex that is open, and a root ends the record before it.
class RecodedBuilder {
 public:
  // One label per quasi-identifier of the class.
  RecodedBuilder& Open(ClassId id, const std::vector<Label>& labels,
                       const std::vector<Vertex>& sources) {
    open_.push_back(static_cast<uint32_t>(recoded_.vertex_count()));
    recoded_.vertex_class.push_back(id);
    recoded_.subtree_size.push_back(1);
    recoded_.first_label.push_back(static_cast<uint32_t>(recoded_.labels.size()));
    recoded_.labels.insert(recoded_.labels.end(), labels.begin(), labels.end());
    recoded_.sources.insert(recoded_.sources.end(), sources.begin(), sources.end());
    recoded_.first_source.push_back(static_cast<uint32_t>(recoded_.sources.size()));
    return *this;
  }
  RecodedBuilder& Close() {
    const uint32_t vertex = open_.back();
    open_.pop_back();
    recoded_.subtree_size[vertex] = static_cast<uint32_t>(recoded_.vertex_count() - vertex);
    if (open_.empty()) recoded_.root.push_back(static_cast<uint32_t>(recoded_.vertex_count()));
    return *this;
  }
  const Recoded& recoded() const { return recoded_; }

 private:
  Recoded recoded_;
  std::vector<uint32_t> open_;
};

// A label of the text, or the value, in FlatEncoding().
inline Label FlatLabel(const EncodedDataset& data, ClassId id, size_t attribute,
                       std::string_view text) {
  if (text == "*") return {Taxonomy::kRoot, Taxonomy::kRoot};
  const Dictionary& dictionary = data.data.dictionaries[id][attribute];
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    if (dictionary.text(symbol) != text) continue;
    const auto& symbols = data.classes[id].symbol_of_value[attribute];
    const auto at = std::find(symbols.begin(), symbols.end(), symbol);
    return data.classes[id].domains[attribute].Leaf(static_cast<Value>(at - symbols.begin()));
  }
  return kNoLabel;
}

// Trees with any labels of the data, moved to any ancestor, and the values of any vertices of their class.
class RandomRecoded {
 public:
  RandomRecoded(const EncodedDataset& data, Random& random) : data_(&data), random_(&random) {
    vertices_.resize(data.schema().classes.size());
    for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
      vertices_[data.forest().class_of(v)].push_back(v);
    }
  }

  Recoded Make() {
    for (RecordId record = 0; record < data_->forest().record_count(); ++record) {
      builder_.Open(0, Labels(0), {data_->forest().root(record)});
      AddBelow(0, 0);
      builder_.Close();
    }
    return builder_.recoded();
  }

 private:
  std::vector<Label> Labels(ClassId id) {
    std::vector<Label> labels;
    for (const Domain& domain : data_->classes[id].domains) {
      const uint64_t choice = random_->Below(3);
      if (choice == 0 || domain.value_count() < 2) {
        labels.push_back(kNoLabel);
      } else if (choice == 1) {
        labels.push_back({Taxonomy::kRoot, Taxonomy::kRoot});
      } else {
        labels.push_back(domain.Leaf(static_cast<Value>(random_->Below(domain.value_count() - 1))));
      }
    }
    return labels;
  }
  void AddBelow(ClassId id, int depth) {
    if (depth > 3) return;
    for (const ClassId child : data_->schema().ClassesBelow(id)) {
      for (uint64_t count = random_->Below(3); count > 0; --count) {
        std::vector<Vertex> sources;
        for (uint64_t i = random_->Below(4); i > 0 && !vertices_[child].empty(); --i) {
          sources.push_back(vertices_[child][random_->Below(vertices_[child].size())]);
        }
        builder_.Open(child, Labels(child), sources);
        AddBelow(child, depth + 1);
        builder_.Close();
      }
    }
  }

  const EncodedDataset* data_;
  Random* random_;
  std::vector<std::vector<Vertex>> vertices_;
  RecodedBuilder builder_;
};

// What Describe() must show of recoded data that was written and read again, from the definition: lists become further
// vertices.
class RecodedText {
 public:
  RecodedText(const EncodedDataset& data, const Recoded& recoded)
      : data_(&data), recoded_(&recoded) {}

  std::string All() const {
    std::string text;
    for (size_t r = 0; r < recoded_->record_count(); ++r) text += Of(recoded_->root[r]) + "\n";
    return text;
  }

 private:
  std::vector<std::string> TextsOf(uint32_t vertex, size_t slot) const {
    const ClassId id = recoded_->vertex_class[vertex];
    const Dictionary& dictionary = data_->data.dictionaries[id][slot];
    std::vector<std::string> texts;
    if (slot < data_->classes[id].domains.size()) {
      const Label label = recoded_->label(vertex, slot);
      if (label == kNoLabel) return {};
      const Domain& domain = data_->classes[id].domains[slot];
      if (!domain.IsLeaf(label)) return {"'" + domain.Text(label) + "'"};
      const Symbol symbol = data_->classes[id].symbol_of_value[slot][domain.LeafValue(label)];
      return {"'" + std::string(dictionary.text(symbol)) + "'"};
    }
    for (const Vertex source : recoded_->sources_of(vertex)) {
      const Symbol symbol = data_->forest().value(source, slot);
      if (symbol != kMissing) texts.push_back("'" + std::string(dictionary.text(symbol)) + "'");
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    return texts;
  }
  std::string Children(uint32_t vertex) const {
    std::string text;
    for (size_t id = 0; id < data_->schema().classes.size(); ++id) {
      for (uint32_t child = vertex + 1; child < vertex + recoded_->subtree_size[vertex];
           child += recoded_->subtree_size[child]) {
        if (recoded_->vertex_class[child] == id) text += Of(child);
      }
    }
    return text.empty() ? "" : "{" + text + "}";
  }
  std::string Of(uint32_t vertex) const {
    const VertexClass& type = data_->schema().classes[recoded_->vertex_class[vertex]];
    std::vector<std::vector<std::string>> texts;
    size_t count = 1;
    for (size_t slot = 0; slot < type.value_count(); ++slot) {
      texts.push_back(TextsOf(vertex, slot));
      count = std::max(count, texts.back().size());
    }
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      text += type.name + "(";
      for (size_t slot = 0; slot < type.value_count(); ++slot) {
        const size_t at = slot < type.quasi.size() ? 0 : i;
        text += (slot > 0 ? "," : "") + (at < texts[slot].size() ? texts[slot][at] : "-");
      }
      text += ")" + (i == 0 ? Children(vertex) : "");
    }
    return text;
  }

  const EncodedDataset* data_;
  const Recoded* recoded_;
};

// The policy as k^(m,n)-anonymity.
inline Policy ByCombinations(Policy policy) {
  policy.privacy.k = 2;
  policy.privacy.m = 2;
  policy.privacy.n = 1;
  return policy;
}

inline std::vector<RecordId> AllRecords(const Recoded& recoded) {
  std::vector<RecordId> order(recoded.record_count());
  for (RecordId i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

// In a format that is one stream.
inline std::string WrittenRecoded(const Policy& policy, const EncodedDataset& data,
                                  const Recoded& recoded) {
  std::string out;
  const std::vector<RecordId> order = AllRecords(recoded);
  RecodedRecords records(data, recoded, order);
  const Status status = WriteRecords(policy, records, {}, [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  return status.ok() ? out : "error: " + status.error().message;
}

}  // namespace thicket::testing
