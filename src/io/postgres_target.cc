#include "io/data_target.h"

namespace thicket {

Result<std::unique_ptr<DataTarget>> CreatePostgresTarget(const Policy&, const OutputPlace&) {
  return Error{ErrorCode::kUsage, "not yet", "", ""};
}

}  // namespace thicket
