#include "io/wordnet/wordnet_reader.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "io/wordnet/wordnet_nouns.h"

namespace thicket {
namespace {

Result<SemanticNetwork> Load(const std::string& folder, std::string_view if_missing,
                             const Progress* progress) {
  THICKET_ASSIGN(const WordNetTexts texts, ReadWordNetTexts(folder, if_missing, progress));
  THICKET_ASSIGN(const WordNetNouns nouns, ParseWordNet(texts, folder));
  return NetworkOf(nouns, folder);
}

ErrorPlace AttributeOf(const Policy& policy, ClassId id, const std::string& name) {
  const std::string path = policy.schema->PathOf(id);
  return {.file = policy.file, .path = (path.empty() ? "" : path + ".") + name};
}

}  // namespace

std::string WordNetFolder() {
  const char* const folder = std::getenv("WNSEARCHDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/usr/share/wordnet";
}

Result<SemanticNetwork> NetworkOf(const WordNetNouns& nouns, const std::string& folder) {
  SemanticNetworkBuilder builder;
  // Synset i is place i.
  for (size_t i = 0; i < nouns.synsets.size(); ++i) builder.AddConcept();
  for (const auto& [a, b] : nouns.links) builder.Link(a, b);
  for (const WordNetNouns::Word& word : nouns.words) {
    const size_t places = builder.place_count();
    const SemanticNetwork::Place place = builder.AddWord(word.text);
    if (place < places) {
      return ErrorAt(ErrorCode::kData,
                     {.file = WordNetPath(folder, "index.noun"), .line = word.line},
                     "a word must stand in the file once, but this one stands above, too",
                     kWordNetFormat, word.text);
    }
    builder.Link(place, word.synset);
  }
  for (const auto& [form, base] : nouns.exceptions) builder.AddException(form, base);
  return std::move(builder).Build();
}

Result<SemanticNetwork> ReadWordNet(const std::string& folder, const Progress* progress) {
  return Load(folder, folder == WordNetFolder() ? kNoWordNet : "check the path", progress);
}

Result<NetworkFiles> LoadNetworks(const Policy& policy, const Progress* progress) {
  NetworkFiles networks;
  std::optional<Phase> phase;
  for (size_t id = 0; id < policy.schema->classes.size(); ++id) {
    for (const QuasiAttribute& attribute : policy.schema->classes[id].quasi) {
      const Recoding& recoding = attribute.recoding;
      if (recoding.kind != Recoding::Kind::kNetwork || networks.contains(recoding.file)) continue;
      if (!phase) phase.emplace("networks");
      const bool is_system = recoding.file == kWordNet;
      Result<SemanticNetwork> network =
          Load(is_system ? WordNetFolder() : policy.Resolve(recoding.file),
               is_system ? kNoWordNet
                         : "name a folder with data.noun, index.noun and noun.exc, relative to the "
                           "policy's own directory, or wordnet for the system's",
               progress);
      if (!network.ok()) {
        Error error = std::move(network.error());
        if (error.code == ErrorCode::kIo) {
          const ErrorPlace where = AttributeOf(policy, static_cast<ClassId>(id), attribute.name);
          error.message = fmt::format("{}: network {}", where.Text(), error.message);
        }
        return error;
      }
      networks.emplace(recoding.file, std::make_shared<const SemanticNetwork>(std::move(*network)));
    }
  }
  return networks;
}

}  // namespace thicket
