// Any bytes as a policy: ParsePolicy must answer, and what it lets through must keep the promises of policy.h.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "policy/policy.h"

namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckQuasi(const thicket::Recoding& recoding) {
  using Kind = thicket::Recoding::Kind;
  Check((recoding.kind == Kind::kTaxonomy) == !recoding.file.empty());
  Check((recoding.kind == Kind::kRanges) == !recoding.widths.empty());
  Check((recoding.kind == Kind::kMask) == (recoding.mask > 0));
  Check((recoding.kind == Kind::kDate) == !recoding.units.empty());
  double last = 0;
  for (const double width : recoding.widths) {
    Check(width > last);
    last = width;
  }
}

void CheckSchema(const thicket::Schema& schema) {
  Check(!schema.classes.empty());
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    const thicket::VertexClass& one = schema.classes[id];
    Check(!one.name.empty());
    Check(id == 0 ? one.at.empty() : !one.at.empty() && one.parent < id && one.id.empty());
    for (const thicket::ClassId child : one.children) {
      Check(child > id && child < schema.classes.size() && schema.classes[child].parent == id);
    }
    for (const thicket::QuasiAttribute& quasi : one.quasi) CheckQuasi(quasi.recoding);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const thicket::Result<thicket::Policy> policy = thicket::ParsePolicy(text, "policy.yaml");
  if (!policy.ok()) {
    Check(policy.error().code == thicket::ErrorCode::kUsage);
    Check(policy.error().message.starts_with("policy.yaml"));
    return 0;
  }
  Check(policy->privacy.k || policy->privacy.l);
  Check(policy->privacy.class_size() >= 2);
  Check(policy->method.name == "clustree" && policy->method.s > 0 && policy->method.m > 0);
  CheckSchema(*policy->schema);
  return 0;
}
