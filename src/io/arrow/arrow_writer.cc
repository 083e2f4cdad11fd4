#include "io/arrow/arrow_writer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "io/arrow/arrow_cells.h"
#include "io/arrow/arrow_column.h"
#include "io/arrow/arrow_groups.h"
#include "io/json/json_layout.h"

namespace thicket {

namespace {

using Kind = JsonPlace::Kind;

// A column and the place of the layout that fills it.
struct Target {
  uint32_t place = 0;
  // The column; where it is one of lists, its elements, and otherwise the column itself.
  ArrowCells* column = nullptr;
  ArrowCells* element = nullptr;
  // The structs of an object on the way.
  std::vector<Target> below = {};
  // What a class is told by.
  OutgoingValue constant = {};
  // By class of a place with vertices.
  std::vector<std::pair<ClassId, std::vector<Target>>> classes = {};

  bool is_list() const { return column != element; }
};

class ArrowWriter {
 public:
  ArrowWriter(const Policy& policy, const JsonLayout& layout, OutgoingRecords& records,
              const WriteOptions& options, const ArrowType* like)
      : layout_(layout),
        records_(records),
        schema_(records.schema()),
        with_class_(options.with_class),
        changes_(policy.privacy.structure().changes()),
        root_(ArrowCells::Struct("")) {
    for (const JsonPlace& place : layout.places) is_array_.push_back(IsArray(place));
    for (uint32_t i = 0; i < layout.places.size(); ++i) repeated_.push_back(RepeatedAt(i));
    FindLists(policy.privacy.structure().vertices_merge);
    targets_ = Describe(0, root_, like);
    if (with_class_) {
      class_number_ = &root_.Add(ArrowCells::Leaf(std::string(kClassKey), PlainType("l")));
    }
  }

  ArrowTable Write() {
    Phase phase("write", records_.count());
    for (size_t i = 0; i < records_.count(); ++i) {
      StopPoint();
      records_.Select(i);
      WriteMembers(targets_, 0);
      if (with_class_) {
        class_number_->Append({ValueKind::kNumber, std::to_string(records_.group())});
      }
      root_.EndStruct();
      phase.Advance();
    }
    for (const auto& [around, name] : may_be_empty_) around->DropIfEmpty(name);
    return std::move(root_).Finish();
  }

 private:
  // ---- Columns, before any record is written.

  bool IsArray(const JsonPlace& place) const {
    if (place.path.empty() || place.kind == Kind::kValue) return false;
    const SourceShape& shape = records_.data().shape;
    if (place.kind == Kind::kChildren && (place.depth == 1 || shape.json.empty())) {
      // Where vertices move or merge, there may be several of what was single.
      return changes_ || std::any_of(place.classes.begin(), place.classes.end(),
                                     [&](ClassId id) { return !shape.single[id]; });
    }
    if (shape.json.empty()) return false;
    const auto has = [&](ClassId id) { return shape.json[id].arrays.count(place.path) > 0; };
    const std::vector<ClassId> below = schema_.ClassesBelow(place.id);
    return has(place.id) || (records_.moved() && std::any_of(below.begin(), below.end(), has));
  }

  // The first array on the way to vertices, which has an element for each of them.
  uint32_t RepeatedAt(uint32_t place) const {
    uint32_t repeated = place;
    for (uint32_t at = place; !layout_.places[at].path.empty(); at = layout_.places[at].parent) {
      if (is_array_[at]) repeated = at;
    }
    return repeated;
  }

  // Which slots have several values somewhere.
  void FindLists(bool merged) {
    for (const VertexClass& type : schema_.classes) several_.emplace_back(type.value_count());
    if (!merged) return;
    for (size_t i = 0; i < records_.count(); ++i) {
      StopPoint();
      records_.Select(i);
      for (size_t position = 1; position < records_.size(); ++position) {
        const ClassId id = records_.vertex_class(position);
        const VertexClass& type = schema_.classes[id];
        if (records_.data().shape.plain[id]) continue;
        for (size_t slot = type.quasi.size(); slot < type.value_count(); ++slot) {
          if (records_.ValueCount(position, slot) > 1) several_[id][slot] = true;
        }
      }
    }
  }

  static const ArrowType* ElementOf(const ArrowType* type) {
    if (type == nullptr || type->kind != ArrowType::Kind::kList) return type;
    return &type->children.front();
  }
  static const ArrowType* ColumnOf(const ArrowType* type, const std::string& name) {
    const ArrowType* around = ElementOf(type);
    if (around == nullptr || around->kind != ArrowType::Kind::kStruct) return nullptr;
    for (const ArrowType& column : around->children) {
      if (column.name == name) return &column;
    }
    return nullptr;
  }

