#include "generate/patients_table.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace thicket {

namespace {

struct Patient {
  std::string_view education;
  std::string_view country;
  std::string_view disease;
};

constexpr std::array<Patient, kPatientsInTable> kPatients = {{
    {"Junior", "France", "Flu"},
    {"Junior", "UK", "Asthma"},
    {"Senior", "France", "Flu"},
    {"Senior", "UK", "Cancer"},
    {"Bachelor", "UK", "Asthma"},
    {"Bachelor", "Canada", "Asthma"},
    {"Bachelor", "USA", "Flu"},
    {"Graduate", "USA", "Asthma"},
    {"Graduate", "Canada", "Cancer"},
    {"Graduate", "Canada", "Cancer"},
}};

}  // namespace

void AppendPatient(uint64_t number, std::string& out) {
  const Patient& patient = kPatients.at(number);
  fmt::format_to(std::back_inserter(out), "{};{};{};{}\n", number + 1, patient.education,
                 patient.country, patient.disease);
}

std::string PatientEducationTaxonomy() {
  return "Junior;Secondary;AnyEdu\n"
         "Senior;Secondary;AnyEdu\n"
         "Bachelor;University;AnyEdu\n"
         "Graduate;University;AnyEdu\n";
}

std::string PatientCountryTaxonomy() {
  return "UK;Europe;AnyCountry\n"
         "France;Europe;AnyCountry\n"
         "USA;America;AnyCountry\n"
         "Canada;America;AnyCountry\n";
}

}  // namespace thicket
