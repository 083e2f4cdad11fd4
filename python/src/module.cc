// The module thicket._thicket: what the Python files of the package build on. Everything here is private to the package.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/supervised.h"
#include "engine/assess.h"
#include "engine/explore.h"
#include "engine/records.h"
#include "engine/tables.h"
#include "engine/thicket.h"
#include "failure.h"
#include "survey/propose.h"
#include "values.h"
#include "work.h"

namespace nb = nanobind;

namespace thicket::python {

namespace {

uint64_t PeakMemory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// What the user's own files may not be.
uint32_t FileMask() {
  const mode_t mask = umask(077);
  umask(mask);
  return mask;
}

Watch WatchOf(const nb::object& progress, bool show_values) { return {progress, show_values}; }

// ---- Policies.

PolicyParts PartsOf(const std::string& name, const nb::object& taxonomies, bool read_files) {
  PolicyParts parts;
  parts.name = name;
  parts.taxonomies = TreesOf(taxonomies);
  parts.read_files = read_files;
  return parts;
}

LoadedPolicy PolicyOfFile(const std::string& path, const nb::object& progress, bool show_values) {
  return RunWork(WatchOf(progress, show_values),
                 [&](Progress& watched) { return LoadPolicy(path, &watched); });
}

LoadedPolicy PolicyOfText(const std::string& yaml, const std::string& name,
                          const nb::object& taxonomies, bool read_files, bool show_values) {
  const PolicyParts parts = PartsOf(name, taxonomies, read_files);
  return RunWork(WatchOf(nb::none(), show_values),
                 [&](Progress& watched) { return LoadPolicyText(yaml, parts, &watched); });
}

LoadedPolicy PolicyOfTree(const nb::object& tree, const std::string& name,
                          const nb::object& taxonomies, bool read_files, bool show_values) {
  const PolicyParts parts = PartsOf(name, taxonomies, read_files);
  const ValueTree values = TreeOf(tree);
  return RunWork(WatchOf(nb::none(), show_values),
                 [&](Progress& watched) { return LoadPolicyTree(values, parts, &watched); });
}

const char* NameOf(RecordClass::Role role) {
  switch (role) {
    case RecordClass::Role::kQuasi:
      return "quasi";
    case RecordClass::Role::kSensitive:
      return "sensitive";
    case RecordClass::Role::kKeep:
      return "keep";
    case RecordClass::Role::kDrop:
      return "drop";
    case RecordClass::Role::kId:
      return "id";
  }
  return "";
}

// (class, at, parent, [(attribute, role)]) of each class.
nb::list ClassesAsTuples(const LoadedPolicy& policy) {
  nb::list classes;
  for (const RecordClass& one : ClassesOf(policy)) {
    nb::list attributes;
    for (const RecordClass::Attribute& attribute : one.attributes) {
      attributes.append(nb::make_tuple(attribute.name, NameOf(attribute.role)));
    }
    classes.append(nb::make_tuple(one.name, one.at, one.parent, attributes));
  }
  return classes;
}

// ---- Tables.

constexpr const char* kStreamCapsule = "arrow_array_stream";

ArrowTable TableOfStream(const nb::object& capsule, const std::string& name, bool show_values) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStreamCapsule));
  if (stream == nullptr) throw nb::python_error();
  // The capsule keeps the struct, and finds nothing to release in it.
  ArrowArrayStream taken = *stream;
  stream->release = nullptr;
  if (taken.release == nullptr) throw nb::value_error("the stream was used before");
  // Whoever made the stream may take long over a chunk, and may want to be asked by the thread that has the capsule: so signals are
  // looked after here, between chunks.
  std::exception_ptr stopped;
  auto asked = std::chrono::steady_clock::now();
  const auto ask = [&] {
    if (std::chrono::steady_clock::now() - asked < std::chrono::milliseconds(20)) return false;
    const nb::gil_scoped_acquire acquire;
    // What made the stream may have left an exception behind.
    PyErr_Clear();
    if (PyErr_CheckSignals() != 0) stopped = std::make_exception_ptr(nb::python_error());
    asked = std::chrono::steady_clock::now();
    return stopped != nullptr;
  };
  Result<ArrowTable> table = [&] {
    const nb::gil_scoped_release release;
    return ArrowTable::Pull(&taken, name, ask);
  }();
  if (stopped) std::rethrow_exception(stopped);
  PyErr_Clear();
  return ValueOf(std::move(table), show_values);
}

