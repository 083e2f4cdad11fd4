#include "io/arrow/arrow_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "io/arrow/arrow_column.h"
#include "io/arrow/arrow_groups.h"
#include "io/arrow/arrow_symbols.h"
#include "io/json/json_layout.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

using Kind = JsonPlace::Kind;
using Role = DatasetSink::Key::Role;

constexpr uint64_t kRowsBetweenReports = 256;
constexpr std::string_view kFurther = " (after the first element)";
constexpr std::string_view kNoObject = " (not an object)";
constexpr std::string_view kNoClassHere = " (objects of no class)";

// A column and what it means at its place of the layout.
struct Bound {
  enum class Use : uint8_t { kValue, kId, kDrop, kClassNumber, kUnnamed, kInner, kChildren };

  Use use = Use::kValue;
  const ArrowType* type = nullptr;
  // Among the columns of the struct around it.
  size_t number = 0;
  const JsonPlace* place = nullptr;
  DatasetSink::Key* key = nullptr;
  // kUnnamed: what it is counted as.
  std::string name;
  ArrowColumn column;
  // Of a list: its elements.
  ArrowColumn elements;

  // kInner: the columns below.
  std::vector<Bound> below;
  // kChildren, by class of the place: the key, and the columns of its structs; no columns for plain values.
  struct Class {
    ClassId id = 0;
    DatasetSink::Key* key = nullptr;
    std::vector<Bound> below;
  };
  std::vector<Class> classes;
  // kChildren: the columns that tell the classes apart, and by class which value each must have, by column and text.
  struct Test {
    // From the struct on: the numbers of columns; the types on the way.
    std::vector<size_t> steps;
    std::vector<const ArrowType*> types;
  };
  std::vector<Test> tests;
  std::vector<std::vector<std::pair<size_t, std::string>>> wanted;

  ArrowSymbols symbols;
  // Of a list in a published table: which ways of being empty were met.
  bool met_null = false;
  bool met_empty = false;

  const ArrowType& element_type() const {
    return type->kind == ArrowType::Kind::kList ? type->children.front() : *type;
  }
  bool is_list() const { return type->kind == ArrowType::Kind::kList; }
};

class ArrowReader {
 public:
  ArrowReader(const ArrowTable& table, const JsonLayout& layout, Progress& progress,
              DatasetSink& sink)
      : table_(table), layout_(layout), progress_(progress), sink_(sink) {}

  Status Run() {
    const std::string& source = sink_.dataset().source;
    THICKET_ASSIGN(type_, ArrowType::OfTable(table_.schema(), source));
    next_index_.assign(sink_.schema().classes.size(), 0);
    arrays_.assign(layout_.places.size(), false);
    THICKET_ASSIGN(root_, Bind(type_, 0, false));
    progress_.Begin("read", table_.rows());
    for (const ArrowArray& chunk : table_.chunks()) THICKET_TRY(ReadChunk(chunk));
    progress_.End();
    KeepShape();
    return {};
  }

 private:
  // ---- What columns mean, before any row is read.

  Error WrongType(const ArrowType& type, std::string_view what, std::string hint) const {
    return ErrorAt(ErrorCode::kData, {.file = sink_.dataset().source, .path = type.path}, what,
                   std::move(hint));
  }

  // The columns of a struct that stands at the place. `one_of_many`: whether other classes have structs of the same type, so
  // that columns without a value say nothing.
  Result<std::vector<Bound>> Bind(const ArrowType& type, uint32_t place, bool one_of_many) {
    std::vector<Bound> bound;
    std::unordered_set<std::string_view> names;
    for (size_t i = 0; i < type.children.size(); ++i) {
      const ArrowType& column = type.children[i];
      if (!names.insert(column.name).second) {
        return WrongType(column, "a column must occur once, but occurs twice",
                         "rename or remove one of the two");
      }
      const std::vector<uint32_t>& below = layout_.places[place].below;
      const auto found = std::find_if(below.begin(), below.end(), [&](uint32_t at) {
        return layout_.places[at].name == column.name;
      });
      Bound one;
      one.type = &column;
      one.number = i;
      if (found == below.end()) {
        const JsonPlace& around = layout_.places[place];
        one.name = (around.path.empty() ? "" : around.path + "/") + StepOf(column.name);
        if (!AddUnnamed(std::move(one), around.id, one_of_many, bound)) continue;
      } else {
        one.place = &layout_.places[*found];
        THICKET_TRY(BindTo(*found, std::move(one), one_of_many, bound));
      }
    }
    return bound;
  }

