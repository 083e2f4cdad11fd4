#include "verify/label_trees.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/stop.h"
#include "verify/label_ancestors.h"
#include "verify/published_values.h"

namespace thicket {

bool MayStandAbove(const Schema& schema, ClassId above, size_t above_slot, ClassId below,
                   size_t below_slot) {
  if (above == below) return above_slot < below_slot;
  while (below > above) below = schema.classes[below].parent;
  return below == above;
}

namespace {

// Where a path of labels ends again.
struct OpenVertex {
  Vertex end;
  size_t path_size;
};

uint64_t Mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 29;
}

template <typename T>
bool SameRange(const std::vector<T>& list, size_t a, size_t b, size_t size) {
  return std::equal(list.begin() + static_cast<std::ptrdiff_t>(a),
                    list.begin() + static_cast<std::ptrdiff_t>(a + size),
                    list.begin() + static_cast<std::ptrdiff_t>(b));
}

}  // namespace

class LabelTreeReader {
 public:
  LabelTreeReader(const Dataset& data, const LabelTrees::Options& options)
      : data_(data), schema_(*data.schema), forest_(data.forest) {
    trees_.schema_ = data.schema.get();
    trees_.options_ = options;
    trees_.record_count_ = data.forest.record_count();
  }

  Result<LabelTrees> Run(const TaxonomyFiles& taxonomies, Violations& violations) {
    THICKET_TRY(ReadNames(taxonomies));
    ReadAttributes();
    if (trees_.options_.secrets) ReadSecrets(violations);
    place_.assign(trees_.names_.size(), 0);
    for (RecordId record = 0; record < forest_.record_count(); ++record) {
      StopPoint();
      Walk(record);
      Append(record);
      KeepIfNew();
    }
    return std::move(trees_);
  }

 private:
  // The texts that are published of an attribute, each with what is more general, nearest first; in the order of symbols.
  using Published = std::vector<std::pair<std::string, std::vector<std::string>>>;

  Status ReadNames(const TaxonomyFiles& taxonomies);
  Result<Published> ReadTexts(ClassId id, size_t slot, const TaxonomyFiles& taxonomies) const;
  std::map<std::string, uint32_t> NameLabels(ClassId id, size_t slot, const Published& published);
  std::map<std::string, uint32_t> NameAll(ClassId id, size_t slot, const Published& published);
  uint32_t AddName(LabelTrees::Name name);
  void ReadAttributes();
  void ReadSecrets(Violations& violations);
  void Walk(RecordId record);
  void AddSecrets(Vertex vertex);
  void Append(RecordId record);
  void AppendRelations(size_t count);
  void AppendSecrets();
  void NoteOverlaps();
  void KeepIfNew();
  void DropLast();
  uint64_t HashLast() const;
  bool SameAsLast(size_t tree) const;

  const Dataset& data_;
  const Schema& schema_;
  const Forest& forest_;
  LabelTrees trees_;
  // By class, slot and symbol: the label's name.
  std::vector<std::vector<std::vector<uint32_t>>> name_of_;
  // By name of a label: the names of trees that show it, itself first.
  std::vector<std::vector<uint32_t>> chain_;
  // By class, sensitive attribute and symbol: the secret, kNone if missing.
  std::vector<std::vector<std::vector<uint32_t>>> secret_of_;
  static constexpr uint32_t kNone = ~uint32_t{0};
  // Of the record that is being read.
  std::vector<OpenVertex> open_;
  std::vector<uint32_t> path_;
  std::vector<uint32_t> shown_;
  std::vector<uint32_t> names_;
  std::vector<std::pair<uint32_t, uint32_t>> relations_;
  std::vector<uint32_t> held_;
  // By name: its place in the tree that is appended; and by place: by how many labels the name is true.
  std::vector<uint32_t> place_;
  std::vector<uint32_t> by_one_;
  std::unordered_multimap<uint64_t, uint32_t> known_;
};

Status LabelTreeReader::ReadNames(const TaxonomyFiles& taxonomies) {
  name_of_.resize(schema_.classes.size());
  for (size_t i = 0; i < schema_.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    for (size_t slot = 0; slot < schema_.classes[id].quasi.size(); ++slot) {
      THICKET_ASSIGN(const Published published, ReadTexts(id, slot, taxonomies));
      const size_t first = trees_.names_.size();
      const std::map<std::string, uint32_t> labels =
          trees_.options_.secrets ? NameAll(id, slot, published) : NameLabels(id, slot, published);
      const Dictionary& dictionary = data_.dictionaries[id][slot];
      auto& names = name_of_[id].emplace_back(dictionary.size(), kNone);
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        const auto found = labels.find(std::string(dictionary.text(symbol)));
        if (found != labels.end()) names[symbol] = found->second;
      }
      THICKET_ASSIGN(const LabelReader reader,
                     LabelReader::Of(schema_.classes[id].quasi[slot], taxonomies));
      for (size_t name = first; name < trees_.names_.size(); ++name) {
        trees_.names_[name].legal = reader.IsLegal(trees_.names_[name].text);
      }
    }
  }
  return {};
}

