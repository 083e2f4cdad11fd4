// Grade point averages and letter grades, drawn so that they agree with each other.
#pragma once

#include <string_view>

#include "base/random.h"

namespace thicket {

// Normal with the mean and deviation of a small graduating class, clipped to [0, 4], two decimals.
double DrawGpa(Random& random);

// "A" to "F", the grade whose points are nearest.
std::string_view LetterGrade(double points);

// What a letter stands for: "A" 4.0, "A-" 3.7, ... "F" 0; -1 for anything else.
double GradePoints(std::string_view letter);

// A grade around the student's average; `easier` is how much better students do in this kind of
// course.
std::string_view DrawGrade(double gpa, double easier, Random& random);

}  // namespace thicket
