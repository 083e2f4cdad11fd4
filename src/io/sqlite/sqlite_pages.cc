#include "io/sqlite/sqlite_pages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

constexpr size_t kFileHeader = 100;
// Deeper trees than this are not made of pages.
constexpr size_t kMostLevels = 40;
// The page that begins here belongs to the file's locks.
constexpr uint64_t kLockByte = uint64_t{1} << 30;
// How often a file and its catalogue may have been changed; a file that is written anew, table by table, needs fewer.
constexpr uint32_t kMostChanges = 100;

Error CannotRead(const std::string& path, int error) {
  return ErrorAt(ErrorCode::kIo, {.file = path},
                 fmt::format("cannot be read: {}", std::strerror(error)), "");
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// One page, with its numbers read the way SQLite writes them.
class Page {
 public:
  explicit Page(std::string bytes) : bytes_(std::move(bytes)) {}

  size_t size() const { return bytes_.size(); }
  uint8_t Byte(size_t at) const { return at < size() ? static_cast<uint8_t>(bytes_[at]) : 0; }
  uint32_t Short(size_t at) const { return uint32_t{Byte(at)} << 8 | Byte(at + 1); }
  uint32_t Long(size_t at) const { return Short(at) << 16 | Short(at + 2); }
  // Moves `at` behind the number.
  uint64_t Varint(size_t& at) const {
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i) {
      const uint8_t byte = Byte(at++);
      number = number << 7 | (byte & 0x7f);
      if (byte < 0x80) return number;
    }
    return number << 8 | Byte(at++);
  }
  bool IsZero(size_t from, size_t to) const {
    return std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(from),
                       bytes_.begin() + static_cast<std::ptrdiff_t>(to),
                       [](char byte) { return byte == 0; });
  }

 private:
  std::string bytes_;
};

// How many bytes a value takes in a row, by its serial type.
uint64_t ValueSize(uint64_t type) {
  constexpr uint64_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < std::size(kSizes) ? kSizes[type] : (type - 12) / 2;
}

class PageWalk {
 public:
  // A range of bytes of the file that no row uses.
  using Gap = std::function<Status(uint64_t offset, uint64_t bytes, bool zero)>;

  PageWalk(const std::string& path, int fd, Gap gap) : path_(path), fd_(fd), gap_(std::move(gap)) {}

  Status Run(const std::vector<SqliteTree>& trees) {
    THICKET_TRY(ReadHeader());
    for (const SqliteTree& tree : trees) {
      if (left_.odd) return {};
      THICKET_TRY(WalkTree(tree));
    }
    const uint64_t lock_page = kLockByte / page_size_ + 1;
    for (uint64_t page = 1; page <= page_count_; ++page) {
      if (!visited_[page] && page != lock_page) ++left_.pages;
    }
    if (left_.auto_vacuum) left_.pages = 0;
    // Where no page is free, the header must not speak of any.
    left_.numbers |= speaks_of_free_pages_ && left_.pages == 0;
    return {};
  }

  const SqliteLeftovers& leftovers() const { return left_; }

 private:
  using Range = std::pair<size_t, size_t>;

  Status ReadHeader() {
    struct stat status {};
    if (fstat(fd_, &status) != 0) return CannotRead(path_, errno);
    const auto size = static_cast<uint64_t>(status.st_size);
    page_size_ = kFileHeader;
    THICKET_ASSIGN(const Page header, Read(0, kFileHeader));
    page_size_ = header.Short(16) == 1 ? 65536 : header.Short(16);
    usable_ = page_size_ - header.Byte(20);
    if (page_size_ < 512 || usable_ < 480 || size % page_size_ != 0 || size == 0) {
      left_.odd = true;
      page_count_ = 0;
      return {};
    }
    page_count_ = size / page_size_;
    visited_.assign(page_count_ + 1, false);
    LookAtNumbers(header);
    // Reserved for expansion.
    return Meet(1, 72, 92, header.IsZero(72, 92));
  }