  // Counts the column, or has it counted row by row.
  bool AddUnnamed(Bound one, ClassId id, bool one_of_many, std::vector<Bound>& bound) {
    if (!one_of_many) {
      sink_.CountUnnamed(id, one.name);
      return false;
    }
    one.use = Bound::Use::kUnnamed;
    bound.push_back(std::move(one));
    return true;
  }

  Status BindTo(uint32_t number, Bound one, bool one_of_many, std::vector<Bound>& bound) {
    const JsonPlace& place = layout_.places[number];
    const ArrowType& type = *one.type;
    if (place.kind == Kind::kChildren) return BindChildren(std::move(one), bound);
    if (place.kind == Kind::kObject) {
      const ArrowType& element = one.element_type();
      if (type.kind == ArrowType::Kind::kNull) return {};
      if (element.kind != ArrowType::Kind::kStruct) {
        one.name = place.path + std::string(kNoObject);
        AddUnnamed(std::move(one), place.id, one_of_many, bound);
        return {};
      }
      one.use = Bound::Use::kInner;
      THICKET_ASSIGN(one.below, Bind(element, number, one_of_many));
      bound.push_back(std::move(one));
      return {};
    }
    // What a class is told by is looked at before.
    if (place.where != JsonPlace::kNone) return {};
    one.key = sink_.FindNamed(place.id, place.path);
    if (one.key == nullptr) {
      one.name = place.path;
      AddUnnamed(std::move(one), place.id, one_of_many, bound);
      return {};
    }
    DatasetSink::MeetInHeader(*one.key);
    return BindValue(std::move(one), bound);
  }

  Status BindValue(Bound one, std::vector<Bound>& bound) {
    const ArrowType& type = *one.type;
    switch (one.key->role) {
      case Role::kDrop:
        one.use = Bound::Use::kDrop;
        if (sink_.published()) bound.push_back(std::move(one));
        return {};
      case Role::kId:
        one.use = Bound::Use::kId;
        break;
      case Role::kClassNumber:
        one.use = Bound::Use::kClassNumber;
        break;
      default:
        one.use = Bound::Use::kValue;
        break;
    }
    const size_t quasi = sink_.schema().classes[one.place->id].quasi.size();
    const bool may_be_list = one.use == Bound::Use::kValue && sink_.values_may_be_lists() &&
                             one.place->id != 0 && one.key->slot() >= quasi;
    const bool list = may_be_list && one.is_list() && type.children.front().is_plain();
    const bool may_be_nested = list || sink_.MayLeaveOutNested(one.place->id, *one.key);
    if (type.kind == ArrowType::Kind::kOther || !may_be_nested) {
      THICKET_TRY(MustBePlain(type, sink_.dataset().source));
    }
    bound.push_back(std::move(one));
    return {};
  }

  Status BindChildren(Bound one, std::vector<Bound>& bound) {
    const ArrowType& element = one.element_type();
    one.use = Bound::Use::kChildren;
    const bool empty = one.type->kind == ArrowType::Kind::kNull;
    if (!empty && !element.is_plain() && element.kind != ArrowType::Kind::kStruct) {
      return WrongType(
          *one.type,
          fmt::format("must hold structs or plain values, alone or in lists, but holds {}{}",
                      one.is_list() ? "lists of " : "", element.Name()),
          "convert the column, or take it out of the policy");
    }
    const bool of_structs = element.kind == ArrowType::Kind::kStruct;
    for (const ClassId id : one.place->classes) {
      Bound::Class& of = one.classes.emplace_back();
      of.id = id;
      of.key = sink_.FindNamed(one.place->id, sink_.schema().classes[id].at);
      if (of.key != nullptr && !one.place->chooses) DatasetSink::MeetInHeader(*of.key);
      if (!of_structs) continue;
      THICKET_ASSIGN(of.below, Bind(element, id, one.place->chooses));
    }
    if (one.place->chooses && of_structs) BindTests(element, one);
    if (!empty) bound.push_back(std::move(one));
    return {};
  }

  // Where the values stand that tell classes apart. A class whose values have no column is nowhere.
  void BindTests(const ArrowType& element, Bound& one) {
    for (const Bound::Class& of : one.classes) {
      auto& wanted = one.wanted.emplace_back();
      for (const auto& [key, value] : sink_.schema().classes[of.id].where) {
        Bound::Test test;
        const ArrowType* at = &element;
        bool found = true;
        for (const std::string& step : StepsOf(key)) {
          while (at->kind == ArrowType::Kind::kList) at = &at->children.front();
          size_t number = 0;
          while (number < at->children.size() && at->children[number].name != step) ++number;
          found = found && number < at->children.size();
          if (!found) break;
          at = &at->children[number];
          test.steps.push_back(number);
          test.types.push_back(at);
        }
        wanted.emplace_back(found ? one.tests.size() : kNowhere, value);
        if (found) one.tests.push_back(std::move(test));
      }
    }
  }

