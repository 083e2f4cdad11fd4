#include "io/file/window.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/memory.h"

namespace thicket {

namespace {

constexpr uint64_t kLeastSize = uint64_t{1} << 12;
constexpr uint64_t kUsualSize = uint64_t{1} << 20;

// Enough for all of a small file; of others, what goes well through the caches.
size_t FirstSize(uint64_t stored_bytes) {
  if (stored_bytes == 0) return kUsualSize;
  return std::clamp(stored_bytes * 3, kLeastSize, kUsualSize);
}

}  // namespace

Status Window::Grow(size_t size) {
  THICKET_TRY(CheckMemory(*progress_, source_->name(), size));
  auto larger = std::make_unique_for_overwrite<char[]>(size + kPadding);
  if (end_ > 0) std::memcpy(larger.get(), buffer_.get(), end_);
  buffer_ = std::move(larger);
  size_ = size;
  return {};
}

Result<bool> Window::Fill() {
  if (progress_->cancelled()) return Interrupted();
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // Less than half of the room free: what is being parsed needs more of it.
  if (size_ == 0) THICKET_TRY(Grow(FirstSize(source_->stored_bytes())));
  if (end_ > size_ / 2) THICKET_TRY(Grow(size_ * 2));
  THICKET_TRY(CheckMemory(*progress_, source_->name()));
  THICKET_ASSIGN(const size_t got, source_->Read(buffer_.get() + end_, size_ - end_));
  end_ += got;
  std::memset(buffer_.get() + end_, ' ', kPadding);
  progress_->Advance(source_->bytes_taken() - reported_);
  reported_ = source_->bytes_taken();
  return got > 0;
}

}  // namespace thicket
