#include "survey/guess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "survey/guess_names.h"
#include "survey/value_options.h"

namespace thicket {

namespace {

// A share of different values above which a text says who somebody is rather than what.
constexpr double kNearlyUnique = 0.9;
// The same where its name says so, too: an identifier that some records share, by mistake or because a person has two
// records, must not have its values listed.
constexpr double kMostlyUnique = 0.5;
// Below this many values a high share says little.
constexpr uint64_t kFewValues = 50;
// Below this many values a code that each record has for itself may still be one of a kind.
constexpr uint64_t kTooFew = 20;
// Whole numbers of so many digits that all differ are taken for identifiers among fewer values, too.
constexpr size_t kManyDigits = 5;
// So few different whole numbers are kinds of something, unless their name says that they are counted or measured.
constexpr uint64_t kMostKinds = 12;
constexpr double kGreatestKind = 1000;
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

// How wide each of about eight buckets is that cover all values; 0 where there can be none.
double BucketStep(const AttributeSurvey& attribute) {
  const double span = attribute.greatest - attribute.least;
  return span > 0 && std::isfinite(span) ? NiceStep(span / 8) : 0;
}

// About eight buckets that cover all values, with round bounds.
std::string Buckets(const AttributeSurvey& attribute) {
  const double step = BucketStep(attribute);
  if (step == 0) return "";
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

// The share of the vertices that have the most frequent value, or that of the most frequent bucket of this width; a missing
// value is one.
double GreatestShare(const AttributeSurvey& attribute, uint64_t vertices, double step) {
  const auto all = static_cast<double>(vertices);
  double most = attribute.greatest_share() * static_cast<double>(attribute.present);
  if (step > 0) {
    std::map<double, uint64_t> counts;
    for (const std::string& value : attribute.values()) {
      const std::optional<double> number = ParseNumber(value);
      const auto holder = attribute.holders().find(AttributeSurvey::Hash(value));
      if (!number || holder == attribute.holders().end()) continue;
      uint64_t& count = counts[std::floor(*number / step)];
      count += holder->second.vertices;
      most = std::max(most, static_cast<double>(count));
    }
  }
  return std::max(most, all - static_cast<double>(attribute.present)) / all;
}

// Which l the frequencies of a sensitive attribute allow: with more, vertices must go (engine/diversity_forecast.h).
std::string Allowed(double greatest_share) {
  const auto largest = static_cast<uint64_t>(1 / greatest_share + 1e-9);
  if (largest >= 2) return fmt::format("; its values allow l = {}", WithCommas(largest));
  return fmt::format("; one value has {} of them, so that l = 2 would lose {} and more",
                     Percent(greatest_share), Percent(2 * greatest_share - 1));
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

// Names of kinds that happen to be whole numbers: nothing lies between two of them.
bool LooksLikeKinds(const AttributeSurvey& attribute, const std::vector<std::string>& words) {
  if (!attribute.integers || !attribute.listed() || LooksLikeAYear(attribute)) return false;
  if (NamesAKind(words)) return true;
  if (NamesAnAmount(words)) return false;
  const bool small =
      std::max(std::abs(attribute.least), std::abs(attribute.greatest)) < kGreatestKind;
  return small && attribute.distinct() <= kMostKinds &&
         attribute.present >= 2 * attribute.distinct();
}

// Whether values are numbers or codes that (nearly) each record has for itself, whatever they are called.
bool NumbersEverybody(const AttributeSurvey& attribute, const AttributePlace& place,
                      const std::vector<std::string>& words) {
  const bool numbered = attribute.numbers || attribute.codes || attribute.digits;
  if (!numbered || attribute.dates || LooksLikeAYear(attribute)) return false;
  // What everybody has of his own is still where he lives.
  if (LooksLikeAPlace(attribute, words) && attribute.longest <= 6) return false;
  if (attribute.distinct() > kFewValues) return attribute.unique_share() > kNearlyUnique;
  const uint64_t few = place.one_per_record ? 3 : 10;
  return attribute.distinct() > few && attribute.integers && attribute.shortest >= kManyDigits &&
         attribute.unique_share() == 1;
}

Guess GuessNumbers(const AttributeSurvey& attribute, bool flat) {
  const std::string counted = Counted(attribute);
  if (LooksLikeAYear(attribute))
    return Quasi("ranges: [5, 10, 20]", "looks like years; " + counted);
  const double span = attribute.greatest - attribute.least;
  if (attribute.integers && span >= 20 && span <= 1000 && std::abs(attribute.least) < 1e9) {
    return Quasi(Ranges(NiceStep(span / 20)), "whole numbers; " + counted);
  }
  // The ends of free intervals are values of the data: where most of them are single people's, fixed intervals show none.
  const bool telling = 2 * attribute.singles() > attribute.distinct();
  if ((flat || telling) && span > 0 && span < 1e100) {
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
  if (attribute.forms.has_zip_plus_four()) {
    return Quasi("mask: 4", "ZIP codes, some with four more digits, masked from the right; " +
                                Counted(attribute));
  }
  if (LooksLikeAPlace(attribute, words)) {
    return Quasi(fmt::format("mask: {}", attribute.longest - 1),
                 "codes of equal length, masked from the right; " + Counted(attribute));
  }
  if (LooksLikeKinds(attribute, words)) {
    return Quasi("", fmt::format("kinds written as whole numbers, which have no order; {}; if they "
                                 "are amounts, ranges lose less",
                                 Counted(attribute)));
  }
  if (attribute.numbers) return GuessNumbers(attribute, flat);
  if (attribute.dates) {
    return Quasi(DateRecoding(attribute), "dates; " + Counted(attribute) + DateDoubt(attribute));
  }
  return GuessTexts(attribute);
}

// Whether values say who a record is about, or how to reach them: by their names, by their form, and by how few records
// share them.
std::optional<Guess> GuessIdentifier(const AttributeSurvey& attribute, const AttributePlace& place,
                                     const std::vector<std::string>& words) {
  const auto drop = [](std::string reason) {
    return Guess{GuessedRole::kDrop, "", std::move(reason)};
  };
  // Of what stands below a key such as "id" or "identifiers" each attribute is one.
  const bool below_id = MayNameAnIdentifier(WordsOf(place.class_key)) && !place.root;
  const bool surely = NamesAnIdentifier(words) || NamesARegister(words) || below_id;
  const bool named = surely || (MayNameAnIdentifier(words) && attribute.distinct() > kTooFew);
  const bool unique = attribute.distinct() == attribute.present;
  if (place.root && unique && attribute.present == place.vertices && named) {
    if (!place.id_taken) return Guess{GuessedRole::kId, "", "named like an identifier, and unique"};
    return drop("named like an identifier, and unique; there is one already");
  }
  if (NamesAContact(words) ||
      ((place.one_per_record || place.row_of_person) && NamesAPerson(words))) {
    return drop("the name says that it names or reaches a person; " + Counted(attribute));
  }
  // Below the root it says once more whose the record is.
  if (!place.one_per_record && NamesThePerson(attribute.name)) {
    return drop("the name says that it stands for the person; " + Counted(attribute));
  }
  const IdentifierKind kind = attribute.identifier();
  if (kind != IdentifierKind::kNone && (ReachesAPerson(kind) || attribute.distinct() > 1) &&
      (ReachesAPerson(kind) || attribute.unique_share() > kMostlyUnique)) {
    return drop(fmt::format("{}; {}", NameOf(kind), Counted(attribute)));
  }
  if (named && attribute.distinct() > 1 &&
      attribute.unique_share() > (place.one_per_record && surely ? kMostlyUnique : kNearlyUnique)) {
    const bool nearly = attribute.unique_share() > kNearlyUnique;
    return drop(
        fmt::format("named like an identifier, and {} unique{}; {}", nearly ? "nearly" : "mostly",
                    place.root && surely ? ": several records of one person should be one" : "",
                    Counted(attribute)));
  }
  // A number that nobody may learn is not known to those who look for a person.
  if (NumbersEverybody(attribute, place, words) && !NamesASecret(words)) {
    return drop(fmt::format(
        "{} that are nearly unique ({} differ) point to a person{}; {}",
        attribute.numbers ? "numbers" : "codes", Percent(attribute.unique_share()),
        attribute.numbers ? "; of amounts, ranges show no single one" : "", Counted(attribute)));
  }
  return std::nullopt;
}

}  // namespace

Guess GuessAttribute(const AttributeSurvey& attribute, const AttributePlace& place) {
  const std::vector<std::string> words = WordsOf(attribute.name);
  const bool is_key = !place.key_of.empty();
  // The old keys of a published table must not stand beside the new ones.
  if (is_key && place.key_published) {
    return {GuessedRole::kDrop, "", fmt::format("a second key, to {}", place.key_of)};
  }
  if (const std::optional<Guess> guess = GuessIdentifier(attribute, place, words)) return *guess;
  // A key to anything else is a code like any other, whatever digits it has.
  Guess guess = is_key ? GuessTexts(attribute) : GuessRecoding(attribute, words, place.flat);
  AddValueOptions(attribute, guess);
  if (is_key) guess.reason = fmt::format("a key to {}; {}", place.key_of, guess.reason);
  if (guess.role == GuessedRole::kDrop) return guess;
  const bool constant =
      attribute.distinct() == 1 && attribute.present == place.vertices && !place.partial;
  const bool secret_class = NamesASecret(WordsOf(place.class_key)) && !attribute.dates;
  // What all of many vertices have in common is not the secret of a class that is called after one ("procedures").
  const bool common = constant && place.vertices >= kTooFew && !NamesASecret(words);
  if ((NamesASecret(words) || secret_class) && !common) {
    const bool many = attribute.numbers && attribute.distinct() > 10 && !secret_class && !is_key &&
                      !LooksLikeKinds(attribute, words);
    const double share = GreatestShare(attribute, place.vertices, many ? BucketStep(attribute) : 0);
    return {GuessedRole::kSensitive, many ? BucketOptions(attribute, Buckets(attribute)) : "",
            "confirm: the name suggests a sensitive value; " + Counted(attribute) + Allowed(share)};
  }
  if (!constant) return guess;
  if (NamesANotation(words) && attribute.listed()) {
    return {GuessedRole::kKeep, "", "how the data is written, the same value everywhere"};
  }
  // Other data may have other values, by which people could be known: the list makes them an error.
  return Quasi("", "the same value everywhere; published as it is as long as that is so");
}

}  // namespace thicket
