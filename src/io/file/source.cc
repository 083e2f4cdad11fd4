#include "io/file/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/stop.h"
#include "io/file/foreign_file.h"

namespace thicket {

namespace {

constexpr size_t kStoredChunk = size_t{1} << 18;
constexpr char kMoreMemory[] = "use a machine with more memory";

Error CannotRead(const std::string& name, int error, std::string_view if_missing = "") {
  std::string hint;
  if (error == ENOENT || error == ENOTDIR) hint = if_missing;
  if (error == EISDIR) hint = "give a file";
  if (error == EACCES || error == EPERM) hint = "get permission to read it, or give another file";
  if (error == ENOMEM) hint = kMoreMemory;
  return ErrorAt(ErrorCode::kIo, {.file = name},
                 fmt::format("cannot be read: {}", std::strerror(error)), hint);
}

Error Damaged(const std::string& name, std::string_view format, std::string_view what) {
  return ErrorAt(ErrorCode::kData, {.file = name},
                 fmt::format("must be a whole {} file, but {}", format, what),
                 "fetch or compress the file again");
}

// The bytes as they are stored. The first ones can be looked at before they are read.
class StoredFile {
 public:
  static Result<StoredFile> Open(const std::string& path, std::string_view if_missing) {
    StoredFile file;
    if (path == "-") {
      file.name_ = "standard input";
      file.fd_ = STDIN_FILENO;
    } else {
      file.name_ = path;
      // A pipe with a name must not wait for its writer here, where nobody can stop it.
      do {
        file.fd_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      } while (file.fd_ < 0 && errno == EINTR);
      if (file.fd_ < 0) return CannotRead(path, errno, if_missing);
      file.owned_ = true;
    }
    struct stat status {};
    if (fstat(file.fd_, &status) != 0) return CannotRead(file.name_, errno);
    if (S_ISDIR(status.st_mode)) return CannotRead(file.name_, EISDIR);
    if (S_ISREG(status.st_mode)) file.size_ = static_cast<uint64_t>(status.st_size);
    file.may_wait_ = !S_ISREG(status.st_mode);
    return file;
  }

  StoredFile(StoredFile&& other) noexcept
      : name_(std::move(other.name_)),
        fd_(other.fd_),
        owned_(std::exchange(other.owned_, false)),
        may_wait_(other.may_wait_),
        size_(other.size_),
        taken_(other.taken_),
        head_(std::move(other.head_)) {}
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;
  StoredFile& operator=(StoredFile&&) = delete;
  ~StoredFile() {
    if (owned_) close(fd_);
  }

  // The first bytes, fewer only if the file is shorter; before the first Read().
  Result<std::string_view> Peek(size_t size) {
    while (head_.size() < size) {
      char bytes[ForeignFile::kEnough];
      THICKET_ASSIGN(const size_t got,
                     ReadStored(bytes, std::min(sizeof bytes, size - head_.size())));
      if (got == 0) break;
      head_.append(bytes, got);
    }
    return std::string_view(head_);
  }

  Result<size_t> Read(char* buffer, size_t size) {
    if (head_.empty()) return ReadStored(buffer, size);
    const size_t got = std::min(size, head_.size());
    std::memcpy(buffer, head_.data(), got);
    head_.erase(0, got);
    return got;
  }

  const std::string& name() const { return name_; }
  uint64_t size() const { return size_; }
  uint64_t taken() const { return taken_; }

 private:
  StoredFile() = default;

  // Until there is something to read, or its end; looks up now and then whether the user wants to stop.
  Status Wait() const {
    constexpr int kLookMs = 50;
    pollfd waiting = {fd_, POLLIN, 0};
    while (true) {
      const int ready = poll(&waiting, 1, kLookMs);
      if (StopRequested()) return Interrupted();
      if (ready > 0 || (ready < 0 && errno != EINTR)) return {};
    }
  }

  Result<size_t> ReadStored(char* buffer, size_t size) {
    while (true) {
      if (may_wait_) THICKET_TRY(Wait());
      const ssize_t got = read(fd_, buffer, size);
      if (got >= 0) {
        taken_ += static_cast<uint64_t>(got);
        return static_cast<size_t>(got);
      }
      if (errno != EINTR && errno != EAGAIN) return CannotRead(name_, errno);
    }
  }

  std::string name_;
  int fd_ = -1;
  bool owned_ = false;
  bool may_wait_ = false;
  uint64_t size_ = 0;
  uint64_t taken_ = 0;
  std::string head_;
};

class FileSource : public Source {
 public:
  explicit FileSource(StoredFile file) : file_(std::move(file)) {}
  uint64_t stored_bytes() const override { return file_.size(); }
  uint64_t bytes_taken() const override { return file_.taken(); }
  const std::string& name() const override { return file_.name(); }

