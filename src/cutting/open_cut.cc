#include "cutting/open_cut.h"

namespace thicket {

OpenCut::OpenCut(const ItemForest& forest)
    : forest_(&forest), state_(forest.size(), State::kBelow), place_(forest.size(), 0) {
  for (const Item root : forest.roots()) AddLabel(root);
}

void OpenCut::AddLabel(Item item) {
  if (forest_->is_leaf(item)) {
    state_[item] = State::kLocked;
    return;
  }
  state_[item] = State::kOpen;
  place_[item] = static_cast<uint32_t>(open_.size());
  open_.push_back(item);
}

void OpenCut::Close(Item value, State state) {
  const uint32_t place = place_[value];
  // The last one takes the place, and gives it back in Undo().
  open_[place] = open_.back();
  place_[open_[place]] = place;
  open_.pop_back();
  state_[value] = state;
  steps_.push_back({value, place});
}

void OpenCut::Specialize(Item value) {
  Close(value, State::kAbove);
  for (const Item child : forest_->Children(value)) AddLabel(child);
}

void OpenCut::Lock(Item value) { Close(value, State::kLocked); }

void OpenCut::Undo(const Step& step) {
  if (is_above(step.value)) {
    // Its children that are open are the last ones: later steps were taken back.
    for (const Item child : forest_->Children(step.value)) {
      if (is_open(child)) open_.pop_back();
      state_[child] = State::kBelow;
    }
  }
  if (step.place == open_.size()) {
    open_.push_back(step.value);
  } else {
    const Item moved = open_[step.place];
    place_[moved] = static_cast<uint32_t>(open_.size());
    open_.push_back(moved);
    open_[step.place] = step.value;
  }
  place_[step.value] = step.place;
  state_[step.value] = State::kOpen;
}

void OpenCut::Restore() {
  for (; steps_.size() > saved_.back(); steps_.pop_back()) Undo(steps_.back());
  saved_.pop_back();
}

std::vector<Item> OpenCut::Labels() const {
  std::vector<Item> labels;
  for (Item item = 0; item < forest_->size(); ++item) {
    if (is_label(item)) labels.push_back(item);
  }
  return labels;
}

}  // namespace thicket
