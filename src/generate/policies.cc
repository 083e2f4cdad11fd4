#include "generate/policies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "generate/census_taxonomies.h"

namespace thicket {

std::string_view StudentsPolicy() {
  return R"(# Students of a computing programme: who they are, the courses they took, the books they bought.
version: 1
input:
  format: jsonl
  path: students.jsonl            # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  drop: [name, email]             # never published
  keep: [campus]                  # published as it is
  quasi:                          # what somebody who looks for a student may know
    major: {taxonomy: taxonomies/major.csv}
    birth_year: {ranges: [5, 10, 20]}
  sensitive:                      # what nobody may learn about a student
    gpa: {buckets: [0, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4]}
  children:
    - class: course
      at: courses
      quasi:
        code: {taxonomy: taxonomies/course.csv}
      sensitive:
        grade: {}
      children:
        - class: book
          at: books
          quasi:
            title: {taxonomy: taxonomies/book.csv}
privacy:
  k: 3                            # nobody can be told apart from two others
  l: 3                            # at no place can a value be guessed with more than 1/3
method:
  name: clustree
  mapping: lsap
)";
}

std::string_view CollegeYearsPolicy() {
  return R"(# Students of a computing programme, their courses grouped by the college year they were taken in.
version: 1
input:
  format: jsonl
  path: college-years.jsonl       # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  drop: [name, email]             # never published
  keep: [campus]                  # published as it is
  quasi:                          # what somebody who looks for a student may know
    major: {taxonomy: taxonomies/major.csv}
    birth_year: {ranges: [5, 10, 20]}
  sensitive:                      # what nobody may learn about a student
    gpa: {buckets: [0, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4]}
  children:
    - class: college_year
      at: years
      quasi:
        year: {taxonomy: taxonomies/year.csv}
      children:
        - class: course
          at: courses
          quasi:
            code: {taxonomy: taxonomies/course.csv}
          sensitive:
            grade: {}
          children:
            - class: book
              at: books
              quasi:
                title: {taxonomy: taxonomies/book.csv}
privacy:
  k: 3                            # nobody can be told apart from two others
  l: 3                            # at no place can a value be guessed with more than 1/3
method:
  name: clustree
  mapping: lsap
)";
}

std::string_view TranscriptsPolicy() {
  return R"(# Transcripts of a whole university: many different courses, few students in most of them.
version: 1
input:
  format: jsonl
  path: transcripts.jsonl         # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  quasi:                          # what somebody who looks for a student may know
    birth_year: {ranges: [5, 10, 20]}
  sensitive:                      # what nobody may learn about a student
    gpa: {buckets: [0, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4]}
  children:
    - class: course
      at: courses
      quasi:
        code: {taxonomy: taxonomies/course.csv}
      sensitive:
        grade: {}
privacy:
  k: 3                            # nobody can be told apart from two others
  l: 3                            # at no place can a value be guessed with more than 1/3
method:
  name: clustree
  mapping: lsap
)";
}

std::string_view ElectivesPolicy() {
  return R"(# The few courses that students chose, and the textbook that they bought for each.
version: 1
input:
  format: jsonl
  path: electives.jsonl           # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  sensitive:                      # what the record is published for
    gpa: {}
  children:
    - class: course
      at: courses
      quasi:                      # what somebody who looks for a student may know
        course: {taxonomy: taxonomies/course.csv}
      sensitive:
        grade: {}
      children:
        - class: book
          at: books
          quasi:
            title: {taxonomy: taxonomies/book.csv}
privacy:
  k: 5                            # nobody can be told apart from four others
method:
  name: miraclex
)";
}

std::string_view GradesPolicy() {
  return R"(# Students of a computing programme and their grades, by how sensitive these are.
version: 1
input:
  format: jsonl
  path: grades.jsonl              # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  drop: [name, email]             # never published
  keep: [campus]                  # published as it is
  quasi:                          # what somebody who looks for a student may know
    major: {taxonomy: taxonomies/major.csv}
    birth_year: {ranges: [5, 10, 20]}
  sensitive:                      # nobody may learn how low these are
    gpa: {levels: {min: 0, max: 4, sensitive: low}}
  children:
    - class: course
      at: courses
      quasi:
        code: {taxonomy: taxonomies/course.csv}
      sensitive:
        grade: {levels: {1: [A, A-], 2: [B+, B, B-], 3: [C+, C, C-], 4: [D+, D], 5: [F]}}
privacy:
  k: 10                           # nobody can be told apart from nine others
  alpha: [0.8, 0.6, 0.4, 0.2, 0.1]  # of those, at most 8 of level 1 stand together, ... 1 of level 5
method:
  name: mlevclutree
)";
}

