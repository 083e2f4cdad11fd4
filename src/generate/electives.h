// The records of `electives`: students, the few courses that they chose, and one textbook for each (section V of Nergiz et
// al. 2008).
//
// One obligatory course, two or three technical and two or three other electives out of 22 courses; each course has two
// to four textbooks to choose from, and courses of an area share some of them. The student is known by courses and books
// alone: the grade point average and the grades are sensitive. Courses at the front of a list are chosen more often, and
// half of the buyers take the usual book.
//
//   ElectiveWriter writer(seed);
//   writer.Append(0, line);   // {"student_id":"E...","gpa":2.91,"courses":[{"course":"Algebra","grade":"B",...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace thicket {

struct ElectiveCourse {
  enum class Kind { kObligatory, kTechnical, kOther };

  std::string_view name;
  std::string_view area;
  // "Science" or "Humanities".
  std::string_view field;
  Kind kind;
  // Two to four.
  int books;
};

class ElectiveWriter {
 public:
  explicit ElectiveWriter(uint64_t seed);

  // As StudentWriter::Append.
  void Append(uint64_t number, std::string& out);

 private:
  void Draw(ElectiveCourse::Kind kind, size_t count);

  Random random_;
  std::vector<size_t> taken_;
};

// The 22 courses.
const std::vector<ElectiveCourse>& ElectiveCourses();

// The title of one of a course's books: 0 is the usual one, `book` is below `books`.
std::string ElectiveBook(const ElectiveCourse& course, int book);

// Taxonomy files: course, area, field, *; and book, area of its course, field, *.
std::string ElectiveCourseTaxonomy();
std::string ElectiveBookTaxonomy();

}  // namespace thicket
