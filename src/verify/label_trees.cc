#include "verify/label_trees.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

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
  // The nearest vertex at or above that shows a label, or the root.
  Vertex holder;
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
      Walk(record);
      Append(record);
      KeepIfNew();
    }
    return std::move(trees_);
  }

 private:
  Status ReadNames(const TaxonomyFiles& taxonomies);
  void ReadAttributes();
  void ReadSecrets(Violations& violations);
  void Walk(RecordId record);
  void Hold(Vertex vertex, Vertex holder);
  void Append(RecordId record);
  void AppendRelations(size_t count);
  void AppendSecrets(size_t first, size_t count);
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
  // By name: itself and the names above it.
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
  std::vector<std::pair<uint32_t, uint32_t>> held_by_name_;
  std::vector<uint32_t> held_by_root_;
  // By name: its place in the tree that is appended.
  std::vector<uint32_t> place_;
  std::unordered_multimap<uint64_t, uint32_t> known_;
};

Status LabelTreeReader::ReadNames(const TaxonomyFiles& taxonomies) {
  name_of_.resize(schema_.classes.size());
  for (size_t id = 0; id < schema_.classes.size(); ++id) {
    for (size_t slot = 0; slot < schema_.classes[id].quasi.size(); ++slot) {
      THICKET_ASSIGN(const LabelReader reader,
                     LabelReader::Of(schema_.classes[id].quasi[slot], taxonomies));
      const Dictionary& dictionary = data_.dictionaries[id][slot];
      std::vector<bool> used(dictionary.size(), false);
      for (Vertex v = 0; v < forest_.vertex_count(); ++v) {
        if (forest_.class_of(v) == id) used[forest_.value(v, slot)] = true;
      }
      std::unordered_set<std::string_view> texts;
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        if (used[symbol]) texts.insert(dictionary.text(symbol));
      }
      std::map<std::string, uint32_t> number;
      const auto number_of = [&](const std::string& text) {
        const auto [place, is_new] =
            number.emplace(text, static_cast<uint32_t>(trees_.names_.size()));
        if (is_new) {
          trees_.names_.push_back({static_cast<ClassId>(id), slot, text});
          chain_.push_back({place->second});
        }
        return place->second;
      };
      auto& names = name_of_[id].emplace_back(dictionary.size(), kNone);
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        if (!used[symbol]) continue;
        const uint32_t name = number_of(std::string(dictionary.text(symbol)));
        names[symbol] = name;
        if (!trees_.options_.ancestors || chain_[name].size() > 1) continue;
        for (const std::string& text : LabelAncestors(reader, dictionary.text(symbol), texts)) {
          // A statement of its own: a new name moves the chains.
          const uint32_t above = number_of(text);
          chain_[name].push_back(above);
        }
      }
    }
  }
  return {};
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
      trees_.secrets_.resize(base + buckets, {id, attribute});
      secret_of_[id].push_back(std::move(secrets));
    }
  }
}

// What a vertex says itself belongs to its holder.
void LabelTreeReader::Hold(Vertex vertex, Vertex holder) {
  const ClassId id = forest_.class_of(vertex);
  for (size_t attribute = 0; attribute < secret_of_[id].size(); ++attribute) {
    const Symbol symbol = forest_.value(vertex, schema_.classes[id].sensitive_slot(attribute));
    const uint32_t secret = secret_of_[id][attribute][symbol];
    if (secret == kNone) continue;
    const ClassId holder_class = forest_.class_of(holder);
    if (holder_class == 0) {
      held_by_root_.push_back(secret);
      continue;
    }
    for (size_t slot = 0; slot < name_of_[holder_class].size(); ++slot) {
      const uint32_t name = name_of_[holder_class][slot][forest_.value(holder, slot)];
      if (name != kNone) held_by_name_.emplace_back(name, secret);
    }
  }
}

void LabelTreeReader::Walk(RecordId record) {
  open_.clear();
  path_.clear();
  shown_.clear();
  relations_.clear();
  held_by_name_.clear();
  held_by_root_.clear();
  const Vertex root = forest_.root(record);
  for (Vertex v = root; v < forest_.root(record + 1); ++v) {
    while (!open_.empty() && open_.back().end <= v) open_.pop_back();
    path_.resize(open_.empty() ? 0 : open_.back().path_size);
    const size_t before = path_.size();
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
    const bool holds = path_.size() > before || v == root;
    const Vertex holder = holds ? v : open_.back().holder;
    if (trees_.options_.secrets) Hold(v, holder);
    open_.push_back({v + forest_.subtree_size(v), path_.size(), holder});
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
  trees_.shown_.resize(first + names_.size(), 0);
  for (const uint32_t name : shown_) trees_.shown_[first + place_[name]] = 1;
  if (trees_.options_.relations) AppendRelations(names_.size());
  if (trees_.options_.secrets) AppendSecrets(first, names_.size());
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
    for (const uint32_t name : chain_[below]) {
      trees_.above_[row + place_[name] / 64] |= uint64_t{1} << (place_[name] % 64);
    }
    if (!trees_.options_.ancestors) continue;
    trees_.above_shown_[row + place_[below] / 64] |= uint64_t{1} << (place_[below] % 64);
  }
}

void LabelTreeReader::AppendSecrets(size_t first, size_t count) {
  const auto append = [&](std::vector<uint32_t>& secrets) {
    std::sort(secrets.begin(), secrets.end());
    secrets.erase(std::unique(secrets.begin(), secrets.end()), secrets.end());
    trees_.held_.insert(trees_.held_.end(), secrets.begin(), secrets.end());
    trees_.first_held_.push_back(trees_.held_.size());
  };
  append(held_by_root_);
  std::sort(held_by_name_.begin(), held_by_name_.end());
  std::vector<uint32_t> secrets;
  for (size_t i = 0; i < count; ++i) {
    secrets.clear();
    const uint32_t name = trees_.tree_names_[first + i];
    const auto from = std::lower_bound(held_by_name_.begin(), held_by_name_.end(),
                                       std::pair<uint32_t, uint32_t>{name, 0});
    for (auto at = from; at != held_by_name_.end() && at->first == name; ++at) {
      secrets.push_back(at->second);
    }
    append(secrets);
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
  for (size_t place = 0; place <= trees_.names_of(last).size(); ++place) {
    for (const uint32_t secret : trees_.Held(last, place)) hash = Mix(hash, secret);
    hash = Mix(hash, kNone);
  }
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
  for (size_t place = 0; trees_.options_.secrets && place <= count; ++place) {
    const auto one = trees_.Held(tree, place);
    const auto other = trees_.Held(last, place);
    if (!std::equal(one.begin(), one.end(), other.begin(), other.end())) return false;
  }
  return true;
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
  trees_.first_held_.resize(first + trees_.weight_.size() + 1);
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
