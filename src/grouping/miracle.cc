#include "grouping/miracle.h"

namespace thicket {

Result<Grouping> Miracle(const EncodedDataset&, const MiracleOptions&, Parallel&, Progress&) {
  return Error{ErrorCode::kUsage, "not yet", "", ""};
}

}  // namespace thicket
