// The records of `census`: people and their work, a table of the shape of the Adult data set (Section 3.6 of Liu 2010, Table
// 3.5), drawn from a distribution of its own.
//
// No row comes from Adult. What is alike are the columns and their values, how common the values are, and in rough
// outline what depends on what: education on age, country on race, marital status on age and sex, the kind of employer
// on age and education, occupation on education, sex and employer, and the class of income on all of these. Of 45,222
// records about 15,000 differ in the seven quasi-identifiers, and no occupation has more than a seventh of them.
//
// `census-variants` widens the table as Section 3.6.3.4 does: the first 45,222 records are those of `census`, all others
// are variants of these in turn. A variant has 1 to 7 of its quasi-identifiers, each number as likely, replaced by values
// that are drawn from all values of the attribute, each as likely. A million records have about 700,000 combinations.
//
// `census-repeated` is the table again and again with noise: the first 45,222 records are those of `census`, all others repeat these in
// turn, and each of the nine values of a repetition is one time in ten that of another of the first records. So values stay as
// common as they are, and a million records of nine quasi-identifiers have about 188,000 combinations.
//
//   CensusWriter writer(seed, CensusWriter::Shape::kPlain);
//   writer.Append(0, line);   // 38;HS-grad;United-States;Private;Divorced;Male;White;Craft-repair;<=50K
//
// Only whole numbers are used, so every machine draws the same records. Constant time per record; variants remember the
// first 45,222 records, 9 bytes each, and so do repetitions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace thicket {

inline constexpr std::string_view kCensusHeader =
    "age;education;native-country;workclass;marital-status;sex;race;occupation;salary-class\n";
// As many as Adult has without those that miss a value.
inline constexpr uint64_t kCensusRecords = 45'222;

class CensusWriter {
 public:
  enum class Shape : uint8_t { kPlain, kVariants, kRepeated };

  CensusWriter(uint64_t seed, Shape shape);

  // As StudentWriter::Append: records must be asked for in their order. A row, without a header.
  void Append(uint64_t number, std::string& out);

 private:
  // By column, in the order of the header: the number of the value.
  using Row = std::array<uint8_t, 9>;

  Row Draw();
  Row Vary(Row row);
  Row Repeat(Row row);

  Random random_;
  Shape shape_;
  // Of variants and repetitions: the first kCensusRecords.
  std::vector<Row> first_;
};

}  // namespace thicket
