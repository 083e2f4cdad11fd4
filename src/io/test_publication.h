// Encoded data, publications of it, and what readers must see of these, for the tests of this folder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/outgoing.h"
#include "io/test_policy.h"
#include "record/publication.h"

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

// A rearranged publication with a tree per record, vertex by vertex: Open() goes below the vertex that is open. Records are
// numbered as their roots are opened.
class RecodedBuilder {
 public:
  RecodedBuilder() { published_.SetRearranged(); }

  // One label per quasi-identifier of the class.
  RecodedBuilder& Open(ClassId id, const std::vector<Label>& labels,
                       const std::vector<Vertex>& sources) {
    if (open_.empty()) published_.AddRecord(static_cast<RecordId>(published_.record_count()));
    open_.push_back(published_.Open(id, labels));
    published_.AddSources(sources);
    return *this;
  }
  RecodedBuilder& Close() {
    published_.Close(open_.back());
    open_.pop_back();
    if (open_.empty()) published_.EndTree();
    return *this;
  }
  const Publication& published() const { return published_; }

 private:
  Publication published_;
  std::vector<uint32_t> open_;
};

// Every record as it is, with a tree of its own.
inline Publication AsItIs(const EncodedDataset& data) {
  Publication published;
  const Forest& forest = data.forest();
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    published.AddRecord(record);
    for (Vertex v = forest.root(record); v < forest.root(record + 1); ++v) {
      const ClassId id = forest.class_of(v);
      std::vector<Label> labels;
      for (size_t q = 0; q < data.classes[id].domains.size(); ++q) {
        labels.push_back(data.classes[id].domains[q].Leaf(data.value(v, q)));
      }
      published.Open(id, labels, forest.subtree_size(v));
      published.AddSources({&v, 1});
    }
    published.EndTree();
  }
  return published;
}

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

// Trees with any labels of the data, for one or more records each, with the values of any vertices of their classes, some of
// which are suppressed. If rearranged, vertices stand below any ancestor of their class and for any number of others.
class RandomPublication {
 public:
  RandomPublication(const EncodedDataset& data, Random& random, bool rearranged)
      : data_(&data), random_(&random), rearranged_(rearranged) {
    vertices_.resize(data.schema().classes.size());
    for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
      vertices_[data.forest().class_of(v)].push_back(v);
    }
  }

  Publication Make() {
    if (rearranged_) published_.SetRearranged();
    for (uint64_t tree = 1 + random_->Below(3); tree > 0; --tree) AddTree();
    std::vector<Publication::SuppressedValue> values;
    for (Vertex v = 0; v < data_->forest().vertex_count(); ++v) {
      const VertexClass& of = data_->schema().classes[data_->forest().class_of(v)];
      for (size_t slot = of.quasi.size(); slot < of.value_count(); ++slot) {
        if (random_->Below(8) == 0) values.push_back({v, static_cast<uint32_t>(slot)});
      }
    }
    published_.SuppressValues(std::move(values));
    return std::move(published_);
  }

 private:
  void AddTree() {
    const uint32_t root = published_.Open(0, Labels(0));
    classes_ = {0};
    AddBelow(0, 0);
    published_.Close(root);
    for (uint64_t member = 1 + random_->Below(3); member > 0; --member) {
      const auto record = static_cast<RecordId>(random_->Below(data_->forest().record_count()));
      published_.AddRecord(record);
      const Vertex first = data_->forest().root(record);
      published_.AddSources({&first, 1});
      for (size_t p = 1; p < classes_.size(); ++p) published_.AddSources(Sources(classes_[p]));
    }
    published_.EndTree();
  }
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
  std::vector<Vertex> Sources(ClassId id) {
    std::vector<Vertex> sources;
    for (uint64_t i = random_->Below(rearranged_ ? 4 : 2); i > 0 && !vertices_[id].empty(); --i) {
      sources.push_back(vertices_[id][random_->Below(vertices_[id].size())]);
    }
    return sources;
  }
  void AddBelow(ClassId id, int depth) {
    if (depth > 3) return;
    for (const ClassId child :
         rearranged_ ? data_->schema().ClassesBelow(id) : data_->schema().classes[id].children) {
      for (uint64_t count = random_->Below(3); count > 0; --count) {
        const uint32_t position = published_.Open(child, Labels(child));
        classes_.push_back(child);
        AddBelow(child, depth + 1);
        published_.Close(position);
      }
    }
  }

  const EncodedDataset* data_;
  Random* random_;
  bool rearranged_;
  std::vector<std::vector<Vertex>> vertices_;
  // By position of the tree.
  std::vector<ClassId> classes_;
  Publication published_;
};

