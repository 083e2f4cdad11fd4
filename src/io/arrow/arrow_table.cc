#include "io/arrow/arrow_table.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/progress.h"
#include "io/arrow/arrow_check.h"
#include "io/arrow/arrow_schema.h"
#include "io/arrow/arrow_type.h"

namespace thicket {

namespace {

// An array that shows the buffers of another one and keeps whatever owns these alive. Consumers may move children out of their
// parent, so each one has an owner of its own.
struct Shared {
  std::shared_ptr<const void> owner;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
};

void ReleaseShared(ArrowArray* array) {
  auto* shared = static_cast<Shared*>(array->private_data);
  for (ArrowArray& child : shared->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (shared->dictionary.release != nullptr) shared->dictionary.release(&shared->dictionary);
  array->release = nullptr;
  delete shared;
}

void Share(const ArrowArray& from, const std::shared_ptr<const void>& owner, ArrowArray* out) {
  *out = from;
  auto* shared = new Shared;
  shared->owner = owner;
  shared->children.resize(static_cast<size_t>(from.n_children));
  for (size_t i = 0; i < shared->children.size(); ++i) {
    Share(*from.children[i], owner, &shared->children[i]);
    shared->child_pointers.push_back(&shared->children[i]);
  }
  out->children = shared->child_pointers.data();
  if (from.dictionary != nullptr) {
    Share(*from.dictionary, owner, &shared->dictionary);
    out->dictionary = &shared->dictionary;
  }
  out->private_data = shared;
  out->release = &ReleaseShared;
}

// The private data of an exported stream.
struct Exported {
  ArrowTable table;
  std::shared_ptr<const void> owner;
  size_t next = 0;
};

}  // namespace

ArrowTable::Content::~Content() {
  for (ArrowArray& chunk : chunks) {
    if (chunk.release != nullptr) chunk.release(&chunk);
  }
  if (schema.release != nullptr) schema.release(&schema);
}

ArrowTable::ArrowTable(ArrowSchema schema, std::vector<ArrowArray> chunks) {
  auto content = std::make_shared<Content>();
  content->schema = schema;
  content->chunks = std::move(chunks);
  content_ = std::move(content);
}

Result<ArrowTable> ArrowTable::Checked(ArrowSchema schema, std::vector<ArrowArray> chunks,
                                       const std::string& name) {
  ArrowTable table(schema, std::move(chunks));
  THICKET_ASSIGN(const ArrowType type, ArrowType::Of(table.schema(), name));
  for (const ArrowArray& chunk : table.chunks()) THICKET_TRY(CheckArrow(type, chunk, name));
  return table;
}

Result<ArrowTable> ArrowTable::Pull(ArrowArrayStream* stream, const std::string& name,
                                    const std::function<bool()>& stopped) {
  struct Releasing {
    ArrowArrayStream* stream;
    ~Releasing() {
      if (stream->release != nullptr) stream->release(stream);
    }
  } const releasing{stream};
  const auto failed = [&](std::string_view what) {
    const char* said = stream->get_last_error(stream);
    return ErrorAt(ErrorCode::kData, {.file = name},
                   std::string("the table must be handed over whole, but ").append(what),
                   "try whether the table can be used without thicket",
                   said == nullptr ? "" : said);
  };
  auto content = std::make_shared<Content>();
  if (stream->get_schema(stream, &content->schema) != 0) return failed("its types cannot be told");
  THICKET_ASSIGN(const ArrowType type, ArrowType::Of(content->schema, name));
  for (;;) {
    if (stopped && stopped()) return Interrupted();
    ArrowArray chunk{};
    if (stream->get_next(stream, &chunk) != 0) return failed("a part of its rows cannot be read");
    if (chunk.release == nullptr) break;
    content->chunks.push_back(chunk);
    THICKET_TRY(CheckArrow(type, chunk, name));
  }
  ArrowTable table(ArrowSchema{}, {});
  table.content_ = std::move(content);
  return table;
}

void ArrowTable::Export(ArrowArrayStream* out) const {
  out->private_data = new Exported{*this, content_};
  out->get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
    CopySchema(static_cast<Exported*>(stream->private_data)->table.schema(), schema);
    return 0;
  };
  out->get_next = [](ArrowArrayStream* stream, ArrowArray* array) {
    auto* exported = static_cast<Exported*>(stream->private_data);
    const std::vector<ArrowArray>& chunks = exported->table.chunks();
    if (exported->next == chunks.size()) {
      *array = ArrowArray{};
    } else {
      Share(chunks[exported->next++], exported->owner, array);
    }
    return 0;
  };
  out->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  out->release = [](ArrowArrayStream* stream) {
    delete static_cast<Exported*>(stream->private_data);
    stream->release = nullptr;
  };
}

size_t ArrowTable::rows() const {
  size_t rows = 0;
  for (const ArrowArray& chunk : chunks()) rows += static_cast<size_t>(chunk.length);
  return rows;
}

}  // namespace thicket
