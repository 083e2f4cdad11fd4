// Whoever knows up to m labels and n relations, played against what is published of random small data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/assess.h"
#include "engine/thicket.h"
#include "testing/literal_adversary.h"

namespace thicket::adversary_property_test {
namespace {

using testing::LiteralAdversary;
using testing::LiteralFindings;
using testing::LiteralWorld;

const LiteralWorld& World() {
  static const LiteralWorld world = {
      {{"nation", {{"F", "West"}, {"G", "West"}, {"P", "East"}, {"West", "*"}, {"East", "*"}}},
       {"code", {{"a1", "a"}, {"a2", "a"}, {"b1", "b"}, {"b2", "b"}, {"a", "*"}, {"b", "*"}}},
       {"year", {{"1", "*"}, {"2", "*"}}},
       {"drug", {{"x", "*"}, {"y", "*"}}}},
      {"nation", "code", "year", "drug"},
      {"status", "disease", "dose"},
      {"visits", "drugs"}};
  return world;
}

struct Promise {
  int k = 2;
  int m = 1;
  int n = 0;
  int l = 0;
  bool negative = false;
  std::string method = "{name: gcs}";

  std::string Text() const {
    return "{k: " + std::to_string(k) + ", m: " + std::to_string(m) + ", n: " + std::to_string(n) +
           (l > 0 ? ", l: " + std::to_string(l) : "") + (negative ? ", negative: on" : "") + "}";
  }
};

// A folder with the world's taxonomies and a policy.
class Clinic {
 public:
  Clinic()
      : folder_(std::filesystem::temp_directory_path() /
                ("thicket_adversary_test_" + std::to_string(Random::Secure().Next()))) {
    std::filesystem::create_directories(folder_);
    for (const auto& [attribute, parents] : World().taxonomies) {
      std::string rows;
      for (const auto& [label, parent] : parents) {
        if (IsInner(parents, label)) continue;
        rows += label;
        for (auto up = parents.find(label); up != parents.end(); up = parents.find(up->second)) {
          rows += ";" + up->second;
        }
        rows += "\n";
      }
      Write(attribute + ".csv", rows);
    }
  }
  Clinic(const Clinic&) = delete;
  Clinic& operator=(const Clinic&) = delete;
  ~Clinic() { std::filesystem::remove_all(folder_); }

  LoadedPolicy Policy(const Promise& promise) const {
    Write("policy.yaml",
          "version: 1\nrecord:\n  class: patient\n  quasi: {nation: {taxonomy: nation.csv}}\n"
          "  sensitive: {status: {}}\n  children:\n    - class: visit\n      at: visits\n"
          "      quasi: {code: {taxonomy: code.csv}, year: {taxonomy: year.csv}}\n"
          "      sensitive: {disease: {}}\n      children:\n"
          "        - {class: drug, at: drugs, quasi: {drug: {taxonomy: drug.csv}},"
          " sensitive: {dose: {}}}\n"
          "privacy: " +
              promise.Text() + "\nmethod: " + promise.method + "\n");
    Result<LoadedPolicy> policy = LoadPolicy((folder_ / "policy.yaml").string());
    if (!policy.ok()) throw std::logic_error(policy.error().message);
    return std::move(*policy);
  }
  VerifyReport Verify(const Promise& promise, const std::string& published) const {
    Write("published.jsonl", published);
    Progress progress;
    Result<VerifyReport> report =
        VerifyFile(Policy(promise), (folder_ / "published.jsonl").string(), "", progress);
    if (!report.ok()) throw std::logic_error(report.error().message);
    return std::move(*report);
  }

 private:
  static bool IsInner(const std::map<std::string, std::string>& parents, const std::string& label) {
    for (const auto& [child, parent] : parents) {
      if (parent == label) return true;
    }
    return false;
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  std::filesystem::path folder_;
};

// Patients whose sensitive values may go with their labels, or not.
class RandomPatients {
 public:
  explicit RandomPatients(uint64_t seed) : random_(Random::Seeded(seed)) {
    secrets_ = 2 + random_.Below(19);
    missing_ = random_.Below(6) * 10;
    ties_ = random_.Below(4) * 15;
    sets_ = random_.Below(4) == 0;
  }

