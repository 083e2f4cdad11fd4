// What nearly all values of an attribute are, though a few are not: numbers, with a point or a comma, or dates, and how those are
// written; and which of them look like no value at all.
//
// One odd value must not make a column of numbers a list of texts. A form is that of an attribute where at most one of twenty values
// is of another, texts such as NA and ? left out, which stand for no value in many files.
//
//   ValueForms forms;
//   for (...) forms.Add(text, hash, is_new);
//   forms.numbers('.').fits, forms.date_format(), forms.placeholders();
//
// O(1) for a text that was met before. Odd texts are remembered by their hashes, a few of them for each form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace thicket {

// Whether a text stands for no value wherever numbers, dates or codes are expected: NA, N/A, NULL, NaN, ?, -, a point, \N.
bool IsPlaceholder(std::string_view text);

class ValueForms {
 public:
  // What the numbers of an attribute are.
  struct Numbers {
    // Whether nearly all values are numbers, and how many are not.
    bool fits = false;
    uint64_t odd = 0;
    bool integers = false;
    double least = 0;
    double greatest = 0;
  };

  // `is_new`: whether the text was not met before.
  void Add(std::string_view text, uint64_t hash, bool is_new);

  // With this mark before their fractions.
  Numbers numbers(char decimal) const;
  // Whether values have decimal commas: nearly all are numbers with them, and some are no number otherwise, nor one with commas between
  // its thousands.
  bool has_commas() const;
  // Whether values have decimal points.
  bool has_points() const { return points_.fractions; }

  // How nearly all dates are written, most of which have a month: empty for yyyy-mm-dd; nothing if they are no dates.
  std::optional<std::string> date_format() const;
  // How many values are no dates in that format; and whether another format would do as well.
  uint64_t odd_dates() const;
  bool is_ambiguous_date() const;

  // Whether all values are ZIP codes, some with four more digits.
  bool has_zip_plus_four() const { return zips_ && zip_plus_four_; }

  // The texts that stand for no value, in a fixed order.
  std::vector<std::string> placeholders() const;
  uint64_t placeholder_count() const { return placeholder_count_; }

 private:
  // Values that are not of a form.
  class Odd {
   public:
    void Meet(uint64_t hash, bool is_new, bool fits);
    // Whether they are few among so many values.
    bool few(uint64_t values) const {
      return !too_many_ && count_ * kRarely <= values && values > 0;
    }
    bool too_many() const { return too_many_; }
    uint64_t count() const { return count_; }

   private:
    static constexpr size_t kMost = 64;
    static constexpr uint64_t kRarely = 20;

    std::unordered_map<uint64_t, uint64_t> counts_;
    uint64_t count_ = 0;
    bool too_many_ = false;
  };
  struct Form {
    Odd odd;
    bool any = false;
    bool integers = true;
    bool fractions = false;
    double least = 0;
    double greatest = 0;
  };
  static constexpr size_t kFormats = 11;

  void MeetNumber(std::string_view text, uint64_t hash, bool is_new, Form& form);
  // The first of the formats that fits from a place on; kFormats if none does.
  size_t FindFormat(size_t from) const;

  uint64_t values_ = 0;
  Form points_;
  Form commas_;
  // Whether some number has a comma that stands before a fraction for sure.
  bool comma_is_decimal_ = false;
  Odd dates_[kFormats];
  // Distinct values that have a month, and those that are years alone.
  uint64_t with_month_ = 0;
  uint64_t years_ = 0;
  bool zips_ = true;
  bool zip_plus_four_ = false;
  std::unordered_map<std::string, uint64_t> placeholders_;
  uint64_t placeholder_count_ = 0;
};

}  // namespace thicket