  // The columns of a struct that stands at the place; `like` is the type that stood there.
  std::vector<Target> Describe(uint32_t object, ArrowCells& around, const ArrowType* like) {
    std::vector<Target> targets;
    for (const uint32_t number : layout_.places[object].below) {
      const JsonPlace& place = layout_.places[number];
      if (place.kind == Kind::kValue && place.slot == JsonPlace::kNone &&
          place.where == JsonPlace::kNone) {
        continue;
      }
      const ArrowType* source = ColumnOf(like, place.name);
      Target target;
      target.place = number;
      switch (place.kind) {
        case Kind::kValue:
          DescribeValue(place, around, source, target);
          break;
        case Kind::kObject:
          AddColumn(place.name, ArrowCells::Struct(""), is_array_[number], around, target);
          target.below = Describe(number, *target.element, source);
          break;
        case Kind::kChildren:
          DescribeChildren(place, around, source, target);
          break;
      }
      targets.push_back(std::move(target));
    }
    if (const ArrowType* element = ElementOf(like)) around.Order(element->children);
    return targets;
  }

  static void AddColumn(const std::string& name, ArrowCells cells, bool list, ArrowCells& around,
                        Target& target) {
    cells = std::move(cells).Named(list ? "item" : name);
    target.column = &around.Add(list ? ArrowCells::List(name, std::move(cells)) : std::move(cells));
    target.element = list ? &target.column->elements() : target.column;
  }

  void DescribeValue(const JsonPlace& place, ArrowCells& around, const ArrowType* source,
                     Target& target) {
    if (place.where != JsonPlace::kNone) {
      const OutgoingValue value = WhereValue(place, source);
      const bool same = source != nullptr && source->is_plain() && FitsArrow(*source, value);
      target.constant = value;
      AddColumn(place.name, ArrowCells::Leaf("", same ? *source : TextType()), false, around,
                target);
      return;
    }
    AddColumn(
        place.name,
        ArrowCells::Leaf("", PublishedType(records_, place.id, place.slot, ElementOf(source))),
        several_[place.id][place.slot], around, target);
  }

  void DescribeChildren(const JsonPlace& place, ArrowCells& around, const ArrowType* source,
                        Target& target) {
    const auto number = static_cast<size_t>(&place - layout_.places.data());
    const bool plain = std::all_of(place.classes.begin(), place.classes.end(),
                                   [&](ClassId id) { return records_.data().shape.plain[id]; });
    ArrowCells element = plain ? ArrowCells::Leaf("", PublishedType(records_, place.classes.front(),
                                                                    0, ElementOf(source)))
                               : ArrowCells::Struct("");
    AddColumn(place.name, std::move(element), is_array_[number], around, target);
    for (const ClassId id : place.classes) {
      auto& below = target.classes.emplace_back(id, std::vector<Target>()).second;
      if (!plain) below = Describe(id, *target.element, source);
    }
    const bool usual = std::any_of(place.classes.begin(), place.classes.end(), [&](ClassId id) {
      return schema_.classes[id].parent == place.id;
    });
    if (!usual) may_be_empty_.emplace_back(&around, place.name);
  }

  OutgoingValue WhereValue(const JsonPlace& place, const ArrowType* source) const {
    const std::string& text = schema_.classes[place.id].where[place.where].second;
    ValueKind kind = ValueKind::kString;
    if (source != nullptr && source->kind == ArrowType::Kind::kBoolean) kind = ValueKind::kBoolean;
    const bool number = source != nullptr && source->kind >= ArrowType::Kind::kInteger &&
                        source->kind <= ArrowType::Kind::kDecimal;
    if (number) kind = ValueKind::kNumber;
    return {kind, text};
  }

  // ---- Records.

  // Whether anything was written.
  bool WriteMembers(std::vector<Target>& targets, size_t position) {
    bool any = false;
    for (Target& target : targets) {
      const JsonPlace& place = layout_.places[target.place];
      if (place.kind == Kind::kObject) {
        any |= WriteInner(target, position);
      } else if (place.kind == Kind::kChildren) {
        if (repeated_[target.place] == target.place) any |= WriteChildren(target, position);
      } else if (place.where != JsonPlace::kNone) {
        target.column->Append(target.constant);
        any = true;
      } else {
        any |= WriteSlot(target, position);
      }
    }
    return any;
  }

  bool WriteSlot(Target& target, size_t position) {
    const size_t slot = layout_.places[target.place].slot;
    const size_t count = records_.ValueCount(position, slot);
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
      const OutgoingValue value = records_.ValueAt(position, slot, i);
      if (target.is_list() && value.kind == ValueKind::kNone) continue;
      target.element->Append(value);
      any |= value.kind != ValueKind::kNone;
    }
    if (target.is_list()) {
      target.column->EndList();
    } else if (count == 0) {
      target.column->AppendNull();
    }
    return any;
  }

  bool WriteInner(Target& target, size_t position) {
    if (!target.is_list()) {
      const bool any = WriteMembers(target.below, position);
      target.column->EndStruct(any);
      return any;
    }
    const int64_t before = target.element->length();
    if (HasMembers(target, position)) {
      WriteMembers(target.below, position);
      target.element->EndStruct();
    }
    WriteRepeated(target, target, position);
    const bool any = target.element->length() > before;
    target.column->EndList();
    return any;
  }

