// Where the vertices of a class may stand in published k^(m,n)-anonymous data, and what leads to them there.
//
// Structural disassociation (Definition 2 of Gkountouna et al. 2013) moves labels up: a vertex may stand below any
// ancestor of its class. In JSON and XML it stands there under its own `at`. In a table its row names the ancestor in a
// column of its own:
//
//   AncestorColumns(schema, item);   // {{customer, "customer_id"}}: as orders call it
//
// A policy in which such a name would mean two things is refused.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "record/schema.h"

namespace thicket {

// The column of a class's table that holds the key of an ancestor's row, where that is not the parent's.
struct AncestorColumn {
  ClassId ancestor;
  std::string name;
};

// Of a class in tables: one per ancestor above the parent, the nearest first. It is called like the foreign key that
// leads to the ancestor from the class right below it; if the table has a column of that name, the name of the
// ancestor's table and "_" stand before it.
std::vector<AncestorColumn> AncestorColumns(const Schema& schema, ClassId id);

class PolicyNode;

// Fails where a class cannot be told from something else in an ancestor. `record` is the section of the policy.
Status CheckMovedVertices(const PolicyNode& record, const Schema& schema, Format format);

}  // namespace thicket