Result<LabelTreeReader::Published> LabelTreeReader::ReadTexts(
    ClassId id, size_t slot, const TaxonomyFiles& taxonomies) const {
  THICKET_ASSIGN(const LabelReader reader,
                 LabelReader::Of(schema_.classes[id].quasi[slot], taxonomies));
  const Dictionary& dictionary = data_.dictionaries[id][slot];
  std::vector<bool> used(dictionary.size(), false);
  for (Vertex v = 0; v < forest_.vertex_count(); ++v) {
    StopPoint();
    if (forest_.class_of(v) == id) used[forest_.value(v, slot)] = true;
  }
  std::unordered_set<std::string_view> texts;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (used[symbol]) texts.insert(dictionary.text(symbol));
  }
  Published published;
  std::unordered_set<std::string_view> seen;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    // A number and a string may have one text.
    const std::string_view text = dictionary.text(symbol);
    if (!used[symbol] || !seen.insert(text).second) continue;
    published.emplace_back(text, std::vector<std::string>());
    if (trees_.options_.ancestors || trees_.options_.secrets) {
      published.back().second = LabelAncestors(reader, text, texts);
    }
  }
  return published;
}

uint32_t LabelTreeReader::AddName(LabelTrees::Name name) {
  const auto number = static_cast<uint32_t>(trees_.names_.size());
  trees_.names_.push_back(std::move(name));
  chain_.push_back({number});
  return number;
}

// Labels, and what is above them where `ancestors` asks for it. By text.
std::map<std::string, uint32_t> LabelTreeReader::NameLabels(ClassId id, size_t slot,
                                                            const Published& published) {
  std::map<std::string, uint32_t> number;
  const auto number_of = [&](const std::string& text) {
    const auto known = number.find(text);
    if (known != number.end()) return known->second;
    return number[text] = AddName({id, slot, text});
  };
  for (const auto& [text, above] : published) {
    StopPoint();
    const uint32_t name = number_of(text);
    for (const std::string& general : above) {
      // A statement of its own: a new name moves the chains.
      const uint32_t upper = number_of(general);
      chain_[name].push_back(upper);
    }
  }
  return number;
}

// Everything that may be known about labels of an attribute. Returns the labels themselves.
std::map<std::string, uint32_t> LabelTreeReader::NameAll(ClassId id, size_t slot,
                                                         const Published& published) {
  using Kind = LabelTrees::Name::Kind;
  std::map<std::string, std::vector<std::string>> below;
  std::set<std::string> shown;
  for (const auto& [text, above] : published) {
    StopPoint();
    shown.insert(text);
    for (const std::string& general : above) below[general].push_back(text);
  }
  std::map<std::string, uint32_t> labels;
  std::map<std::string, uint32_t> at_or_below;
  std::map<std::string, uint32_t> at_or_above;
  for (const auto& [text, above] : published) {
    StopPoint();
    // Who lacks a label lacks what is below it.
    labels[text] = AddName({id, slot, text, Kind::kLabel, true, !below.contains(text)});
    if (std::any_of(above.begin(), above.end(),
                    [&](const std::string& general) { return shown.contains(general); })) {
      at_or_above[text] = AddName({id, slot, text, Kind::kAtOrAbove, true, false});
    }
  }
  for (const auto& [text, lower] : below) {
    // Whether that a record has it says more than labels do is known once all records are: NoteOverlaps().
    at_or_below[text] = AddName({id, slot, text, Kind::kAtOrBelow, false, true});
  }
  for (const auto& [text, above] : published) {
    StopPoint();
    std::vector<uint32_t>& chain = chain_[labels[text]];
    const auto add = [&](const std::map<std::string, uint32_t>& names, const std::string& of) {
      const auto found = names.find(of);
      if (found != names.end()) chain.push_back(found->second);
    };
    add(at_or_below, text);
    for (const std::string& general : above) add(at_or_below, general);
    add(at_or_above, text);
    for (const std::string& lower : below[text]) add(at_or_above, lower);
  }
  return labels;
}

