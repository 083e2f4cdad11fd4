// A library that makes the n-th call of a kind fail, for tests/faults_test.py. It is loaded before all others:
//
//   LD_PRELOAD=libfaults.so THICKET_FAULT=write:3 thicket anonymize ...
//
// Kinds are `write`, `fsync`, `rename`, `open`, `mmap`, `malloc`, `thread`, `read` and `random`. `write:3+` fails the third call and
// all that follow it; `write:3!` kills the process there, as SIGKILL would; `write:3~` never returns from it, as from a
// server of files that has gone away. `write:short` writes one byte at a time, and `write:again` interrupts every call once:
// neither may be noticed. With THICKET_FAULT_COUNTS=FILE the calls of each kind are counted into that file, at the end or
// when a call hangs. Only calls within main count: what comes before belongs to the loader.
//
// The C library's own calls (those behind fopen or fwrite) do not pass through here, so the functions around them are
// replaced, too.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}
// NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)

namespace {

enum Kind { kWrite, kFsync, kRename, kOpen, kMmap, kMalloc, kThread, kRead, kRandom, kKinds };
constexpr const char* kNames[kKinds] = {"write",  "fsync",  "rename", "open",  "mmap",
                                        "malloc", "thread", "read",   "random"};

struct Plan {
  int kind = -1;
  uint64_t at = 0;
  bool on = false;    // and all calls that follow
  bool kill = false;  // instead of failing
  bool hang = false;  // instead of failing
  bool brief = false;
  bool again = false;
};

Plan plan;
std::atomic<bool> inside = false;
std::atomic<uint64_t> calls[kKinds];
std::atomic<bool> interrupted = false;

void ReadPlan() {
  const char* text = std::getenv("THICKET_FAULT");
  if (text == nullptr) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    const size_t length = std::strlen(kNames[kind]);
    if (std::strncmp(text, kNames[kind], length) != 0 || text[length] != ':') continue;
    const char* what = text + length + 1;
    plan.kind = kind;
    plan.brief = std::strcmp(what, "short") == 0;
    plan.again = std::strcmp(what, "again") == 0;
    char* end = nullptr;
    plan.at = std::strtoull(what, &end, 10);
    plan.on = *end == '+';
    plan.kill = *end == '!';
    plan.hang = *end == '~';
  }
}

void WriteCounts() {
  const char* path = std::getenv("THICKET_FAULT_COUNTS");
  if (path == nullptr) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int kind = 0; kind < kKinds; ++kind) {
    dprintf(file, "%s %llu\n", kNames[kind], static_cast<unsigned long long>(calls[kind].load()));
  }
  close(file);
}

[[noreturn]] void Hang() {
  WriteCounts();
  while (true) pause();
}

bool Fails(Kind kind) {
  if (!inside.load(std::memory_order_relaxed)) return false;
  const uint64_t number = ++calls[kind];
  if (plan.kind != kind || plan.at == 0) return false;
  if (number != plan.at && !(plan.on && number > plan.at)) return false;
  if (plan.kill) syscall(SYS_kill, getpid(), SIGKILL);
  if (plan.hang) Hang();
  return true;
}

template <typename T>
T Failed(int error) {
  errno = error;
  return static_cast<T>(-1);
}

// The next definition of a function: the C library's.
template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using ThreadMaker = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
using Writer = size_t (*)(const void*, size_t, size_t, FILE*);
using Opener = FILE* (*)(const char*, const char*);
using Flusher = int (*)(FILE*);
ThreadMaker next_thread = nullptr;
Writer next_fwrite = nullptr;
Opener next_fopen = nullptr;
Flusher next_fflush = nullptr;

size_t WriteAtMost(size_t size) {
  return plan.kind == kWrite && plan.brief && inside && size > 1 ? 1 : size;
}

bool InterruptedOnce(Kind kind) {
  if (plan.kind != kind || !plan.again || !inside) return false;
  const bool before = interrupted.exchange(!interrupted);
  return !before;
}

