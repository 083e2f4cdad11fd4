#include "io/json/json_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "policy/policy.h"
#include "record/vertex_path.h"

namespace thicket {

namespace {

using Kind = JsonPlace::Kind;

class LayoutBuilder {
 public:
  explicit LayoutBuilder(const Schema& schema) : schema_(&schema) {}

  Result<JsonLayout> Build(bool moved) {
    for (size_t id = 0; id < schema_->classes.size(); ++id) {
      JsonPlace place;
      place.id = static_cast<ClassId>(id);
      layout_.places.push_back(std::move(place));
    }
    layout_.nested.assign(schema_->classes.size(), false);
    for (size_t id = 0; id < schema_->classes.size(); ++id) {
      THICKET_TRY(AddClass(static_cast<ClassId>(id), moved));
    }
    return std::move(layout_);
  }

 private:
  Status AddClass(ClassId id, bool moved) {
    const VertexClass& type = schema_->classes[id];
    layout_.nested[id] = !type.where.empty();
    for (size_t i = 0; i < type.where.size(); ++i) {
      THICKET_ASSIGN(const uint32_t place, Add(id, type.where[i].first, Kind::kValue));
      layout_.places[place].where = i;
    }
    for (size_t slot = 0; slot < type.value_count(); ++slot) {
      THICKET_ASSIGN(const uint32_t place, Add(id, type.slot_name(slot), Kind::kValue));
      layout_.places[place].slot = slot;
    }
    for (const ClassId child : moved ? schema_->ClassesBelow(id) : type.children) {
      const VertexClass& below = schema_->classes[child];
      THICKET_ASSIGN(const uint32_t place, Add(id, PathOfVertices(below), Kind::kChildren));
      layout_.places[place].classes.push_back(child);
      layout_.places[place].chooses |= !below.where.empty();
      layout_.nested[id] = layout_.nested[id] || !below.where.empty();
    }
    if (!type.id.empty()) THICKET_TRY(AddUnpublished(id, type.id));
    for (const std::string& name : type.drop) THICKET_TRY(AddUnpublished(id, name));
    return id == 0 ? AddUnpublished(0, std::string(kClassKey)) : Status();
  }

  Status AddUnpublished(ClassId id, const std::string& name) {
    const Result<uint32_t> added = Add(id, name, Kind::kValue);
    return added.ok() ? Status() : Status(added.error());
  }

  // The place that the name leads to, with the objects on the way.
  Result<uint32_t> Add(ClassId id, const std::string& name, Kind kind) {
    layout_.nested[id] = layout_.nested[id] || LeadsThrough(name);
    const std::vector<std::string> steps = StepsOf(name);
    uint32_t at = id;
    for (size_t i = 0; i < steps.size(); ++i) {
      const Kind wanted = i + 1 == steps.size() ? kind : Kind::kObject;
      const auto& below = layout_.places[at].below;
      const auto found = std::find_if(below.begin(), below.end(), [&](uint32_t place) {
        return layout_.places[place].name == steps[i];
      });
      if (found == below.end()) {
        at = AddBelow(at, id, steps[i], wanted);
      } else if (layout_.places[*found].kind != wanted) {
        return TwoMeanings(id, name);
      } else {
        at = *found;
      }
      if (kind == Kind::kChildren && wanted == Kind::kObject) {
        layout_.places[at].around_vertices = true;
      }
    }
    if (kind == Kind::kValue) layout_.places[at].path = name;
    return at;
  }

  uint32_t AddBelow(uint32_t parent, ClassId id, const std::string& name, Kind kind) {
    const auto number = static_cast<uint32_t>(layout_.places.size());
    JsonPlace place;
    place.kind = kind;
    place.name = name;
    place.id = id;
    const std::string& above = layout_.places[parent].path;
    place.path = (above.empty() ? "" : above + "/") + StepOf(name);
    place.parent = parent;
    place.depth = layout_.places[parent].depth + 1;
    layout_.places.push_back(std::move(place));
    layout_.places[parent].below.push_back(number);
    return number;
  }

  Error TwoMeanings(ClassId id, const std::string& name) const {
    return {ErrorCode::kUsage,
            fmt::format("{}: {}: must lead to a place of its own, but the policy has another use "
                        "for a key on the way",
                        schema_->classes[id].name, name),
            "name the attributes of an object (code/text), or drop it whole, but not both", ""};
  }

  const Schema* schema_;
  JsonLayout layout_;
};

}  // namespace

Result<JsonLayout> JsonLayout::Of(const Schema& schema, bool moved) {
  return LayoutBuilder(schema).Build(moved);
}

}  // namespace thicket