  // Whether the vertex has values or vertices that stand in the first element of the list, and not in one of their own.
  bool HasMembers(const Target& target, size_t position) {
    return std::any_of(target.below.begin(), target.below.end(), [&](const Target& below) {
      const JsonPlace& place = layout_.places[below.place];
      if (place.kind == Kind::kObject) return HasMembers(below, position);
      if (place.kind == Kind::kChildren) {
        size_t count = 0;
        if (repeated_[below.place] != below.place) return false;
        ForEachVertex(below.place, position, [&](size_t) { ++count; });
        return count > 0;
      }
      if (place.where != JsonPlace::kNone) return true;
      return records_.ValueCount(position, place.slot) > 0 &&
             records_.ValueAt(position, place.slot, 0).kind != ValueKind::kNone;
    });
  }

  // An element of the list for each vertex somewhere below.
  void WriteRepeated(Target& list, Target& around, size_t position) {
    for (Target& below : around.below) {
      const JsonPlace& place = layout_.places[below.place];
      if (place.kind == Kind::kObject) {
        way_.push_back(&below);
        WriteRepeated(list, below, position);
        way_.pop_back();
      } else if (place.kind == Kind::kChildren && repeated_[below.place] == list.place) {
        ForEachVertex(below.place, position, [&](size_t vertex) {
          WriteElement(below, vertex);
          if (below.is_list()) below.column->EndList();
          for (size_t i = way_.size(); i-- > 0;) {
            way_[i]->element->EndStruct();
            if (way_[i]->is_list()) way_[i]->column->EndList();
          }
          list.element->EndStruct();
        });
      }
    }
  }

  template <typename Use>
  void ForEachVertex(uint32_t place, size_t parent, const Use& use) {
    const size_t end = parent + records_.subtree_size(parent);
    for (const ClassId id : layout_.places[place].classes) {
      for (size_t at = parent + 1; at < end; at += records_.subtree_size(at)) {
        if (records_.vertex_class(at) == id) use(at);
      }
    }
  }

  bool WriteChildren(Target& target, size_t parent) {
    size_t count = 0;
    ForEachVertex(target.place, parent, [&](size_t at) {
      ++count;
      WriteElement(target, at);
    });
    if (target.is_list()) {
      target.column->EndList();
    } else if (count == 0) {
      target.column->AppendNull();
    }
    return count > 0;
  }

  // A vertex, or where its class stands as plain values its values.
  void WriteElement(Target& target, size_t vertex) {
    const ClassId id = records_.vertex_class(vertex);
    if (records_.data().shape.plain[id]) {
      const size_t count = records_.ValueCount(vertex, 0);
      for (size_t i = 0; i < count; ++i) target.element->Append(records_.ValueAt(vertex, 0, i));
      if (count == 0) target.element->AppendNull();
      return;
    }
    for (auto& [of, below] : target.classes) {
      if (of == id) WriteMembers(below, vertex);
    }
    target.element->EndStruct();
  }

  const JsonLayout& layout_;
  OutgoingRecords& records_;
  const Schema& schema_;
  bool with_class_;
  bool changes_;
  std::vector<bool> is_array_;
  std::vector<uint32_t> repeated_;
  // By class and slot.
  std::vector<std::vector<bool>> several_;
  ArrowCells root_;
  std::vector<Target> targets_;
  ArrowCells* class_number_ = nullptr;
  // Columns for vertices that may have been moved there: the struct around each, and its name.
  std::vector<std::pair<ArrowCells*, std::string>> may_be_empty_;
  // The objects between a list and the vertices that it repeats.
  std::vector<Target*> way_;
};

}  // namespace

ArrowType PublishedType(const OutgoingRecords& records, ClassId id, size_t slot,
                        const ArrowType* source) {
  const VertexClass& type = records.schema().classes[id];
  if (slot < type.quasi.size() || records.HasSuppressed(id, slot)) return TextType();
  const Dictionary& values = records.data().dictionaries[id][slot];
  const auto fits_all = [&](const ArrowType& candidate) {
    for (Symbol symbol = 1; symbol < values.size(); ++symbol) {
      if (!FitsArrow(candidate, {values.kind(symbol), values.text(symbol)})) return false;
    }
    // A missing value is written as a text, where the policy has texts for it.
    const bool written = slot < type.missing.size() && !type.missing[slot].empty();
    return !written || FitsArrow(candidate, {ValueKind::kString, type.missing[slot].front()});
  };
  if (source != nullptr && source->is_plain()) return fits_all(*source) ? *source : TextType();
  for (const char* format : {"b", "l", "g"}) {
    if (values.size() > 1 && fits_all(PlainType(format))) return PlainType(format);
  }
  return TextType();
}

Result<ArrowTable> WriteArrow(const Policy& policy, OutgoingRecords& records,
                              const WriteOptions& options, const ArrowTable* like) {
  if (!records.schema().root().group_by.empty()) return WriteArrowGroups(records, options, like);
  THICKET_ASSIGN(const JsonLayout layout, JsonLayout::Of(records.schema(), records.moved()));
  if (like == nullptr) return ArrowWriter(policy, layout, records, options, nullptr).Write();
  THICKET_ASSIGN(const ArrowType type, ArrowType::Of(like->schema(), "table"));
  return ArrowWriter(policy, layout, records, options, &type).Write();
}

}  // namespace thicket
