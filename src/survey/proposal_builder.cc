#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/supervised.h"
#include "base/text.h"
#include "survey/propose.h"
#include "survey/survey.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

Error Misused(std::string_view what) {
  return ErrorAt(ErrorCode::kUsage, {.file = "ProposalBuilder"}, what,
                 "call BeginRecord, then OpenVertex and CloseVertex in pairs, then EndRecord");
}

}  // namespace

// Fills the survey that a reader of a file fills.
class ProposalBuilder::Impl {
 public:
  Impl(std::string name, const ProposeOptions& options)
      : name_(std::move(name)), options_(options) {}

  Status BeginRecord() {
    if (!open_.empty()) return Misused("EndRecord must come before BeginRecord, but did not");
    if (options_.progress != nullptr && options_.progress->cancelled()) return Interrupted();
    ++pushed_;
    ClassSurvey* root = Enough(survey_) ? nullptr : &survey_.root;
    if (root != nullptr) {
      ++survey_.records;
      ++root->vertices;
      root->objects = true;
    }
    open_.push_back({root, 0, false, {}});
    return {};
  }

  Status EndRecord() {
    if (open_.empty()) return Misused("BeginRecord must come before EndRecord, but did not");
    if (open_.size() > 1) {
      return Misused("every vertex must be closed before EndRecord, but one is open");
    }
    open_.back().CountChildren();
    open_.clear();
    return {};
  }

  Status OpenVertex(std::string_view key) {
    if (open_.empty()) return Misused("BeginRecord must come before OpenVertex, but did not");
    if (!IsUtf8(key)) return NotUtf8("");
    Open& above = open_.back();
    if (above.of == nullptr) {
      open_.push_back({nullptr, 0, false, {}});
      return {};
    }
    above.of->objects = true;
    ClassSurvey& child = above.of->Child(key);
    ++child.vertices;
    const uint64_t index = above.NextIndex(child);
    child.array = child.array || index > 0;
    const bool too_deep = open_.size() > kDeepestSurveyed;
    child.odd = child.odd || too_deep;
    open_.push_back({too_deep ? nullptr : &child, index, false, {}});
    return {};
  }

  Status CloseVertex() {
    if (open_.size() < 2) return Misused("OpenVertex must come before CloseVertex, but did not");
    const Open& open = open_.back();
    if (open.of != nullptr && !open.plain) open.of->objects = true;
    open.CountChildren();
    open_.pop_back();
    return {};
  }

  Status Set(std::string_view attribute, std::optional<std::string_view> text) {
    if (open_.empty()) return Misused("BeginRecord must come before Set, but did not");
    if (!IsUtf8(attribute)) return NotUtf8("");
    if (text && !IsUtf8(*text)) return NotUtf8(attribute);
    Open& open = open_.back();
    if (open.of == nullptr) return {};
    if (attribute.empty() && open_.size() > 1) {
      open.plain = true;
      open.of->plain = true;
    } else {
      open.of->objects = true;
    }
    if (text) {
      open.of->Attribute(attribute).Add(*text, survey_.records);
    } else if (!open.plain) {
      open.of->MeetNull(attribute);
    }
    return {};
  }

  bool enough() const { return survey_.records >= kMostSurveyed; }

  Result<Proposal> Finish() && {
    if (!open_.empty()) return Misused("EndRecord must come before Finish, but did not");
    Progress own;
    return Supervised(options_.progress != nullptr ? *options_.progress : own,
                      [&]() -> Result<Proposal> {
                        THICKET_TRY(FinishSurvey(name_, survey_));
                        return ProposeFor(survey_, options_, name_, "-", /*in_memory=*/true);
                      });
  }

 private:
  // An open vertex; null where it is let pass.
  struct Open {
    ClassSurvey* of;
    // Among those of its key below one vertex.
    uint64_t index;
    // Nothing but a value.
    bool plain;
    // How many of each key it has below it. Few stand below one, so they are looked for one by one.
    std::vector<std::pair<ClassSurvey*, uint64_t>> children;

    void CountChildren() const {
      for (const auto& [child, count] : children) child->MeetLength(count);
    }
    uint64_t NextIndex(ClassSurvey& child) {
      for (auto& [known, count] : children) {
        if (known == &child) return count++;
      }
      children.emplace_back(&child, 1);
      return 0;
    }
  };

  // Something of the open vertex.
  Error NotUtf8(std::string_view attribute) const {
    std::string path;
    for (size_t i = 1; i < open_.size(); ++i) {
      if (open_[i].of == nullptr) break;
      if (i > 1) path += ".";
      path += fmt::format("{}[{}]", open_[i].of->key, open_[i].index);
    }
    if (!attribute.empty()) path += (path.empty() ? "" : ".") + std::string(attribute);
    return ErrorAt(ErrorCode::kData, {.file = name_, .record = pushed_, .path = std::move(path)},
                   "must be UTF-8, but is not", "convert it");
  }

  std::string name_;
  ProposeOptions options_;
  Survey survey_;
  uint64_t pushed_ = 0;
  std::vector<Open> open_;
};

ProposalBuilder::ProposalBuilder(std::string name, const ProposeOptions& options)
    : impl_(std::make_unique<Impl>(std::move(name), options)) {}
ProposalBuilder::ProposalBuilder(ProposalBuilder&&) noexcept = default;
ProposalBuilder& ProposalBuilder::operator=(ProposalBuilder&&) noexcept = default;
ProposalBuilder::~ProposalBuilder() = default;

Status ProposalBuilder::BeginRecord() { return impl_->BeginRecord(); }
Status ProposalBuilder::EndRecord() { return impl_->EndRecord(); }
Status ProposalBuilder::OpenVertex(std::string_view key) { return impl_->OpenVertex(key); }
Status ProposalBuilder::CloseVertex() { return impl_->CloseVertex(); }
Status ProposalBuilder::Set(std::string_view attribute, std::optional<std::string_view> text) {
  return impl_->Set(attribute, text);
}
bool ProposalBuilder::enough() const { return impl_->enough(); }
Result<Proposal> ProposalBuilder::Finish() && { return std::move(*impl_).Finish(); }

}  // namespace thicket