int OpenAt(int folder, const char* path, int flags, mode_t mode) {
  if (Fails(kOpen)) return Failed<int>(EMFILE);
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

int RenameAt(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (Fails(kRename)) return Failed<int>(EIO);
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

mode_t ModeOf(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE
             ? static_cast<mode_t>(va_arg(arguments, int))
             : 0;
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int CountedMain(int argc, char** argv, char** environment) {
  ReadPlan();
  next_thread = Next<ThreadMaker>("pthread_create");
  next_fwrite = Next<Writer>("fwrite");
  next_fopen = Next<Opener>("fopen");
  next_fflush = Next<Flusher>("fflush");
  inside = true;
  const int status = real_main(argc, argv, environment);
  inside = false;
  WriteCounts();
  return status;
}

}  // namespace

extern "C" {

// NOLINTNEXTLINE(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
int __libc_start_main(Main main, int argc, char** argv, void (*begin)(), void (*end)(),
                      void (*loader_end)(), void* stack_end) {
  real_main = main;
  const auto next = Next<decltype(&__libc_start_main)>("__libc_start_main");
  return next(CountedMain, argc, argv, begin, end, loader_end, stack_end);
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (InterruptedOnce(kWrite)) return Failed<ssize_t>(EINTR);
  if (Fails(kWrite)) return Failed<ssize_t>(ENOSPC);
  return syscall(SYS_write, file, bytes, WriteAtMost(size));
}

ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t offset) {
  if (InterruptedOnce(kWrite)) return Failed<ssize_t>(EINTR);
  if (Fails(kWrite)) return Failed<ssize_t>(ENOSPC);
  return syscall(SYS_pwrite64, file, bytes, WriteAtMost(size), offset);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  return pwrite64(file, bytes, size, offset);
}

ssize_t getrandom(void* bytes, size_t size, unsigned flags) {
  if (InterruptedOnce(kRandom)) return Failed<ssize_t>(EINTR);
  if (Fails(kRandom)) return Failed<ssize_t>(EPERM);
  return syscall(SYS_getrandom, bytes, size, flags);
}

ssize_t writev(int file, const iovec* parts, int count) {
  if (Fails(kWrite)) return Failed<ssize_t>(ENOSPC);
  return syscall(SYS_writev, file, parts, count);
}

// What is printed to standard error is how a test learns what happened.
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  if (file != stderr && Fails(kWrite)) {
    errno = ENOSPC;
    return 0;
  }
  if (next_fwrite == nullptr) next_fwrite = Next<Writer>("fwrite");
  return next_fwrite(bytes, size, count, file);
}

int fflush(FILE* file) {
  if (file == stdout && Fails(kWrite)) return Failed<int>(ENOSPC);
  if (next_fflush == nullptr) next_fflush = Next<Flusher>("fflush");
  return next_fflush(file);
}

ssize_t read(int file, void* bytes, size_t size) {
  if (InterruptedOnce(kRead)) return Failed<ssize_t>(EINTR);
  if (Fails(kRead)) return Failed<ssize_t>(EIO);
  return syscall(SYS_read, file, bytes, size);
}

ssize_t pread64(int file, void* bytes, size_t size, off64_t offset) {
  if (Fails(kRead)) return Failed<ssize_t>(EIO);
  return syscall(SYS_pread64, file, bytes, size, offset);
}

ssize_t pread(int file, void* bytes, size_t size, off_t offset) {
  return pread64(file, bytes, size, offset);
}

int fsync(int file) {
  if (Fails(kFsync)) return Failed<int>(EIO);
  return static_cast<int>(syscall(SYS_fsync, file));
}

int fdatasync(int file) {
  if (Fails(kFsync)) return Failed<int>(EIO);
  return static_cast<int>(syscall(SYS_fdatasync, file));
}

int rename(const char* from, const char* to) noexcept {
  return RenameAt(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  return RenameAt(from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  return RenameAt(from_folder, from, to_folder, to, flags);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenAt(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenAt(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenAt(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenAt(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  if (Fails(kOpen)) {
    errno = EMFILE;
    return nullptr;
  }
  if (next_fopen == nullptr) next_fopen = Next<Opener>("fopen");
  return next_fopen(path, mode);
}

FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  if (Fails(kMmap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, size, protection, flags, file, offset));
}

void* mmap64(void* address, size_t size, int protection, int flags, int file,
             off64_t offset) noexcept {
  return mmap(address, size, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  if (Fails(kThread)) return EAGAIN;
  if (next_thread == nullptr) next_thread = Next<ThreadMaker>("pthread_create");
  return next_thread(thread, attributes, body, argument);
}

void* malloc(size_t size) noexcept {
  if (!Fails(kMalloc)) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

void* calloc(size_t count, size_t size) noexcept {
  if (!Fails(kMalloc)) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}

void* realloc(void* memory, size_t size) noexcept {
  if (!Fails(kMalloc)) return __libc_realloc(memory, size);
  errno = ENOMEM;
  return nullptr;
}

void* memalign(size_t alignment, size_t size) noexcept {
  if (!Fails(kMalloc)) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }

int posix_memalign(void** memory, size_t alignment, size_t size) noexcept {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"
