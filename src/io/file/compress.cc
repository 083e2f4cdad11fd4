#include "io/file/compress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

namespace thicket {

namespace {

constexpr size_t kOutputChunk = size_t{1} << 18;
// zlib counts in 32 bits.
constexpr size_t kLargestInput = size_t{1} << 30;

Error Failed() {
  return {ErrorCode::kIo, "compression: must have enough memory, but has not",
          "use a machine with more memory", ""};
}

class GzipCompressor : public Compressor {
 public:
  GzipCompressor() : output_(kOutputChunk) {
    good_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                         Z_DEFAULT_STRATEGY) == Z_OK;
  }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;
  ~GzipCompressor() override { deflateEnd(&stream_); }

  Status Add(std::string_view bytes, const Output& output) override {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, kLargestInput);
      THICKET_TRY(Run(piece, Z_NO_FLUSH, output));
      bytes.remove_prefix(piece.size());
    }
    return {};
  }
  Status Finish(const Output& output) override { return Run({}, Z_FINISH, output); }

 private:
  Status Run(std::string_view bytes, int flush, const Output& output) {
    if (!good_) return Failed();
    stream_.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib's old interface
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (true) {
      stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
      stream_.avail_out = static_cast<uInt>(output_.size());
      const int status = deflate(&stream_, flush);
      if (status == Z_STREAM_ERROR) return Failed();
      const size_t made = output_.size() - stream_.avail_out;
      if (made > 0) THICKET_TRY(output({output_.data(), made}));
      if (status == Z_STREAM_END || (flush == Z_NO_FLUSH && stream_.avail_out > 0)) return {};
    }
  }

  std::vector<char> output_;
  z_stream stream_{};
  bool good_ = false;
};

class ZstdCompressor : public Compressor {
 public:
  ZstdCompressor() : output_(kOutputChunk), stream_(ZSTD_createCStream()) {}
  ZstdCompressor(const ZstdCompressor&) = delete;
  ZstdCompressor& operator=(const ZstdCompressor&) = delete;
  ~ZstdCompressor() override { ZSTD_freeCStream(stream_); }

  Status Add(std::string_view bytes, const Output& output) override {
    return Run(bytes, ZSTD_e_continue, output);
  }
  Status Finish(const Output& output) override { return Run({}, ZSTD_e_end, output); }

 private:
  Status Run(std::string_view bytes, ZSTD_EndDirective directive, const Output& output) {
    if (stream_ == nullptr) return Failed();
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    while (true) {
      ZSTD_outBuffer out = {output_.data(), output_.size(), 0};
      const size_t left = ZSTD_compressStream2(stream_, &out, &in, directive);
      if (ZSTD_isError(left) != 0) return Failed();
      if (out.pos > 0) THICKET_TRY(output({output_.data(), out.pos}));
      if (directive == ZSTD_e_end ? left == 0 : in.pos == in.size) return {};
    }
  }

  std::vector<char> output_;
  ZSTD_CStream* stream_;
};

}  // namespace

std::unique_ptr<Compressor> Compressor::Gzip() { return std::make_unique<GzipCompressor>(); }

std::unique_ptr<Compressor> Compressor::Zstd() { return std::make_unique<ZstdCompressor>(); }

}  // namespace thicket
