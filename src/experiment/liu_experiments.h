// The experiments of chapter 3 of Liu 2010: tables, on `census` instead of Adult.
#pragma once

#include <vector>

#include "experiment/experiment_table.h"

namespace thicket {

std::vector<Experiment> LiuExperiments();

}  // namespace thicket
