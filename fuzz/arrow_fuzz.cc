// Tables in Arrow's layout, sound and broken: no read beyond a buffer, and of what is taken a data set that holds together, says what the
// same table says as JSON, and survives being published as a table again.
//
// The input makes schema and arrays. Every buffer is a block of its own of just the bytes that the interface lets a consumer count
// on, so that the sanitizer sees a step beyond it; all that CheckArrow() can see is broken now and then.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/arrow/arrow_json.h"
#include "io/arrow/arrow_reader.h"
#include "io/arrow/arrow_table.h"
#include "io/arrow/arrow_writer.h"
#include "io/dataset_io.h"
#include "nested_schema.h"
#include "walk.h"

namespace thicket {
namespace {

// Choices out of the input, and zeros once it has ended.
class Choices {
 public:
  Choices(const uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}
  uint8_t Byte() { return at_ < size_ ? bytes_[at_++] : 0; }
  size_t Below(size_t bound) { return Byte() % bound; }
  // One time in eight.
  bool Rarely() { return Byte() >= 224; }
  bool empty() const { return at_ >= size_; }

 private:
  const uint8_t* bytes_;
  size_t size_;
  size_t at_ = 0;
};

// Owns what schemas and arrays point to, for one input.
class Shelf {
 public:
  const void* Keep(std::string_view bytes) {
    auto& block = blocks_.emplace_back(new char[bytes.size()]);
    std::copy(bytes.begin(), bytes.end(), block.get());
    return block.get();
  }
  const char* KeepText(std::string_view text) { return texts_.emplace_back(text).c_str(); }
  template <typename Struct>
  Struct** KeepAll(const std::vector<Struct>& of) {
    auto& pointers = Pointers<Struct>().emplace_back();
    for (const Struct& one : of) pointers.push_back(KeepOne(one));
    return pointers.data();
  }
  ArrowSchema* KeepOne(const ArrowSchema& one) { return &schemas_.emplace_back(one); }
  ArrowArray* KeepOne(const ArrowArray& one) { return &arrays_.emplace_back(one); }
  const void** KeepBuffers(std::vector<const void*> of) {
    return buffers_.emplace_back(std::move(of)).data();
  }

 private:
  template <typename Struct>
  auto& Pointers() {
    if constexpr (std::is_same_v<Struct, ArrowSchema>) {
      return schema_pointers_;
    } else {
      return array_pointers_;
    }
  }
  std::deque<std::unique_ptr<char[]>> blocks_;
  std::deque<std::string> texts_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::vector<ArrowSchema*>> schema_pointers_;
  std::deque<std::vector<ArrowArray*>> array_pointers_;
  std::deque<std::vector<const void*>> buffers_;
};

constexpr const char* kPlainFormats[] = {"u",           "U",
                                         "vu",          "b",
                                         "c",           "C",
                                         "s",           "S",
                                         "i",           "I",
                                         "l",           "L",
                                         "e",           "f",
                                         "g",           "n",
                                         "tdD",         "tdm",
                                         "tts",         "ttm",
                                         "ttu",         "ttn",
                                         "tss:",        "tsn:UTC",
                                         "d:9,2,32",    "d:18,-3,64",
                                         "d:38,10",     "z",
                                         "vz",          "w:3",
                                         "d:1,90",      "tDs",
                                         "d:76,80,256", "d:76,-60,256",
                                         "tsx:",        "?"};
constexpr const char* kListFormats[] = {"+l", "+L", "+vl", "+vL", "+w:0", "+w:2", "+m"};
constexpr const char* kNames[] = {"q", "s", "c", "b", "t", "k",      "i", "d",
                                  "o", "p", "e", "v", "z", "_class", ""};
constexpr int kMostLevels = 5;

// A type, from which arrays are made; `format` is the letters of what the array holds.
struct Type {
  std::string format;
  std::string name;
  std::vector<Type> below;
  // The values of a dictionary.
  std::vector<Type> values;
};

class Maker {
 public:
  Maker(Choices& choices, Shelf& shelf) : choices_(choices), shelf_(shelf) {}

