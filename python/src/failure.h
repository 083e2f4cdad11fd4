// Errors of the library on their way to Python, where they are exceptions (thicket/_errors.py).
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "base/result.h"

namespace thicket::python {

// Thrown at nanobind, which raises the exception that belongs to the error's code. The offending value goes along only where the caller
// asked for it.
struct Failure {
  Error error;
  bool show_value = false;
};

// Has the module raise exceptions for failures.
void RegisterFailures();

// The value of a result, or its error as a Failure.
template <typename T>
T ValueOf(Result<T> result, bool show_value) {
  if (!result.ok()) throw Failure{std::move(result.error()), show_value};
  return std::move(*result);
}

}  // namespace thicket::python
