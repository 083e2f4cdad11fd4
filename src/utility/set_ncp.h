// NCP and LM of published sets, from the original and the published data alone.
//
// An occurrence is an item of a record, once however often it stands there; sensitive and missing ones are none. It costs what the label
// costs that is published for it (NCP: its share of all leaves, and 0 for a leaf, Section 4.2.3 of Liu 2010), however many items share the label, and 1
// if none is.
//
//   THICKET_ASSIGN(const SetPair pair, SetPair::Read(original, published));
//   MeasureSetNcp(pair).ncp();
//
// Where one cut recoded everybody, the label of an item is the same in all records. Where records were recoded one by one, as lg does, published
// data does not say whose record is whose: then an original record costs what the cheapest published set costs that can be made of
// it, and the measure is a lower bound of the true one, which the report of the run has (`is_bound`). A record that no published set can be made
// of was left out.
//
// O(occurrences * depth) for a cut; else for each different original record the published sets that show one of its items.
#pragma once

#include "record/label_sets.h"
#include "utility/lm.h"

namespace thicket {

struct SetNcpReport {
  // Of the items' attribute; its labels are the occurrences.
  LossCount lm;
  double ncp_sum = 0;
  bool is_bound = false;

  double ncp() const { return lm.labels == 0 ? 0 : ncp_sum / static_cast<double>(lm.labels); }
};

SetNcpReport MeasureSetNcp(const SetPair& pair);

// The same as LM by class and attribute.
LmReport LmOfSets(const Schema& schema, const SetNcpReport& report);

}  // namespace thicket
