// Python's own values as those of the library.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <string>

#include "base/value_tree.h"
#include "io/arrow/arrow_table.h"

namespace thicket::python {

// Dictionaries, lists, texts, numbers, booleans and None, at any depth. Raises TypeError for others, with the path to them.
ValueTree TreeOf(nanobind::handle object);
std::map<std::string, ValueTree> TreesOf(nanobind::handle mapping);

// A list of dictionaries as a table, one row per dictionary.
ArrowTable TableOfObjects(nanobind::handle objects, const std::string& name, bool show_values);

}  // namespace thicket::python