  // ---- Rows.

  static void Attach(std::vector<Bound>& bound, const ArrowArray& around) {
    for (Bound& one : bound) {
      const ArrowArray& array = *around.children[one.number];
      one.column = ArrowColumn(*one.type, array);
      const ArrowArray* element = &array;
      if (one.is_list()) {
        element = array.children[0];
        one.elements = ArrowColumn(one.element_type(), *element);
      } else {
        one.elements = one.column;
      }
      if (one.use == Bound::Use::kInner) Attach(one.below, *element);
      for (Bound::Class& of : one.classes) Attach(of.below, *element);
      one.symbols.Attach(one.elements);
    }
  }

  Status ReadChunk(const ArrowArray& chunk) {
    Attach(root_, chunk);
    const ArrowColumn rows(type_, chunk);
    uint64_t reported = 0;
    for (int64_t row = 0; row < chunk.length; ++row) {
      if (++reported == kRowsBetweenReports) {
        StopPoint();
        if (progress_.cancelled()) return Interrupted();
        progress_.Advance(std::exchange(reported, 0));
      }
      ++number_;
      THICKET_TRY(sink_.BeginRecord(number_));
      if (rows.IsNull(row)) {
        return sink_.Wrong("", "a record must be a struct, but is null",
                           "leave rows without a value out");
      }
      ResetIndexes(0);
      if (!ReadFields(root_, rows.RowBelow(row), {})) return std::move(error_);
      THICKET_TRY(sink_.EndRecord());
    }
    progress_.Advance(reported);
    if (sink_.published()) FindUnused(root_);
    return {};
  }

  struct Way {
    bool counts = true;
    bool in_array = false;
  };

  bool Fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  bool ReadFields(std::vector<Bound>& bound, int64_t row, Way way) {
    for (Bound& one : bound) {
      if (!ReadField(one, row, way)) return false;
    }
    return true;
  }

  bool ReadField(Bound& one, int64_t row, Way way) {
    switch (one.use) {
      case Bound::Use::kInner:
        return ReadInner(one, row, way);
      case Bound::Use::kChildren:
        return ReadVertices(one, row, way);
      case Bound::Use::kUnnamed:
        // The class that the column was bound for.
        if (!one.column.IsNull(row)) sink_.CountUnnamed(open_class_, one.name);
        return true;
      default:
        break;
    }
    if (!way.counts && one.use != Bound::Use::kDrop) {
      if (!one.column.IsNull(row)) {
        sink_.CountUnnamed(one.place->id, one.place->path + std::string(kFurther));
      }
      return true;
    }
    LookAtMissing(one, one.column, row);
    if (one.column.IsNull(row)) return true;
    if (one.use == Bound::Use::kDrop) {
      const Status status = sink_.MeetDropped(*one.key);
      return status.ok() || Fail(status.error());
    }
    return one.type->is_plain() ? ReadPlain(one, row) : ReadNested(one, row);
  }

  bool ReadPlain(Bound& one, int64_t row) {
    if (one.use == Bound::Use::kValue) {
      return ReadSymbol(one, one.column, row, one.place->id, one.key->slot(), one.key->name);
    }
    OutgoingValue value;
    if (!ReadScalar(one, one.column, row, one.key->name, value)) return false;
    if (value.kind == ValueKind::kNone) return true;
    if (one.use == Bound::Use::kId) {
      const Status status = sink_.SetId(*one.key, value.text);
      return status.ok() || Fail(status.error());
    }
    sink_.SetClassNumber(value.text);
    return true;
  }

  // A value of the open vertex, which is not null.
  bool ReadSymbol(Bound& one, const ArrowColumn& column, int64_t row, ClassId id, size_t slot,
                  std::string_view name) {
    Symbol symbol = kMissing;
    if (const WrongValue* wrong = one.symbols.Read(sink_, id, slot, column, row, symbol)) {
      return Fail(sink_.Wrong(name, wrong->what, wrong->hint));
    }
    sink_.SetSymbol(slot, symbol);
    return true;
  }

