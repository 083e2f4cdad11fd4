#include "io/taxonomy_io.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fold.h"
#include "base/phase.h"
#include "base/text.h"
#include "io/file/source.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket {

namespace {

bool IsDirectory(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::vector<std::string> FilesIn(const std::string& directory) {
  std::vector<std::string> names;
  if (DIR* open = opendir(directory.c_str())) {
    while (const dirent* entry = readdir(open)) names.emplace_back(entry->d_name);
    closedir(open);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// "policy.yaml: courses.code", the attribute for which a taxonomy is loaded.
ErrorPlace AttributeOf(const Policy& policy, ClassId id, const std::string& name) {
  const std::string path = policy.schema->PathOf(id);
  return {.file = policy.file, .path = (path.empty() ? "" : path + ".") + name};
}

// The file of a folder that belongs to an attribute.
Result<std::string> FileInFolder(const std::string& folder, const std::string& attribute,
                                 const ErrorPlace& where) {
  const std::string end = "_hierarchy_" + attribute + ".csv";
  std::vector<std::string> found;
  for (const std::string& name : FilesIn(folder)) {
    if (name.size() > end.size() && name.substr(name.size() - end.size()) == end)
      found.push_back(name);
  }
  if (found.size() == 1) return folder + "/" + found.front();
  return ErrorAt(ErrorCode::kUsage, where,
                 fmt::format("the folder {} must have one file <data>{}, but has {}", folder, end,
                             found.size()),
                 "name the taxonomy's file itself in the policy");
}

Error InAttribute(Error error, const ErrorPlace& where) {
  if (error.code == ErrorCode::kIo) {
    error.message = fmt::format("{}: taxonomy {}", where.Text(), error.message);
  }
  return error;
}

Result<Taxonomy> Load(const std::string& path, std::string_view if_missing,
                      const Progress* progress) {
  THICKET_ASSIGN(const std::string text, ReadAll(path, {.what = "a taxonomy",
                                                        .most = kLongestTaxonomy,
                                                        .if_missing = if_missing,
                                                        .progress = progress}));
  return ParseTaxonomy(text, path);
}

// How many taxonomies the policy names that are not given.
size_t CountNamed(const Policy& policy, const TaxonomyFiles& given) {
  std::set<std::string> names;
  for (const VertexClass& type : policy.schema->classes) {
    for (const QuasiAttribute& attribute : type.quasi) {
      const Recoding& recoding = attribute.recoding;
      if (recoding.kind == Recoding::Kind::kTaxonomy && given.count(recoding.file) == 0) {
        names.insert(recoding.file);
      }
    }
  }
  return names.size();
}

// Sensitive items stand in no group: their leaves, if the file has any, are no part of the taxonomy.
Status TakeOut(const Policy& policy, const std::string& file, Taxonomy& taxonomy) {
  std::unordered_map<std::string, size_t> places;
  const std::vector<SensitiveItem>& items = policy.privacy.sensitive_items;
  for (size_t i = 0; i < items.size(); ++i) places.emplace(FoldValue(items[i].item), i);
  std::vector<bool> out(taxonomy.leaf_count(), false);
  for (Node node = 0; node < taxonomy.node_count(); ++node) {
    const auto place = places.find(FoldValue(taxonomy.label(node)));
    if (place == places.end()) continue;
    if (taxonomy.is_leaf(node)) {
      out[node - taxonomy.first_leaf()] = true;
      continue;
    }
    const SensitiveItem& item = items[place->second];
    return ErrorAt(
        ErrorCode::kUsage,
        {.file = policy.file,
         .line = static_cast<uint64_t>(item.line),
         .path = fmt::format("privacy.sensitive_items[{}]", place->second)},
        fmt::format("a sensitive item must be no group of a taxonomy, but {} has this one as one",
                    file),
        "list the items of the group instead, or give the group another name; --show-values prints "
        "it",
        item.item);
  }
  const auto count = std::count(out.begin(), out.end(), true);
  if (count == 0) return {};
  if (static_cast<size_t>(count) == out.size()) {
    return ErrorAt(ErrorCode::kUsage, {.file = policy.file, .path = "privacy.sensitive_items"},
                   fmt::format("{} must have an item that is not sensitive, but has none", file),
                   "add the other items to it");
  }
  taxonomy = TaxonomyBuilder::Without(taxonomy, out).Build();
  return {};
}

}  // namespace

Result<Taxonomy> LoadTaxonomy(const std::string& path, const Progress* progress) {
  return Load(path, "check the path", progress);
}

std::vector<std::string> TaxonomyPaths(const Policy& policy) {
  std::vector<std::string> paths;
  for (const VertexClass& type : policy.schema->classes) {
    for (const QuasiAttribute& attribute : type.quasi) {
      if (attribute.recoding.kind != Recoding::Kind::kTaxonomy) continue;
      const std::string path = policy.Resolve(attribute.recoding.file);
      if (!IsDirectory(path)) {
        paths.push_back(path);
        continue;
      }
      const auto file = FileInFolder(path, attribute.name, {.file = policy.file});
      if (file.ok()) paths.push_back(*file);
    }
  }
  return paths;
}

Result<TaxonomyFiles> LoadTaxonomies(const Policy& policy, const Progress* progress) {
  return TakeTaxonomies(policy, {}, true, progress);
}

Result<TaxonomyFiles> TakeTaxonomies(const Policy& policy, TaxonomyFiles given, bool read_files,
                                     const Progress* progress) {
  TaxonomyFiles taxonomies;
  std::optional<Phase> phase;
  if (const size_t named = CountNamed(policy, given); named > 0) phase.emplace("taxonomies", named);
  for (size_t id = 0; id < policy.schema->classes.size(); ++id) {
    for (const QuasiAttribute& attribute : policy.schema->classes[id].quasi) {
      if (attribute.recoding.kind != Recoding::Kind::kTaxonomy) continue;
      const ErrorPlace where = AttributeOf(policy, static_cast<ClassId>(id), attribute.name);
      std::string key = attribute.recoding.file;
      if (taxonomies.count(key) > 0) continue;
      if (auto taken = given.extract(key)) {
        taxonomies.insert(std::move(taken));
        continue;
      }
      if (!read_files) {
        return ErrorAt(
            ErrorCode::kUsage, where,
            fmt::format("the taxonomy {} must be given with the policy, but is not", key),
            "hand it over under this name, or let it be read from its file");
      }
      std::string path = policy.Resolve(key);
      if (IsDirectory(path)) {
        key += "/" + attribute.name;
        THICKET_ASSIGN(path, FileInFolder(path, attribute.name, where));
      }
      if (taxonomies.count(key) > 0) continue;
      Result<Taxonomy> taxonomy =
          Load(path, "paths in a policy are relative to the policy's own directory", progress);
      if (!taxonomy.ok()) return InAttribute(std::move(taxonomy.error()), where);
      taxonomies.emplace(std::move(key), std::move(*taxonomy));
      if (phase) phase->Advance();
    }
  }
  if (!given.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, taxonomy] : taxonomies) names.push_back(name);
    const auto nearest = Nearest(given.begin()->first, names);
    return ErrorAt(
        ErrorCode::kUsage, {.file = policy.file},
        fmt::format("every taxonomy that is given must be named in the policy, but {} is "
                    "not",
                    given.begin()->first),
        nearest ? fmt::format("did you mean {}?", *nearest)
                : "name it after taxonomy:, or leave it out");
  }
  if (!policy.privacy.sensitive_items.empty()) {
    for (auto& [file, taxonomy] : taxonomies) THICKET_TRY(TakeOut(policy, file, taxonomy));
  }
  return taxonomies;
}

}  // namespace thicket
