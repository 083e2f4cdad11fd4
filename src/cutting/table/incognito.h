// The best full-domain cut of a table: every quasi-identifier is published at one level of its taxonomy. The rival of
// l+-Optimize (Section 3.6.1 of Liu 2010; Incognito, LeFevre et al. 2005, with l-diversity as in Machanavajjhala et al. 2006).
//
//   const TableTask task(table, goal);
//   const TableAnswer answer = FindBestFullDomainCuts(task, {}, parallel, progress);
//   Publish(answer.best.cuts.front().labels);
//
// Level d of a taxonomy has the nodes d steps below the root, and the leaves that are nearer. A combination of levels is a node
// of a lattice: 5,400 for Adult with the taxonomies of the thesis. Where a layer of it would have more than a million nodes the
// search ends, as if by a limit of time. The thesis has Incognito without suppression only; here
// every scheme and metric is to be had, and the answer costs least among all full-domain cuts.
//
// The lattice is walked from the roots down, level sum by level sum, and a node is reached only if all of the nodes right above
// it were passed. Nothing below a node is looked at
//   - if the node is not valid, and no specialization of it can be: kNone (if every finer class keeps the promise, so does
//     their union), and classes that are too small under the schemes for values. This is the pruning by subsets of
//     Incognito: a subset of the quasi-identifiers is a node with all others at their roots;
//   - if so many records must be left out, whatever is specialized, that it costs too much: see below.
// A node is not judged if what its labels lose says enough (LM), which is known without the records.
//
// How many records must go: let F(node) be the fewest that kViolatingRecords leaves out. What is kept of a finer cut under
// either scheme for records keeps the promise in each of its classes, so it does in their unions, which are parts of the
// classes of the node; kViolatingRecords keeps the most records of each class. Hence both schemes leave out at least F(node)
// records in every specialization of the node. For one sensitive attribute, or none.
//
// The same answers on any number of threads, unless a limit of time ends the search.
#pragma once

#include <cstddef>
#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "cutting/table/lplus.h"

namespace thicket {

struct IncognitoOptions {
  // The search ends after so many seconds, with the best found so far. The roots are always looked at.
  std::optional<double> limit_s = std::nullopt;
  // How many best cuts are asked for, at least 1.
  size_t top_h = 1;
};

// `best.proof` and `best.bound` speak of full-domain cuts, and `all_cuts` is how many there are.
TableAnswer FindBestFullDomainCuts(const TableTask& task, const IncognitoOptions& options,
                                   Parallel& parallel, Progress& progress);

}  // namespace thicket
