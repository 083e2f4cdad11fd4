// Tables in memory as programs hand them to each other: the structs of Arrow's C data and C stream interfaces.
//
// The interfaces are an ABI, made to be written down by whoever uses them instead of linked: pyarrow, pandas, polars, DuckDB
// and others hand out exactly these structs (https://arrow.apache.org/docs/format/CDataInterface.html). io/arrow/ reads and
// makes them. Whoever holds a struct calls its `release` once; null in `release` means that there is nothing to release.
#pragma once

#include <cstdint>

// Another header of the same ABI may have come first: all of them agree to guard the structs by these names.
extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  // The type, in letters: "i" for int32, "+s" for a struct.
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  // The values of an array whose own type is that of the numbers of values; null for others.
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  // -1: not known.
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

}  // extern "C"
