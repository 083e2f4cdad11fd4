// Pushes records one by one, as a program does that has them in a structure of its own, and pulls the published ones out.
// Policy and taxonomy are in memory, too: nothing here touches a file.
#include <iostream>
#include <string>
#include <vector>

#include "engine/assess.h"
#include "engine/records.h"
#include "engine/thicket.h"

struct Course {
  std::string code;
  std::string grade;
};
struct Student {
  std::string id;
  int birth_year;
  std::vector<Course> courses;
};

// {version: 1, record: {class: student, id: id, quasi: {...}, children: [...]}, privacy: {l: 2}}
thicket::Result<thicket::LoadedPolicy> MakePolicy() {
  using thicket::ValueTree;
  ValueTree course = ValueTree::Mapping();
  course.Set("class", "course");
  course.Set("at", "courses");
  course.Set("quasi", ValueTree::Mapping()).Set("code", ValueTree::Mapping({{"taxonomy", "code"}}));
  course.Set("sensitive", ValueTree::Mapping({{"grade", ValueTree()}}));
  ValueTree record = ValueTree::Mapping();
  record.Set("class", "student");
  record.Set("id", "id");
  record.Set("quasi", ValueTree::Mapping())
      .Set("birth_year", ValueTree::Mapping({{"ranges", ValueTree::List({5, 10})}}));
  record.Set("children", ValueTree::List()).Add(course);
  ValueTree policy = ValueTree::Mapping();
  policy.Set("version", 1);
  policy.Set("record", record);
  policy.Set("privacy", ValueTree::Mapping({{"l", 2}}));

  ValueTree code = ValueTree::Mapping();
  ValueTree& root = code.Set("*", ValueTree::Mapping());
  root.Set("CS", ValueTree::List({"CS201", "CS305"}));
  root.Set("MATH", ValueTree::List({"MATH101", "MATH102"}));
  thicket::PolicyParts parts;
  parts.taxonomies["code"] = code;
  return thicket::LoadPolicyTree(policy, parts);
}

thicket::Status Push(const Student& student, thicket::RecordBuilder& builder) {
  using Kind = thicket::RecordValue::Kind;
  THICKET_TRY(builder.BeginRecord());
  THICKET_TRY(builder.Set("id", {.text = student.id}));
  const std::string year = std::to_string(student.birth_year);
  THICKET_TRY(builder.Set("birth_year", {.kind = Kind::kNumber, .text = year}));
  for (const Course& course : student.courses) {
    THICKET_TRY(builder.OpenVertex("course"));
    THICKET_TRY(builder.Set("code", {.text = course.code}));
    THICKET_TRY(builder.Set("grade", {.text = course.grade}));
    THICKET_TRY(builder.CloseVertex());
  }
  return builder.EndRecord();
}

thicket::Result<bool> Publish(const std::vector<Student>& students) {
  THICKET_ASSIGN(const thicket::LoadedPolicy policy, MakePolicy());
  thicket::Progress progress;  // override its methods to show how far the work has come
  thicket::RecordBuilder builder(policy, thicket::RecordsAs::kOriginal, progress, "students");
  for (const Student& student : students) THICKET_TRY(Push(student, builder));
  THICKET_ASSIGN(const thicket::RecordSet original, std::move(builder).Finish());

  thicket::RunOptions options;
  options.seed = 7;  // leave it out: records are then shuffled by the system's secure random source
  THICKET_ASSIGN(const thicket::AnonymizedRecords result,
                 thicket::AnonymizeRecords(policy, original, options, progress));
  for (size_t i = 0; i < result.records.size(); ++i) {
    const thicket::RecordVertex student = result.records.root(i);
    std::cout << student.Find("birth_year").text << ":";
    for (const thicket::RecordVertex& course : student.children()) {
      std::cout << " " << course.Find("code").text << " (" << course.Find("grade").text << ")";
    }
    std::cout << "\n";
  }
  THICKET_ASSIGN(const thicket::VerifyReport verdict,
                 thicket::VerifyRecords(policy, result.records, &original, progress));
  std::cout << verdict.ToText();
  return verdict.holds;
}

int main() {
  const auto holds = Publish({{"S1", 1990, {{"CS201", "A"}, {"MATH101", "C"}}},
                              {"S2", 1993, {{"CS305", "B"}, {"MATH102", "A"}}},
                              {"S3", 1998, {{"CS201", "C"}}},
                              {"S4", 1996, {{"CS305", "A"}}}});
  if (holds.ok()) return *holds ? 0 : 1;
  const thicket::Error& error = holds.error();  // code, message, hint, place and value apart
  std::cerr << error.message << "\n  " << error.hint << "\n";
  return static_cast<int>(error.code);
}
