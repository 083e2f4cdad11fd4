// What a method published, as the text that the policy's format makes of it, for tests that read it back.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <string_view>

#include "io/dataset_io.h"
#include "io/outgoing.h"

namespace thicket {

// Tree by tree, each in the order of its records. Fails the property that calls this if writing fails.
inline std::string PublishedText(const Policy& policy, const EncodedDataset& data,
                                 const Publication& published) {
  PublicationRecords records(data, published);
  std::string text;
  const Status written = WriteRecords(policy, records, {}, [&](std::string_view bytes) {
    text.append(bytes);
    return Status();
  });
  RC_ASSERT(written.ok());
  return text;
}

}  // namespace thicket