std::string_view EvaluationsPolicy() {
  return R"(# The same students, and how they rate the teachers of their courses.
version: 1
input:
  format: jsonl
  path: evaluations.jsonl         # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  drop: [name, email]             # never published
  keep: [campus]                  # published as it is
  quasi:                          # what somebody who looks for a student may know
    major: {taxonomy: taxonomies/major.csv}
    birth_year: {ranges: [5, 10, 20]}
  sensitive:                      # nobody may learn how low these are
    gpa: {levels: {min: 0, max: 4, sensitive: low}}
  children:
    - class: course
      at: courses
      quasi:
        code: {taxonomy: taxonomies/course.csv}
      sensitive:
        grade: {levels: {1: [A, A-], 2: [B+, B, B-], 3: [C+, C, C-], 4: [D+, D], 5: [F]}}
      children:
        - class: teacher
          at: teachers
          quasi:
            name: {taxonomy: taxonomies/teacher.csv}
          sensitive:
            score: {levels: {min: 0, max: 1, sensitive: low}}
privacy:
  k: 10                           # nobody can be told apart from nine others
  alpha: [0.8, 0.6, 0.4, 0.2, 0.1]  # of those, at most 8 of level 1 stand together, ... 1 of level 5
method:
  name: mlevclutree
)";
}

std::string_view EnrolmentsPolicy() {
  return R"(# Students of an open university, the modules they are enrolled in, and the assessments that they handed in.
version: 1
input:
  format: jsonl
  path: enrolments.jsonl          # relative to this file
record:
  class: student
  id: student_id                  # who the record is about: never published
  quasi:                          # what somebody who looks for a student may know
    region: {taxonomy: taxonomies/region.csv}
    education: {taxonomy: taxonomies/education.csv}
    deprivation: {taxonomy: taxonomies/deprivation.csv}
    age: {taxonomy: taxonomies/age.csv}
    gender: {taxonomy: taxonomies/gender.csv}
    credits: {ranges: [60, 120, 240]}
  children:
    - class: module
      at: modules
      quasi:
        code: {taxonomy: taxonomies/module.csv}
        presentation: {taxonomy: taxonomies/presentation.csv}
      sensitive:                  # what nobody may learn about a student
        result: {}
      children:
        - class: assessment
          at: assessments
          quasi:
            type: {taxonomy: taxonomies/assessment.csv}
            day: {ranges: [30, 60, 120]}
            weight: {ranges: [5, 25, 50]}
          sensitive:
            score: {buckets: [0, 40, 55, 70, 85, 100]}
privacy:
  k: 5                            # nobody can be told apart from four others
  l: 2                            # at no place can a value be guessed with more than 1/2
method:
  name: clustree
  mapping: lsap
)";
}

std::string_view CustomersPolicy() {
  return R"(# Customers of a wholesaler, their orders and the items ordered.
version: 1
input:
  format: jsonl
  path: customers.jsonl           # relative to this file
record:
  class: customer
  id: id                          # who the record is about: never published
  quasi:                          # what somebody who looks for a customer may know
    nation: {taxonomy: taxonomies/nation.csv}
  children:
    - class: order
      at: orders
      quasi:
        price: {taxonomy: taxonomies/price.csv}
        date: {taxonomy: taxonomies/date.csv}
      children:
        - class: item
          at: items
          quasi:
            quantity: {taxonomy: taxonomies/quantity.csv}
            manufacturer: {taxonomy: taxonomies/manufacturer.csv}
            brand: {taxonomy: taxonomies/brand.csv}
privacy:
  k: 20                           # whatever fits a customer fits 19 others, too
  m: 3                            # of what anybody knows: three labels
  n: 2                            # and two relations between them, such as which item stands in which order
method:
  name: gcs
  g: 2
)";
}

std::string_view PatientsTablePolicy() {
  return R"(# Ten patients: Table 3.1, Fig. 3.1 and Example 3.1 of Liu 2010.
version: 1
input:
  format: csv
  path: patients-table.csv        # relative to this file
record:
  class: patient
  id: id                          # who the record is about: never published
  quasi:                          # what somebody who looks for a patient may know
    education: {taxonomy: taxonomies/education.csv}
    country: {taxonomy: taxonomies/country.csv}
  sensitive:                      # what nobody may learn about a patient
    disease: {}
privacy:
  theta: {default: 0.5, Asthma: 0.4, Cancer: 0.3}  # how sure anybody may be of a disease
method:
  name: lplus
  suppression: violating-values   # what could be guessed is published as *
)";
}

