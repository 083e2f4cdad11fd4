#include "survey/identifiers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace thicket {

namespace {

// Longer texts are prose.
constexpr size_t kLongest = 300;
constexpr double kNearlyAll = 0.9;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool AllOf(std::string_view text, bool (*test)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

// The texts between marks; two marks side by side have an empty one between them.
std::vector<std::string_view> Split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (size_t start = 0;;) {
    const size_t end = text.find(mark, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

bool IsEmail(std::string_view text) {
  const size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos || text.find('@', at + 1) != std::string_view::npos) {
    return false;
  }
  const std::string_view domain = text.substr(at + 1);
  const size_t dot = domain.rfind('.');
  return text.find(' ') == std::string_view::npos && dot != std::string_view::npos && dot > 0 &&
         domain.size() - dot > 2 && AllOf(domain.substr(dot + 1), IsLetter);
}

bool IsUrl(std::string_view text) {
  if (text.find(' ') != std::string_view::npos) return false;
  for (const std::string_view start : {"http://", "https://", "ftp://", "www."}) {
    if (text.size() > start.size() + 2 && text.starts_with(start)) return true;
  }
  return false;
}

bool IsUuid(std::string_view text) {
  if (text.starts_with("urn:uuid:")) text.remove_prefix(9);
  if (text.size() == 38 && text.front() == '{' && text.back() == '}') text = text.substr(1, 36);
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !IsHex(text[i])) return false;
  }
  return true;
}

// Of MD5, SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512, in hexadecimal digits.
bool IsHash(std::string_view text) {
  const size_t size = text.size();
  if (size != 32 && size != 40 && size != 56 && size != 64 && size != 96 && size != 128) {
    return false;
  }
  return AllOf(text, IsHex) && std::any_of(text.begin(), text.end(), IsDigit) &&
         std::any_of(text.begin(), text.end(), IsLetter);
}

std::string Without(std::string_view text, std::string_view marks) {
  std::string rest;
  for (const char c : text) {
    if (marks.find(c) == std::string_view::npos) rest += c;
  }
  return rest;
}

// ISO 13616: the first four characters moved to the end, letters as 10 to 35, modulo 97 is 1.
bool IsIban(std::string_view text) {
  const std::string iban = Without(text, " ");
  if (iban.size() < 15 || iban.size() > 34 || !IsLetter(iban[0]) || !IsLetter(iban[1]) ||
      !IsDigit(iban[2]) || !IsDigit(iban[3])) {
    return false;
  }
  unsigned rest = 0;
  for (size_t i = 0; i < iban.size(); ++i) {
    const char c = Upper(iban[(i + 4) % iban.size()]);
    if (IsDigit(c)) {
      rest = (rest * 10 + static_cast<unsigned>(c - '0')) % 97;
    } else if (IsLetter(c)) {
      rest = (rest * 100 + static_cast<unsigned>(c - 'A') + 10) % 97;
    } else {
      return false;
    }
  }
  return rest == 1;
}

// ISO/IEC 7812: every second digit from the right doubled, the sum of all digits ends with 0 (Luhn).
bool IsCard(std::string_view text) {
  const std::string digits = Without(text, " -");
  if (digits.size() < 13 || digits.size() > 19 || !AllOf(digits, IsDigit)) return false;
  if (digits.front() < '2' || digits.front() > '6') return false;
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    const int digit = digits[digits.size() - 1 - i] - '0';
    const int doubled = i % 2 == 0 ? digit : 2 * digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 == 0;
}

bool IsIpAddress(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, '.');
  if (parts.size() == 4) {
    return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
      return part.size() <= 3 && AllOf(part, IsDigit) && std::stoi(std::string(part)) <= 255;
    });
  }
  const std::vector<std::string_view> groups = Split(text, ':');
  if (groups.size() < 3 || groups.size() > 8) return false;
  if (groups.size() < 8 && text.find("::") == std::string_view::npos) return false;
  return std::all_of(groups.begin(), groups.end(), [](std::string_view group) {
    return group.empty() || (group.size() <= 4 && AllOf(group, IsHex));
  });
}

