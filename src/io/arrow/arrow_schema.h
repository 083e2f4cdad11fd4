// Schemas of Arrow's ABI that own what they point to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arrow_abi.h"

namespace thicket {

// The name of the extension type that a column is of, whose values mean something else than their layout says; empty for other columns.
std::string_view ExtensionOf(const ArrowSchema& schema);

// A schema of its own with the same types, names, flags and metadata.
void CopySchema(const ArrowSchema& from, ArrowSchema* out);

// A schema of a type, with the columns or elements below it, which it takes over. `values`: of a dictionary, or null.
void MakeSchema(std::string format, std::string name, std::vector<ArrowSchema> children,
                ArrowSchema* values, ArrowSchema* out);

}  // namespace thicket