std::string CensusPolicyText(std::string_view name, size_t quasi) {
  constexpr std::string_view kQuasi[] = {
      "age", "education", "native-country", "workclass", "marital-status", "sex", "race"};
  std::string text =
      fmt::format(R"(# People and their work: a table of the shape of the Adult data set.
version: 1
input:
  format: csv
  path: {:<26}# relative to this file
record:
  class: person
)",
                  fmt::format("{}.csv", name));
  if (quasi < std::size(kQuasi)) {
    text += fmt::format("  drop: [{}]\n", fmt::join(kQuasi + quasi, std::end(kQuasi), ", "));
  }
  text += R"(  keep: [salary-class]            # published as it is
  quasi:                          # what somebody who looks for a person may know
)";
  for (size_t i = 0; i < std::min(quasi, std::size(kQuasi)); ++i) {
    text += fmt::format("    {0}: {{taxonomy: taxonomies/{0}.csv}}\n", kQuasi[i]);
  }
  text += R"(  sensitive:                      # what nobody may learn about a person
    occupation: {}
privacy:
  theta: 0.25                     # no occupation can be guessed with more than 1/4
method:
  name: lplus
  suppression: violating-records
)";
  return text;
}

std::string_view CensusPolicy() {
  static const std::string text = CensusPolicyText("census", kCensusQuasi);
  return text;
}

std::string_view CensusVariantsPolicy() {
  static const std::string text = CensusPolicyText("census-variants", kCensusQuasi);
  return text;
}

std::string_view CensusRepeatedPolicy() {
  return R"(# People and their work, again and again with noise: a large table of the shape of the Adult data set.
version: 1
input:
  format: csv
  path: census-repeated.csv       # relative to this file
record:
  class: person
  quasi:                          # what somebody who looks for a person may know
    age: {taxonomy: taxonomies/age.csv}
    education: {taxonomy: taxonomies/education.csv}
    native-country: {taxonomy: taxonomies/native-country.csv}
    workclass: {taxonomy: taxonomies/workclass.csv}
    marital-status: {taxonomy: taxonomies/marital-status.csv}
    sex: {taxonomy: taxonomies/sex.csv}
    race: {taxonomy: taxonomies/race.csv}
    occupation: {taxonomy: taxonomies/occupation.csv}
    salary-class: {taxonomy: taxonomies/salary-class.csv}
privacy:
  k: 5                            # everybody looks like four others at least
)";
}

std::string_view BasketsPolicy() {
  return R"(# Baskets of a shop: what was bought together, one basket per line.
version: 1
input:
  format: transactions
  path: baskets.txt               # relative to this file
record:
  class: basket
  children:
    - class: item
      at: items
      quasi:                      # what somebody who looks for a basket may know
        item: {taxonomy: taxonomies/item.csv}
privacy:
  k: 5                            # whoever knows
  m: 3                            # up to three items of a basket
  n: 0                            # finds five baskets that fit
)";
}

std::string_view BasketsTablePolicy() {
  return R"(# Five baskets: Table 4.1 and Fig. 4.1 of Liu 2010, with the promise of its examples.
version: 1
input:
  format: transactions
  path: baskets-table.txt         # relative to this file
record:
  class: basket
  children:
    - class: item
      at: items
      quasi:                      # what somebody who looks for a basket may know
        item: {taxonomy: taxonomies/item.csv}
privacy:
  model: KL(m,n)-privacy
  k: 2                            # whoever knows
  m: 2                            # up to two items of a basket
  n: 1                            # and one that is not in it finds two baskets that fit, or none,
  l: 2                            # and in at most half of these
  sensitive_items: [AdultToy, Viagra, PregnancyTest]
method:
  name: og
)";
}

std::string_view QueryLogPolicy() {
  return R"(# What people looked for: a query log, published as bags of words.
version: 1
input:
  format: querylog
  path: querylog.tsv              # relative to this file
  session_gap: 1h                 # a bag is what a user looked for with no more than an hour between
  clicked: on                     # and found: queries without a click are left out
record:
  class: vocabulary
  children:
    - class: term
      at: terms
      quasi:                      # what somebody who looks for a user may know
        term: {network: wordnet}  # lg, lgbag and centre: generalize need a tree instead:
                                  # {taxonomy: taxonomies/term.csv, unknown: missing}
privacy:
  k: 5                            # every bag looks like those of four other users
  epsilon: 6                      # and each of its words is within six steps of one that the user wrote
method:
  name: ssg
)";
}

std::string_view QueryLogTablePolicy() {
  return R"(# The queries of five users: Fig. 5.1 and Fig. 5.2 (a) of Liu 2010, with the promise of its examples.
version: 1
input:
  format: querylog
  path: querylog-table.tsv        # relative to this file
record:
  class: vocabulary
  children:
    - class: term
      at: terms
      quasi:                      # what somebody who looks for a user may know
        term: {taxonomy: taxonomies/term.csv}
privacy:
  k: 2                            # every bag looks like that of another user
  epsilon: 4                      # and each of its words is within four steps of one that the user wrote
method:
  name: ssg
)";
}

}  // namespace thicket