// What __arrow_c_array__ gives: one array.
ArrowTable TableOfArray(const nb::object& schema_capsule, const nb::object& array_capsule,
                        const std::string& name, bool show_values) {
  auto* schema =
      static_cast<ArrowSchema*>(PyCapsule_GetPointer(schema_capsule.ptr(), "arrow_schema"));
  if (schema == nullptr) throw nb::python_error();
  auto* array = static_cast<ArrowArray*>(PyCapsule_GetPointer(array_capsule.ptr(), "arrow_array"));
  if (array == nullptr) throw nb::python_error();
  // The capsules keep the structs, and find nothing to release in them.
  const ArrowSchema taken_schema = *schema;
  const ArrowArray taken_array = *array;
  schema->release = nullptr;
  array->release = nullptr;
  return ValueOf(ArrowTable::Checked(taken_schema, {taken_array}, name), show_values);
}

nb::object StreamOf(const ArrowTable& table) {
  auto stream = std::make_unique<ArrowArrayStream>();
  table.Export(stream.get());
  PyObject* capsule = PyCapsule_New(stream.get(), kStreamCapsule, [](PyObject* object) {
    auto* held = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(object, kStreamCapsule));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
  if (capsule == nullptr) throw nb::python_error();
  stream.release();
  return nb::steal(capsule);
}

// (name, format, children) of a type.
nb::tuple TypeAsTuple(const ArrowSchema& schema) {
  nb::list children;
  for (int64_t i = 0; i < schema.n_children; ++i) children.append(TypeAsTuple(*schema.children[i]));
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  return nb::make_tuple(schema.name == nullptr ? "" : schema.name, values.format, children);
}

// ---- Work.

RecordsAs AsOf(bool published) { return published ? RecordsAs::kPublished : RecordsAs::kOriginal; }

RecordSet RecordsOfTable(const LoadedPolicy& policy, const ArrowTable& table, bool published,
                         const std::string& name, const nb::object& progress, bool show_values) {
  return RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    return ReadTable(policy, table, AsOf(published), watched, name);
  });
}

RecordSet RecordsOfFile(const LoadedPolicy& policy, const std::string& path, bool published,
                        const nb::object& progress, bool show_values) {
  return RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    return ReadRecords(policy, path, AsOf(published), watched);
  });
}

ArrowTable TableOf(const LoadedPolicy& policy, const RecordSet& records) {
  return RunWork(WatchOf(nb::none(), false),
                 [&](Progress& watched) { return TableOfRecords(policy, records, watched); });
}

std::string JsonOf(const ArrowTable& table) {
  return RunWork(WatchOf(nb::none(), false), [&](Progress& watched) {
    return Supervised(watched, [&] { return TableAsJson(table); });
  });
}

RunOptions OptionsOf(std::optional<uint64_t> seed, int threads, bool with_class, bool link) {
  RunOptions options;
  options.seed = seed;
  options.threads = threads;
  options.with_class = with_class;
  options.link = link;
  options.peak_memory = &PeakMemory;
  return options;
}

// The table, the report as JSON and as text, and the link.
using Anonymized = std::tuple<ArrowTable, std::string, std::string, RecordLink>;

Anonymized Anonymize(const LoadedPolicy& policy, const std::optional<ArrowTable>& table,
                     const std::string& name, const std::string& path, std::optional<uint64_t> seed,
                     int threads, bool with_class, bool link, uint64_t max_memory,
                     const nb::object& progress, bool show_values) {
  const RunOptions options = OptionsOf(seed, threads, with_class, link);
  Watch watch = WatchOf(progress, show_values);
  watch.max_memory = max_memory;
  AnonymizedTable result = RunWork(watch, [&](Progress& watched) -> Result<AnonymizedTable> {
    THICKET_ASSIGN(RecordSet original,
                   table ? ReadTable(policy, *table, RecordsAs::kOriginal, watched, name)
                         : ReadRecords(policy, path, RecordsAs::kOriginal, watched));
    return AnonymizeTable(policy, std::move(original), table ? &*table : nullptr, options, watched);
  });
  return {std::move(result.table), result.report.ToJson(), result.report.ToText(),
          std::move(result.link)};
}

using ReportTexts = std::pair<std::string, std::string>;

template <typename SomeReport>
ReportTexts TextsOf(const SomeReport& report) {
  return {report.ToJson(), report.ToText()};
}

ReportTexts AnonymizeToFile(const LoadedPolicy& policy, const std::string& input,
                            const std::string& output, const std::string& into,
                            const std::string& report, const std::string& link,
                            std::optional<uint64_t> seed, int threads, bool with_class,
                            uint64_t max_memory, const nb::object& progress, bool show_values) {
  const RunOptions options = OptionsOf(seed, threads, with_class, false);
  const Paths paths = {input, output, into, report, link};
  const uint32_t mask = FileMask();
  Watch watch = WatchOf(progress, show_values);
  watch.max_memory = max_memory;
  return TextsOf(RunWork(watch, [&](Progress& watched) {
    watched.set_file_mask(mask);
    return AnonymizeFile(policy, paths, options, watched);
  }));
}

