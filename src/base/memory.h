// How much memory a run may hold while it reads, and how much it does.
//
// A file of kilobytes can grow to gigabytes when it is decompressed, and a million small records to more than the machine
// has. Readers therefore ask, before a buffer grows and every megabyte or so, whether what the process holds is still
// within the limit of their Progress; the answer beyond it is an error about the data, and not an end by the system.
//
//   THICKET_TRY(CheckMemory(progress, "students.json.zst", bytes_that_will_be_added));
//
// What is held is what the system counts (the resident memory that is the process's own), so that dictionaries, trees and
// buffers need no books of their own. Asking takes a microsecond or two. Between two questions an array may grow, so the
// peak can be some tenths above the limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"

namespace thicket {

// Of this process; 0 where the system does not say.
uint64_t HeldMemory();

// What the machine has left, or the container may have, whichever is less; 0 where the system does not say. `root` is put
// before the paths of /proc and /sys, for tests.
uint64_t AvailableMemory(const std::string& root = "");

// What a run needs that reads next to nothing: the program itself, its libraries and their buffers, with room to spare.
inline constexpr uint64_t kLeastMemory = uint64_t{16} << 20;

// "4G", "500M", "64K" (powers of 1024, also written GB, GiB and so on) or plain bytes.
std::optional<uint64_t> ParseSize(std::string_view text);
// The same in words: "4 GiB", "1.5 GiB", "100 bytes".
std::string SizeText(uint64_t bytes);

// An error if this process holds more than progress.max_memory(), or would with `more` bytes in addition. `where` is what
// is being read.
Status CheckMemory(const Progress& progress, std::string_view where, uint64_t more = 0);

}  // namespace thicket
