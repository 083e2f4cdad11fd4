// What a published term of a bag says: a word; several words, one of which is meant ("vino|wine"); or a group of a taxonomy that
// the word lies in.
//
//   THICKET_ASSIGN(BagLabels labels, BagLabels::Of(attribute, taxonomies, networks));
//   labels.IsLegal("vino|wine");                  // true where both are words of the network
//   labels.Alternatives("vino|wine");             // {"vino", "wine"}
//
// Read here for the check alone; what is published is made in grouping/ and engine/.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/dataset.h"
#include "taxonomy/semantic_network.h"
#include "taxonomy/taxonomy.h"
#include "verify/verify.h"

namespace thicket {

class BagLabels {
 public:
  // What the attribute's recoding names, which must outlive this object; kUsage if neither files nor networks have it.
  static Result<BagLabels> Of(const QuasiAttribute& attribute, const TaxonomyFiles& taxonomies,
                              const NetworkFiles& networks);

  // One of the two is null.
  const Taxonomy* taxonomy() const { return taxonomy_; }
  const SemanticNetwork* network() const { return network_; }
  // Whether words that are in neither stand for themselves.
  bool takes_unknown() const { return takes_unknown_; }

  // The words of the label: itself, unless the attribute's labels may be several words, joined by kAlternativesMark.
  std::vector<std::string_view> Alternatives(std::string_view label) const;
  // Whether the label is a word or a group, or consists of different words.
  bool IsLegal(std::string_view label) const;

 private:
  bool IsWord(std::string_view text) const;

  const Taxonomy* taxonomy_ = nullptr;
  const SemanticNetwork* network_ = nullptr;
  bool takes_unknown_ = false;
  bool may_be_several_ = false;
};

// Every published term must be legal, and none may be missing. The schema's records are bags: the terms are the only attribute of
// class 1.
Status CheckBagLabels(const Dataset& published, const TaxonomyFiles& taxonomies,
                      const NetworkFiles& networks, Violations& violations);

}  // namespace thicket
