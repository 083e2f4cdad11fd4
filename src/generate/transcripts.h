// The records of `transcripts`: what a registrar of a whole university has, one student at a time.
//
// 5000 courses of 50 departments, a few of them taken by nearly everybody and many by hardly anyone
// (Zipf's law), one to seventy courses per student. Students stay mostly in their own department.
// It is made to be hard in the same way as the data set `real` in section 6 of Ozalp et al. 2016:
// sparse, skewed, of very different record sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace thicket {

inline constexpr size_t kTranscriptCourses = 5000;
inline constexpr size_t kMostTranscriptCourses = 70;

class TranscriptWriter {
 public:
  explicit TranscriptWriter(uint64_t seed);

  // As StudentWriter::Append.
  void Append(uint64_t number, std::string& out);

 private:
  // A rank in [0, cumulative.size()) with the probability that its share of the whole gives it.
  size_t Draw(const std::vector<double>& cumulative);

  Random random_;
  std::vector<double> department_share_;
  std::vector<double> course_share_;
  std::vector<uint32_t> taken_;
};

// The codes of the catalogue; department d has the courses [100 d, 100 d + 100), the most popular
// first.
const std::vector<std::string>& TranscriptCodes();

std::string TranscriptCourseTaxonomy();

}  // namespace thicket
