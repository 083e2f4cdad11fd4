#include "grouping/refine.h"

namespace thicket {

Result<Grouping> Refine(const EncodedDataset&, Grouping grouping, const RefineOptions&, Parallel&,
                        Progress&) {
  return grouping;
}

}  // namespace thicket
