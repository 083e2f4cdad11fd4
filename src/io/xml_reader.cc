#include "io/readers.h"

namespace thicket {

Status ReadXml(const InputPolicy&, Source&, Progress&, DatasetSink&) {
  return Error{ErrorCode::kUsage, "not yet", "", ""};
}

}  // namespace thicket
