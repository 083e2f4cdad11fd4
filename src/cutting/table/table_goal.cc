#include "cutting/table/table_goal.h"

namespace thicket {

TablePromise TablePromise::KAnonymity(const Table& table, uint64_t k) {
  return Uniform(table, {1, 1}, k);
}

TablePromise TablePromise::Uniform(const Table& table, Fraction theta, uint64_t k) {
  return {k, std::vector<Fraction>(table.value_count(), theta)};
}

TablePromise TablePromise::ByFrequency(const Table& table, Fraction theta, uint64_t k) {
  TablePromise promise = Uniform(table, theta, k);
  for (size_t attribute = 0; attribute < table.sensitive_count(); ++attribute) {
    const uint32_t first = table.first_value(attribute);
    const uint32_t end = table.first_value(attribute + 1);
    uint64_t values = 0;
    for (uint32_t value = first; value < end; ++value) {
      values += table.value_occurrences(value) > 0 ? 1 : 0;
    }
    for (uint32_t value = first; value < end; ++value) {
      // The frequency over the mean one is occurrences / records * values.
      const uint64_t part = table.value_occurrences(value) * values;
      if (part <= table.record_count()) continue;
      Fraction& share = promise.theta[value];
      const std::optional<Fraction> more = theta.Times(part, table.record_count());
      if (!more) continue;  // the stricter share, where a larger one cannot be written
      share = *more < Fraction{1, 1} ? *more : Fraction{1, 1};
    }
  }
  return promise;
}

}  // namespace thicket