bool IsMacAddress(std::string_view text) {
  for (const char mark : {':', '-'}) {
    const std::vector<std::string_view> pairs = Split(text, mark);
    if (pairs.size() == 6 && std::all_of(pairs.begin(), pairs.end(), [](std::string_view pair) {
          return pair.size() == 2 && AllOf(pair, IsHex);
        })) {
      return true;
    }
  }
  return false;
}

// Seven to fifteen digits in groups: of telephones, and of the like of social security numbers. Dates, spans of years,
// postal codes and books have groups of their own.
bool IsPhone(std::string_view text) {
  if (text.size() < 7 || text.size() > 25) return false;
  const bool international = text.front() == '+';
  const bool bracket = text.find('(') != std::string_view::npos;
  std::vector<size_t> groups;
  bool inside = false;
  size_t digits = 0;
  for (const char c : text.substr(international ? 1 : 0)) {
    if (IsDigit(c)) {
      if (!inside) groups.push_back(0);
      ++groups.back();
      ++digits;
      inside = true;
    } else if (std::string_view(" -./()").find(c) != std::string_view::npos) {
      inside = false;
    } else {
      return false;
    }
  }
  if (digits < 7 || digits > 15) return false;
  if (international || bracket) return true;
  const bool book = digits == 13 && (text.starts_with("978") || text.starts_with("979"));
  if (groups.size() == 2) return groups[0] == 3 && groups[1] == 4 && !text.starts_with('.');
  if (groups.size() < 3 || book) return false;
  const bool date = groups.size() == 3 && (groups[0] == 4 || groups[2] == 4) && groups[1] <= 2 &&
                    std::min(groups[0], groups[2]) <= 2;
  return !date;
}

}  // namespace

IdentifierKind RecognizeIdentifier(std::string_view text) {
  text = Trim(text);
  if (text.size() < 7 || text.size() > kLongest) return IdentifierKind::kNone;
  if (IsEmail(text)) return IdentifierKind::kEmail;
  if (IsUrl(text)) return IdentifierKind::kUrl;
  if (IsUuid(text)) return IdentifierKind::kUuid;
  if (IsHash(text)) return IdentifierKind::kHash;
  if (IsIban(text)) return IdentifierKind::kIban;
  if (IsCard(text)) return IdentifierKind::kCard;
  if (IsIpAddress(text)) return IdentifierKind::kIpAddress;
  if (IsMacAddress(text)) return IdentifierKind::kMacAddress;
  if (IsPhone(text)) return IdentifierKind::kPhone;
  return IdentifierKind::kNone;
}

std::string_view NameOf(IdentifierKind kind) {
  switch (kind) {
    case IdentifierKind::kEmail:
      return "e-mail addresses";
    case IdentifierKind::kPhone:
      return "telephone numbers or the like";
    case IdentifierKind::kUrl:
      return "addresses of pages";
    case IdentifierKind::kUuid:
      return "UUIDs";
    case IdentifierKind::kHash:
      return "hashes";
    case IdentifierKind::kIban:
      return "bank accounts (IBAN)";
    case IdentifierKind::kCard:
      return "card numbers";
    case IdentifierKind::kIpAddress:
      return "IP addresses";
    case IdentifierKind::kMacAddress:
      return "addresses of devices";
    case IdentifierKind::kNone:
      break;
  }
  return "";
}

bool ReachesAPerson(IdentifierKind kind) {
  return kind != IdentifierKind::kNone && kind != IdentifierKind::kUrl &&
         kind != IdentifierKind::kUuid && kind != IdentifierKind::kHash;
}

IdentifierKind IdentifierCount::kind() const {
  for (size_t i = 1; i < counts_.size(); ++i) {
    if (counts_[i] > 0 &&
        static_cast<double>(counts_[i]) >= kNearlyAll * static_cast<double>(all_)) {
      return static_cast<IdentifierKind>(i);
    }
  }
  return IdentifierKind::kNone;
}

}  // namespace thicket