// What Describe() must show of a publication that was written and read again, from the definition: lists become further
// vertices.
class PublicationText {
 public:
  PublicationText(const EncodedDataset& data, const Publication& published)
      : data_(&data), published_(&published) {}

  std::string All() const {
    std::string text;
    for (size_t tree = 0; tree < published_->tree_count(); ++tree) {
      const PublishedTree shown = published_->tree(tree);
      for (size_t member = 0; member < shown.records.size(); ++member) {
        text += Of(shown, member, 0) + "\n";
      }
    }
    return text;
  }

 private:
  bool Suppressed(Vertex vertex, size_t slot) const {
    for (const Publication::SuppressedValue& value : published_->suppressed_values()) {
      if (value.vertex == vertex && value.slot == slot) return true;
    }
    return false;
  }
  std::vector<std::string> TextsOf(const PublishedTree& tree, size_t member, size_t position,
                                   size_t slot) const {
    const ClassId id = tree.vertex_class[position];
    const Dictionary& dictionary = data_->data.dictionaries[id][slot];
    std::vector<std::string> texts;
    if (slot < data_->classes[id].domains.size()) {
      const Label label = tree.labels(position)[slot];
      if (label == kNoLabel) return {};
      const Domain& domain = data_->classes[id].domains[slot];
      if (!domain.IsLeaf(label)) return {"'" + domain.Text(label) + "'"};
      const Symbol symbol = data_->classes[id].symbol_of_value[slot][domain.LeafValue(label)];
      return {"'" + std::string(dictionary.text(symbol)) + "'"};
    }
    for (const Vertex source : tree.sources(member, position)) {
      const Symbol symbol = data_->forest().value(source, slot);
      if (Suppressed(source, slot)) {
        texts.push_back("'*'");
      } else if (symbol != kMissing) {
        texts.push_back("'" + std::string(dictionary.text(symbol)) + "'");
      }
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    return texts;
  }
  std::string Children(const PublishedTree& tree, size_t member, size_t position) const {
    std::string text;
    for (size_t id = 0; id < data_->schema().classes.size(); ++id) {
      for (size_t child = position + 1; child < position + tree.subtree_size[position];
           child += tree.subtree_size[child]) {
        if (tree.vertex_class[child] == id) text += Of(tree, member, child);
      }
    }
    return text.empty() ? "" : "{" + text + "}";
  }
  std::string Of(const PublishedTree& tree, size_t member, size_t position) const {
    const VertexClass& type = data_->schema().classes[tree.vertex_class[position]];
    std::vector<std::vector<std::string>> texts;
    size_t count = 1;
    for (size_t slot = 0; slot < type.value_count(); ++slot) {
      texts.push_back(TextsOf(tree, member, position, slot));
      count = std::max(count, texts.back().size());
    }
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      text += type.name + "(";
      for (size_t slot = 0; slot < type.value_count(); ++slot) {
        const size_t at = slot < type.quasi.size() ? 0 : i;
        text += (slot > 0 ? "," : "") + (at < texts[slot].size() ? texts[slot][at] : "-");
      }
      text += ")" + (i == 0 ? Children(tree, member, position) : "");
    }
    return text;
  }

  const EncodedDataset* data_;
  const Publication* published_;
};

// The policy as k^(m,n)-anonymity.
inline Policy ByCombinations(Policy policy) {
  policy.privacy.k = 2;
  policy.privacy.m = 2;
  policy.privacy.n = 1;
  return policy;
}

// In a format that is one stream.
inline std::string Written(const Policy& policy, const EncodedDataset& data,
                           const Publication& published, const WriteOptions& options = {}) {
  std::string out;
  PublicationRecords records(data, published);
  const Status status = WriteRecords(policy, records, options, [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  return status.ok() ? out : "error: " + status.error().message;
}

}  // namespace thicket::testing
