// Whether a text is made to name or to reach somebody, judged by its form: addresses, numbers with a checksum, hashes.
//
//   RecognizeIdentifier("DE89 3704 0044 0532 0130 00");   // kIban: the checksum is right
//   RecognizeIdentifier("ann@example.org");               // kEmail
//   RecognizeIdentifier("CS305");                         // kNone
//
// A single text may have such a form by chance, also with a checksum; a column of which nearly all texts have it does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thicket {

enum class IdentifierKind : uint8_t {
  kNone,
  kEmail,
  kPhone,
  kUrl,
  kUuid,
  kHash,
  kIban,
  kCard,
  kIpAddress,
  kMacAddress
};
inline constexpr size_t kIdentifierKinds = 10;

IdentifierKind RecognizeIdentifier(std::string_view text);

// What such texts are called: "e-mail addresses".
std::string_view NameOf(IdentifierKind kind);

// Whether it leads to a person, or to what a person has, however many records share it. The others name things as well.
bool ReachesAPerson(IdentifierKind kind);

// How many texts are of which kind.
class IdentifierCount {
 public:
  void Add(std::string_view text) {
    ++counts_[static_cast<size_t>(RecognizeIdentifier(text))];
    ++all_;
  }
  // The kind of nearly all of them, or kNone.
  IdentifierKind kind() const;

 private:
  std::array<uint64_t, kIdentifierKinds> counts_{};
  uint64_t all_ = 0;
};

}  // namespace thicket