  std::string Make(size_t count) {
    // Every name of the policy occurs somewhere.
    std::string text =
        "{\"nation\": \"F\", \"status\": \"sa\", \"visits\": [{\"code\": \"a1\", \"year\": \"1\", "
        "\"disease\": \"sb\", \"drugs\": [{\"drug\": \"x\", \"dose\": \"sc\"}]}]}\n";
    std::string last = text;
    for (size_t i = 1; i < count; ++i) {
      // Some are alike in everything.
      if (random_.Below(6) != 0) last = sets_ ? Set() : Patient();
      text += last;
    }
    return text;
  }

 private:
  bool Chance(uint64_t percent) { return random_.Below(100) < percent; }
  std::string Quasi(const std::string& key, const std::vector<std::string>& values) {
    if (Chance(10)) return "";
    tied_ = random_.Below(values.size());
    return ", \"" + key + "\": \"" + values[tied_] + "\"";
  }
  // Where values are tied, the last label says which it is.
  std::string Secret(const std::string& key) {
    if (Chance(missing_)) return "";
    const uint64_t value = Chance(ties_) ? tied_ : random_.Below(secrets_);
    return ", \"" + key + "\": \"s" + static_cast<char>('a' + value) + "\"";
  }
  // Who has one code of a kind has a status, as a rule, and who has both has not: what both together give away, and none by
  // itself.
  std::string Set() {
    const bool first = Chance(50);
    const bool second = Chance(50);
    std::string text = first != second && Chance(80) ? "{\"status\": \"sz\"" : "{\"x\": 0";
    text += ", \"visits\": [{\"x\": 0}";
    if (first) text += ", {\"code\": \"b1\"}";
    if (second) text += ", {\"code\": \"b2\"}";
    return text + "]}\n";
  }
  std::string Patient() {
    std::string text = "{\"x\": 0" + Quasi("nation", {"F", "G", "P"}) + Secret("status");
    text += ", \"visits\": [";
    for (uint64_t visits = random_.Below(3), i = 0; i < visits; ++i) {
      text += std::string(i == 0 ? "" : ", ") + "{\"x\": 0" +
              Quasi("code", {"a1", "a2", "b1", "b2"}) + Quasi("year", {"1", "2"}) +
              Secret("disease") + ", \"drugs\": [";
      for (uint64_t drugs = random_.Below(3), j = 0; j < drugs; ++j) {
        text += std::string(j == 0 ? "" : ", ") + "{\"x\": 0" + Quasi("drug", {"x", "y"}) +
                Secret("dose") + "}";
      }
      text += "]}";
    }
    return text + "]}\n";
  }