void LabelTreeReader::ReadAttributes() {
  std::vector<std::pair<ClassId, size_t>> attributes;
  for (const LabelTrees::Name& name : trees_.names_) {
    const std::pair<ClassId, size_t> attribute = {name.id, name.slot};
    if (attributes.empty() || attributes.back() != attribute) attributes.push_back(attribute);
    trees_.attribute_of_.push_back(static_cast<uint32_t>(attributes.size() - 1));
  }
  trees_.attribute_count_ = attributes.size();
  for (const auto& [id, slot] : attributes) {
    for (const auto& [other, other_slot] : attributes) {
      const bool may = MayStandAbove(schema_, id, slot, other, other_slot);
      trees_.may_relate_.push_back(may);
      trees_.any_relation_ = trees_.any_relation_ || may;
    }
  }
}

void LabelTreeReader::ReadSecrets(Violations& violations) {
  secret_of_.resize(schema_.classes.size());
  for (size_t i = 0; i < schema_.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    for (size_t attribute = 0; attribute < schema_.classes[id].sensitive.size(); ++attribute) {
      std::vector<uint32_t> secrets = ReadBuckets(data_, id, attribute, violations);
      const auto base = static_cast<uint32_t>(trees_.secrets_.size());
      uint32_t buckets = 0;
      for (uint32_t& secret : secrets) {
        buckets = std::max(buckets, secret);
        secret = secret == 0 ? kNone : base + secret - 1;
      }
      trees_.secrets_.resize(base + buckets, {id, attribute, trees_.secret_attributes_++});
      secret_of_[id].push_back(std::move(secrets));
    }
  }
}

void LabelTreeReader::AddSecrets(Vertex vertex) {
  const ClassId id = forest_.class_of(vertex);
  for (size_t attribute = 0; attribute < secret_of_[id].size(); ++attribute) {
    const Symbol symbol = forest_.value(vertex, schema_.classes[id].sensitive_slot(attribute));
    const uint32_t secret = secret_of_[id][attribute][symbol];
    if (secret != kNone) held_.push_back(secret);
  }
}

void LabelTreeReader::Walk(RecordId record) {
  open_.clear();
  path_.clear();
  shown_.clear();
  relations_.clear();
  held_.clear();
  for (Vertex v = forest_.root(record); v < forest_.root(record + 1); ++v) {
    while (!open_.empty() && open_.back().end <= v) open_.pop_back();
    path_.resize(open_.empty() ? 0 : open_.back().path_size);
    const auto& names = name_of_[forest_.class_of(v)];
    for (size_t slot = 0; slot < names.size(); ++slot) {
      const uint32_t name = names[slot][forest_.value(v, slot)];
      if (name == kNone) continue;
      if (trees_.options_.relations) {
        for (const uint32_t above : path_) relations_.emplace_back(above, name);
      }
      path_.push_back(name);
      shown_.push_back(name);
    }
    if (trees_.options_.secrets) AddSecrets(v);
    open_.push_back({v + forest_.subtree_size(v), path_.size()});
  }
}

void LabelTreeReader::Append(RecordId record) {
  names_.clear();
  for (const uint32_t name : shown_) {
    names_.insert(names_.end(), chain_[name].begin(), chain_[name].end());
  }
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  const size_t first = trees_.tree_names_.size();
  for (uint32_t i = 0; i < names_.size(); ++i) place_[names_[i]] = i;
  trees_.tree_names_.insert(trees_.tree_names_.end(), names_.begin(), names_.end());
  trees_.shown_.resize(first + names_.size(), trees_.options_.secrets ? 1 : 0);
  for (const uint32_t name : shown_) trees_.shown_[first + place_[name]] = 1;
  if (trees_.options_.relations) AppendRelations(names_.size());
  if (trees_.options_.secrets) AppendSecrets();
  if (trees_.options_.secrets) NoteOverlaps();
  trees_.first_name_.push_back(trees_.tree_names_.size());
  trees_.first_word_.push_back(trees_.above_.size());
  trees_.weight_.push_back(1);
  trees_.example_.push_back(record);
}