ReportTexts Verify(const LoadedPolicy& policy, const RecordSet& published,
                   const std::optional<RecordSet>& original, const std::optional<RecordLink>& link,
                   int threads, const nb::object& progress, bool show_values) {
  return TextsOf(RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    return VerifyRecords(policy, published, original ? &*original : nullptr, watched, threads,
                         link ? &*link : nullptr);
  }));
}

// Sets the fields that `metrics` names; false for a name that is none.
bool SetMetric(const std::string& name, EvaluateOptions& options) {
  const std::pair<const char*, bool*> known[] = {
      {"lm", &options.lm},        {"queries", &options.queries},
      {"dm", &options.dm},        {"dissimilarity", &options.dissimilarity},
      {"rpd", &options.rpd},      {"mining", &options.mining},
      {"ncp", &options.ncp},      {"patterns", &options.patterns},
      {"blm", &options.blm},      {"terms", &options.terms},
      {"closed", &options.closed}};
  for (const auto& [metric, field] : known) {
    if (name == metric) return *field = true;
  }
  return false;
}

ReportTexts Evaluate(const LoadedPolicy& policy, const RecordSet& published,
                     const RecordSet& original, const std::optional<RecordLink>& link,
                     const std::optional<std::vector<std::string>>& metrics, uint64_t queries,
                     uint64_t seed, int threads, const nb::object& progress, bool show_values) {
  EvaluateOptions options = UsualMetrics(policy, link.has_value());
  if (metrics) {
    options.lm = options.queries = options.dm = options.dissimilarity = options.rpd = false;
    options.mining = options.ncp = options.patterns = options.blm = false;
    options.terms = options.closed = false;
    for (const std::string& name : *metrics) {
      if (!SetMetric(name, options)) {
        throw nb::value_error(("metrics: " + name + " is none; docs/report.md has all").c_str());
      }
    }
  }
  options.query_count = queries;
  options.seed = seed;
  options.threads = threads;
  return TextsOf(RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    return EvaluateRecords(policy, published, original, options, watched, link ? &*link : nullptr);
  }));
}

ReportTexts Attack(const LoadedPolicy& policy, const RecordSet& published,
                   const RecordSet& original, const std::optional<RecordLink>& link, int labels,
                   std::optional<int> relations, std::optional<int> absent, bool negative,
                   bool similar, uint64_t trials, uint64_t seed, const nb::object& progress,
                   bool show_values) {
  AttackRequest request;
  request.labels = labels;
  request.relations = relations;
  request.absent = absent;
  request.negative = negative;
  request.similar = similar;
  request.trials = trials;
  request.seed = seed;
  return TextsOf(RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    return AttackRecords(policy, published, original, request, watched, link ? &*link : nullptr);
  }));
}

// The frontier as JSON, as text, and as a plot.
std::tuple<std::string, std::string, std::string> FindFrontier(
    const LoadedPolicy& policy, const RecordSet& original, const std::vector<int>& k,
    const std::vector<int>& l, uint64_t seed, int threads, uint64_t queries, uint64_t trials,
    const nb::object& progress, bool show_values) {
  ExploreOptions options;
  options.k = k;
  options.l = l;
  options.seed = seed;
  options.threads = threads;
  options.query_count = queries;
  options.trials = trials;
  const Frontier found = RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    return ExploreRecords(policy, original, options, watched);
  });
  return {found.ToJson(), found.ToText(), found.any_kept() ? found.ToSvg() : ""};
}

// ---- Proposals: the policy, and the taxonomies by what the policy calls them.

nb::tuple ProposalAsTuple(const Proposal& proposal) {
  nb::list files;
  for (const auto& [path, content] : proposal.files) files.append(nb::make_tuple(path, content));
  return nb::make_tuple(proposal.policy, files);
}

nb::tuple ProposeForTable(const ArrowTable& table, const std::string& name,
                          const nb::object& progress, bool show_values) {
  return ProposalAsTuple(RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    ProposeOptions options;
    options.progress = &watched;
    return ProposePolicyForTable(table, name, options);
  }));
}

nb::tuple ProposeForFile(const std::string& path, const std::string& policy_path,
                         const nb::object& progress, bool show_values) {
  return ProposalAsTuple(RunWork(WatchOf(progress, show_values), [&](Progress& watched) {
    ProposeOptions options;
    options.progress = &watched;
    return ProposePolicy(path, policy_path, options);
  }));
}

}  // namespace

}  // namespace thicket::python

