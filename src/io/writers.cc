#include "io/writers.h"

#include <fmt/format.h>

namespace thicket {

namespace {

constexpr size_t kPiece = size_t{1} << 20;
// Per attribute; free intervals can have many texts, and each is cheap to make again.
constexpr size_t kMostTexts = size_t{1} << 16;

}  // namespace

PublishedValues::PublishedValues(const EncodedDataset& data) : data_(&data) {
  for (const ClassEncoding& encoding : data.classes) texts_.emplace_back(encoding.domains.size());
}

std::string_view PublishedValues::TextOf(ClassId id, size_t attribute, Label label) {
  auto& texts = texts_[id][attribute];
  const uint64_t key = uint64_t{label.low} << 32 | label.high;
  const auto known = texts.find(key);
  if (known != texts.end()) return known->second;
  if (texts.size() >= kMostTexts) texts.clear();
  return texts.emplace(key, data_->classes[id].domains[attribute].Text(label)).first->second;
}

PublishedValue PublishedValues::Get(const PublishedClass& group, uint32_t member, size_t position,
                                    size_t slot) {
  const ClassId id = group.vertex_class[position];
  const ClassEncoding& encoding = data_->classes[id];
  Symbol symbol = kMissing;
  if (slot < encoding.domains.size()) {
    const Label label = group.labels(position)[slot];
    const Domain& domain = encoding.domains[slot];
    if (!domain.IsLeaf(label)) return {ValueKind::kString, TextOf(id, slot, label)};
    symbol = encoding.symbol_of_value[slot][domain.LeafValue(label)];
  } else {
    symbol = data_->forest().value(group.vertex(member, position), slot);
  }
  const Dictionary& dictionary = data_->data.dictionaries[id][slot];
  return {dictionary.kind(symbol), dictionary.text(symbol)};
}

Status OutputBuffer::FlushIfLarge() { return text_.size() >= kPiece ? Flush() : Status(); }

Status OutputBuffer::Flush() {
  if (text_.empty()) return {};
  THICKET_TRY((*write_)(text_));
  text_.clear();
  return {};
}

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20) continue;
    out.append(text, begin, i - begin);
    begin = i + 1;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }
  }
  out.append(text, begin);
  out += '"';
}

}  // namespace thicket
