// What a proposed recoding says of values that do not fit it: texts that stand for no value, odd ones, and how dates are written.
//
//   guess.recoding;                     // "numeric: true"
//   AddValueOptions(attribute, guess);  // "numeric: true, unknown: missing, missing: [NA]"
#pragma once

#include <string>

#include "survey/guess.h"
#include "survey/survey.h"

namespace thicket {

// Completes the recoding of a quasi-identifier and the reason for it. A list of values has all of them, so nothing is added there.
void AddValueOptions(const AttributeSurvey& attribute, Guess& guess);

// "date: [month, year, decade]", with the format where the dates have one; and what is to be said of it.
std::string DateRecoding(const AttributeSurvey& attribute);
std::string DateDoubt(const AttributeSurvey& attribute);

// The options of a sensitive attribute with buckets, which needs numbers; empty if some values are none.
std::string BucketOptions(const AttributeSurvey& attribute, const std::string& buckets);

// The file of a flat taxonomy of all values, in their order.
std::string FlatTaxonomy(const AttributeSurvey& attribute);

}  // namespace thicket
