// The experiments of chapter 4 of Liu 2010: sets, on `baskets` instead of BMS-POS.
#pragma once

#include <vector>

#include "experiment/experiment_table.h"

namespace thicket {

std::vector<Experiment> LiuSetExperiments();

}  // namespace thicket
