// A made-up computing programme: which courses there are, who has to take them, when, and with
// which textbooks.
//
// The students of `students` and `college-years` are enrolled in it. Like the programme that
// section 6 of Ozalp et al. 2016 describes it has obligatory courses, a pool of core courses of
// which everybody takes the same number, and electives. Course numbers carry their level in the
// first digit, so the course taxonomy is the one of Fig. 3:
//
//   CS305;CS3**;CS;*
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thicket {

enum class CourseKind { kObligatory, kCore, kElective };

struct Course {
  std::string code;
  std::string name;
  // The subject that the course and its books belong to.
  std::string area;
  CourseKind kind = CourseKind::kObligatory;
  // The usual college year, 0 (freshman) to 3 (senior).
  int year = 0;
  // Positions of earlier courses in the programme.
  std::vector<uint16_t> prerequisites;
  // Two to four titles, the usual one first.
  std::vector<std::string> books;
};

struct Programme {
  // Prerequisites before the courses that need them.
  std::vector<Course> courses;
  // Positions in `courses`, by kind.
  std::vector<uint16_t> obligatory;
  std::vector<uint16_t> core;
  std::vector<uint16_t> electives;
};

// The same object at every call.
const Programme& ComputingProgramme();

// The majors that share the programme; the first is by far the most frequent.
const std::vector<std::string>& Majors();

// "freshman" to "senior".
const std::vector<std::string>& CollegeYears();

// Taxonomy files for the attributes of these data sets.
std::string MajorTaxonomy();
std::string CollegeYearTaxonomy();
std::string CourseTaxonomy();
std::string BookTaxonomy();

// The line of a course code in a taxonomy by id digits: "CS305" -> "CS305;CS3**;CS;*\n".
std::string CourseCodeLine(const std::string& code);

}  // namespace thicket
