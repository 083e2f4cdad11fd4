// PostgreSQL's client library, loaded when a policy first asks for a server: whoever has none needs no libpq, and nobody waits for
// the libraries that it brings along.
//
//   THICKET_TRY(libpq::Load());
//   libpq::PQfinish(connection);
//
// The functions have libpq's own names and types, and may be called once Load() has succeeded.
#pragma once

#include <libpq-fe.h>

#include "base/result.h"

namespace thicket::libpq {

// kIo where the library is not there. Any thread may call it, any number of times.
Status Load();

// NOLINTBEGIN(bugprone-macro-parentheses)
// clang-format off
#define THICKET_LIBPQ_FUNCTIONS(USE)                                                              \
  USE(PQcancel) USE(PQclear) USE(PQconnectdbParams) USE(PQconnectionNeedsPassword)                \
  USE(PQconnectionUsedPassword) USE(PQconninfoFree) USE(PQconninfoParse) USE(PQconsumeInput)      \
  USE(PQdb) USE(PQerrorMessage) USE(PQfinish) USE(PQflush) USE(PQfreeCancel) USE(PQfreemem)       \
  USE(PQgetCancel) USE(PQgetCopyData) USE(PQgetResult) USE(PQgetvalue) USE(PQisBusy)              \
  USE(PQntuples) USE(PQputCopyData) USE(PQputCopyEnd) USE(PQresultErrorField) USE(PQresultStatus) \
  USE(PQsendQuery) USE(PQsendQueryParams) USE(PQsetNoticeProcessor) USE(PQsetnonblocking)         \
  USE(PQsocket) USE(PQstatus) USE(PQtransactionStatus)
// clang-format on

#define THICKET_LIBPQ_DECLARE(NAME) extern decltype(&::NAME) NAME;
THICKET_LIBPQ_FUNCTIONS(THICKET_LIBPQ_DECLARE)
#undef THICKET_LIBPQ_DECLARE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace thicket::libpq
