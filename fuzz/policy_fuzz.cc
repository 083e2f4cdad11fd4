// Any bytes as a policy: ParsePolicy must answer, and what it lets through must keep the promises of policy.h.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "check.h"
#include "policy/method_table.h"
#include "policy/policy.h"

namespace {

using thicket::fuzz::Check;

void CheckQuasi(const thicket::Recoding& recoding) {
  using Kind = thicket::Recoding::Kind;
  Check((recoding.kind == Kind::kTaxonomy) == !recoding.file.empty());
  Check((recoding.kind == Kind::kRanges) == !recoding.widths.empty());
  Check((recoding.kind == Kind::kMask) == (recoding.mask > 0));
  Check((recoding.kind == Kind::kDate) == !recoding.units.empty());
  thicket::Decimal last;
  for (const thicket::Decimal& width : recoding.widths) {
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

void CheckPrivacy(const thicket::PrivacyPolicy& privacy) {
  Check(privacy.k || privacy.l);
  Check(privacy.class_size() >= 2);
  Check(!privacy.alpha || (privacy.k && !privacy.l && !privacy.m));
  Check(privacy.m.has_value() == privacy.n.has_value());
  Check(privacy.m || !privacy.negative);
  if (privacy.m) Check(privacy.k && *privacy.m >= 1 && *privacy.n >= 0);
}

void CheckMethod(const thicket::MethodPolicy& method, const thicket::PrivacyPolicy& privacy) {
  const thicket::MethodRow& row = thicket::RowOf(method);
  Check(row.Serves(privacy.model()));
  Check(method.s > 0 && method.m > 0 && method.candidates >= 1 && method.g >= 1);
  Check(method.climit >= 1 && method.th >= 0 && method.th <= 1);
  if (method.limit_s) Check(*method.limit_s > 0 && (method.refine || !row.may_refine));
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
  CheckPrivacy(policy->privacy);
  CheckMethod(policy->method, policy->privacy);
  CheckSchema(*policy->schema);
  return 0;
}
