#include "values.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "base/supervised.h"
#include "failure.h"
#include "io/arrow/table_builder.h"
#include "work.h"

namespace nb = nanobind;

namespace thicket::python {

namespace {

std::string_view TextOf(nb::handle text) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<size_t>(size)};
}

std::string StringOf(nb::handle object) { return std::string(TextOf(nb::str(object))); }

std::string TypeNameOf(nb::handle object) {
  return StringOf(nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

bool IsMapping(nb::handle object) {
  return PyDict_Check(object.ptr()) || nb::hasattr(object, "keys");
}

bool IsSequence(nb::handle object) {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
}

// A scalar of NumPy, or an array of it, as Python's own.
nb::object Plain(nb::handle object) {
  if (nb::hasattr(object, "dtype") && nb::hasattr(object, "tolist")) {
    return object.attr("tolist")();
  }
  return nb::borrow(object);
}

[[noreturn]] void RaiseType(const std::string& path, const std::string& must, nb::handle object) {
  throw nb::type_error(
      (path + ": must be " + must + ", but is of the type " + TypeNameOf(object)).c_str());
}

ValueTree TreeAt(nb::handle given, const std::string& path) {
  const nb::object object = Plain(given);
  if (object.is_none()) return {};
  if (PyBool_Check(object.ptr())) return {object.ptr() == Py_True};
  if (PyUnicode_Check(object.ptr())) return {TextOf(object)};
  if (PyLong_Check(object.ptr())) return ValueTree::Number(StringOf(object));
  if (PyFloat_Check(object.ptr())) return ValueTree::Number(StringOf(nb::repr(object)));
  if (IsMapping(object)) {
    ValueTree tree = ValueTree::Mapping();
    for (const nb::handle key : object.attr("keys")()) {
      const std::string name = StringOf(key);
      tree.Set(name, TreeAt(object[key], path.empty() ? name : path + "." + name));
    }
    return tree;
  }
  if (IsSequence(object)) {
    ValueTree tree = ValueTree::List();
    size_t index = 0;
    for (const nb::handle item : object) {
      tree.Add(TreeAt(item, path + "[" + std::to_string(index++) + "]"));
    }
    return tree;
  }
  if (nb::hasattr(object, "__fspath__")) return {StringOf(object.attr("__fspath__")())};
  if (nb::hasattr(object, "isoformat") || TypeNameOf(object) == "Decimal") {
    return {StringOf(object)};
  }
  RaiseType(path.empty() ? "policy" : path, "a mapping, a list, a text, a number or a boolean",
            object);
}

// Python's objects on their way into a table.
class ObjectReader {
 public:
  ObjectReader(TableBuilder& builder, bool show_values)
      : builder_(builder), show_values_(show_values) {}

  void ReadRow(nb::handle row) {
    ++row_;
    if (row.is_none()) {
      Try(builder_.Value({}));
    } else if (IsMapping(row)) {
      ReadMapping(row, "");
    } else {
      Fail("", "a record must be a dictionary, but is of the type " + TypeNameOf(row),
           "hand over a list of dictionaries, or a data frame");
    }
  }

 private:
  using Kind = TableValue::Kind;

  [[noreturn]] void Fail(const std::string& path, const std::string& what, const char* hint) const {
    throw Failure{
        ErrorAt(ErrorCode::kData, {.file = "records", .record = row_, .path = path}, what, hint),
        show_values_};
  }
  void Try(const Status& status) const {
    if (!status.ok()) throw Failure{status.error(), show_values_};
  }

  void ReadMapping(nb::handle mapping, const std::string& path) {
    Try(builder_.BeginStruct());
    for (const nb::handle key : mapping.attr("keys")()) {
      if (!PyUnicode_Check(key.ptr())) {
        Fail(path, "keys must be texts, but one is of the type " + TypeNameOf(key),
             "make texts of them");
      }
      const std::string name(TextOf(key));
      Try(builder_.Key(name));
      ReadValue(mapping[key], path.empty() ? name : path + "." + name);
    }
    builder_.EndStruct();
  }

  void ReadValue(nb::handle given, const std::string& path) {
    const nb::object object = Plain(given);
    if (PyDict_Check(object.ptr())) {
      ReadMapping(object, path);
    } else if (IsSequence(object)) {
      Try(builder_.BeginList());
      for (const nb::handle item : object) ReadValue(item, path);
      builder_.EndList();
    } else {
      ReadScalar(object, path);
    }
  }

  void ReadScalar(const nb::object& object, const std::string& path) {
    if (object.is_none()) {
      Try(builder_.Value({}));
    } else if (PyBool_Check(object.ptr())) {
      Try(builder_.Value({Kind::kBoolean, object.ptr() == Py_True ? "true" : "false"}));
    } else if (PyUnicode_Check(object.ptr())) {
      Try(builder_.Value({Kind::kText, TextOf(object)}));
    } else if (PyLong_Check(object.ptr())) {
      Try(builder_.Value({Kind::kInteger, StringOf(object)}));
    } else if (PyFloat_Check(object.ptr())) {
      ReadFloat(object, path);
    } else {
      ReadOther(object, path);
    }
  }

  void ReadFloat(const nb::object& object, const std::string& path) {
    const double number = PyFloat_AsDouble(object.ptr());
    if (std::isnan(number)) {
      Try(builder_.Value({}));
    } else if (std::isinf(number)) {
      Fail(path, "must be a number, but is infinite", "make it None");
    } else {
      Try(builder_.Value({Kind::kFloat, StringOf(nb::repr(object))}));
    }
  }

  // Dates, decimals, and the values of pandas that stand for none.
  void ReadOther(const nb::object& object, const std::string& path) {
    const std::string type = TypeNameOf(object);
    if (type == "NAType" || type == "NaTType") {
      Try(builder_.Value({}));
    } else if (type == "Decimal") {
      if (!nb::cast<bool>(object.attr("is_finite")())) {
        Try(builder_.Value({}));
        return;
      }
      Try(builder_.Value({Kind::kDecimal, StringOf(nb::str("{:f}").attr("format")(object))}));
    } else if (nb::hasattr(object, "hour") && nb::hasattr(object, "year")) {
      const bool zoned = !object.attr("tzinfo").is_none();
      nb::object moment = object;
      if (zoned) {
        const nb::object utc = nb::module_::import_("datetime").attr("timezone").attr("utc");
        moment = object.attr("astimezone")(utc).attr("replace")(nb::arg("tzinfo") = nb::none());
      }
      const std::string text = StringOf(moment.attr("isoformat")("T", "microseconds"));
      Try(builder_.Value({zoned ? Kind::kZonedTimestamp : Kind::kTimestamp,
                          std::string_view(text).substr(0, 26)}));
    } else if (nb::hasattr(object, "year") && nb::hasattr(object, "isoformat")) {
      Try(builder_.Value({Kind::kDate, StringOf(object.attr("isoformat")())}));
    } else if (nb::hasattr(object, "hour") && nb::hasattr(object, "isoformat")) {
      Try(builder_.Value({Kind::kTime, StringOf(object.attr("isoformat")("microseconds"))}));
    } else {
      Fail(path, "must be text, a number, a boolean or a date, but is of the type " + type,
           "convert it");
    }
  }

  TableBuilder& builder_;
  bool show_values_;
  uint64_t row_ = 0;
};

}  // namespace

ValueTree TreeOf(nb::handle object) { return TreeAt(object, ""); }

std::map<std::string, ValueTree> TreesOf(nb::handle mapping) {
  std::map<std::string, ValueTree> trees;
  if (mapping.is_none()) return trees;
  for (const nb::handle key : mapping.attr("keys")()) {
    const std::string name = StringOf(key);
    trees.emplace(name, TreeAt(mapping[key], "taxonomies." + name));
  }
  return trees;
}

ArrowTable TableOfObjects(nb::handle objects, const std::string& name, bool show_values) {
  TableBuilder builder(name);
  ObjectReader reader(builder, show_values);
  for (const nb::handle row : objects) {
    // Rows may be of any width; this is a look at a flag.
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    reader.ReadRow(row);
  }
  return RunWork({nb::none(), show_values}, [&](Progress& watched) {
    return Supervised(watched, [&] { return std::move(builder).Finish(); });
  });
}

}  // namespace thicket::python
