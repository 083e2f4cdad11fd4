// What names say: the words of an attribute or a table, and whether they name an identifier or a person.
//
//   WordsOf("birthYear");                      // {"birth", "year"}
//   NamesAnIdentifier(WordsOf("PATIENT_ID"));  // true
//   PersonRank("patients");                    // 1: nothing is more of a person
//
// The lists are English and short on purpose: they only order the steward's reading.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace thicket {

// "birthYear", "birth_year" and "BIRTH-YEAR" -> {"birth", "year"}.
std::vector<std::string> WordsOf(std::string_view name);

bool HasWord(const std::vector<std::string>& words, std::initializer_list<std::string_view> list);
std::string Joined(const std::vector<std::string>& words);

// "courses" -> "course", "diagnoses" -> "diagnosis", "categories" -> "category".
std::string Singular(std::string_view word);

// "student_id", "SSN", "patientid".
bool NamesAnIdentifier(const std::vector<std::string>& words);

// The same, and words that name identifiers as well as kinds: "code", "card", "govtrack".
bool MayNameAnIdentifier(const std::vector<std::string>& words);

// A register of people, or of what people have, whose numbers are called after it: "govtrack", "orcid", "passport".
bool NamesARegister(const std::vector<std::string>& words);

// What a whole number stands for: something that is counted or measured ("age", "visits"), or one of several kinds
// ("sex", "marital_status"), between which nothing lies.
bool NamesAnAmount(const std::vector<std::string>& words);
bool NamesAKind(const std::vector<std::string>& words);

// How data is written down, rather than of whom it speaks: "schema_version", "resourceType", "unit".
bool NamesANotation(const std::vector<std::string>& words);

// Whether a column says that it holds keys of a table: "PATIENT", "patient_id" and "treating_patient_key" of "patients".
bool NamesKeyOf(std::string_view column, std::string_view table);

// How surely a table's name says that its rows are persons, 1 most; 0 if it says nothing.
size_t PersonRank(std::string_view table);

// Whether a column says that it names the person whom a record is about: "patient", "customer_id".
bool NamesThePerson(std::string_view column);

// Whether a column is one that persons have: "birth_date", "SEX", "lastName".
bool NamesATrait(std::string_view column);

}  // namespace thicket
