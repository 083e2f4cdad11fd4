// Which of very many classes have most in common with one of them, by adding up bitmaps of labels.
//
// For every label there is a bitmap of the classes that have a vertex at or below the label, and one of those that have two, three, and so
// on. The class that looks adds up the bitmaps of its own labels, each with what a pair of vertices saves there: this is the bound of
// grouping/similarity_bound.h for everybody at once, 64 sums to a word and a word to a binary digit (grouping/bit_sums.h). Whoever has a
// sensitive value at a label that is full in the looking class counts for nothing there, nor with what stands below. A look takes about
// two cycles for each class, where the bound takes some hundred nanoseconds.
//
// What a pair saves is rounded to two binary digits, and where labels are very many, the rare ones have no bitmap. So the order is nearly, but
// not quite that of the bound: whoever looks takes some dozen proposals, and compares those.
//
//   LabelScan scan(model);
//   scan.ChooseLabels(items, tree_of);
//   scan.Add(shelf, weighted_items, tree_of);
//   LabelScan::Query query;
//   LabelScan::Query* const queries[] = {&query};
//   scan.Load(representative, query);
//   scan.Find(shelf, 1, 2, 32, queries, workspace);
//   for (const LabelScan::Found& found : query.found()) Compare(found.item);
//
// Items stand on shelves, which are looked at one by one, in blocks of about the same weight: what a class costs falls with what it has
// in common with another one, and rises with what the other one loses. Several queries at once read each block while it is in the cache;
// what is found is a function of all of them.
//
// Memory: a bit for each item and bitmap, of which there are at most 4,096.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "grouping/bit_sums.h"
#include "grouping/label_nodes.h"
#include "matching/representative.h"
#include "matching/tree_model.h"

namespace thicket {

class LabelScan {
 public:
  // The number of whoever is looked for.
  using Item = uint32_t;
  struct Weighted {
    Item item;
    Units weight;  // what the item keeps
  };
  struct Found {
    Units key;  // about weight * part / of - similarity: less is better
    Item item;
  };
  // Calls its second argument with the tree of an item.
  using VisitTree =
      std::function<void(Item item, const std::function<void(const Representative&)>& visit)>;

  explicit LabelScan(const TreeModel& model);

  // Decides which labels have bitmaps, by how many of the items have them; before anything is added.
  void ChooseLabels(const std::vector<Item>& items, const VisitTree& tree);
  // Puts items that stand on no shelf onto one.
  void Add(size_t shelf, std::vector<Weighted> items, const VisitTree& tree);
  void Remove(Item item);

  class Query {
   public:
    // In no order.
    const std::vector<Found>& found() const { return found_; }

   private:
    friend class LabelScan;
    // A row counts 2^digit.
    struct Step {
      uint32_t row;  // of the block, or of masked_
      uint32_t digit;
      bool masked;
    };
    // Whoever has one of some rows.
    struct Mask {
      uint32_t first;  // of conflicts_
      uint32_t count;
    };
    // The holders of a row without those of a mask.
    struct MaskedRow {
      uint32_t row;
      uint32_t mask;
    };

    Units unit_ = 1;         // what a sum of one stands for
    Units kept_ = 0;         // what the looking class keeps
    uint32_t sum_most_ = 0;  // the greatest sum of all steps
    std::vector<Step> steps_;
    std::vector<Mask> masks_;
    std::vector<uint32_t> conflicts_;  // rows
    std::vector<MaskedRow> masked_;
    std::vector<uint32_t> forbidden_;  // rows: whoever has one may not stand with the class at all

    // Buffers of a look.
    std::vector<uint32_t> nodes_;
    std::vector<uint32_t> deciders_;
    std::vector<uint32_t> mask_of_position_;
    std::vector<uint32_t> mask_of_node_;
    Units bar_ = 0;  // only who has a key of at most this is needed
    std::vector<Found> best_;
    std::vector<Found> found_;
  };

  // Buffers for the blocks that are looked at; one per thread.
  class Workspace {
    friend class LabelScan;
    std::vector<BitSums::Row> mask_rows_;
    std::vector<BitSums::Row> masked_rows_;
    std::vector<BitSums::Term> terms_;
    BitSums sums_;
  };

  // What the representative looks for; it has found nothing yet.
  void Load(const Representative& group, Query& query) const;
  // Adds the `most` items of a shelf with the least keys to what each query has found; of equal keys those with the lowest numbers.
  void Find(size_t shelf, Units part, Units of, size_t most, std::span<Query* const> queries,
            Workspace& work) const;

 private:
  static constexpr uint32_t kNoRow = ~uint32_t{0};
  static constexpr Units kNoBar = std::numeric_limits<Units>::max();
  // Weights within a block are told apart by so many binary digits.
  static constexpr uint32_t kLightDigits = 7;
  static constexpr Units kLightLevels = (Units{1} << kLightDigits) - 1;

  struct Block {
    std::vector<BitSums::Row> rows;
    BitSums::Row present{};
    std::vector<Weighted> items;
    Units least = 0;
    Units most = 0;
    size_t left = 0;
  };
  struct Shelf {
    std::vector<std::unique_ptr<Block>> blocks;  // ascending by least weight
    size_t present = 0;
    size_t slots = 0;
  };
  struct Where {
    size_t shelf = 0;
    Block* block = nullptr;
    size_t slot = 0;
  };
  // The rows of a label.
  struct NodeRows {
    uint32_t first = kNoRow;  // of one vertex, two vertices, and so on, in larger steps for many
    uint32_t steps = 0;
    uint32_t values = kNoRow;  // of the sensitive values of vertices with this label, by bucket
  };

  // Fills `nodes` with all nodes at and above the labels, ascending, as often as there are vertices.
  void ListNodes(const Representative& tree, std::vector<uint32_t>& nodes) const;
  // Calls visit(node, count) for each node of a sorted list.
  template <typename Visit>
  static void ForEachNode(const std::vector<uint32_t>& nodes, const Visit& visit) {
    for (size_t begin = 0; begin < nodes.size();) {
      size_t end = begin;
      while (end < nodes.size() && nodes[end] == nodes[begin]) ++end;
      visit(nodes[begin], end - begin);
      begin = end;
    }
  }
  void GiveRows(uint32_t node, uint32_t steps);
  // The rows of the values that a position may have, or kNoRow.
  uint32_t ValueRows(const Representative& tree, uint32_t position) const;
  void Pack(Shelf& shelf, std::vector<Weighted>& items);
  std::unique_ptr<Block> MakeBlock(size_t shelf, std::span<const Weighted> items,
                                   const VisitTree& tree);
  void Write(Block& block, size_t slot, const Representative& tree);
  void LoadMasks(const Representative& group, Query& query) const;
  static void AddSteps(Units saved, uint32_t row, bool masked, Query& query);
  void FillTerms(const Block& block, Units part, Units of, const Query& query,
                 Workspace& work) const;
  void Look(const Block& block, Units part, Units of, size_t most, Query& query,
            Workspace& work) const;

  const TreeModel* model_;
  LabelNodes nodes_;
  std::vector<NodeRows> node_rows_;  // by node
  uint32_t row_count_ = 0;
  uint32_t root_values_ = kNoRow;  // the rows of the root's sensitive values, or kNoRow
  uint32_t light_ = 0;  // the rows of how much lighter an item is than the heaviest of its block
  std::vector<Shelf> shelves_;
  std::vector<Where> where_;  // by item
  std::vector<uint32_t> listed_;
};

}  // namespace thicket
