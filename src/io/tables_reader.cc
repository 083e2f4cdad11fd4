#include "io/readers.h"

namespace thicket {

Status ReadTables(const Policy&, const std::string&, Progress&, DatasetSink&) {
  return Error{ErrorCode::kUsage, "not yet", "", ""};
}

}  // namespace thicket