  // Several values of one slot; or something that counts as missing.
  bool ReadNested(Bound& one, int64_t row) {
    if (!one.is_list() || !sink_.values_may_be_lists()) return sink_.LeaveOutNested(*one.key);
    const auto [begin, end] = one.column.Elements(row);
    bool first = true;
    for (int64_t i = begin; i < end; ++i) {
      OutgoingValue value;
      if (!ReadScalar(one, one.elements, i, one.key->name, value)) return false;
      if (value.kind == ValueKind::kNone) continue;
      if (std::exchange(first, false)) {
        sink_.SetValue(one.key->slot(), value.kind, value.text);
      } else {
        sink_.AddListValue(one.key->slot(), value.kind, value.text);
      }
    }
    return true;
  }

  bool ReadScalar(Bound& one, const ArrowColumn& column, int64_t row, std::string_view name,
                  OutgoingValue& value) {
    const WrongValue* wrong = one.symbols.ReadValue(column, row, value);
    return wrong == nullptr || Fail(sink_.Wrong(name, wrong->what, wrong->hint));
  }

  bool ReadInner(Bound& one, int64_t row, Way way) {
    if (one.column.IsNull(row)) return true;
    if (!one.is_list()) return ReadFields(one.below, one.column.RowBelow(row), way);
    arrays_[NumberOf(one)] = true;
    const auto [begin, end] = one.column.Elements(row);
    for (int64_t i = begin; i < end; ++i) {
      const Way inside = {way.counts && i == begin, true};
      const std::string& path = one.place->path;
      if (!inside.counts && !one.place->around_vertices) {
        sink_.CountUnnamed(one.place->id, path + std::string(kFurther));
      } else if (one.elements.IsNull(i)) {
        sink_.CountUnnamed(one.place->id, path + std::string(kNoObject));
      } else if (!ReadFields(one.below, one.elements.RowBelow(i), inside)) {
        return false;
      }
    }
    return true;
  }

  bool ReadVertices(Bound& one, int64_t row, Way way) {
    const bool is_null = one.column.IsNull(row);
    if (!one.is_list()) {
      if (one.type->is_plain()) LookAtMissing(one, one.column, row);
      return is_null || one.column.IsMissingValue(row) || ReadVertex(one, row, way);
    }
    int64_t begin = 0;
    int64_t end = 0;
    if (!is_null) std::tie(begin, end) = one.column.Elements(row);
    if (sink_.published() && begin == end) {
      (is_null ? one.met_null : one.met_empty) = true;
      if (one.met_null && one.met_empty) {
        sink_.TellApart(one.place->path,
                        "an empty list must be written in one way throughout, but is empty here "
                        "and null elsewhere");
      }
    }
    if (is_null) return true;
    arrays_[NumberOf(one)] = true;
    for (const Bound::Class& of : one.classes) sink_.MeetArray(of.id);
    for (int64_t i = begin; i < end; ++i) {
      if (!ReadVertex(one, i, {way.counts, true})) return false;
    }
    return true;
  }

  // `row` counts among the elements.
  bool ReadVertex(Bound& one, int64_t row, Way way) {
    const bool plain = one.element_type().is_plain();
    size_t chosen = 0;
    if (one.place->chooses) {
      const bool found = !plain ? Choose(one, row, chosen)
                                : sink_.schema().classes[one.classes.back().id].where.empty();
      if (plain && found) chosen = one.classes.size() - 1;
      if (!found) {
        sink_.CountUnnamed(one.place->id, one.place->path + std::string(kNoClassHere));
        return true;
      }
      DatasetSink::MeetInHeader(*one.classes[chosen].key);
    }
    Bound::Class& of = one.classes[chosen];
    if (way.in_array) sink_.MeetArray(of.id);
    const int64_t index = way.in_array ? next_index_[of.id]++ : DatasetSink::kAlone;
    if (!plain && one.elements.IsNull(row)) {
      return Fail(sink_.WrongChild(of.id, index, "must be a struct, but is null",
                                   "leave it out of the list"));
    }
    if (!sink_.MeetShape(of.id, plain, index)) {
      return Fail(sink_.WrongShape(of.id, plain, index));
    }
    if (!sink_.OpenVertex(of.id, index)) return Fail(sink_.Full());
    if (plain) {
      const bool there = !one.elements.IsNull(row);
      if (one.is_list()) LookAtMissing(one, one.elements, row);
      if (there && !ReadSymbol(one, one.elements, row, of.id, 0, "")) return false;
    } else {
      const ClassId around = std::exchange(open_class_, of.id);
      ResetIndexes(of.id);
      if (!ReadFields(of.below, one.elements.RowBelow(row), {})) return false;
      open_class_ = around;
    }
    return sink_.CloseVertex() || Fail(sink_.Full());
  }

