#include "policy/policy_reader.h"

namespace thicket {

Status ReadKeep(const PolicyNode& keep, VertexClass& result) {
  if (!keep.yaml().is_mapping()) {
    THICKET_ASSIGN(result.keep, keep.Texts());
    return {};
  }
  for (const auto& [name, options] : keep.Children()) {
    if (name.empty()) {
      return options.Fail("must have a name, but the name is empty",
                          "fill it in, or remove the key");
    }
    THICKET_TRY(options.MustHaveOnly({{"constant", "missing"}, {}}));
    result.keep.push_back(name);
    if (!options.Has("constant")) continue;
    const PolicyNode constant = options.Child("constant");
    if (!constant.yaml().is_scalar() || constant.yaml().text.empty()) {
      return constant.Fail("must be the value that all records have, but is none",
                           "write constant: VALUE");
    }
    result.constants.emplace(name, constant.yaml().text);
  }
  return {};
}

}  // namespace thicket
