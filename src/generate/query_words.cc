#include "generate/query_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"
#include "io/wordnet/wordnet_reader.h"
#include "taxonomy/lexicon.h"

namespace thicket {
namespace {

constexpr size_t kMostWords = 21'600;
constexpr size_t kShortestWord = 3;
// Which of two words with equally many senses is more common is the same for every seed, as in one language.
constexpr uint64_t kLanguage = 2010;
// What an interest may reach: a synonym is two steps away, a word of the next concept three.
constexpr uint32_t kNear = 4;

bool IsPlain(std::string_view word) {
  return word.size() >= kShortestWord &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string PluralOf(std::string_view word) {
  const auto ends_with = [&](std::string_view ending) { return word.ends_with(ending); };
  if (ends_with("y") &&
      std::string_view("aeiou").find(word[word.size() - 2]) == std::string_view::npos) {
    return fmt::format("{}ies", word.substr(0, word.size() - 1));
  }
  const bool hisses =
      ends_with("s") || ends_with("x") || ends_with("z") || ends_with("ch") || ends_with("sh");
  return fmt::format("{}{}", word, hisses ? "es" : "s");
}

}  // namespace

QueryWords::QueryWords(std::vector<WordNetNouns::Synset> synsets, std::vector<QueryWord> words,
                       TermDistances near)
    : synsets_(std::move(synsets)), words_(std::move(words)), near_(std::move(near)) {}

Result<QueryWords> QueryWords::Load(const Progress* progress) {
  const std::string folder = WordNetFolder();
  THICKET_ASSIGN(const WordNetTexts texts, ReadWordNetTexts(folder, kNoWordNet, progress));
  THICKET_ASSIGN(WordNetNouns nouns, ParseWordNet(texts, folder));
  return From(std::move(nouns), folder);
}

Result<QueryWords> QueryWords::From(WordNetNouns nouns, const std::string& folder) {
  THICKET_ASSIGN(SemanticNetwork network, NetworkOf(nouns, folder));
  const auto shared = std::make_shared<const SemanticNetwork>(std::move(network));
  const Lexicon lexicon = Lexicon::OfNetwork(shared);

  std::vector<const WordNetNouns::Word*> ranked;
  for (const WordNetNouns::Word& word : nouns.words) {
    if (IsPlain(word.text)) ranked.push_back(&word);
  }
  Random language = Random::Seeded(kLanguage);
  language.Shuffle(ranked);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const WordNetNouns::Word* a, const WordNetNouns::Word* b) {
                     return a->met_senses != b->met_senses ? a->met_senses > b->met_senses
                                                           : a->senses > b->senses;
                   });
  if (ranked.size() > kMostWords) ranked.resize(kMostWords);

  std::vector<QueryWord> words;
  std::vector<std::string> texts;
  for (const WordNetNouns::Word* word : ranked) {
    std::string plural = PluralOf(word->text);
    if (lexicon.WordOf(plural) != word->text) plural.clear();
    texts.push_back(word->text);
    words.push_back({word->text, std::move(plural), word->synset});
  }
  Parallel parallel;
  TermDistances near = TermDistances::OfNetwork(*shared, texts, kNear, parallel);
  return QueryWords(std::move(nouns.synsets), std::move(words), std::move(near));
}

Taxonomy QueryWords::TreeOf(const std::vector<bool>& ranks) const {
  TaxonomyBuilder builder("*");
  std::unordered_map<uint32_t, TaxonomyBuilder::Handle> known;
  std::vector<uint32_t> path;
  std::unordered_set<uint32_t> on_path;
  for (uint32_t rank = 0; rank < words_.size(); ++rank) {
    if (!ranks[rank]) continue;
    // Up to what is known, to the top, or to where the path would bite its own tail.
    path.clear();
    on_path.clear();
    TaxonomyBuilder::Handle parent = TaxonomyBuilder::root();
    for (uint32_t at = words_[rank].synset; synsets_[at].hypernym != WordNetNouns::kNone;
         at = synsets_[at].hypernym) {
      if (const auto there = known.find(at); there != known.end()) {
        parent = there->second;
        break;
      }
      if (!on_path.insert(at).second) break;
      path.push_back(at);
    }
    for (; !path.empty(); path.pop_back()) {
      const WordNetNouns::Synset& synset = synsets_[path.back()];
      std::string label = fmt::format("{}#{}", synset.name, synset.sense);
      for (int twin = 2; builder.Find(label); ++twin) {
        label = fmt::format("{}#{}-{}", synset.name, synset.sense, twin);
      }
      parent = builder.Add(parent, std::move(label));
      known.emplace(path.back(), parent);
    }
    builder.Add(parent, words_[rank].text);
  }
  return std::move(builder).Build();
}

}  // namespace thicket
