#include "survey/guess_names.h"

#include <algorithm>
#include <array>

namespace thicket {

namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
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
    const bool begins = i > 0 && IsUpper(name[i]) && !IsUpper(name[i - 1]);
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