  // Any types under the names, those of the nested schema, those of the schema with paths, or those of the long table.
  Type MakeTable() {
    const size_t kind = choices_.Below(4);
    if (kind == 0) return MakeStruct("", 0);
    if (kind == 3) return Struct("", {Plain("q"), Plain("i"), Plain("s"), Plain("k")});
    const bool published = choices_.Below(2) == 0;
    if (kind == 1) {
      const Type book = Struct("item", {Plain("q")});
      const Type course = Struct("item", {Plain("q"), Plain("k"), ListOf("b", book)});
      Type table =
          Struct("", {Plain("q"), Plain("s"), ListOf("c", course), ListOf("t", Plain("item"))});
      if (!published) table.below.push_back({"l", "i", {}, {}});
      return table;
    }
    const Type below = Struct("item", {Struct("o", {Plain("s")})});
    const Type one =
        Struct("item", {Plain("k"), Plain("q"), Plain("s"), Struct("z", {ListOf("b", below)})});
    Type around = choices_.Below(2) == 0 ? Struct("e", {ListOf("v", one)})
                                         : ListOf("e", Struct("item", {ListOf("v", one)}));
    return Struct("", {Struct("o", {Plain("p"), Plain("s")}), std::move(around)});
  }

  Type MakeStruct(std::string name, int level) {
    Type type = {"+s", std::move(name), {}, {}};
    for (size_t i = 1 + choices_.Below(6); i > 0; --i) {
      type.below.push_back(MakeType(kNames[choices_.Below(std::size(kNames))], level + 1));
    }
    return type;
  }

  Type MakeType(std::string name, int level) {
    const size_t kind = level >= kMostLevels ? 0 : choices_.Below(6);
    if (kind == 4) return MakeStruct(std::move(name), level);
    if (kind == 5) {
      Type type = {kListFormats[choices_.Below(std::size(kListFormats))], std::move(name), {}, {}};
      type.below.push_back(MakeType("item", level + 1));
      return type;
    }
    if (kind == 3) {
      Type type = {std::string(1, "cCsSiIlLg"[choices_.Below(9)]), std::move(name), {}, {}};
      type.values.push_back(MakeType("", kMostLevels));
      return type;
    }
    // Texts most of the time.
    const bool text = choices_.Below(2) == 0;
    return {kPlainFormats[choices_.Below(text ? 3 : std::size(kPlainFormats))],
            std::move(name),
            {},
            {}};
  }

  ArrowSchema SchemaOf(const Type& type) {
    std::vector<ArrowSchema> below;
    for (const Type& one : type.below) below.push_back(SchemaOf(one));
    ArrowSchema schema{};
    schema.format = shelf_.KeepText(type.format);
    schema.name = shelf_.KeepText(type.name);
    schema.flags = ARROW_FLAG_NULLABLE;
    schema.n_children = static_cast<int64_t>(below.size());
    schema.children = shelf_.KeepAll(below);
    if (!type.values.empty()) {
      schema.dictionary = shelf_.KeepOne(SchemaOf(type.values.front()));
    }
    schema.release = [](ArrowSchema* released) { released->release = nullptr; };
    return schema;
  }

  // At least `rows` rows after the offset.
  ArrowArray ArrayOf(const Type& type, int64_t rows) {
    ArrowArray array{};
    array.offset = choices_.Rarely() ? static_cast<int64_t>(choices_.Below(4)) : 0;
    array.length = rows;
    const int64_t all = array.length + array.offset;
    std::vector<const void*> buffers;
    const bool has_nulls = type.format != "n" && choices_.Below(3) == 0;
    if (type.format != "n") buffers.push_back(has_nulls ? Bits(all) : nullptr);
    array.null_count = has_nulls ? -1 : 0;
    if (!type.values.empty()) {
      FillCodes(type, all, buffers, array);
    } else if (type.format == "+s") {
      FillStruct(type, all, array);
    } else if (type.format.front() == '+') {
      FillLists(type, all, buffers, array);
    } else if (type.format == "u" || type.format == "z") {
      FillTexts<int32_t>(all, buffers);
    } else if (type.format == "U") {
      FillTexts<int64_t>(all, buffers);
    } else if (type.format.front() == 'v') {
      FillViews(all, buffers);
    } else if (type.format == "b") {
      buffers.push_back(Bits(all));
    } else if (type.format != "n") {
      buffers.push_back(Bytes(all * BytesOf(type.format)));
    }
    array.n_buffers = static_cast<int64_t>(buffers.size());
    array.buffers = shelf_.KeepBuffers(std::move(buffers));
    array.release = [](ArrowArray* released) { released->release = nullptr; };
    if (choices_.Rarely()) Break(array);
    return array;
  }

