#include "survey/guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "survey/guess_names.h"

namespace thicket {

namespace {

// A share of different values above which a text says who somebody is rather than what.
constexpr double kNearlyUnique = 0.9;
// The same where its name says so, too: an identifier that some records share, by mistake or because a person has two
// records, must not have its values listed.
constexpr double kMostlyUnique = 0.5;
// Below this many values a high share says little.
constexpr uint64_t kFewValues = 50;
// Longer texts are prose, not categories.
constexpr size_t kLongText = 200;

// Words that always name a person or a way to reach one.
bool NamesAContact(const std::vector<std::string>& words) {
  return HasWord(
      words, {"email",    "mail",    "phone",    "telephone", "tel",      "mobile",   "fax",
              "address",  "street",  "ssn",      "passport",  "iban",     "username", "login",
              "password", "surname", "forename", "maiden",    "nickname", "drivers",  "license",
              "licence",  "ip",      "url",      "signature", "photo",    "twitter",  "facebook"});
}

bool NamesAPerson(const std::vector<std::string>& words) {
  const std::string joined = Joined(words);
  for (const std::string_view name :
       {"name", "first", "last", "fullname", "firstname", "lastname", "middlename", "givenname",
        "familyname", "displayname", "patientname", "studentname", "customername", "personname",
        "employeename", "contactname", "username"}) {
    if (joined == name) return true;
  }
  return false;
}

bool NamesASecret(const std::vector<std::string>& words) {
  return HasWord(
      words, {"gpa",        "grade",       "grades",      "mark",      "marks",      "score",
              "scores",     "salary",      "income",      "wage",      "wages",      "pay",
              "bonus",      "diagnosis",   "diagnoses",   "condition", "conditions", "disease",
              "diseases",   "illness",     "symptom",     "symptoms",  "hiv",        "treatment",
              "treatments", "medication",  "medications", "drug",      "drugs",      "prescription",
              "procedure",  "procedures",  "allergy",     "allergies", "disability", "pregnancy",
              "religion",   "orientation", "politics",    "debt",      "balance",    "credit",
              "loan",       "verdict",     "conviction",  "offence",   "offense",    "crime",
              "rating",     "evaluation",  "result",      "results",   "genotype"});
}

std::string Counted(const AttributeSurvey& attribute) {
  const std::string_view more =
      attribute.distinct() >= AttributeSurvey::kMostCounted ? "at least " : "";
  return fmt::format("{}{} distinct {}", more, WithCommas(attribute.distinct()),
                     attribute.distinct() == 1 ? "value" : "values");
}

std::string Percent(double share) { return fmt::format("{:.0f} %", std::floor(share * 100)); }

// The least of 1, 2 and 5 times a power of ten that is not below the number.
double NiceStep(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= number * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// About eight buckets that cover all values, with round bounds.
std::string Buckets(const AttributeSurvey& attribute) {
  const double span = attribute.greatest - attribute.least;
  if (!(span > 0) || !std::isfinite(span)) return "";
  const double step = NiceStep(span / 8);
  const double first = std::floor(attribute.least / step);
  const double last = std::max(first + 1, std::ceil(attribute.greatest / step));
  std::string bounds;
  for (double i = first; i <= last; ++i) {
    // Rounded to the digits of the step, so that 0.30000000000000004 is 0.3.
    const double scale = std::pow(10, std::max(0.0, 1 - std::floor(std::log10(step))));
    bounds += (bounds.empty() ? "" : ", ") + NumberText(std::round(i * step * scale) / scale);
  }
  return fmt::format("buckets: [{}]", bounds);
}

bool LooksLikeAYear(const AttributeSurvey& attribute) {
  return attribute.integers && attribute.least >= 1850 && attribute.greatest <= 2100;
}

// Codes of equal length that say where: postal codes and the like.
bool LooksLikeAPlace(const AttributeSurvey& attribute, const std::vector<std::string>& words) {
  if (!attribute.digits || attribute.shortest != attribute.longest || attribute.shortest < 3 ||
      attribute.longest > 12) {
    return false;
  }
  return attribute.leading_zero || HasWord(words, {"zip", "zipcode", "postal", "postcode", "plz"});
}

Guess Quasi(std::string recoding, std::string reason) {
  return {GuessedRole::kQuasi, std::move(recoding), std::move(reason)};
}

std::string Ranges(double width) {
  // Three digits at most, so that 0.30000000000000004 is 0.3.
  const auto text = [](double number) {
    return NumberText(std::stod(fmt::format("{:.3g}", number)));
  };
  return fmt::format("ranges: [{}, {}, {}]", text(width), text(2 * width), text(4 * width));
}

Guess GuessNumbers(const AttributeSurvey& attribute, bool flat) {
  const std::string counted = Counted(attribute);
  if (LooksLikeAYear(attribute))
    return Quasi("ranges: [5, 10, 20]", "looks like years; " + counted);
  const double span = attribute.greatest - attribute.least;
  if (attribute.integers && span >= 20 && span <= 1000 && std::abs(attribute.least) < 1e9) {
    return Quasi(Ranges(NiceStep(span / 20)), "whole numbers; " + counted);
  }
  if (flat && span > 0 && span < 1e100) {
    // One whole number is no range.
    return Quasi(Ranges(NiceStep(std::max(span / 20, attribute.integers ? 2.0 : 0.0))),
                 "numbers; " + counted);
  }
  return Quasi("numeric: true", "numbers; " + counted);
}

Guess GuessTexts(const AttributeSurvey& attribute) {
  const std::string counted = Counted(attribute);
  if (attribute.star) {
    return {GuessedRole::kDrop, "", "some values are a bare asterisk, which stands for anything"};
  }
  if (attribute.longest > kLongText && attribute.distinct() > kFewValues) {
    return {GuessedRole::kDrop, "", "free text cannot be generalized; " + counted};
  }
  if (attribute.distinct() > kFewValues && attribute.unique_share() > kNearlyUnique) {
    return {GuessedRole::kDrop, "",
            fmt::format("texts that are nearly unique ({} differ) point to a person; {}",
                        Percent(attribute.unique_share()), counted)};
  }
  if (attribute.codes && attribute.distinct() > 5) {
    const size_t masked = std::min<size_t>(attribute.least_digits, 3);
    return Quasi(fmt::format("mask: {}", masked),
                 "codes of letters and digits, masked from the right; " + counted);
  }
  if (!attribute.listed()) {
    return {GuessedRole::kDrop, "",
            "too many different texts for a taxonomy made by hand; " + counted};
  }
  return Quasi("", counted + "; the taxonomy is flat, add levels to lose less");
}

Guess GuessRecoding(const AttributeSurvey& attribute, const std::vector<std::string>& words,
                    bool flat) {
  if (LooksLikeAPlace(attribute, words)) {
    return Quasi(fmt::format("mask: {}", attribute.longest - 1),
                 "codes of equal length, masked from the right; " + Counted(attribute));
  }
  // Codes are names that happen to be numbers: nothing lies between two of them.
  const bool coded = attribute.integers && Joined(words).ends_with("code") && attribute.listed();
  if (attribute.numbers && !coded) return GuessNumbers(attribute, flat);
  if (attribute.dates) return Quasi("date: [month, year, decade]", "dates; " + Counted(attribute));
  return GuessTexts(attribute);
}

}  // namespace

Guess GuessAttribute(const AttributeSurvey& attribute, const AttributePlace& place) {
  const std::vector<std::string> words = WordsOf(attribute.name);
  const bool is_key = !place.key_of.empty();
  // The old keys of a published table must not stand beside the new ones.
  if (is_key && place.key_published) {
    return {GuessedRole::kDrop, "", fmt::format("a second key, to {}", place.key_of)};
  }
  const bool unique = attribute.distinct() == attribute.present;
  if (place.root && unique && attribute.present == place.vertices && NamesAnIdentifier(words)) {
    if (!place.id_taken) return {GuessedRole::kId, "", "named like an identifier, and unique"};
    return {GuessedRole::kDrop, "", "named like an identifier, and unique; there is one already"};
  }
  if (NamesAContact(words) || (place.one_per_record && NamesAPerson(words))) {
    return {GuessedRole::kDrop, "",
            "the name says that it names or reaches a person; " + Counted(attribute)};
  }
  // Below the root it says once more whose the record is.
  if (!place.one_per_record && NamesThePerson(attribute.name)) {
    return {GuessedRole::kDrop, "",
            "the name says that it stands for the person; " + Counted(attribute)};
  }
  if (NamesAnIdentifier(words) && attribute.distinct() > 1 &&
      attribute.unique_share() > (place.one_per_record ? kMostlyUnique : kNearlyUnique)) {
    const bool nearly = attribute.unique_share() > kNearlyUnique;
    return {GuessedRole::kDrop, "",
            fmt::format("named like an identifier, and {} unique; {}", nearly ? "nearly" : "mostly",
                        Counted(attribute))};
  }
  // A key to anything else is a code like any other, whatever digits it has.
  Guess guess = is_key ? GuessTexts(attribute) : GuessRecoding(attribute, words, place.flat);
  if (is_key) guess.reason = fmt::format("a key to {}; {}", place.key_of, guess.reason);
  if (guess.role == GuessedRole::kDrop) return guess;
  const bool secret_class = NamesASecret(WordsOf(place.class_key)) && !attribute.dates;
  if (NamesASecret(words) || secret_class) {
    const bool many = attribute.numbers && attribute.distinct() > 10 && !secret_class && !is_key;
    return {GuessedRole::kSensitive, many ? Buckets(attribute) : "",
            "confirm: the name suggests a sensitive value; " + Counted(attribute)};
  }
  if (attribute.distinct() == 1 && attribute.present == place.vertices && !place.partial) {
    return {GuessedRole::kKeep, "", "the same value everywhere"};
  }
  return guess;
}

}  // namespace thicket