  // Section 1.3 of the "Database File Format".
  void LookAtNumbers(const Page& header) {
    // A size of the cache that nobody asks for today.
    if (!header.IsZero(48, 52)) left_.odd = true;
    // The largest root page and the flag of incremental vacuum.
    left_.auto_vacuum = !header.IsZero(52, 56) || !header.IsZero(64, 68);
    speaks_of_free_pages_ = !header.IsZero(32, 40);
    const uint32_t changes = header.Long(24);
    const uint32_t catalogue_changes = header.Long(40);
    const uint32_t written_by = header.Long(96);
    const bool is_version =
        written_by / 1000000 == 3 && written_by / 1000 % 1000 < 200 && written_by % 1000 < 100;
    left_.numbers = changes != header.Long(92) || changes > kMostChanges ||
                    catalogue_changes > kMostChanges || header.Long(28) != page_count_ ||
                    header.Long(44) > 4 || !is_version;
  }

  Result<Page> Read(uint64_t offset, size_t bytes) const {
    std::string content(bytes, '\0');
    size_t done = 0;
    while (done < bytes) {
      const ssize_t count =
          pread(fd_, content.data() + done, bytes - done, static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return CannotRead(path_, errno);
      if (count == 0) break;
      done += static_cast<size_t>(count);
    }
    return Page(std::move(content));
  }

  // Nothing if there is no such page, or it was read before.
  Result<std::optional<Page>> Visit(uint64_t number) {
    if (number == 0 || number > page_count_ || visited_[number]) {
      left_.odd = true;
      return std::optional<Page>();
    }
    StopPoint();
    visited_[number] = true;
    THICKET_ASSIGN(Page page, Read((number - 1) * page_size_, page_size_));
    return std::optional<Page>(std::move(page));
  }

  Status Meet(uint64_t page, size_t from, size_t to, bool zero) {
    if (from >= to) return {};
    if (!zero) ++left_.gaps;
    return gap_((page - 1) * page_size_ + from, to - from, zero);
  }

  Status WalkTree(const SqliteTree& tree) {
    std::vector<std::pair<uint64_t, size_t>> pending = {{tree.root, 0}};
    while (!pending.empty() && !left_.odd) {
      const auto [number, level] = pending.back();
      pending.pop_back();
      THICKET_ASSIGN(const std::optional<Page> page, Visit(number));
      if (!page) return {};
      left_.odd = left_.odd || level > kMostLevels;
      children_.clear();
      THICKET_TRY(WalkPage(number, *page, tree));
      for (const uint64_t child : children_) pending.emplace_back(child, level + 1);
    }
    return {};
  }

  Status WalkPage(uint64_t number, const Page& page, const SqliteTree& tree) {
    const size_t base = number == 1 ? kFileHeader : 0;
    const uint8_t type = page.Byte(base);
    const bool leaf = type == 10 || type == 13;
    if (!leaf && type != 2 && type != 5) {
      left_.odd = true;
      return {};
    }
    const size_t cells = page.Short(base + 3);
    const size_t first_pointer = base + (leaf ? 8 : 12);
    if (!leaf) children_.push_back(page.Long(base + 8));
    used_.assign(1, {0, first_pointer + 2 * cells});
    for (size_t i = 0; i < cells; ++i) {
      const size_t begin = page.Short(first_pointer + 2 * i);
      size_t end = begin;
      THICKET_TRY(WalkCell(page, type, tree, end));
      used_.emplace_back(begin, end);
    }
    // A free block begins with where the next one is, and its own size.
    size_t blocks = 0;
    for (size_t at = page.Short(base + 1); at != 0; at = page.Short(at)) {
      used_.emplace_back(at, at + 4);
      left_.odd = left_.odd || ++blocks > page_size_ / 4 || at + 4 > usable_;
      if (left_.odd) return {};
    }
    return MeetGaps(number, page);
  }

  Status MeetGaps(uint64_t number, const Page& page) {
    std::sort(used_.begin(), used_.end());
    used_.emplace_back(page_size_, page_size_);
    size_t end = 0;
    for (const auto& [from, to] : used_) {
      if (to > page_size_ || (from < end && from != page_size_)) {
        left_.odd = true;
        return {};
      }
      THICKET_TRY(Meet(number, end, from, page.IsZero(end, from)));
      end = to;
    }
    return {};
  }

  // Moves `at` to the cell's end.
  Status WalkCell(const Page& page, uint8_t type, const SqliteTree& tree, size_t& at) {
    if (type == 2 || type == 5) {
      children_.push_back(page.Long(at));
      at += 4;
    }
    if (type == 5) {
      page.Varint(at);
      return {};
    }
    const uint64_t payload = page.Varint(at);
    if (type == 13) page.Varint(at);
    const uint64_t local = LocalBytes(payload, type == 13);
    const size_t begin = at;
    if (begin + local + (local < payload ? 4 : 0) > page_size_) {
      left_.odd = true;
      return {};
    }
    if (type == 13) LookAtRow(page, begin, local, payload, tree.columns);
    at += local;
    if (local == payload) return {};
    const uint64_t overflow = page.Long(at);
    at += 4;
    return WalkOverflow(overflow, payload - local);
  }

  uint64_t LocalBytes(uint64_t payload, bool table_leaf) const {
    const uint64_t most = table_leaf ? usable_ - 35 : (usable_ - 12) * 64 / 255 - 23;
    if (payload <= most) return payload;
    const uint64_t least = (usable_ - 12) * 32 / 255 - 23;
    const uint64_t local = least + (payload - least) % (usable_ - 4);
    return local <= most ? local : least;
  }

  // A row is the size of its header, the type of each value, and the values.
  void LookAtRow(const Page& page, size_t begin, uint64_t local, uint64_t payload, size_t columns) {
    size_t at = begin;
    const uint64_t header = page.Varint(at);
    if (header > local) {
      left_.odd = true;
      return;
    }
    size_t values = 0;
    uint64_t bytes = header;
    while (at < begin + header) {
      bytes += ValueSize(page.Varint(at));
      ++values;
    }
    if (at != begin + header || values > columns || bytes != payload) ++left_.rows;
  }

  Status WalkOverflow(uint64_t number, uint64_t left) {
    while (!left_.odd) {
      THICKET_ASSIGN(const std::optional<Page> page, Visit(number));
      if (!page) return {};
      const uint64_t here = std::min<uint64_t>(left, usable_ - 4);
      const auto end = static_cast<size_t>(4 + here);
      THICKET_TRY(Meet(number, end, page_size_, page->IsZero(end, page_size_)));
      left -= here;
      if (left == 0) return {};
      number = page->Long(0);
    }
    return {};
  }

  const std::string& path_;
  int fd_;
  Gap gap_;
  size_t page_size_ = 0;
  size_t usable_ = 0;
  uint64_t page_count_ = 0;
  bool speaks_of_free_pages_ = false;
  std::vector<bool> visited_;
  // Of the page that is looked at.
  std::vector<uint64_t> children_;
  std::vector<Range> used_;
  SqliteLeftovers left_;
};

Status WriteZeros(const std::string& path, int fd, uint64_t offset, uint64_t bytes) {
  const std::string zeros(bytes, '\0');
  for (uint64_t done = 0; done < bytes;) {
    const ssize_t count =
        pwrite(fd, zeros.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return ErrorAt(ErrorCode::kIo, {.file = path},
                     fmt::format("cannot be written: {}", std::strerror(errno)), "");
    }
    done += static_cast<uint64_t>(count);
  }
  return {};
}

}  // namespace