  Random random_;
  uint64_t secrets_;
  uint64_t missing_;
  uint64_t ties_;
  bool sets_;
  uint64_t tied_ = 0;
};

Promise RandomPromise(Random& random, bool negative) {
  Promise promise;
  promise.k = 2 + static_cast<int>(random.Below(2));
  promise.m = 1 + static_cast<int>(random.Below(negative ? 2 : 3));
  promise.n = static_cast<int>(random.Below(std::min(3, promise.m * (promise.m - 1) / 2 + 1)));
  promise.l = 2 + static_cast<int>(random.Below(2));
  promise.negative = negative;
  const char* const methods[] = {"{name: gcs}", "{name: gcs, cost: rpd, g: 4}",
                                 "{name: gcs, cost: labels}", "{name: ocs}", "{name: acs}"};
  promise.method = methods[random.Below(5)];
  return promise;
}

LiteralFindings Play(const Promise& promise, const std::string& published) {
  LiteralAdversary adversary(World(), published);
  return adversary.Play(
      {static_cast<size_t>(promise.m), static_cast<size_t>(promise.n), promise.negative});
}

bool Keeps(const Promise& promise, const LiteralFindings& found) {
  if (found.fewest > 0 && found.fewest < static_cast<size_t>(promise.k)) return false;
  return promise.l == 0 || found.worst_share * promise.l <= 1 + 1e-9;
}

Result<AnonymizedText> Publish(const Clinic& clinic, const Promise& promise,
                               const std::string& records) {
  RunOptions options;
  options.seed = 1;
  options.threads = 1;
  Progress progress;
  return AnonymizeText(clinic.Policy(promise), records, options, progress);
}

// Nobody who knows so little is surer of a sensitive value than 1/l. Nothing is withheld that could be published: at least
// without labels.
void PlayAgainstWhatIsPublished(uint64_t seed, bool negative) {
  Random random = Random::Seeded(seed);
  const Clinic clinic;
  const Promise promise = RandomPromise(random, negative);
  const std::string records = RandomPatients(random.Next()).Make(6 + random.Below(10));
  const Result<AnonymizedText> published = Publish(clinic, promise, records);
  RC_TAG(published.ok() ? "published" : "refused");
  if (!published.ok()) {
    RC_LOG() << published.error().message << "\n" << promise.Text() << "\n" << records;
    RC_ASSERT(published.error().code == ErrorCode::kPromise);
    RC_ASSERT(published.error().message.find("no value may occur in more than 1/") !=
              std::string::npos);
    // Whoever knows nothing is surer already.
    RC_ASSERT(!Keeps(promise, LiteralAdversary(World(), records).Play({.m = 0})));
    return;
  }
  RC_LOG() << promise.Text() << "\n" << records << "\n" << published->data;
  RC_ASSERT(Keeps(promise, Play(promise, published->data)));
}

// What was published without l or negative knowledge may or may not keep such a promise, and so may what was published with
// it and then changed: the check must know which.
void CompareWithTheCheck(uint64_t seed, bool negative) {
  Random random = Random::Seeded(seed);
  const Clinic clinic;
  const Promise promise = RandomPromise(random, negative);
  const std::string records = RandomPatients(random.Next()).Make(6 + random.Below(10));
  Result<AnonymizedText> published = Publish(clinic, promise, records);
  if (!published.ok() || random.Below(3) == 0) {
    Promise less = promise;
    less.l = 0;
    less.negative = negative && random.Below(2) == 0;
    published = Publish(clinic, less, records);
  }
  RC_ASSERT(published.ok());
  std::string text = published->data;
  for (uint64_t changes = random.Below(3); changes > 0; --changes) {
    // Lists are in order, and stay as they are.
    const size_t at = text.find(":\"s", random.Below(text.size()));
    if (at == std::string::npos || text[at + 4] != '"') continue;
    text[at + 3] = static_cast<char>('a' + random.Below(12));
  }
  const bool keeps = Keeps(promise, Play(promise, text));
  RC_TAG(keeps ? "kept" : "broken");
  RC_LOG() << promise.Text() << "\n" << text;
  const VerifyReport report = clinic.Verify(promise, text);
  for (const std::string& message : report.messages) RC_LOG() << message << "\n";
  RC_ASSERT(report.holds == keeps);
}

RC_GTEST_PROP(Adversary, LearnsNothingFromWhatIsPublished, (uint64_t seed)) {
  PlayAgainstWhatIsPublished(seed, false);
}

RC_GTEST_PROP(Adversary, LearnsNothingByNegativeKnowledge, (uint64_t seed)) {
  PlayAgainstWhatIsPublished(seed, true);
}

RC_GTEST_PROP(Adversary, FindsWhatTheCheckFinds, (uint64_t seed)) {
  CompareWithTheCheck(seed, false);
}

RC_GTEST_PROP(Adversary, FindsWhatTheCheckFindsOfNegativeKnowledge, (uint64_t seed)) {
  CompareWithTheCheck(seed, true);
}

// The reference itself: whoever knows F knows s0, and whoever knows nothing, not.
TEST(Adversary, KnowsWhatGoesWithANation) {
  const std::string records =
      "{\"nation\":\"F\",\"visits\":[{\"code\":\"a1\",\"disease\":\"s0\"}]}\n"
      "{\"nation\":\"F\",\"visits\":[{\"code\":\"a1\",\"disease\":[\"s0\",\"s1\"]}]}\n"
      "{\"nation\":\"G\",\"visits\":[{\"code\":\"a1\",\"disease\":\"s2\"}]}\n"
      "{\"nation\":\"G\",\"visits\":[{\"code\":\"a1\",\"disease\":\"s3\"}]}\n";
  LiteralAdversary adversary(World(), records);
  ASSERT_EQ(adversary.records(), 4U);
  EXPECT_EQ(adversary.Play({.m = 0}).worst_share, 0.5);
  const LiteralFindings found = adversary.Play({.m = 1});
  EXPECT_EQ(found.worst_share, 1);
  EXPECT_EQ(found.fewest, 2U);
  EXPECT_FALSE(Clinic().Verify({.k = 2, .m = 1, .n = 0, .l = 2}, records).holds);
}

}  // namespace
}  // namespace thicket::adversary_property_test
