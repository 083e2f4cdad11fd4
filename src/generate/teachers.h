// Who teaches the courses of the programme, and how students rate them: for `evaluations`.
//
// Every area has a faculty of four. Two of them teach a course, and a student meets one or both. A score is a number from 0 to
// 1 in tenths, as in Wang et al. 2018: around 0.7, and lower from students with a poor grade.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/random.h"
#include "generate/programme.h"

namespace thicket {

// The two who teach the course, the usual one first.
std::array<std::string, 2> TeachersOf(const Course& course);

// 0 to 10 tenths.
int DrawScore(std::string_view grade, Random& random);

// Taxonomy file: teacher, faculty, *.
std::string TeacherTaxonomy();

}  // namespace thicket
