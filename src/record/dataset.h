// A data set as it was read: the schema, the forest, and what its symbols stand for.
//
// Two stages. A Dataset holds every value as a symbol of its attribute's dictionary: enough to verify, to count and to
// write. Encode() adds what merging and measuring work on, and leaves the symbols as they are: beside each stands the value of
// its domain (quasi-identifiers) or what must be diverse (sensitive values).
//
//   THICKET_ASSIGN(Dataset data, ReadDataset(...));                    // io/
//   THICKET_ASSIGN(EncodedDataset encoded, Encode(std::move(data), taxonomies));
//   encoded.forest().value(v, slot);                                   // the symbol
//   encoded.value(v, slot);                                            // the domain's value
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/dictionary.h"
#include "record/forest.h"
#include "record/schema.h"
#include "record/source_shape.h"
#include "taxonomy/domain.h"

namespace thicket {

// Something that the reader left out or let pass and that the user should know of.
struct Warning {
  std::string message;
};

// Something in published data that must not be there, found while it was read. verify/ makes a violation of each;
// `evaluate` and `attack` warn.
struct Finding {
  enum class Kind : uint8_t {
    kUnnamed,  // content that the policy does not name
    kTellsApart,  // a way of writing that is not the same throughout, so that records that look alike are not
  };
  Kind kind = Kind::kUnnamed;
  // "published.jsonl: courses.note", or "published.jsonl:17: courses[2]": names of places, never a value.
  std::string where;
  // "what must hold, but what is".
  std::string rule;
  // How often it was found; `where` is the first time.
  uint64_t count = 1;

  // "where: what must hold, but what is (3 times)".
  std::string Text() const;
};

struct Dataset {
  // Of a record without a class number.
  static constexpr uint32_t kNoClassNumber = ~uint32_t{0};

  std::shared_ptr<const Schema> schema;
  // Every value is a Symbol.
  Forest forest;
  // By class and slot.
  std::vector<std::vector<Dictionary>> dictionaries;
  // The file's name as the user gave it, for messages.
  std::string source;
  // Whether a line number means something in the source ("file:17"), or a record number ("file: record 17").
  bool has_lines = true;
  // Joined tables: the name of each class's table, for messages, and where each vertex stood in it (a line of a file, or
  // a row of a database). Empty for other formats.
  std::vector<std::string> table_sources;
  std::vector<uint32_t> vertex_places;
  // By record: the file that holds it, where the records are files of a folder; empty otherwise.
  std::vector<std::string> record_sources;
  SourceShape shape;
  std::vector<Warning> warnings;
  // Published data only.
  std::vector<Finding> findings;
  // Original data only, by record: whom the record is about, by number, where a person may have several records (the sessions of
  // a user); empty where each record is a person of its own.
  std::vector<uint32_t> owners;
  // Published data only, by record: the number under kClassKey. Empty if no record has one.
  std::vector<uint32_t> class_numbers;

  static Dataset Empty(std::shared_ptr<const Schema> schema, std::string source);

  // "students.jsonl:17: courses[2].code", or "courses.csv:17: code" for joined tables.
  ErrorPlace PlaceOf(Vertex vertex, size_t slot) const;
  ErrorPlace PlaceOf(RecordId record) const;
  // The same as text.
  std::string Where(Vertex vertex, size_t slot) const { return PlaceOf(vertex, slot).Text(); }
  std::string Where(RecordId record) const { return PlaceOf(record).Text(); }

 private:
  ErrorPlace PlaceOfRow(Vertex vertex) const;
};

// Taxonomies that were given in files, by the path in the policy.
using TaxonomyFiles = std::map<std::string, Taxonomy>;

// The one of an attribute whose recoding is kTaxonomy: under its file, or in its folder under the attribute's name; null if it is
// not among them.
const Taxonomy* FindTaxonomy(const TaxonomyFiles& taxonomies, const QuasiAttribute& attribute);

// One class's attributes in the terms that merging needs.
struct ClassEncoding {
  // By quasi-identifier.
  std::vector<Domain> domains;
  // By quasi-identifier: the symbol that a domain value is published as.
  std::vector<std::vector<Symbol>> symbol_of_value;
  // By quasi-identifier and value: which of the attribute's sensitive items the value is, by its place in the policy's list, or
  // kNoSecret; empty where the attribute has none. Such a value is a leaf right below the domain's root, since it must be
  // somewhere: no label above it is ever published for it, and whoever counts the leaves of a group leaves it out. Values that
  // mean the same have the same number.
  static constexpr uint32_t kNoSecret = ~uint32_t{0};
  std::vector<std::vector<uint32_t>> secret_of_value;
  uint32_t SecretOf(size_t quasi, Value value) const {
    return secret_of_value[quasi].empty() ? kNoSecret : secret_of_value[quasi][value];
  }
  // By sensitive attribute and symbol: what must be diverse, the first symbol that means the same (base/fold.h) or the
  // number of its bucket; 0 for a missing or blank value.
  std::vector<std::vector<uint32_t>> bucket_of_symbol;
  // By sensitive attribute: how many different buckets there are.
  std::vector<uint32_t> bucket_count;
  // By sensitive attribute and bucket: whether the value may occur only once in a class of records.
  std::vector<std::vector<bool>> once;
};

struct EncodedDataset {
  // As it was read.
  Dataset data;
  std::vector<ClassEncoding> classes;
  // In the layout of the forest's symbols: domain Values of quasi-identifiers, buckets of sensitive attributes, and 0 in the
  // places of what is kept. One offset per vertex finds symbols and codes; offsets of their own would take more than these places.
  std::vector<uint32_t> codes = {};

  const Schema& schema() const { return *data.schema; }
  const Forest& forest() const { return data.forest; }
  VertexValues values() const { return data.forest.Beside(codes); }
  const uint32_t* values(Vertex vertex) const { return values().of(vertex); }
  // The value of a vertex's quasi-identifier.
  Value value(Vertex vertex, size_t quasi) const { return values().at(vertex, quasi); }
  // The bucket of a vertex's sensitive attribute.
  uint32_t Bucket(Vertex vertex, size_t attribute) const {
    const ClassId id = data.forest.class_of(vertex);
    return values().at(vertex, data.schema->classes[id].sensitive_slot(attribute));
  }

  // Writes the buckets of all vertices into `codes`, once `bucket_of_symbol` has changed. O(vertices).
  void EncodeBuckets();
};

// Fails with kData where a value is not in its taxonomy, does not fit its recoding, or is no number though the
// attribute has buckets; the message says where the first one is and how many there are.
Result<EncodedDataset> Encode(Dataset data, const TaxonomyFiles& taxonomies);

// How many quasi-identifier values the forest holds: the denominator of LM (Definition 3.10); and how many a vertex could
// have, but has not.
struct LabelCount {
  uint64_t labels = 0;
  uint64_t absent = 0;
};
LabelCount CountLabels(const Schema& schema, const Forest& forest);

}  // namespace thicket
