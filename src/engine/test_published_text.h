// What a method published, as the text that the policy's format makes of it, for tests that read it back.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/dataset_io.h"
#include "io/outgoing.h"

namespace thicket {

// Class by class, each in the order of its records. Fails the property that calls this if writing fails.
inline std::string PublishedText(const Policy& policy, const EncodedDataset& data,
                                 const Published& published) {
  std::vector<Place> order;
  for (uint32_t group = 0; group < published.classes.size(); ++group) {
    for (uint32_t member = 0; member < published.classes[group].records.size(); ++member) {
      order.push_back({group, member});
    }
  }
  PublishedRecords records(data, published, order);
  std::string text;
  const Status written = WriteRecords(policy, records, {}, [&](std::string_view bytes) {
    text.append(bytes);
    return Status();
  });
  RC_ASSERT(written.ok());
  return text;
}

}  // namespace thicket
