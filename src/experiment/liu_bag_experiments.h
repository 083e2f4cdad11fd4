// The experiments of chapter 5 of Liu 2010: bags of words, on `querylog` instead of the AOL query log.
#pragma once

#include <vector>

#include "experiment/experiment_table.h"

namespace thicket {

std::vector<Experiment> LiuBagExperiments();

}  // namespace thicket
