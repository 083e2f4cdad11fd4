// Which of the namespaces that a document declares its names use.
//
// A namespace is a text that means something only to the names with its prefix. One that no name uses could hold anything, so
// it is not published, and in published data it is a finding.
//
//   if (KeepUsedNamespaces(layout, schema, {}, shape) > 0) ...   // the others are no longer in the shape
//
// A declaration is used by the names of its element, of the values in it and of the elements below, as far as none of these
// declares the prefix anew. Names are those that the policy has, whether or not the data shows them: what was published of a
// document uses all that the document used. Time is O(elements * declarations).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "io/xml/xml_layout.h"
#include "record/schema.h"
#include "record/source_shape.h"

namespace thicket {

// Removes those that nothing uses; how many these were. `further`: prefixes that other names of the document use.
size_t KeepUsedNamespaces(const XmlLayout& layout, const Schema& schema,
                          const std::vector<std::string_view>& further, XmlShape& shape);

}  // namespace thicket
