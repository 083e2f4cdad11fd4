// Streams bytes into gzip or zstd.
//
//   auto compressor = Compressor::Gzip();
//   THICKET_TRY(compressor->Add("...", write));
//   THICKET_TRY(compressor->Finish(write));
//
// The output depends only on the bytes, not on how they were cut into pieces at Add() or on the time of day.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace thicket {

class Compressor {
 public:
  using Output = std::function<Status(std::string_view bytes)>;

  static std::unique_ptr<Compressor> Gzip();
  static std::unique_ptr<Compressor> Zstd();
  virtual ~Compressor() = default;

  virtual Status Add(std::string_view bytes, const Output& output) = 0;
  // Writes what is held back and the end mark; nothing can be added after it.
  virtual Status Finish(const Output& output) = 0;
};

}  // namespace thicket