 private:
  Type Plain(std::string name) { return MakeType(std::move(name), kMostLevels); }
  static Type Struct(std::string name, std::vector<Type> below) {
    return {"+s", std::move(name), std::move(below), {}};
  }
  // A list, or now and then what stands in it alone.
  Type ListOf(std::string name, Type element) {
    if (choices_.Rarely()) {
      element.name = std::move(name);
      return element;
    }
    return {kListFormats[choices_.Below(4)], std::move(name), {std::move(element)}, {}};
  }

  static int64_t BytesOf(const std::string& format) {
    if (format.substr(0, 2) == "d:") {
      if (format.find(",32") != std::string::npos) return 4;
      if (format.find(",64") != std::string::npos) return 8;
      return format.find(",256") != std::string::npos ? 32 : 16;
    }
    if (format.substr(0, 2) == "tt") return format[2] == 's' || format[2] == 'm' ? 4 : 8;
    if (format == "tdD" || format == "i" || format == "I" || format == "f") return 4;
    if (format == "c" || format == "C" || format == "?") return 1;
    if (format == "s" || format == "S" || format == "e") return 2;
    if (format == "w:3") return 3;
    return 8;
  }

  const void* Bytes(int64_t count) {
    std::string bytes;
    const bool small = choices_.Below(2) == 0;
    for (int64_t i = 0; i < count; ++i) {
      bytes += static_cast<char>(small && i % 4 != 0 ? 0 : choices_.Byte());
    }
    return shelf_.Keep(bytes);
  }
  const void* Bits(int64_t rows) {
    std::string bytes;
    for (int64_t i = 0; i < (rows + 7) / 8; ++i) bytes += static_cast<char>(~choices_.Byte());
    return shelf_.Keep(bytes);
  }
  template <typename Number>
  const void* Numbers(const std::vector<int64_t>& numbers) {
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto number = static_cast<Number>(numbers[i]);
      std::memcpy(bytes.data() + i * sizeof(Number), &number, sizeof(Number));
    }
    return shelf_.Keep(bytes);
  }

  // Offsets that go up, but for a broken one now and then.
  std::vector<int64_t> Offsets(int64_t rows) {
    std::vector<int64_t> offsets = {choices_.Rarely() ? 1 : 0};
    for (int64_t i = 0; i < rows; ++i) {
      offsets.push_back(offsets.back() + static_cast<int64_t>(choices_.Below(4)));
    }
    if (choices_.Rarely()) {
      offsets[choices_.Below(offsets.size())] = static_cast<int8_t>(choices_.Byte());
    }
    return offsets;
  }

  std::string Text(size_t length) {
    std::string text;
    for (size_t i = 0; i < length; ++i) {
      const uint8_t byte = choices_.Byte();
      text += static_cast<char>(byte < 200 ? 'a' + byte % 4 : byte);
    }
    return text;
  }

  // No consumer knows how long the texts are but from the last offset.
  template <typename Offset>
  void FillTexts(int64_t rows, std::vector<const void*>& buffers) {
    const std::vector<int64_t> offsets = Offsets(rows);
    buffers.push_back(Numbers<Offset>(offsets));
    const auto length = static_cast<size_t>(std::max<int64_t>(offsets.back(), 0));
    buffers.push_back(length == 0 && choices_.Rarely() ? nullptr : shelf_.Keep(Text(length)));
  }

  void FillViews(int64_t rows, std::vector<const void*>& buffers) {
    std::string views;
    const std::string first = Text(choices_.Below(40));
    const std::string second = Text(choices_.Below(20));
    for (int64_t i = 0; i < rows; ++i) {
      const auto length = static_cast<int32_t>(
          choices_.Rarely() ? static_cast<int8_t>(choices_.Byte()) : choices_.Below(24));
      char view[16] = {};
      std::memcpy(view, &length, 4);
      if (length >= 0 && length <= 12) {
        const std::string inside = Text(static_cast<size_t>(length));
        std::memcpy(view + 4, inside.data(), inside.size());
      } else {
        const int32_t buffer = choices_.Rarely() ? static_cast<int8_t>(choices_.Byte())
                                                 : static_cast<int32_t>(choices_.Below(2));
        const int32_t offset = choices_.Rarely() ? static_cast<int8_t>(choices_.Byte())
                                                 : static_cast<int32_t>(choices_.Below(8));
        std::memcpy(view + 8, &buffer, 4);
        std::memcpy(view + 12, &offset, 4);
      }
      views.append(view, sizeof view);
    }
    buffers.push_back(shelf_.Keep(views));
    buffers.push_back(shelf_.Keep(first));
    buffers.push_back(choices_.Rarely() ? nullptr : shelf_.Keep(second));
    buffers.push_back(Numbers<int64_t>(
        {static_cast<int64_t>(first.size()), static_cast<int64_t>(second.size())}));
  }

