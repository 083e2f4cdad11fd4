#include "io/window.h"

#include <algorithm>
#include <cstring>

namespace thicket {

namespace {

constexpr size_t kFirstSize = size_t{1} << 20;

}  // namespace

Result<bool> Window::Fill() {
  if (progress_->cancelled()) return Interrupted();
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.empty()) buffer_.resize(kFirstSize + kPadding);
  // Less than half of the room free: what is being parsed needs more of it.
  if (end_ > (buffer_.size() - kPadding) / 2)
    buffer_.resize((buffer_.size() - kPadding) * 2 + kPadding);
  THICKET_ASSIGN(const size_t got,
                 source_->Read(buffer_.data() + end_, buffer_.size() - kPadding - end_));
  end_ += got;
  std::memset(buffer_.data() + end_, ' ', std::min(kPadding, buffer_.size() - end_));
  progress_->Advance(source_->bytes_taken() - reported_);
  reported_ = source_->bytes_taken();
  return got > 0;
}

}  // namespace thicket
