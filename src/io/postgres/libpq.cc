#include "io/postgres/libpq.h"

#include <dlfcn.h>

#include <mutex>

namespace thicket::libpq {

#define THICKET_LIBPQ_DEFINE(NAME) decltype(&::NAME) NAME = nullptr;
THICKET_LIBPQ_FUNCTIONS(THICKET_LIBPQ_DEFINE)
#undef THICKET_LIBPQ_DEFINE

namespace {

std::mutex loading;
bool loaded = false;

bool FindAll(void* library) {
  bool all = true;
#define THICKET_LIBPQ_FIND(NAME)                                     \
  NAME = reinterpret_cast<decltype(&::NAME)>(dlsym(library, #NAME)); \
  all = all && NAME != nullptr;
  THICKET_LIBPQ_FUNCTIONS(THICKET_LIBPQ_FIND)
#undef THICKET_LIBPQ_FIND
  return all;
}

}  // namespace

Status Load() {
  const std::lock_guard lock(loading);
  if (loaded) return {};
  // The library stays for as long as the process: connections may be anywhere.
  void* library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || !FindAll(library)) {
    return Error{ErrorCode::kIo,
                 "PostgreSQL needs its client library, libpq.so.5, but it cannot be loaded",
                 "install it (Debian: libpq5), or use another format", ""};
  }
  loaded = true;
  return {};
}

}  // namespace thicket::libpq
