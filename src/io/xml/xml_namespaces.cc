#include "io/xml/xml_namespaces.h"

#include <algorithm>
#include <functional>
#include <string>

namespace thicket {

namespace {

// "u" of "u:student"; empty for a name that is in the default namespace.
std::string_view PrefixOf(std::string_view name) {
  const size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string_view() : name.substr(0, colon);
}

// "u" of the declaration "xmlns:u"; empty for "xmlns".
std::string_view DeclaredPrefix(std::string_view declaration) {
  return declaration.substr(std::min(declaration.size(), sizeof "xmlns:" - 1));
}

bool Declares(const XmlNamespaces& namespaces, std::string_view prefix) {
  return std::any_of(namespaces.begin(), namespaces.end(), [&](const auto& declaration) {
    return DeclaredPrefix(declaration.first) == prefix;
  });
}

class NamespaceUse {
 public:
  NamespaceUse(const XmlLayout& layout, const Schema& schema,
               const std::vector<std::string_view>& further, const XmlShape& shape)
      : layout_(layout), schema_(schema), further_(further), shape_(shape) {}

  bool InAround(size_t around, std::string_view prefix) const {
    for (size_t i = around; i < shape_.around.size(); ++i) {
      if (i > around && Declares(shape_.around[i].namespaces, prefix)) return false;
      if (PrefixOf(shape_.around[i].name) == prefix) return true;
    }
    return !Declares(shape_.elements[0].namespaces, prefix) && InElement(0, prefix);
  }

  // In the element and what stands in it.
  bool InElement(uint32_t element, std::string_view prefix) const {
    if (IsFurther(prefix)) return true;
    if (PrefixOf(shape_.elements[element].name) == prefix) return true;
    const XmlLayoutElement& self = layout_.elements[element];
    if (InValues(self, prefix)) return true;
    return std::any_of(self.children.begin(), self.children.end(), [&](uint32_t child) {
      return !Declares(shape_.elements[child].namespaces, prefix) && InElement(child, prefix);
    });
  }

  // In the element of a value.
  bool InValue(std::string_view name, std::string_view prefix) const {
    return PrefixOf(name) == prefix || IsFurther(prefix);
  }

 private:
  bool InValues(const XmlLayoutElement& element, std::string_view prefix) const {
    for (const XmlLayoutValue& value : element.values) {
      const size_t place = PlaceOfValue(schema_.classes[element.id], value);
      if (place == XmlLayoutValue::kNone || value.name == kXmlText) continue;
      if (PrefixOf(value.name) != prefix) continue;
      if (!Declares(shape_.values[element.id][place].namespaces, prefix)) return true;
    }
    return false;
  }

  bool IsFurther(std::string_view prefix) const {
    return std::find(further_.begin(), further_.end(), prefix) != further_.end();
  }

  const XmlLayout& layout_;
  const Schema& schema_;
  const std::vector<std::string_view>& further_;
  const XmlShape& shape_;
};

size_t Keep(XmlNamespaces& namespaces, const std::function<bool(std::string_view)>& used) {
  return std::erase_if(namespaces, [&](const auto& declaration) {
    return !used(DeclaredPrefix(declaration.first));
  });
}

}  // namespace

size_t KeepUsedNamespaces(const XmlLayout& layout, const Schema& schema,
                          const std::vector<std::string_view>& further, XmlShape& shape) {
  // Use is judged by all declarations, also by those that go.
  const XmlShape whole = shape;
  const NamespaceUse use(layout, schema, further, whole);
  size_t removed = 0;
  for (size_t i = 0; i < shape.around.size(); ++i) {
    removed += Keep(shape.around[i].namespaces,
                    [&](std::string_view prefix) { return use.InAround(i, prefix); });
  }
  for (uint32_t i = 0; i < shape.elements.size(); ++i) {
    removed += Keep(shape.elements[i].namespaces,
                    [&](std::string_view prefix) { return use.InElement(i, prefix); });
  }
  for (const XmlLayoutElement& element : layout.elements) {
    for (const XmlLayoutValue& value : element.values) {
      const size_t place = PlaceOfValue(schema.classes[element.id], value);
      if (place == XmlLayoutValue::kNone) continue;
      removed += Keep(shape.values[element.id][place].namespaces,
                      [&](std::string_view prefix) { return use.InValue(value.name, prefix); });
    }
  }
  return removed;
}

}  // namespace thicket