Result<std::vector<SqliteTree>> ListSqliteTrees(SqliteDatabase& database) {
  // The catalogue itself has five columns.
  std::vector<SqliteTree> trees = {{1, 5}};
  THICKET_ASSIGN(SqliteStatement statement,
                 database.Prepare("SELECT s.rootpage, CASE s.type WHEN 'table' THEN (SELECT "
                                  "count(*) FROM pragma_table_xinfo(s.name)) ELSE 0 END "
                                  "FROM sqlite_schema AS s WHERE s.rootpage > 0"));
  while (true) {
    THICKET_ASSIGN(const bool more, statement.Step());
    if (!more) return trees;
    trees.push_back(
        {static_cast<uint32_t>(statement.Integer(0)), static_cast<size_t>(statement.Integer(1))});
  }
}

Result<SqliteLeftovers> FindSqliteLeftovers(const std::string& path,
                                            const std::vector<SqliteTree>& trees) {
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0) return CannotRead(path, errno);
  PageWalk walk(path, file.get(), [](uint64_t, uint64_t, bool) { return Status(); });
  THICKET_TRY(walk.Run(trees));
  return walk.leftovers();
}

Status WipeSqliteFile(const std::string& path, const std::string& name,
                      const std::vector<SqliteTree>& trees) {
  const Descriptor file(path, O_RDWR);
  if (file.get() < 0) return CannotRead(name, errno);
  PageWalk walk(name, file.get(), [&](uint64_t offset, uint64_t bytes, bool zero) {
    return zero ? Status() : WriteZeros(name, file.get(), offset, bytes);
  });
  return walk.Run(trees);
}

}  // namespace thicket
