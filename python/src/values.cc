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

// Nobody's data is deeper; what holds itself is.
constexpr int kMostLevels = 100;
constexpr char kTooDeep[] = "must be nested in at most 100 levels, but is deeper";
constexpr char kHoldsItself[] = "does it hold itself?";
constexpr char kNoUtf8[] = "must be text, but has a character that is none (half of a pair)";
constexpr char kReplaceIt[] = "replace it";

// False for a text that has no bytes in UTF-8: Python's may hold halves of pairs.
bool GetText(nb::handle text, std::string_view& out) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    return false;
  }
  out = {bytes, static_cast<size_t>(size)};
  return true;
}

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

// Policies and taxonomies.
class TreeReader {
 public:
  ValueTree Read(nb::handle given, const std::string& path, int level = 0) const {
    const nb::object object = Plain(given);
    if (level > kMostLevels) Fail(path.substr(0, path.find('.')), kTooDeep, kHoldsItself);
    if (object.is_none()) return {};
    if (PyBool_Check(object.ptr())) return {object.ptr() == Py_True};
    if (PyUnicode_Check(object.ptr())) return {Text(object, path)};
    if (PyLong_Check(object.ptr())) return ValueTree::Number(StringOf(object));
    if (PyFloat_Check(object.ptr())) return ValueTree::Number(StringOf(nb::repr(object)));
    if (IsMapping(object)) return ReadMapping(object, path, level);
    if (IsSequence(object)) {
      ValueTree tree = ValueTree::List();
      size_t index = 0;
      for (const nb::handle item : object) {
        tree.Add(Read(item, path + "[" + std::to_string(index++) + "]", level + 1));
      }
      return tree;
    }
    if (nb::hasattr(object, "__fspath__")) return {StringOf(object.attr("__fspath__")())};
    if (nb::hasattr(object, "isoformat") || TypeNameOf(object) == "Decimal") {
      return {StringOf(object)};
    }
    Fail(path,
         "must be a mapping, a list, a text, a number or a boolean, but is of the type " +
             TypeNameOf(object),
         "docs/policy.md describes every key");
  }

 private:
  ValueTree ReadMapping(const nb::object& object, const std::string& path, int level) const {
    ValueTree tree = ValueTree::Mapping();
    for (const nb::handle key : object.attr("keys")()) {
      const std::string name(Text(nb::str(key), path));
      tree.Set(name, Read(object[key], path.empty() ? name : path + "." + name, level + 1));
    }
    return tree;
  }

  static std::string Text(const nb::object& text, const std::string& path) {
    std::string_view bytes;
    if (!GetText(text, bytes)) Fail(path, kNoUtf8, kReplaceIt);
    return std::string(bytes);
  }

  [[noreturn]] static void Fail(const std::string& path, const std::string& what,
                                const char* hint) {
    throw Failure{ErrorAt(ErrorCode::kUsage, {.file = "policy", .path = path}, what, hint), false};
  }
};

// Python's objects on their way into a table.
class ObjectReader {
 public:
  ObjectReader(TableBuilder& builder, const std::string& name, bool show_values)
      : builder_(builder), name_(name), show_values_(show_values) {}

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
        ErrorAt(ErrorCode::kData, {.file = name_, .record = row_, .path = path}, what, hint),
        show_values_};
  }
  void Try(const Status& status) const {
    if (!status.ok()) throw Failure{status.error(), show_values_};
  }

  std::string_view Text(nb::handle text, const std::string& path) const {
    std::string_view bytes;
    if (!GetText(text, bytes)) Fail(path, kNoUtf8, kReplaceIt);
    return bytes;
  }

  void ReadMapping(nb::handle mapping, const std::string& path) {
    Try(builder_.BeginStruct());
    for (const nb::handle key : mapping.attr("keys")()) {
      if (!PyUnicode_Check(key.ptr())) {
        Fail(path, "keys must be texts, but one is of the type " + TypeNameOf(key),
             "make texts of them");
      }
      const std::string name(Text(key, path));
      Try(builder_.Key(name));
      ReadValue(mapping[key], path.empty() ? name : path + "." + name);
    }
    builder_.EndStruct();
  }

  void ReadValue(nb::handle given, const std::string& path) {
    const nb::object object = Plain(given);
    const bool mapping = PyDict_Check(object.ptr());
    if (!mapping && !IsSequence(object)) return ReadScalar(object, path);
    if (++level_ > kMostLevels) Fail(path.substr(0, path.find('.')), kTooDeep, kHoldsItself);
    if (mapping) {
      ReadMapping(object, path);
    } else {
      Try(builder_.BeginList());
      for (const nb::handle item : object) ReadValue(item, path);
      builder_.EndList();
    }
    --level_;
  }

  void ReadScalar(const nb::object& object, const std::string& path) {
    if (object.is_none()) {
      Try(builder_.Value({}));
    } else if (PyBool_Check(object.ptr())) {
      Try(builder_.Value({Kind::kBoolean, object.ptr() == Py_True ? "true" : "false"}));
    } else if (PyUnicode_Check(object.ptr())) {
      Try(builder_.Value({Kind::kText, Text(object, path)}));
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
  const std::string& name_;
  bool show_values_;
  uint64_t row_ = 0;
  int level_ = 0;
};

}  // namespace

ValueTree TreeOf(nb::handle object) { return TreeReader().Read(object, ""); }

std::map<std::string, ValueTree> TreesOf(nb::handle mapping) {
  std::map<std::string, ValueTree> trees;
  if (mapping.is_none()) return trees;
  for (const nb::handle key : mapping.attr("keys")()) {
    const std::string name = StringOf(key);
    trees.emplace(name, TreeReader().Read(mapping[key], "taxonomies." + name));
  }
  return trees;
}

ArrowTable TableOfObjects(nb::handle objects, const std::string& name, bool show_values) {
  TableBuilder builder(name);
  ObjectReader reader(builder, name, show_values);
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
