#include "io/writers.h"

namespace thicket {

Status WriteXml(const InputPolicy&, OutgoingRecords&, const WriteOptions&, const WriteBytes&) {
  return Error{ErrorCode::kUsage, "not yet", "", ""};
}

}  // namespace thicket
