// Whether two names mean the same file, so that an output never replaces what it is made from.
#pragma once

#include <string>

#include "base/result.h"

namespace thicket {

// True for two names of one file, also through links, and for one name of a file that does not exist yet. "-" and the
// empty name are no files.
bool SameFile(const std::string& a, const std::string& b);

// An error if writing `target` would replace `source`; `role` is what is to be written, `what` the source is:
// "people.jsonl: the report must not replace the input, but this is the same file".
Status MustNotReplace(const std::string& target, const std::string& role, const std::string& source,
                      const std::string& what);

}  // namespace thicket