void LabelTreeReader::AppendRelations(size_t count) {
  const size_t words = (count + 63) / 64;
  const size_t base = trees_.above_.size();
  trees_.above_.resize(base + count * words, 0);
  if (trees_.options_.ancestors) trees_.above_shown_.resize(base + count * words, 0);
  for (const auto& [above, below] : relations_) {
    const size_t row = base + place_[above] * words;
    const std::span<const uint32_t> uppers(chain_[above]);
    for (const uint32_t upper : uppers.first(trees_.options_.secrets ? uppers.size() : 1)) {
      const size_t at = base + place_[upper] * words;
      for (const uint32_t name : chain_[below]) {
        trees_.above_[at + place_[name] / 64] |= uint64_t{1} << (place_[name] % 64);
      }
    }
    if (!trees_.options_.ancestors) continue;
    trees_.above_shown_[row + place_[below] / 64] |= uint64_t{1} << (place_[below] % 64);
  }
}

void LabelTreeReader::AppendSecrets() {
  std::sort(held_.begin(), held_.end());
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
  trees_.held_.insert(trees_.held_.end(), held_.begin(), held_.end());
  trees_.first_held_.push_back(trees_.held_.size());
}

// Names that are true of the record by two different labels.
void LabelTreeReader::NoteOverlaps() {
  std::sort(shown_.begin(), shown_.end());
  shown_.erase(std::unique(shown_.begin(), shown_.end()), shown_.end());
  by_one_.assign(names_.size(), 0);
  for (const uint32_t label : shown_) {
    for (const uint32_t name : chain_[label]) {
      if (by_one_[place_[name]]++ > 0) trees_.names_[name].may_have = true;
    }
  }
}

uint64_t LabelTreeReader::HashLast() const {
  const size_t last = trees_.weight_.size() - 1;
  uint64_t hash = 0;
  for (size_t i = trees_.first_name_[last]; i < trees_.tree_names_.size(); ++i) {
    hash = Mix(hash, uint64_t{trees_.tree_names_[i]} << 1 | trees_.shown_[i]);
  }
  for (size_t i = trees_.first_word_[last]; i < trees_.above_.size(); ++i) {
    hash = Mix(hash, trees_.above_[i]);
    if (trees_.options_.ancestors) hash = Mix(hash, trees_.above_shown_[i]);
  }
  if (!trees_.options_.secrets) return hash;
  for (const uint32_t secret : trees_.SecretsOf(last)) hash = Mix(hash, secret);
  return hash;
}

bool LabelTreeReader::SameAsLast(size_t tree) const {
  const size_t last = trees_.weight_.size() - 1;
  const size_t count = trees_.names_of(last).size();
  if (trees_.names_of(tree).size() != count) return false;
  const size_t a = trees_.first_name_[tree];
  const size_t b = trees_.first_name_[last];
  const size_t row = trees_.first_word_[tree];
  const size_t last_row = trees_.first_word_[last];
  const size_t words = trees_.above_.size() - last_row;
  if (!SameRange(trees_.tree_names_, a, b, count) || !SameRange(trees_.shown_, a, b, count) ||
      !SameRange(trees_.above_, row, last_row, words)) {
    return false;
  }
  if (!trees_.above_shown_.empty() && !SameRange(trees_.above_shown_, row, last_row, words)) {
    return false;
  }
  if (!trees_.options_.secrets) return true;
  const auto one = trees_.SecretsOf(tree);
  const auto other = trees_.SecretsOf(last);
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

void LabelTreeReader::KeepIfNew() {
  const uint64_t hash = HashLast();
  const auto [begin, end] = known_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (!SameAsLast(at->second)) continue;
    ++trees_.weight_[at->second];
    DropLast();
    return;
  }
  known_.emplace(hash, static_cast<uint32_t>(trees_.weight_.size() - 1));
}

void LabelTreeReader::DropLast() {
  trees_.weight_.pop_back();
  trees_.example_.pop_back();
  trees_.first_name_.pop_back();
  trees_.first_word_.pop_back();
  const size_t first = trees_.first_name_.back();
  trees_.tree_names_.resize(first);
  trees_.shown_.resize(first);
  trees_.above_.resize(trees_.first_word_.back());
  if (trees_.options_.ancestors) trees_.above_shown_.resize(trees_.above_.size());
  if (!trees_.options_.secrets) return;
  trees_.first_held_.pop_back();
  trees_.held_.resize(trees_.first_held_.back());
}

Result<LabelTrees> LabelTrees::Read(const Dataset& data, const TaxonomyFiles& taxonomies,
                                    const Options& options, Violations& violations) {
  return LabelTreeReader(data, options).Run(taxonomies, violations);
}

std::string LabelTrees::Path(uint32_t name) const {
  const Name& of = names_[name];
  const std::string path = schema_->PathOf(of.id);
  const std::string& attribute = schema_->classes[of.id].quasi[of.slot].name;
  return path.empty() ? attribute : path + "." + attribute;
}

}  // namespace thicket
