#include "grouping/parts.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "grouping/neighbourhoods.h"

namespace thicket {

namespace {

// Hears nothing, and stops with the whole.
class QuietPart : public Progress {
 public:
  explicit QuietPart(Progress& whole) : Progress(&whole) {}
};

// The records of each part, ascending.
std::vector<std::vector<RecordId>> Divide(const EncodedDataset& data, size_t size) {
  const TreeModel model(data, {});
  ClassColumns columns(model, kOpenSize);
  for (RecordId record = 0; record < data.forest().record_count(); ++record) {
    StopPoint();
    columns.Add(Representative::Of(model, record, kOpenSize));
  }
  const auto tree = [&](Place place, const std::function<void(const Representative&)>& visit) {
    visit(Representative::Of(model, place, kOpenSize));
  };
  std::vector<std::vector<RecordId>> parts = Neighbourhoods(columns, tree, {.size = size});
  for (std::vector<RecordId>& part : parts) std::sort(part.begin(), part.end());
  return parts;
}

// Opens the vertices of a record in the builder, with their symbols.
void CopyVertices(const Schema& schema, const Forest& forest, RecordId record,
                  ForestBuilder& builder) {
  const Vertex root = forest.root(record);
  const Vertex end = root + static_cast<Vertex>(forest.record_size(record));
  std::vector<Vertex> ends;
  for (Vertex v = root; v < end; ++v) {
    for (; !ends.empty() && ends.back() == v; ends.pop_back()) builder.Close();
    if (v == root) {
      builder.BeginRecord(forest.line(record));
    } else {
      builder.Open(forest.class_of(v));
      ends.push_back(v + forest.subtree_size(v));
    }
    for (size_t slot = 0; slot < schema.classes[forest.class_of(v)].value_count(); ++slot) {
      builder.Set(slot, forest.value(v, slot));
    }
  }
  for (; !ends.empty(); ends.pop_back()) builder.Close();
  builder.EndRecord();
}

}  // namespace

EncodedDataset PartOf(const EncodedDataset& data, const std::vector<RecordId>& records) {
  const Forest& forest = data.forest();
  ForestBuilder builder(data.schema());
  EncodedDataset part;
  part.data = Dataset::Empty(data.data.schema, data.data.source);
  part.classes = data.classes;
  // Values that may stand in a part of the records only are told by their texts.
  for (size_t id = 0; id < data.schema().classes.size(); ++id) {
    const VertexClass& of = data.schema().classes[id];
    for (size_t i = 0; i < of.sensitive.size(); ++i) {
      if (!of.sensitive[i].anywhere) continue;
      const size_t slot = of.sensitive_slot(i);
      part.data.dictionaries[id][slot] = data.data.dictionaries[id][slot];
    }
  }
  for (const RecordId record : records) {
    StopPoint();
    CopyVertices(data.schema(), forest, record, builder);
    // Codes stand beside the symbols, in the same order.
    const Vertex end = forest.root(record) + static_cast<Vertex>(forest.record_size(record));
    const size_t codes_end =
        end < forest.vertex_count() ? forest.first_value(end) : data.codes.size();
    part.codes.insert(part.codes.end(),
                      data.codes.begin() + forest.first_value(forest.root(record)),
                      data.codes.begin() + static_cast<std::ptrdiff_t>(codes_end));
  }
  part.data.forest = std::move(builder).Build();
  return part;
}

namespace {

// Adds the classes of a part, in terms of the whole.
void AddClasses(const EncodedDataset& data, const EncodedDataset& part,
                const std::vector<RecordId>& records, const Publication& published,
                Publication& whole) {
  for (const PublishedTree tree : published.trees()) {
    for (size_t p = 0; p < tree.size(); ++p) {
      whole.Open(tree.vertex_class[p], tree.labels(p), tree.subtree_size[p]);
    }
    for (size_t member = 0; member < tree.records.size(); ++member) {
      const RecordId in_part = tree.records[member];
      const RecordId record = records[in_part];
      const Vertex offset = data.forest().root(record) - part.forest().root(in_part);
      whole.AddRecord(record);
      for (size_t p = 0; p < tree.size(); ++p) {
        const Vertex source = tree.vertex(member, p) + offset;
        whole.AddSources({&source, 1});
      }
    }
    whole.EndTree();
  }
}

}  // namespace

Result<Grouping> GroupByParts(const EncodedDataset& data, size_t size, const GroupPart& group,
                              Parallel& parallel, Progress& progress) {
  if (data.forest().record_count() <= size) {
    THICKET_ASSIGN(Grouping whole, group(data, parallel, progress));
    whole.search.neighbourhood = size;
    whole.search.parts = 1;
    return whole;
  }
  progress.Begin("divide", 0);
  const std::vector<std::vector<RecordId>> parts = Divide(data, size);
  progress.End();
  progress.Begin("anonymize", data.forest().record_count());
  Grouping whole;
  std::vector<RecordId> suppressed;
  // As many parts at a time as there are threads: what they published is put together before the next ones begin.
  const size_t at_once = parallel.threads();
  for (size_t begin = 0; begin < parts.size(); begin += at_once) {
    const size_t count = std::min(at_once, parts.size() - begin);
    std::vector<EncodedDataset> data_of(count);
    std::vector<std::optional<Result<Grouping>>> results(count);
    parallel.For(count, 1, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        Parallel one(1);
        QuietPart quiet(progress);
        data_of[i] = PartOf(data, parts[begin + i]);
        results[i] = group(data_of[i], one, quiet);
      }
    });
    for (size_t i = 0; i < count; ++i) {
      const std::vector<RecordId>& records = parts[begin + i];
      THICKET_ASSIGN(const Grouping grouping, std::move(*results[i]));
      AddClasses(data, data_of[i], records, grouping.published, whole.published);
      for (const RecordId record : grouping.published.suppressed()) {
        suppressed.push_back(records[record]);
      }
      whole.search.candidates += grouping.search.candidates;
      whole.search.compared += grouping.search.compared;
      progress.Advance(records.size());
    }
  }
  std::sort(suppressed.begin(), suppressed.end());
  whole.published.Suppress(std::move(suppressed));
  whole.search.neighbourhood = size;
  whole.search.parts = parts.size();
  progress.End();
  return whole;
}

}  // namespace thicket
