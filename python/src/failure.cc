#include "failure.h"

#include <exception>
#include <string>

namespace nb = nanobind;

namespace thicket::python {

namespace {

nb::object TextOrNone(const std::string& text) {
  return text.empty() ? nb::none() : nb::object(nb::str(text.c_str(), text.size()));
}

nb::object NumberOrNone(uint64_t number) {
  return number == 0 ? nb::none() : nb::object(nb::int_(number));
}

// What the error says of its value is for those who see the message on a terminal.
void Raise(const Failure& failure) {
  const Error& error = failure.error;
  if (error.code == ErrorCode::kInterrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return;
  }
  try {
    const nb::object errors = nb::module_::import_("thicket._errors");
    const nb::object exception = errors.attr("exception_of")(
        static_cast<int>(error.code), TextOrNone(error.message), TextOrNone(error.hint),
        TextOrNone(error.place.file), NumberOrNone(error.place.line),
        NumberOrNone(error.place.column), NumberOrNone(error.place.record),
        NumberOrNone(error.place.row), TextOrNone(error.place.path),
        failure.show_value ? TextOrNone(error.value) : nb::none());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  } catch (nb::python_error& raised) {
    raised.restore();
  }
}

}  // namespace

void RegisterFailures() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Failure& failure) {
      Raise(failure);
    }
  });
}

}  // namespace thicket::python
