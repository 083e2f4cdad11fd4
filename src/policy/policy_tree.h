// A policy from a tree of values (base/value_tree.h), as a front has it. What is wrong is named by its path in the policy:
// "policy: privacy.k must be at least 2, but is 1".
//
//   THICKET_ASSIGN(Policy policy, ReadPolicyTree(tree, "policy"));
//
// The same rules as for the file (policy.h): the tree becomes the nodes that YAML becomes, without lines.
#pragma once

#include <string>

#include "base/result.h"
#include "base/value_tree.h"
#include "policy/policy.h"

namespace thicket {

// `name` stands in messages where a file's name would; paths in the policy are relative to it, as to a file.
Result<Policy> ReadPolicyTree(const ValueTree& tree, std::string name);

}  // namespace thicket