  void ResetIndexes(ClassId id) {
    for (const ClassId child : sink_.schema().classes[id].children) next_index_[child] = 0;
  }

  // The first class whose values the struct has.
  bool Choose(const Bound& one, int64_t row, size_t& chosen) {
    std::vector<std::optional<std::string>> texts;
    for (const Bound::Test& test : one.tests) texts.push_back(LookUp(one.elements, row, test));
    for (chosen = 0; chosen < one.classes.size(); ++chosen) {
      const auto& wanted = one.wanted[chosen];
      if (std::all_of(wanted.begin(), wanted.end(), [&](const auto& pair) {
            return pair.first != kNowhere && texts[pair.first] == pair.second;
          })) {
        return true;
      }
    }
    return false;
  }

  // Of lists on the way the first element.
  std::optional<std::string> LookUp(ArrowColumn at, int64_t row, const Bound::Test& test) {
    for (size_t i = 0;; ++i) {
      if (at.IsNull(row)) return std::nullopt;
      while (at.type().kind == ArrowType::Kind::kList) {
        const auto [begin, end] = at.Elements(row);
        if (begin == end) return std::nullopt;
        at = ArrowColumn(at.type().children.front(), *at.array().children[0]);
        row = begin;
        if (at.IsNull(row)) return std::nullopt;
      }
      if (i == test.steps.size()) break;
      if (at.type().kind != ArrowType::Kind::kStruct) return std::nullopt;
      row = at.RowBelow(row);
      at = ArrowColumn(*test.types[i], *at.array().children[test.steps[i]]);
    }
    if (!at.type().is_plain()) return std::nullopt;
    const OutgoingValue value = at.Value(row, scratch_);
    if (value.kind == ValueKind::kNone) return std::nullopt;
    return std::string(value.text);
  }

  // ---- Published tables.

  void LookAtMissing(Bound& one, const ArrowColumn& column, int64_t row) {
    if (sink_.published() && one.symbols.MissesOtherwise(column, row)) {
      sink_.TellApart(one.place->path, kOneMissingValue);
    }
  }

  void FindUnused(const std::vector<Bound>& bound) {
    for (const Bound& one : bound) {
      if (one.use != Bound::Use::kDrop && one.symbols.has_unused()) {
        sink_.MeetUnnamedAt(sink_.dataset().source + ": " + one.type->path, kUnusedValue);
      }
      FindUnused(one.below);
      for (const Bound::Class& of : one.classes) FindUnused(of.below);
    }
  }

  // ---- How the records stood, for what is published.

  size_t NumberOf(const Bound& one) const {
    return static_cast<size_t>(one.place - layout_.places.data());
  }

  void KeepShape() {
    std::vector<JsonClassShape>& shape = sink_.dataset().shape.json;
    const Schema& schema = sink_.schema();
    shape.resize(schema.classes.size());
    for (size_t i = 0; i < arrays_.size(); ++i) {
      if (arrays_[i]) shape[layout_.places[i].id].arrays.insert(layout_.places[i].path);
    }
    for (size_t id = 0; id < shape.size(); ++id) {
      shape[id].bare.assign(schema.classes[id].where.size(), false);
    }
  }

  static constexpr size_t kNowhere = ~size_t{0};

  const ArrowTable& table_;
  const JsonLayout& layout_;
  Progress& progress_;
  DatasetSink& sink_;
  ArrowType type_;
  std::vector<Bound> root_;
  std::vector<int64_t> next_index_;
  // By place of the layout: whether lists stand there.
  std::vector<bool> arrays_;
  ArrowScratch scratch_;
  uint32_t number_ = 0;
  ClassId open_class_ = 0;
  Error error_;
};

}  // namespace

Status ReadArrow(const ArrowTable& table, Progress& progress, DatasetSink& sink) {
  sink.dataset().has_lines = false;
  if (table.rows() == 0) {
    return ErrorAt(ErrorCode::kData, {.file = sink.dataset().source},
                   "a table must have rows, but this one is empty", "check what it was made from");
  }
  if (!sink.schema().root().group_by.empty()) return ReadArrowGroups(table, progress, sink);
  THICKET_ASSIGN(const JsonLayout layout, JsonLayout::Of(sink.schema(), sink.vertices_move()));
  return ArrowReader(table, layout, progress, sink).Run();
}

}  // namespace thicket
