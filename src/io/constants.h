// Kept attributes of which the policy says that they have one value (VertexClass::constants): whether data keeps to that.
//
// Nothing protects what is kept, so a value that differs would tell people apart. In original data every vertex must have the
// value; in published data no vertex may have another one, since labels that were moved away from their vertices leave places
// without values.
//
// O(vertices) where some attribute is constant, and nothing otherwise.
#pragma once

#include "base/result.h"
#include "io/dataset_io.h"
#include "record/dataset.h"

namespace thicket {

// kData for original data, kPromise for published data. The message quotes neither value.
Status CheckConstants(const Dataset& data, ReadAs as);

}  // namespace thicket
