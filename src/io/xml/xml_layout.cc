#include "io/xml/xml_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "record/vertex_path.h"

namespace thicket {

namespace {

Error BadPath(const VertexClass& type, std::string_view what, std::string hint) {
  return {ErrorCode::kUsage, fmt::format("{}: at: {}: {}", type.name, type.at, what),
          std::move(hint), ""};
}

class LayoutBuilder {
 public:
  explicit LayoutBuilder(const Schema& schema) : schema_(&schema) { Add("", true, 0, ""); }

  Result<XmlLayout> Build(bool moved) {
    // Classes are numbered parents first, so that a class's element is there before those below it.
    vertex_elements_.assign(schema_->classes.size(), 0);
    THICKET_TRY(AddValues(0));
    for (size_t id = 1; id < schema_->classes.size(); ++id) {
      THICKET_TRY(AddClass(static_cast<ClassId>(id), schema_->classes[id].parent));
      THICKET_TRY(AddValues(static_cast<ClassId>(id)));
    }
    for (size_t above = 0; moved && above < schema_->classes.size(); ++above) {
      for (const ClassId id : schema_->ClassesBelow(static_cast<ClassId>(above))) {
        if (schema_->classes[id].parent == above) continue;
        THICKET_TRY(AddClass(id, static_cast<ClassId>(above)));
      }
    }
    return std::move(layout_);
  }

 private:
  uint32_t Add(std::string name, bool is_vertex, ClassId id, std::string path) {
    const auto number = static_cast<uint32_t>(layout_.elements.size());
    XmlLayoutElement element;
    element.name = std::move(name);
    element.is_vertex = is_vertex;
    element.id = id;
    element.path = std::move(path);
    element.usual = number;
    layout_.elements.push_back(std::move(element));
    return number;
  }

  Status AddValues(ClassId id) {
    const VertexClass& type = schema_->classes[id];
    for (size_t i = 0; i < type.where.size(); ++i) {
      THICKET_TRY(AddValue(id, type.where[i].first, XmlLayoutValue::kNone, i));
    }
    if (!type.id.empty()) THICKET_TRY(AddValue(id, type.id));
    for (const std::string& name : type.drop) THICKET_TRY(AddValue(id, name));
    for (size_t slot = 0; slot < type.value_count(); ++slot) {
      THICKET_TRY(AddValue(id, type.slot_name(slot), slot));
    }
    return {};
  }

  Status AddValue(ClassId id, const std::string& name, size_t slot = XmlLayoutValue::kNone,
                  size_t where = XmlLayoutValue::kNone) {
    std::vector<std::string> steps = StepsOf(name);
    uint32_t parent = vertex_elements_[id];
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
      const std::optional<uint32_t> found = Find(parent, steps[i]);
      if (found && layout_.elements[*found].is_vertex) {
        return Error{ErrorCode::kUsage,
                     fmt::format("{}: {}: an element must be a vertex or stand around values, but "
                                 "{} is both",
                                 schema_->classes[id].name, name, steps[i]),
                     "describe it in one place only", ""};
      }
      const uint32_t next =
          found ? *found : Add(steps[i], false, id, layout_.elements[parent].path + steps[i] + "/");
      if (!found) layout_.elements[parent].children.push_back(next);
      parent = next;
    }
    if (steps.back() == kXmlText && where != XmlLayoutValue::kNone) {
      return Error{ErrorCode::kUsage,
                   fmt::format("{}: where: {}: must be an attribute or an element, but is a text",
                               schema_->classes[id].name, name),
                   "choose by an attribute, or by an element with nothing but text", ""};
    }
    layout_.elements[parent].values.push_back({std::move(steps.back()), name, slot, where});
    return {};
  }

  // The child of that name, if there is one.
  std::optional<uint32_t> Find(uint32_t parent, const std::string& name) const {
    for (const uint32_t child : layout_.elements[parent].children) {
      if (layout_.elements[child].name == name) return child;
    }
    return {};
  }