  void FillCodes(const Type& type, int64_t rows, std::vector<const void*>& buffers,
                 ArrowArray& array) {
    const auto values = static_cast<int64_t>(choices_.Below(4));
    array.dictionary = shelf_.KeepOne(ArrayOf(type.values.front(), values));
    std::vector<int64_t> codes;
    for (int64_t i = 0; i < rows; ++i) {
      codes.push_back(choices_.Rarely() || values == 0
                          ? static_cast<int8_t>(choices_.Byte())
                          : static_cast<int64_t>(choices_.Below(static_cast<size_t>(values))));
    }
    switch (BytesOf(type.format)) {
      case 1:
        buffers.push_back(Numbers<int8_t>(codes));
        break;
      case 2:
        buffers.push_back(Numbers<int16_t>(codes));
        break;
      case 4:
        buffers.push_back(Numbers<int32_t>(codes));
        break;
      default:
        buffers.push_back(Numbers<int64_t>(codes));
        break;
    }
  }

  void FillStruct(const Type& type, int64_t rows, ArrowArray& array) {
    std::vector<ArrowArray> below;
    for (const Type& one : type.below) {
      const int64_t short_of = choices_.Rarely() ? static_cast<int64_t>(choices_.Below(2)) : 0;
      below.push_back(ArrayOf(one, std::max<int64_t>(0, rows - short_of)));
    }
    array.n_children = static_cast<int64_t>(below.size());
    array.children = shelf_.KeepAll(below);
  }

  void FillLists(const Type& type, int64_t rows, std::vector<const void*>& buffers,
                 ArrowArray& array) {
    const std::vector<int64_t> offsets = Offsets(rows);
    int64_t elements = std::max<int64_t>(offsets.back(), 0);
    if (type.format == "+l" || type.format == "+m") {
      buffers.push_back(Numbers<int32_t>(offsets));
    } else if (type.format == "+L") {
      buffers.push_back(Numbers<int64_t>(offsets));
    } else if (type.format.substr(0, 2) == "+w") {
      elements = rows * (type.format.back() - '0');
    } else {
      std::vector<int64_t> begins(offsets.begin(), offsets.end() - 1);
      std::vector<int64_t> sizes;
      for (size_t i = 0; i + 1 < offsets.size(); ++i) sizes.push_back(offsets[i + 1] - offsets[i]);
      const bool large = type.format == "+vL";
      buffers.push_back(large ? Numbers<int64_t>(begins) : Numbers<int32_t>(begins));
      buffers.push_back(large ? Numbers<int64_t>(sizes) : Numbers<int32_t>(sizes));
    }
    if (choices_.Rarely()) elements = std::max<int64_t>(0, elements - 1);
    array.n_children = 1;
    array.children = shelf_.KeepAll<ArrowArray>({ArrayOf(type.below.front(), elements)});
  }

  // What the check must see, or what changes nothing that is read.
  void Break(ArrowArray& array) {
    switch (choices_.Below(10)) {
      case 0:
        array.null_count = static_cast<int8_t>(choices_.Byte());
        break;
      case 1:
        // Of views the last buffer says how large those before it are: no other may come last.
        array.n_buffers = static_cast<int64_t>(
            choices_.Below(static_cast<size_t>(std::min<int64_t>(array.n_buffers + 1, 4))));
        break;
      case 2:
        array.length = -1;
        break;
      case 3:
        array.offset = -1;
        break;
      case 4:
        array.n_children =
            static_cast<int64_t>(choices_.Below(static_cast<size_t>(array.n_children + 1)));
        break;
      case 5:
        array.dictionary = nullptr;
        break;
      case 6:
        if (array.n_buffers > 0)
          array.buffers[choices_.Below(static_cast<size_t>(array.n_buffers))] = nullptr;
        break;
      case 7:
        array.length = std::max<int64_t>(0, array.length - 1);
        break;
      case 8:
        array.release = nullptr;
        break;
      default:
        if (array.n_children > 0) array.children[0] = nullptr;
        break;
    }
  }