NB_MODULE(_thicket, module) {
  using namespace thicket;
  using namespace thicket::python;
  RegisterFailures();
  module.attr("__version__") = std::string(Version());

  nb::class_<LoadedPolicy>(module, "Policy")
      .def_static("of_file", &PolicyOfFile, nb::arg("path"), nb::arg("progress").none(),
                  nb::arg("show_values"))
      .def_static("of_text", &PolicyOfText, nb::arg("yaml"), nb::arg("name"),
                  nb::arg("taxonomies").none(), nb::arg("read_files"), nb::arg("show_values"))
      .def_static("of_tree", &PolicyOfTree, nb::arg("tree"), nb::arg("name"),
                  nb::arg("taxonomies").none(), nb::arg("read_files"), nb::arg("show_values"))
      .def("classes", &ClassesAsTuples)
      .def("input_path", &LoadedPolicy::InputPath);

  nb::class_<ArrowTable>(module, "Table")
      .def_static("of_stream", &TableOfStream, nb::arg("capsule"), nb::arg("name"),
                  nb::arg("show_values"))
      .def_static("of_array", &TableOfArray, nb::arg("schema"), nb::arg("array"), nb::arg("name"),
                  nb::arg("show_values"))
      .def_static("of_objects", &TableOfObjects, nb::arg("objects"), nb::arg("name"),
                  nb::arg("show_values"))
      .def("stream", &StreamOf)
      .def("rows", &ArrowTable::rows)
      .def("type", [](const ArrowTable& table) { return TypeAsTuple(table.schema()); });

  nb::class_<RecordSet>(module, "Records")
      .def_static("of_table", &RecordsOfTable, nb::arg("policy"), nb::arg("table"),
                  nb::arg("published"), nb::arg("name"), nb::arg("progress").none(),
                  nb::arg("show_values"))
      .def_static("of_file", &RecordsOfFile, nb::arg("policy"), nb::arg("path"),
                  nb::arg("published"), nb::arg("progress").none(), nb::arg("show_values"))
      .def("size", &RecordSet::size)
      .def("warnings", &RecordSet::warnings);

  module.def("anonymize", &Anonymize, nb::arg("policy"), nb::arg("table").none(), nb::arg("name"),
             nb::arg("path"), nb::arg("seed").none(), nb::arg("threads"), nb::arg("with_class"),
             nb::arg("link"), nb::arg("max_memory"), nb::arg("progress").none(),
             nb::arg("show_values"));
  module.def("anonymize_file", &AnonymizeToFile, nb::arg("policy"), nb::arg("input"),
             nb::arg("output"), nb::arg("into"), nb::arg("report"), nb::arg("link"),
             nb::arg("seed").none(), nb::arg("threads"), nb::arg("with_class"),
             nb::arg("max_memory"), nb::arg("progress").none(), nb::arg("show_values"));
  module.def("verify", &Verify, nb::arg("policy"), nb::arg("published"), nb::arg("original").none(),
             nb::arg("link").none(), nb::arg("threads"), nb::arg("progress").none(),
             nb::arg("show_values"));
  module.def("evaluate", &Evaluate, nb::arg("policy"), nb::arg("published"), nb::arg("original"),
             nb::arg("link").none(), nb::arg("metrics").none(), nb::arg("queries"), nb::arg("seed"),
             nb::arg("threads"), nb::arg("progress").none(), nb::arg("show_values"));
  module.def("attack", &Attack, nb::arg("policy"), nb::arg("published"), nb::arg("original"),
             nb::arg("link").none(), nb::arg("labels"), nb::arg("relations").none(),
             nb::arg("absent").none(), nb::arg("negative"), nb::arg("similar"), nb::arg("trials"),
             nb::arg("seed"), nb::arg("progress").none(), nb::arg("show_values"));
  module.def("json_of", &JsonOf, nb::arg("table"));
  module.def("table_of_records", &TableOf, nb::arg("policy"), nb::arg("records"));
  module.def("frontier", &FindFrontier, nb::arg("policy"), nb::arg("original"), nb::arg("k"),
             nb::arg("l"), nb::arg("seed"), nb::arg("threads"), nb::arg("queries"),
             nb::arg("trials"), nb::arg("progress").none(), nb::arg("show_values"));
  module.def("propose_table", &ProposeForTable, nb::arg("table"), nb::arg("name"),
             nb::arg("progress").none(), nb::arg("show_values"));
  module.def("propose_file", &ProposeForFile, nb::arg("path"), nb::arg("policy_path"),
             nb::arg("progress").none(), nb::arg("show_values"));
}
