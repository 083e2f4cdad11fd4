#include "io/arrow/arrow_schema.h"

#include <cstring>
#include <utility>

namespace thicket {

namespace {

struct Owned {
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  ArrowSchema dictionary{};
};

void ReleaseOwned(ArrowSchema* schema) {
  auto* owned = static_cast<Owned*>(schema->private_data);
  for (ArrowSchema& child : owned->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (owned->dictionary.release != nullptr) owned->dictionary.release(&owned->dictionary);
  schema->release = nullptr;
  delete owned;
}

// Takes `owned` over, its children included.
void Fill(Owned* owned, int64_t flags, ArrowSchema* out) {
  *out = ArrowSchema{};
  for (ArrowSchema& child : owned->children) owned->child_pointers.push_back(&child);
  out->format = owned->format.c_str();
  out->name = owned->name.c_str();
  out->metadata = owned->metadata.empty() ? nullptr : owned->metadata.data();
  out->flags = flags;
  out->n_children = static_cast<int64_t>(owned->children.size());
  out->children = owned->child_pointers.data();
  out->dictionary = owned->dictionary.release == nullptr ? nullptr : &owned->dictionary;
  out->release = &ReleaseOwned;
  out->private_data = owned;
}

// Metadata are a number of pairs, and each text has its length before it.
size_t MetadataSize(const char* metadata) {
  if (metadata == nullptr) return 0;
  const auto number = [&](size_t at) {
    int32_t value = 0;
    std::memcpy(&value, metadata + at, sizeof value);
    return value;
  };
  size_t size = sizeof(int32_t);
  for (int32_t i = 0; i < 2 * number(0); ++i) {
    size += sizeof(int32_t) + static_cast<size_t>(number(size));
  }
  return size;
}

}  // namespace

std::string_view ExtensionOf(const ArrowSchema& schema) {
  if (schema.metadata == nullptr) return {};
  size_t at = 0;
  const auto number = [&] {
    int32_t value = 0;
    std::memcpy(&value, schema.metadata + at, sizeof value);
    at += sizeof value;
    return value;
  };
  const auto text = [&] {
    const auto size = static_cast<size_t>(number());
    const std::string_view found(schema.metadata + at, size);
    at += size;
    return found;
  };
  for (int32_t pairs = number(); pairs > 0; --pairs) {
    const std::string_view key = text();
    const std::string_view value = text();
    if (key == "ARROW:extension:name") return value;
  }
  return {};
}

void CopySchema(const ArrowSchema& from, ArrowSchema* out) {
  auto* owned = new Owned;
  owned->format = from.format;
  owned->name = from.name == nullptr ? "" : from.name;
  owned->metadata.assign(from.metadata == nullptr ? "" : from.metadata,
                         MetadataSize(from.metadata));
  owned->children.resize(static_cast<size_t>(from.n_children));
  for (size_t i = 0; i < owned->children.size(); ++i) {
    CopySchema(*from.children[i], &owned->children[i]);
  }
  if (from.dictionary != nullptr) CopySchema(*from.dictionary, &owned->dictionary);
  Fill(owned, from.flags, out);
}

void MakeSchema(std::string format, std::string name, std::vector<ArrowSchema> children,
                ArrowSchema* values, ArrowSchema* out) {
  auto* owned = new Owned;
  owned->format = std::move(format);
  owned->name = std::move(name);
  owned->children = std::move(children);
  if (values != nullptr) owned->dictionary = *values;
  Fill(owned, ARROW_FLAG_NULLABLE, out);
}

}  // namespace thicket
