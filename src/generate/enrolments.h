// The records of `enrolments`: what an open university has of its students, one student at a time.
//
// A student (region, education, deprivation, age, gender, credits) is enrolled in modules, most in one and a few in up to six,
// some in the same module again; each enrolment has a result, and the assessments that were handed in, with a score each. A
// module has its own plan of four to 24 assessments, and who withdraws hands in the first of them only. So nearly all records
// are small, and the largest has about a hundred assessments of a few kinds: wide siblings that are alike. The shape is
// that of the published learning analytics data of open universities; no value is from there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace thicket {

inline constexpr uint64_t kEnrolmentRecords = 28'785;
inline constexpr size_t kMostEnrolments = 6;

class EnrolmentWriter {
 public:
  explicit EnrolmentWriter(uint64_t seed);

  // As StudentWriter::Append.
  void Append(uint64_t number, std::string& out);

 private:
  // The index of a share, with its probability.
  template <size_t kCount>
  size_t Draw(const int (&shares)[kCount]);
  void AppendModule(double ability, size_t module, std::string& out);
  void AppendAssessments(double ability, size_t module, size_t result, std::string& out);

  Random random_;
};

// Taxonomy files for the attributes.
std::string EnrolmentRegionTaxonomy();
std::string EnrolmentEducationTaxonomy();
std::string EnrolmentDeprivationTaxonomy();
std::string EnrolmentAgeTaxonomy();
std::string EnrolmentGenderTaxonomy();
std::string EnrolmentModuleTaxonomy();
std::string EnrolmentPresentationTaxonomy();
std::string EnrolmentAssessmentTaxonomy();

}  // namespace thicket
