// The records of `students`, `college-years`, `grades` and `evaluations`, one at a time.
//
//   StudentWriter writer(seed, StudentWriter::Shape::kCourses);
//   writer.Append(0, line);   // {"student_id":"S...","name":...,"courses":[...]}\n
//
// Each student takes all obligatory courses, six core courses and three to seven electives (20
// courses on average), and buys 0 to 2 books for each: about 42 vertices. Grades follow the
// student's average and are better in obligatory courses. In the deeper shape a course's college
// year is its usual one or a neighbour, and never later than that of a course it is the
// prerequisite of. `grades` has no books; in `evaluations` one or two teachers stand in their place, each with a score.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "generate/programme.h"

namespace thicket {

class StudentWriter {
 public:
  enum class Shape { kCourses, kYears, kGrades, kEvaluations };

  StudentWriter(uint64_t seed, Shape shape);

  // Appends the next student as one line of JSON. `number` makes identifiers unique; count it up
  // from 0.
  void Append(uint64_t number, std::string& out);

 private:
  void DrawCourses();
  void DrawYears();
  void AppendPerson(uint64_t number, std::string& out);
  // The taken courses of one college year, or of all (-1), as a JSON array.
  void AppendCourses(int year, std::string& out);
  void AppendBooks(const Course& course, std::string& out);
  void AppendTeachers(const Course& course, std::string_view grade, std::string& out);

  Random random_;
  Shape shape_;
  const Programme& programme_;
  double gpa_ = 0;
  std::vector<uint16_t> pool_;
  // By course of the programme: whether the student takes it, and in which college year.
  std::vector<bool> taken_;
  std::vector<int> year_;
};

// A number that looks like an identifier: different for different numbers below 90 million.
uint64_t ScrambledId(uint64_t number);

}  // namespace thicket