 protected:
  StoredFile file_;
};

class PlainSource : public FileSource {
 public:
  using FileSource::FileSource;
  Result<size_t> Read(char* buffer, size_t size) override { return file_.Read(buffer, size); }
};

class GzipSource : public FileSource {
 public:
  explicit GzipSource(StoredFile file) : FileSource(std::move(file)), stored_(kStoredChunk) {}
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  bool Start() { return inflateInit2(&stream_, 15 + 16) == Z_OK && AskForHeader(); }
  std::string_view beside_data() const override { return beside_data_; }

  Result<size_t> Read(char* buffer, size_t size) override {
    const auto room = static_cast<uInt>(std::min<size_t>(size, kStoredChunk * 16));
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      THICKET_ASSIGN(const bool more, Refill());
      if (between_members_) {
        if (!more) return size_t{0};
        THICKET_TRY(BeginMember());
        continue;
      }
      if (!more) return Damaged(file_.name(), "gzip", "it ends too early");
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (header_.done == 1) LookAtHeader();
      if (status == Z_STREAM_END) {
        between_members_ = true;
        first_member_ = false;
      } else if (status == Z_MEM_ERROR) {
        return CannotRead(file_.name(), ENOMEM);
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return Damaged(file_.name(), "gzip", "its content is damaged");
      }
    }
    return static_cast<size_t>(room - stream_.avail_out);
  }

 private:
  // Whether there is compressed input left.
  Result<bool> Refill() {
    if (stream_.avail_in > 0) return true;
    THICKET_ASSIGN(const size_t got, file_.Read(stored_.data(), stored_.size()));
    stream_.next_in = reinterpret_cast<Bytef*>(stored_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return got > 0;
  }

  // Zeros may follow the last member (tapes and block devices pad with them).
  Status BeginMember() {
    while (!first_member_ && stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
      padded_ = true;
      Note("zeros behind the end of gzip");
    }
    if (stream_.avail_in == 0) return {};
    if (padded_) return Damaged(file_.name(), "gzip", "something else follows its end");
    if (inflateReset(&stream_) != Z_OK || !AskForHeader())
      return Damaged(file_.name(), "gzip", "its content is damaged");
    if (!first_member_) Note("more than one member of gzip");
    between_members_ = false;
    return {};
  }

  // Of several things that are no data the first is named.
  void Note(std::string_view what) {
    if (beside_data_.empty()) beside_data_ = what;
  }

  // Has zlib keep the header of the next member: the beginning of its name, and whether there is more in it.
  bool AskForHeader() {
    header_ = {};
    header_.name = reinterpret_cast<Bytef*>(name_);
    header_.name_max = sizeof name_;
    header_.comment = reinterpret_cast<Bytef*>(comment_);
    header_.comm_max = sizeof comment_;
    header_.extra = reinterpret_cast<Bytef*>(extra_);
    header_.extra_max = sizeof extra_;
    return inflateGetHeader(&stream_, &header_) == Z_OK;
  }

  // zlib sets what the header does not have to null.
  void LookAtHeader() {
    header_.done = -1;
    if (header_.comment != Z_NULL) Note("a comment of gzip");
    if (header_.extra != Z_NULL) Note("an extra field of gzip");
    if (header_.name == Z_NULL) return;
    const std::string_view name(name_, strnlen(name_, sizeof name_));
    const std::string_view own = std::string_view(file_.name()).substr(file_.name().rfind('/') + 1);
    if (own.substr(0, own.rfind('.')) != name) Note("the name of another file");
  }

  std::vector<char> stored_;
  z_stream stream_{};
  gz_header header_{};
  // Longer than the name of a file can be.
  char name_[512];
  char comment_[1];
  char extra_[1];
  std::string_view beside_data_;
  bool between_members_ = true;
  bool first_member_ = true;
  bool padded_ = false;
};

class ZstdSource : public FileSource {
 public:
  explicit ZstdSource(StoredFile file)
      : FileSource(std::move(file)), stored_(kStoredChunk), stream_(ZSTD_createDStream()) {}
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  bool Start() { return stream_ != nullptr; }
  std::string_view beside_data() const override { return beside_data_; }

  Result<size_t> Read(char* buffer, size_t size) override {
    ZSTD_outBuffer out = {buffer, size, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !pending_output_) {
        THICKET_ASSIGN(const size_t got, file_.Read(stored_.data(), stored_.size()));
        if (got == 0) {
          if (frame_open_) return Damaged(file_.name(), "zstd", "it ends too early");
          return size_t{0};
        }
        in_ = {stored_.data(), got, 0};
      }
      const size_t left = Decompress(out);
      if (ZSTD_isError(left) != 0) return Damaged(file_.name(), "zstd", "its content is damaged");
      frame_open_ = left != 0;
      if (!frame_open_) magic_.clear();
      pending_output_ = frame_open_ && out.pos == out.size;
    }
    return out.pos;
  }