  // Below a vertex of class `above`: the parent, or an ancestor that vertices may be moved to.
  Status AddClass(ClassId id, ClassId above) {
    const VertexClass& type = schema_->classes[id];
    const std::string at = PathOfVertices(type);
    const std::vector<std::string> steps = SplitXmlPath(at);
    if (std::count(steps.begin(), steps.end(), "") > 0 || at.front() == '/') {
      return BadPath(type, "must be the names of elements with slashes between them, but is not",
                     "write at: course, or at: courses/course");
    }
    const bool moved = above != type.parent;
    uint32_t parent = vertex_elements_[above];
    uint32_t usual = vertex_elements_[type.parent];
    THICKET_TRY(CheckAttributes(type, schema_->classes[above], steps.front()));
    for (size_t i = 0; i < steps.size(); ++i) {
      const bool last = i + 1 == steps.size();
      if (moved) usual = last ? vertex_elements_[id] : *Find(usual, steps[i]);
      std::optional<uint32_t> found = Find(parent, steps[i]);
      if (found && last && StandsBeside(*found, id)) found.reset();
      if (found) {
        if (last || layout_.elements[*found].is_vertex) {
          return BadPath(type,
                         fmt::format("an element must be a vertex or stand around vertices, but "
                                     "{} is both",
                                     steps[i]),
                         "correct at");
        }
        parent = *found;
        layout_.elements[parent].around_vertices = true;
        continue;
      }
      const std::string path = layout_.elements[parent].path + steps[i] + "/";
      uint32_t added = usual;
      if (!moved || !last) {
        added = last ? Add(steps[i], true, id, "") : Add(steps[i], false, above, path);
      }
      if (moved && !last) layout_.elements[added].usual = usual;
      if (!last) layout_.elements[added].around_vertices = true;
      layout_.elements[parent].children.push_back(added);
      parent = added;
    }
    vertex_elements_[id] = parent;
    return {};
  }

  // Whether an element is a vertex of a class that is told from another one by values.
  bool StandsBeside(uint32_t element, ClassId id) const {
    const XmlLayoutElement& other = layout_.elements[element];
    return other.is_vertex && other.id != id &&
           schema_->classes[other.id].at != schema_->classes[id].at &&
           !(schema_->classes[other.id].where.empty() && schema_->classes[id].where.empty());
  }

  // An element around vertices may not be an attribute of the class above, too.
  static Status CheckAttributes(const VertexClass& type, const VertexClass& above,
                                const std::string& name) {
    bool named = name == above.id || std::count(above.drop.begin(), above.drop.end(), name) > 0;
    for (size_t slot = 0; slot < above.value_count(); ++slot)
      named |= above.slot_name(slot) == name;
    if (!named) return {};
    return BadPath(
        type, fmt::format("must begin with an element of its own, but {} is an attribute", name),
        "name it in one place only");
  }

  const Schema* schema_;
  XmlLayout layout_;
  // By class: its vertices' element.
  std::vector<uint32_t> vertex_elements_;
};

}  // namespace

Result<XmlLayout> XmlLayout::Of(const Schema& schema, bool moved) {
  return LayoutBuilder(schema).Build(moved);
}

std::vector<std::string> SplitXmlPath(std::string_view path) {
  if (!path.empty() && path.front() == '/') path.remove_prefix(1);
  std::vector<std::string> steps;
  while (true) {
    const size_t slash = path.find('/');
    steps.emplace_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return steps;
    path.remove_prefix(slash + 1);
  }
}

Result<std::vector<std::string>> XmlRecordPath(std::string_view at) {
  std::vector<std::string> steps;
  if (at.empty()) return steps;
  steps = SplitXmlPath(at);
  if (steps.size() < 2 || std::count(steps.begin(), steps.end(), "") > 0) {
    return ErrorAt(ErrorCode::kUsage, {.path = "input.at"},
                   fmt::format("{}: must lead from the document's element to the records, "
                               "both included, but does not",
                               at),
                   "write at: students/student");
  }
  return steps;
}

}  // namespace thicket
