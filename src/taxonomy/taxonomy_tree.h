// A taxonomy from a tree of values, as a front has it: inner nodes are keys, values are the texts of lists.
//
//   {"*": {"CS": {"CS3**": ["CS305", "CS306"], "CS2**": ["CS201"]}, "MATH": ["MATH101"]}}
//
// A key without anything below it (null, or an empty list or mapping) is a value, too. There is one root; a label occurs once.
// Only a value may have the name of the group right above it, which is then called "sausage (any)", as in a taxonomy's file:
//
//   {"*": {"sausage": ["ham", "sausage"], "fish": ["herring"]}}
#pragma once

#include <string>

#include "base/result.h"
#include "base/value_tree.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// `name` is what messages call the taxonomy. Errors are kUsage and have the path to the label.
Result<Taxonomy> ReadTaxonomyTree(const ValueTree& tree, const std::string& name);

}  // namespace thicket
