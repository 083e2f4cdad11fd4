// A value, or the reason why there is none.
//
// Everything that can fail because of what a user handed in (a policy, a file, a full disk) returns a Result. Library
// code never prints, exits or throws; cli/ turns an Error into a message and an exit status.
//
//   Result<Policy> policy = ParsePolicy(text, "policy.yaml");
//   if (!policy.ok()) return policy.error();
//   Use(*policy);
//
// or, inside a function that itself returns a Result:
//
//   THICKET_ASSIGN(Policy policy, ParsePolicy(text, "policy.yaml"));
//   THICKET_TRY(CheckPolicy(policy));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace thicket {

// What went wrong, by whose move comes next. The numbers are the command's exit statuses.
enum class ErrorCode {
  kPromise = 1,        // the promise does not hold, or could not be kept
  kUsage = 2,          // wrong flags or a wrong policy
  kData = 3,           // the input data is not what it must be
  kIo = 4,             // a file, database or network failed
  kInterrupted = 130,  // the user stopped it
};

// Where something is, as far as anybody knows: what is empty or 0 is not known, or the source does not have it.
struct ErrorPlace {
  // The file, folder, table or database as the user named it; what a caller called a text in memory.
  std::string file = {};
  // Counted from 1.
  uint64_t line = 0;
  uint64_t column = 0;
  // Counted from 1, of a source without lines: which record, or which row of a table.
  uint64_t record = 0;
  uint64_t row = 0;
  // In a record, "courses[2].code"; in a policy, "privacy.k". Names and positions, never a value.
  std::string path = {};

  // "students.jsonl:17: courses[2].code", as messages begin.
  std::string Text() const;
};

struct Error {
  ErrorCode code = ErrorCode::kUsage;
  // "where: what must hold, but what is", as it is printed. Never a sensitive value, an identifier or a record.
  std::string message;
  // The next step, in the imperative; may be empty.
  std::string hint;
  // The offending value, shown only to the steward who asks with --show-values; may be empty.
  std::string value;
  // The place that the message begins with, in parts.
  ErrorPlace place = {};
};

// An error whose message is "place: what".
Error ErrorAt(ErrorCode code, ErrorPlace place, std::string_view what, std::string hint,
              std::string value = "");

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  const Error& error() const { return std::get<Error>(state_); }
  Error& error() { return std::get<Error>(state_); }

  T& value() & { return std::get<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  const Error& error() const { return *error_; }
  Error& error() { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace thicket

#define THICKET_CONCAT_INNER(a, b) a##b
#define THICKET_CONCAT(a, b) THICKET_CONCAT_INNER(a, b)

// Returns the error of `expression` from the enclosing function, if there is one.
#define THICKET_TRY(expression)                                     \
  do {                                                              \
    if (auto thicket_status = (expression); !thicket_status.ok()) { \
      return std::move(thicket_status.error());                     \
    }                                                               \
  } while (false)

// Declares or assigns `target` from a Result, or returns its error from the enclosing function.
#define THICKET_ASSIGN(target, expression) \
  THICKET_ASSIGN_INNER(target, expression, THICKET_CONCAT(thicket_result_, __LINE__))
#define THICKET_ASSIGN_INNER(target, expression, result) \
  auto result = (expression);                            \
  if (!result.ok()) return std::move(result.error());    \
  target = std::move(*result)