 private:
  // The decoder passes over frames that are not data without a word, so it is handed the first bytes of a frame one by one.
  size_t Decompress(ZSTD_outBuffer& out) {
    if (magic_.size() == 4 || in_.pos == in_.size)
      return ZSTD_decompressStream(stream_, &out, &in_);
    magic_ += stored_[in_.pos];
    if (magic_.size() == 4) BeginFrame();
    ZSTD_inBuffer one = {stored_.data() + in_.pos, 1, 0};
    const size_t left = ZSTD_decompressStream(stream_, &out, &one);
    in_.pos += one.pos;
    return left;
  }

  // Of several things that are no data the first is named.
  void BeginFrame() {
    const bool first = std::exchange(first_frame_, false);
    if (!beside_data_.empty()) return;
    // 0x184D2A50 to 0x184D2A5F, the lowest byte first.
    if (magic_.substr(1) == "\x2a\x4d\x18" && (magic_[0] & 0xf0) == 0x50) {
      beside_data_ = "a frame of zstd that holds no data";
    } else if (!first) {
      beside_data_ = "more than one frame of zstd";
    }
  }

  std::vector<char> stored_;
  ZSTD_DStream* stream_;
  ZSTD_inBuffer in_ = {nullptr, 0, 0};
  bool frame_open_ = false;
  bool first_frame_ = true;
  // The first bytes of the frame that is read, up to four.
  std::string magic_;
  std::string_view beside_data_;
  // The last call filled its output, so the decoder may hold more of it.
  bool pending_output_ = false;
};

class TextSource : public Source {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}
  Result<size_t> Read(char* buffer, size_t size) override {
    const size_t got = std::min(size, text_.size() - taken_);
    if (got > 0) std::memcpy(buffer, text_.data() + taken_, got);
    taken_ += got;
    return got;
  }
  uint64_t stored_bytes() const override { return text_.size(); }
  uint64_t bytes_taken() const override { return taken_; }
  const std::string& name() const override { return name_; }

 private:
  std::string name_ = "text in memory";
  std::string_view text_;
  size_t taken_ = 0;
};

template <typename Compressed>
Result<std::unique_ptr<Source>> Start(StoredFile file) {
  const std::string name = file.name();
  auto source = std::make_unique<Compressed>(std::move(file));
  if (!source->Start()) return CannotRead(name, ENOMEM);
  return std::unique_ptr<Source>(std::move(source));
}

}  // namespace

Result<std::unique_ptr<Source>> Source::Open(const std::string& path, std::string_view if_missing) {
  THICKET_ASSIGN(StoredFile file, StoredFile::Open(path, if_missing));
  THICKET_ASSIGN(const std::string_view head, file.Peek(ForeignFile::kEnough));
  const bool gzip = head.starts_with("\x1f\x8b");
  const bool zstd = head.starts_with("\x28\xb5\x2f\xfd");
  if (gzip) return Start<GzipSource>(std::move(file));
  if (zstd) return Start<ZstdSource>(std::move(file));
  if (const std::optional<ForeignFile> foreign = RecognizeForeignFile(head)) {
    return foreign->Wrong(file.name());
  }
  return std::unique_ptr<Source>(std::make_unique<PlainSource>(std::move(file)));
}

std::unique_ptr<Source> Source::FromText(std::string_view text) {
  return std::make_unique<TextSource>(text);
}

Result<std::string> ReadAll(const std::string& path, const ReadAllOptions& options) {
  THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path, options.if_missing));
  std::string content;
  size_t filled = 0;
  while (true) {
    if (filled > options.most) {
      return ErrorAt(ErrorCode::kData, {.file = source->name()},
                     fmt::format("{} must have at most {}, but has more", options.what,
                                 SizeText(options.most)),
                     "check that it is the right file");
    }
    const size_t size =
        std::min<size_t>(std::max<size_t>(filled * 2, size_t{1} << 16), options.most + 1);
    if (options.progress != nullptr) {
      THICKET_TRY(CheckMemory(*options.progress, source->name(), size));
    }
    content.resize(size);
    while (filled < content.size()) {
      THICKET_ASSIGN(const size_t got,
                     source->Read(content.data() + filled, content.size() - filled));
      if (got == 0) {
        content.resize(filled);
        return content;
      }
      filled += got;
    }
  }
}

}  // namespace thicket
