#include "survey/guess_names.h"

#include <algorithm>
#include <array>

namespace thicket {

namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLowerLetter(char c) { return c >= 'a' && c <= 'z'; }
bool IsWordChar(char c) {
  return (Lower(c) >= 'a' && Lower(c) <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

// What stands around the name of the table that a key leads to.
bool IsKeyWord(const std::string& word) {
  return HasWord({word}, {"id", "ids", "uuid", "guid", "key", "fk", "pk", "ref", "no", "nr",
                          "number", "code", "identifier"});
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words;
  bool inside = false;
  for (size_t i = 0; i < name.size(); ++i) {
    // "studentId", and "IDStudent", but "patientIDs" is no "ds".
    const bool lower_next =
        i + 2 < name.size() && IsLowerLetter(name[i + 1]) && IsLowerLetter(name[i + 2]);
    const bool begins = i > 0 && IsUpper(name[i]) && (!IsUpper(name[i - 1]) || lower_next);
    if (!IsWordChar(name[i])) {
      inside = false;
      continue;
    }
    if (!inside || begins) words.emplace_back();
    words.back() += Lower(name[i]);
    inside = true;
  }
  return words;
}

bool HasWord(const std::vector<std::string>& words, std::initializer_list<std::string_view> list) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  });
}

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += word;
  return joined;
}

bool NamesAnIdentifier(const std::vector<std::string>& words) {
  return HasWord(words, {"id", "ids", "uuid", "guid", "ssn", "mrn", "key", "number", "no", "nr",
                         "identifier", "pseudonym"}) ||
         Joined(words).ends_with("id");
}

bool MayNameAnIdentifier(const std::vector<std::string>& words) {
  return NamesAnIdentifier(words) || NamesARegister(words) ||
         HasWord(words, {"code", "num", "identifiers", "token", "hash", "serial", "account", "card",
                         "reference"});
}

bool NamesARegister(const std::vector<std::string>& words) {
  return HasWord(
      words,
      {"govtrack", "bioguide",    "opensecrets", "votesmart", "icpsr",     "cspan",    "fec",
       "thomas",   "ballotpedia", "maplight",    "wikidata",  "wikipedia", "imdb",     "orcid",
       "viaf",     "isni",        "gnd",         "scopus",    "pubmed",    "npi",      "nhs",
       "nino",     "tin",         "ein",         "vat",       "siren",     "siret",    "cpf",
       "curp",     "passport",    "imei",        "imsi",      "iccid",     "msisdn",   "vin",
       "plate",    "iban",        "bic",         "swift",     "pan",       "steuerid", "insee"});
}

bool NamesAnAmount(const std::vector<std::string>& words) {
  if (HasWord(words,
              {"age",         "year",   "count",   "num",      "number",   "size",     "amount",
               "price",       "cost",   "total",   "sum",      "income",   "salary",   "score",
               "height",      "weight", "length",  "width",    "distance", "duration", "quantity",
               "qty",         "rate",   "percent", "share",    "dose",     "born",     "birth",
               "date",        "time",   "rank",    "children", "bmi",      "pressure", "balance",
               "temperature", "depth",  "volume",  "area",     "speed",    "limit",    "many"})) {
    return true;
  }
  // What is counted has a plural: "visits".
  return !words.empty() && words.back().size() > 3 && Singular(words.back()) != words.back();
}

bool NamesAKind(const std::vector<std::string>& words) {
  return HasWord(words, {"race",         "sex",         "gender",     "religion",    "marital",
                         "ethnicity",    "ethnic",      "status",     "type",        "kind",
                         "category",     "code",        "group",      "region",      "state",
                         "country",      "county",      "district",   "province",    "nationality",
                         "citizen",      "citizenship", "occupation", "occ",         "job",
                         "profession",   "industry",    "language",   "party",       "relation",
                         "relationship", "flag",        "cause",      "reason",      "mode",
                         "department",   "dept",        "faculty",    "ward",        "origin",
                         "hispanic",     "color",       "colour",     "brand",       "model",
                         "denomination", "faith",       "caste",      "orientation", "disability",
                         "diagnosis",    "icd",         "class",      "education",   "degree"});
}