  Choices& choices_;
  Shelf& shelf_;
};

Policy PolicyOf(Schema schema) {
  Policy policy;
  policy.input.format = Format::kJsonl;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

Result<Dataset> ReadAs(const Policy& policy, const ArrowTable& table, thicket::ReadAs as) {
  Progress progress;
  DatasetSink sink(policy, "table", as);
  THICKET_TRY(ReadArrow(table, progress, sink));
  return std::move(sink).Finish();
}

std::string_view TextAt(const Dataset& data, Vertex vertex, size_t slot) {
  return data.dictionaries[data.forest.class_of(vertex)][slot].text(
      data.forest.value(vertex, slot));
}

void MustBeAlike(const Dataset& a, const Dataset& b) {
  fuzz::Check(a.forest.record_count() == b.forest.record_count());
  fuzz::Check(a.forest.vertex_count() == b.forest.vertex_count());
  for (Vertex v = 0; v < a.forest.vertex_count(); ++v) {
    const ClassId id = a.forest.class_of(v);
    fuzz::Check(id == b.forest.class_of(v));
    fuzz::Check(a.forest.subtree_size(v) == b.forest.subtree_size(v));
    for (size_t slot = 0; slot < a.schema->classes[id].value_count(); ++slot) {
      fuzz::Check(TextAt(a, v, slot) == TextAt(b, v, slot));
    }
  }
}

// Rows of persons: what is written of them is published data, and says the same.
void ReadRowsAndCheck(const Policy& policy, const ArrowTable& table, thicket::ReadAs as) {
  const Result<Dataset> data = ReadAs(policy, table, as);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data);
  DatasetRecords records(*data, as == thicket::ReadAs::kPublished);
  const Result<ArrowTable> written = WriteArrow(policy, records, {}, &table);
  fuzz::Check(written.ok());
  const Result<Dataset> again = ReadAs(policy, *written, thicket::ReadAs::kPublished);
  fuzz::Check(again.ok());
  MustBeAlike(*data, *again);
}

void ReadAndCheck(const Policy& policy, const ArrowTable& table, thicket::ReadAs as) {
  const Result<Dataset> data = ReadAs(policy, table, as);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data);
  const Result<std::string> json = ArrowAsJson(table, table.rows(), "table");
  fuzz::Check(json.ok());
  Progress progress;
  const Result<Dataset> same = ReadDatasetText(policy, *json, "json", as, progress);
  if (same.ok()) MustBeAlike(*data, *same);
  if (as != thicket::ReadAs::kPublished) return;
  DatasetRecords records(*data, true);
  const Result<ArrowTable> written = WriteArrow(policy, records, {}, &table);
  fuzz::Check(written.ok());
  const Result<Dataset> again = ReadAs(policy, *written, as);
  fuzz::Check(again.ok());
  MustBeAlike(*data, *again);
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const thicket::Policy nested = thicket::PolicyOf(thicket::fuzz::NestedSchema());
  static const thicket::Policy paths = thicket::PolicyOf(thicket::fuzz::PathSchema());
  static const thicket::Policy rows = thicket::PolicyOf(thicket::fuzz::RowsSchema());
  thicket::Choices choices(bytes, size);
  thicket::Shelf shelf;
  thicket::Maker maker(choices, shelf);
  const thicket::Type type = maker.MakeTable();
  std::vector<thicket::Policy const*> policies = {&nested, &paths};
  std::vector<ArrowArray> chunks;
  for (size_t i = 1 + choices.Below(3); i > 0; --i) {
    chunks.push_back(maker.ArrayOf(type, static_cast<int64_t>(choices.Below(5))));
  }
  const auto table = thicket::ArrowTable::Checked(maker.SchemaOf(type), chunks);
  if (!table.ok()) {
    thicket::fuzz::Check(!table.error().message.empty());
    return 0;
  }
  // What is handed on is the same table.
  ArrowArrayStream stream{};
  table->Export(&stream);
  const auto pulled = thicket::ArrowTable::Pull(&stream);
  thicket::fuzz::Check(pulled.ok() && pulled->rows() == table->rows());
  for (const thicket::Policy* policy : policies) {
    thicket::ReadAndCheck(*policy, *pulled, thicket::ReadAs::kOriginal);
    thicket::ReadAndCheck(*policy, *pulled, thicket::ReadAs::kPublished);
  }
  thicket::ReadRowsAndCheck(rows, *pulled, thicket::ReadAs::kOriginal);
  thicket::ReadRowsAndCheck(rows, *pulled, thicket::ReadAs::kPublished);
  return 0;
}
