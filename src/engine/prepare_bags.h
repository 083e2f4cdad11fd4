// Bags as methods and measures take them: every term a word that the policy's network or taxonomy has.
//
// A term of a query is what somebody typed: "Dogs". With a network, and in query logs with a taxonomy, too, terms are brought to
// the word that they mean (taxonomy/lexicon.h): "dog". Words that a network does not have are left out, or stay as words that are
// near no other, or are an error, as the policy says (`unknown`). Missing terms are left out. Records stay where they are, so that
// their numbers are those of the source; a record without any term left is an empty bag.
//
// Of published data nothing of this is true: its terms are words already, and are read as they are.
#pragma once

#include "base/result.h"
#include "engine/content.h"
#include "record/dataset.h"

namespace thicket {

// Does nothing to records that are not bags. kData if no term is left, or one is unknown and must not be.
Status PrepareBags(const LoadedPolicy::Content& content, Dataset& data);

}  // namespace thicket
