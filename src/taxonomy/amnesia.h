// The two hierarchy formats of Amnesia: a text form with "parent has child child ..." lines, lowest
// parents first, and a JSON form with one object per level, top first. Both come with values at the
// leaves ("distinct") or with intervals of numbers or dates ("range"), which hold the values of the
// data; see Taxonomy::FindRange.
//
//   distinct                          {"hierType":"distinct","name":"education","type":"string","height":2,
//   name education                     "level1":{"Any":["Masters","Doctorate"]}}
//   type string
//   height 2
//
//   Any has Masters Doctorate
//
// Labels are kept as the file writes them. `height` is not needed and not checked. A label that stands below itself
// ("sausage has ham sausage"), or in the lowest level and as a parent in a level above, is a value and a group; see
// taxonomy_file.h.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// By content: the first line says "distinct" or "range" and the next one begins with "name".
bool IsAmnesiaText(std::string_view text);
// By content: the first character is a brace.
bool IsAmnesiaJson(std::string_view text);

Result<Taxonomy> ParseAmnesiaText(std::string_view text, const std::string& file);
Result<Taxonomy> ParseAmnesiaJson(std::string_view text, const std::string& file);

}  // namespace thicket
