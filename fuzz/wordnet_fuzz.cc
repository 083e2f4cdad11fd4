// Any bytes as the files of WordNet, one after another with a byte 0 between them: ParseWordNet must answer, and what
// it lets through must be a network whose words are found and whose steps lead back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "check.h"
#include "io/wordnet/wordnet_nouns.h"
#include "io/wordnet/wordnet_reader.h"
#include "taxonomy/lexicon.h"

namespace {

using thicket::fuzz::Check;

void CheckNetwork(const thicket::SemanticNetwork& network, const thicket::WordNetNouns& nouns) {
  Check(network.word_count() == nouns.words.size());
  Check(network.place_count() == nouns.words.size() + nouns.synsets.size());
  for (thicket::SemanticNetwork::Place place = 0; place < network.place_count(); ++place) {
    Check(!network.IsWord(place) || network.Find(network.word(place)) == place);
    for (const thicket::SemanticNetwork::Place other : network.Neighbours(place)) {
      const auto back = network.Neighbours(other);
      Check(other != place && std::binary_search(back.begin(), back.end(), place));
    }
  }
  for (const thicket::WordNetNouns::Synset& synset : nouns.synsets) {
    Check(synset.hypernym == thicket::WordNetNouns::kNone ||
          synset.hypernym < nouns.synsets.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t first = std::min(text.find('\0'), text.size());
  const std::string_view rest = text.substr(std::min(first + 1, text.size()));
  const size_t second = std::min(rest.find('\0'), rest.size());
  const thicket::WordNetTexts texts = {std::string(text.substr(0, first)),
                                       std::string(rest.substr(0, second)),
                                       std::string(rest.substr(std::min(second + 1, rest.size())))};
  const auto nouns = thicket::ParseWordNet(texts, "wn");
  if (!nouns.ok()) {
    Check(nouns.error().code == thicket::ErrorCode::kData);
    Check(nouns.error().message.starts_with("wn/"));
    return 0;
  }
  auto network = thicket::NetworkOf(*nouns, "wn");
  if (!network.ok()) {
    Check(network.error().code == thicket::ErrorCode::kData);
    return 0;
  }
  CheckNetwork(*network, *nouns);
  const thicket::Lexicon lexicon =
      thicket::Lexicon::OfNetwork(std::make_shared<thicket::SemanticNetwork>(std::move(*network)));
  for (const thicket::WordNetNouns::Word& word : nouns->words) {
    Check(lexicon.WordOf(word.text).has_value());
    lexicon.WordOf(word.text + "ses");
  }
  return 0;
}
