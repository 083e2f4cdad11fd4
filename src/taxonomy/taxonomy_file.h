// Reads and writes taxonomies in the forms that users already have.
//
// CSV: one line per leaf, leaf first, each column one level more general, the last the root; `;` or `,` (or a tab)
// between the columns, quotes as in RFC 4180, lines of different lengths. The two formats of Amnesia, text and JSON,
// are told apart from it by their content; see amnesia.h.
//
// Lines before the first leaf that begin with # and have one column only are comments. One of them may say how the taxonomy was
// made (taxonomy_origin.h).
//
//   THICKET_ASSIGN(Taxonomy course, ParseTaxonomy("CS305;CS3**;CS;*\nCS201;CS2**;CS;*\n", "course.csv"));
//
// A leaf or inner label with two different parents, a cycle, two roots, bad quoting, bad UTF-8, more than 1,000 levels or an
// empty file is an error with file and line; the labels themselves are not secret and are quoted. Consecutive equal columns
// (a value that is its own generalization) count as one. A label that is a leaf and a group at once, as in
//
//   ham;sausage;meat;*
//   sausage;sausage;meat;*      or   sausage;meat;*
//
// is a leaf "sausage" below the group "sausage (any)", in every format; see hierarchy.h.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// The error code is kUsage: a taxonomy is part of the policy.
Result<Taxonomy> ParseTaxonomy(std::string_view text, const std::string& file);

// The CSV form, one line per leaf, `;` between columns, in the order of the leaves' numbers; before them the line of its origin,
// if it has one.
std::string FormatTaxonomy(const Taxonomy& taxonomy);

// An indented picture for people, at most `most_lines` long (0: no limit), with leaf counts and losses.
std::string ShowTaxonomy(const Taxonomy& taxonomy, size_t most_lines);

}  // namespace thicket
