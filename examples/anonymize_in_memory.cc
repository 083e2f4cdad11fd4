// Anonymizes records that are in memory, as a service would that never writes its originals to disk.
#include <iostream>
#include <string>

#include "engine/thicket.h"

int Complain(const thicket::Error& error) {
  std::cerr << error.message << "\n  " << error.hint << "\n";
  return static_cast<int>(error.code);
}

int main() {
  const std::string people = R"({"name": "Ada", "zip": "10115", "age": 62, "illness": "flu"}
{"name": "Ben", "zip": "10117", "age": 67, "illness": "asthma"}
{"name": "Cleo", "zip": "20095", "age": 31, "illness": "flu"}
{"name": "Dan", "zip": "20097", "age": 35, "illness": "diabetes"}
)";
  const auto policy = thicket::LoadPolicy("people.yaml");
  if (!policy.ok()) return Complain(policy.error());
  thicket::Progress progress;  // override its methods to show how far the work has come
  const auto result = thicket::AnonymizeText(*policy, people, {}, progress);
  if (!result.ok()) return Complain(result.error());  // there is no data then

  const thicket::Report& report = result->report;
  std::cout << result->data << report.output.records << " of " << report.input.records
            << " records in " << report.output.classes << " classes, LM " << report.utility.lm
            << ", verified: " << std::boolalpha << report.guarantee.verified << "\n";
  return report.output.records == 4 && report.guarantee.verified ? 0 : 1;
}
