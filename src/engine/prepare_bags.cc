#include "engine/prepare_bags.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "taxonomy/lexicon.h"

namespace thicket {

namespace {

constexpr ClassId kTermClass = 1;

// What becomes of the terms of a data set, by symbol.
struct TermForms {
  // kMissing for what is left out.
  std::vector<Symbol> symbol;
  // Whether the network does not have the term.
  std::vector<bool> unknown;
  Dictionary words;
};

class Preparation {
 public:
  Preparation(const Policy& policy, Dataset& data) : policy_(policy), data_(data) {}

  // `lexicon`: which words terms mean; null where every term stays as it is. `taxonomy`: which words there are; null
  // with a network, whose lexicon has them all.
  Status Run(const Lexicon* lexicon, const Taxonomy* taxonomy) {
    FindForms(lexicon, taxonomy);
    Rebuild();
    return Report();
  }

 private:
  const Recoding& recoding() const { return policy_.schema->classes[kTermClass].quasi[0].recoding; }
  Dictionary& dictionary() { return data_.dictionaries[kTermClass][0]; }

  void FindForms(const Lexicon* lexicon, const Taxonomy* taxonomy) {
    // What a taxonomy does not have is otherwise found when values are encoded.
    const bool decides = recoding().kind == Recoding::Kind::kNetwork ||
                         recoding().unknown == UnknownValues::kLeaveOut;
    forms_.symbol.assign(dictionary().size(), kMissing);
    forms_.unknown.assign(dictionary().size(), false);
    for (Symbol symbol = 1; symbol < dictionary().size(); ++symbol) {
      StopPoint();
      const std::string_view text = dictionary().text(symbol);
      const std::optional<std::string> word =
          lexicon != nullptr ? lexicon->WordOf(text) : std::nullopt;
      const bool is_known = word || (taxonomy != nullptr && HasLeaf(*taxonomy, text));
      forms_.unknown[symbol] = !is_known && decides;
      if (word) {
        forms_.symbol[symbol] = forms_.words.Intern(ValueKind::kString, *word);
      } else if (is_known || !decides || recoding().unknown == UnknownValues::kGeneralize) {
        forms_.symbol[symbol] = forms_.words.Intern(dictionary().kind(symbol), text);
      }
    }
  }

  static bool HasLeaf(const Taxonomy& taxonomy, std::string_view text) {
    const std::optional<Node> node = taxonomy.Find(text);
    return node && taxonomy.is_leaf(*node);
  }

  void Rebuild() {
    const Forest& forest = data_.forest;
    Phase phase("prepare", forest.record_count());
    ForestBuilder builder(*data_.schema);
    std::vector<uint32_t> places;
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      phase.Advance();
      const Vertex root = forest.root(record);
      builder.BeginRecord(forest.line(record));
      if (!data_.vertex_places.empty()) places.push_back(data_.vertex_places[root]);
      bool is_empty = true;
      for (const Vertex vertex : forest.Children(root)) {
        const Symbol before = forest.value(vertex, 0);
        ++terms_;
        if (forms_.unknown[before]) {
          ++unknown_;
          if (!first_unknown_) first_unknown_ = vertex;
        }
        const Symbol word = forms_.symbol[before];
        if (word == kMissing) continue;
        builder.Open(kTermClass);
        builder.Set(0, word);
        builder.Close();
        if (!data_.vertex_places.empty()) places.push_back(data_.vertex_places[vertex]);
        is_empty = false;
      }
      builder.EndRecord();
      if (is_empty) ++empty_;
    }
    if (first_unknown_) where_unknown_ = data_.PlaceOf(*first_unknown_, 0);
    if (first_unknown_) unknown_text_ = dictionary().text(forest.value(*first_unknown_, 0));
    data_.vertex_places = std::move(places);
    data_.forest = std::move(builder).Build();
    dictionary() = std::move(forms_.words);
  }

  Status Report() {
    const size_t records = data_.forest.record_count();
    if (unknown_ > 0 && recoding().unknown == UnknownValues::kError) {
      return ErrorAt(
          ErrorCode::kData, *where_unknown_,
          fmt::format("every term must be in the network {}, but this one is not ({} of {})",
                      recoding().file, WithCommas(unknown_), WithCommas(terms_)),
          "set unknown: missing to leave such terms out, or unknown: generalize to keep them; "
          "--show-values prints it",
          unknown_text_);
    }
    if (empty_ == records && records > 0) {
      return ErrorAt(ErrorCode::kData, {.file = data_.source},
                     fmt::format("some record must have a term that can be used, but none of {} "
                                 "has one",
                                 WithCommas(records)),
                     recoding().kind == Recoding::Kind::kNetwork
                         ? "check that the terms are English nouns in the column or key that the "
                           "policy names, or give them a taxonomy"
                         : "check that the terms stand in the column or key that the policy names, "
                           "and that the taxonomy has them");
    }
    if (unknown_ > 0 && recoding().unknown == UnknownValues::kLeaveOut) {
      data_.warnings.push_back(
          {fmt::format("{} of {} terms {} not in the {} {} and {} left out", WithCommas(unknown_),
                       WithCommas(terms_), unknown_ == 1 ? "is" : "are",
                       recoding().kind == Recoding::Kind::kNetwork ? "network" : "taxonomy",
                       recoding().file, unknown_ == 1 ? "is" : "are")});
    }
    if (empty_ > 0) {
      data_.warnings.push_back({fmt::format(
          "{} of {} records {} no term that can be used, and {} left out", WithCommas(empty_),
          WithCommas(records), empty_ == 1 ? "has" : "have", empty_ == 1 ? "is" : "are")});
    }
    return {};
  }

  const Policy& policy_;
  Dataset& data_;
  TermForms forms_;
  uint64_t terms_ = 0;
  uint64_t unknown_ = 0;
  size_t empty_ = 0;
  std::optional<Vertex> first_unknown_;
  std::optional<ErrorPlace> where_unknown_;
  std::string unknown_text_;
};

}  // namespace

Status PrepareBags(const LoadedPolicy::Content& content, Dataset& data) {
  const Policy& policy = content.policy;
  if (!policy.privacy.of_bags) return {};
  const QuasiAttribute& term = policy.schema->classes[kTermClass].quasi[0];
  Preparation preparation(policy, data);
  if (term.recoding.kind == Recoding::Kind::kNetwork) {
    const auto network = content.networks.find(term.recoding.file);
    if (network == content.networks.end()) {
      return ErrorAt(ErrorCode::kUsage, {.file = term.recoding.file}, "this network was not loaded",
                     "");
    }
    const Lexicon lexicon = Lexicon::OfNetwork(network->second);
    return preparation.Run(&lexicon, nullptr);
  }
  // Values of a taxonomy are checked when they are encoded; only what somebody typed has forms.
  const Taxonomy* taxonomy = FindTaxonomy(content.taxonomies, term);
  if (policy.input.format != Format::kQuerylog || taxonomy == nullptr) {
    return preparation.Run(nullptr, taxonomy);
  }
  const Lexicon lexicon = Lexicon::OfTaxonomy(*taxonomy);
  return preparation.Run(&lexicon, taxonomy);
}

}  // namespace thicket
