#include "generate/patients_table.h"

#include <gtest/gtest.h>

#include <string>

#include "taxonomy/taxonomy_file.h"

namespace thicket::patients_table_test {
namespace {

// Table 3.1(a) of Liu 2010.
TEST(PatientsTableTest, IsTheTableOfTheThesis) {
  std::string text(kPatientsHeader);
  for (uint64_t i = 0; i < kPatientsInTable; ++i) AppendPatient(i, text);
  EXPECT_EQ(text,
            "id;education;country;disease\n"
            "1;Junior;France;Flu\n"
            "2;Junior;UK;Asthma\n"
            "3;Senior;France;Flu\n"
            "4;Senior;UK;Cancer\n"
            "5;Bachelor;UK;Asthma\n"
            "6;Bachelor;Canada;Asthma\n"
            "7;Bachelor;USA;Flu\n"
            "8;Graduate;USA;Asthma\n"
            "9;Graduate;Canada;Cancer\n"
            "10;Graduate;Canada;Cancer\n");
}

// Fig. 3.1.
TEST(PatientsTableTest, ItsTaxonomiesHaveTwoGroupsOfTwo) {
  for (const std::string& file : {PatientEducationTaxonomy(), PatientCountryTaxonomy()}) {
    const auto taxonomy = ParseTaxonomy(file, "file");
    ASSERT_TRUE(taxonomy.ok()) << taxonomy.error().message;
    EXPECT_EQ(taxonomy->node_count(), 7U);
    EXPECT_EQ(taxonomy->leaf_count(), 4U);
  }
}

}  // namespace
}  // namespace thicket::patients_table_test