bool NamesANotation(const std::vector<std::string>& words) {
  const std::string joined = Joined(words);
  for (const std::string_view name : {"version",
                                      "schema",
                                      "schemaversion",
                                      "dataversion",
                                      "resourcetype",
                                      "system",
                                      "unit",
                                      "units",
                                      "uom",
                                      "currency",
                                      "encoding",
                                      "charset",
                                      "format",
                                      "mediatype",
                                      "mimetype",
                                      "contenttype",
                                      "codesystem",
                                      "codesystemname",
                                      "codesystemversion",
                                      "classcode",
                                      "moodcode",
                                      "typecode",
                                      "determinercode",
                                      "xsitype",
                                      "templateid"}) {
    if (joined == name) return true;
  }
  return false;
}

std::string Singular(std::string_view word) {
  const auto without = [&](size_t count) {
    return std::string(word.substr(0, word.size() - count));
  };
  if (word.size() > 4 && word.ends_with("ies")) return without(3) + "y";
  if (word.size() > 5 && word.ends_with("noses")) return without(2) + "is";
  if (word.size() > 4 && (word.ends_with("sses") || word.ends_with("xes"))) return without(2);
  const bool plural = word.size() > 2 && word.ends_with('s') && !word.ends_with("ss") &&
                      !word.ends_with("us") && !word.ends_with("is");
  return plural ? without(1) : std::string(word);
}

bool NamesKeyOf(std::string_view column, std::string_view table) {
  std::vector<std::string> words = WordsOf(column);
  while (!words.empty() && IsKeyWord(words.back())) words.pop_back();
  while (!words.empty() && IsKeyWord(words.front())) words.erase(words.begin());
  const std::string plural = Joined(WordsOf(table));
  if (plural.empty()) return false;
  const std::string singular = plural == "people" ? "person" : Singular(plural);
  // Words may stand before the table's: "treating_doctor". "patientid" is one word.
  std::string end;
  for (size_t i = words.size(); i-- > 0;) {
    end.insert(0, words[i]);
    for (const std::string& name : {plural, singular}) {
      if (end == name || end == name + "id" || end == name + "key") return true;
    }
  }
  return false;
}

size_t PersonRank(std::string_view table) {
  static constexpr std::array<std::string_view, 24> kPersons = {
      "patient", "person",    "people",   "student",    "customer",    "client",
      "member",  "user",      "employee", "individual", "participant", "subject",
      "citizen", "applicant", "pupil",    "resident",   "passenger",   "subscriber",
      "guest",   "worker",    "player",   "voter",      "household",   "account"};
  std::vector<std::string> words = WordsOf(table);
  while (words.size() > 1 && HasWord({words.back()}, {"data", "info", "table", "tbl", "list",
                                                      "master", "record", "records", "dim"})) {
    words.pop_back();
  }
  if (words.empty()) return 0;
  // The last word is what the rows are: "user_roles" are roles.
  const std::string noun =
      words.back() == "persons" ? std::string("person") : Singular(words.back());
  const auto found = std::find(kPersons.begin(), kPersons.end(), noun);
  return found == kPersons.end() ? 0 : static_cast<size_t>(found - kPersons.begin()) + 1;
}

bool NamesThePerson(std::string_view column) {
  constexpr size_t kSure = 9;
  std::vector<std::string> words = WordsOf(column);
  while (words.size() > 1 && IsKeyWord(words.back())) words.pop_back();
  while (words.size() > 1 && IsKeyWord(words.front())) words.erase(words.begin());
  if (words.size() != 1) return false;
  const size_t rank = PersonRank(words.front());
  return rank > 0 && rank <= kSure;
}

bool NamesATrait(std::string_view column) {
  const std::vector<std::string> words = WordsOf(column);
  const std::string joined = Joined(words);
  return HasWord(words, {"sex", "gender", "birth", "birthday", "born", "dob", "ssn", "surname",
                         "age", "marital", "ethnicity", "religion"}) ||
         joined.starts_with("birth") || joined == "firstname" || joined == "lastname" ||
         joined == "fullname" || joined == "givenname" || joined == "familyname";
}

}  // namespace thicket
