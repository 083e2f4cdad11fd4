#include "generate/querylog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace thicket {
namespace {

constexpr int64_t kMinute = 60;
constexpr int64_t kHour = 60 * kMinute;
constexpr int64_t kDay = 24 * kHour;
// March, April and May of 2006.
constexpr std::array<int64_t, 3> kMonthDays = {31, 30, 31};
constexpr int64_t kDays = 92;

// Words that are no nouns of WordNet, nor plurals of any.
constexpr std::array<std::string_view, 20> kOtherWords = {
    "the",    "of",   "for",   "and",  "with", "how",     "from", "my",     "your",       "cheap",
    "online", "used", "where", "when", "what", "without", "easy", "famous", "affordable", "tiny"};

// How often, of a hundred.
constexpr uint64_t kClicked = 55;
constexpr uint64_t kAnotherClick = 22;
constexpr uint64_t kAboutInterest = 70;
constexpr uint64_t kAboutTheme = 95;
constexpr uint64_t kRare = 60;  // where it is not about the theme
constexpr uint64_t kSameNoun = 30;
constexpr uint64_t kPlural = 20;
constexpr uint64_t kOtherWord = 30;
constexpr uint64_t kSameDay = 40;
constexpr uint64_t kAnotherDay = 55;
constexpr uint64_t kWeeksLater = 8;

// What there is to look for is the same for every seed, as in one world: so many themes, each of them a word, words
// near it, and as many that are not, but are asked for together with it.
constexpr uint64_t kWorld = 2006;
constexpr size_t kThemes = 1200;
constexpr size_t kThemeWords = 6;

// A month, a day and a time of the log, as yyyy-mm-dd hh:mm:ss.
void AppendTime(int64_t time, std::string& out) {
  int64_t day = time / kDay;
  size_t month = 0;
  while (day >= kMonthDays[month]) day -= kMonthDays[month++];
  fmt::format_to(std::back_inserter(out), "2006-{:02}-{:02} {:02}:{:02}:{:02}", month + 3, day + 1,
                 time % kDay / kHour, time % kHour / kMinute, time % kMinute);
}

}  // namespace

QueryLogWriter::QueryLogWriter(std::shared_ptr<const QueryWords> words, uint64_t seed)
    : words_(std::move(words)), random_(Random::Seeded(seed)), occurs_(words_->size(), false) {
  // Falls as one over the rank, and in the tail faster.
  uint64_t scale = uint64_t{1} << 44;
  for (size_t rank = 0; rank < words_->size(); ++rank) {
    common_.Add(scale / (rank + 20));
    scale = scale / 6000 * 5999;
  }
  Random world = Random::Seeded(kWorld);
  for (size_t theme = 0; theme < kThemes; ++theme) {
    std::vector<uint32_t>& of_theme = themes_.emplace_back(1, common_.Draw(world));
    const auto near = words_->NearTo(of_theme.front());
    while (of_theme.size() < kThemeWords) {
      if (of_theme.size() % 2 == 1) {
        // Of two words nearby the more common one.
        const uint32_t a = near[world.Below(near.size())].term;
        of_theme.push_back(std::min(a, near[world.Below(near.size())].term));
      } else {
        of_theme.push_back(common_.Draw(world));
      }
    }
    popular_.Add((uint64_t{1} << 40) / (theme + 10));
  }
}

void QueryLogWriter::Choice::Add(uint64_t weight) {
  sums.push_back((sums.empty() ? 0 : sums.back()) + std::max<uint64_t>(1, weight));
}

uint32_t QueryLogWriter::Choice::Draw(Random& random) const {
  const auto found = std::upper_bound(sums.begin(), sums.end(), random.Below(sums.back()));
  return static_cast<uint32_t>(found - sums.begin());
}

void QueryLogWriter::BeginUser() {
  user_ += 1 + random_.Below(300);
  interests_.clear();
  for (uint64_t more = 1 + random_.Below(4); more > 0; --more)
    interests_.push_back(popular_.Draw(random_));
  // Some look in, some come now and then, a few come all the time.
  const uint64_t kind = random_.Below(100);
  comes_back_ = kind < 48 ? 60 : kind < 86 ? 91 : 97;
  sessions_ = 0;
  const auto day = static_cast<int64_t>(random_.Below(1 + random_.Below(kDays)));
  time_ = day * kDay + 6 * kHour + static_cast<int64_t>(random_.Below(18 * kHour));
}

void QueryLogWriter::BeginSession() {
  theme_ = random_.Below(100) < kAboutInterest ? interests_[random_.Below(interests_.size())]
                                               : popular_.Draw(random_);
  goes_on_ = random_.Below(100) < 70 ? 638 : 846;
  in_session_ = true;
  nouns_.clear();
  ++sessions_;
}

void QueryLogWriter::NextQuery() {
  if (in_session_ && random_.Below(1000) < goes_on_) {
    const uint64_t kind = random_.Below(100);
    const int64_t longest = kind < 60 ? kMinute : kind < 90 ? 5 * kMinute : 25 * kMinute;
    time_ += 5 + static_cast<int64_t>(random_.Below(static_cast<uint64_t>(longest)));
    if (time_ < kDays * kDay) return;
  }
  in_session_ = false;
  if (sessions_ > 0 && random_.Below(100) < comes_back_) {
    if (random_.Below(100) < kSameDay) {
      time_ += kHour + 1 + static_cast<int64_t>(random_.Below(1 + random_.Below(9 * kHour)));
    } else {
      int64_t day = time_ / kDay + 1;
      if (random_.Below(100) < kWeeksLater) day += 6 + static_cast<int64_t>(random_.Below(36));
      while (random_.Below(100) < kAnotherDay) ++day;
      time_ = day * kDay + 6 * kHour + static_cast<int64_t>(random_.Below(18 * kHour));
    }
    if (time_ < kDays * kDay) {
      BeginSession();
      return;
    }
  }
  BeginUser();
  BeginSession();
}

void QueryLogWriter::DrawNouns() {
  const std::vector<uint32_t> before = std::exchange(nouns_, {});
  const uint64_t kind = random_.Below(100);
  const size_t count = kind < 16 ? 0 : kind < 61 ? 1 : kind < 88 ? 2 : kind < 97 ? 3 : 4;
  for (size_t i = 0; i < count; ++i) {
    uint32_t noun = 0;
    if (!before.empty() && random_.Below(100) < kSameNoun) {
      noun = before[random_.Below(before.size())];
    } else if (random_.Below(100) < kAboutTheme) {
      const std::vector<uint32_t>& of_theme = themes_[theme_];
      noun = of_theme[random_.Below(1 + random_.Below(of_theme.size()))];
    } else if (random_.Below(100) < kRare) {
      noun = static_cast<uint32_t>(random_.Below(words_->size()));
    } else {
      noun = common_.Draw(random_);
    }
    if (std::find(nouns_.begin(), nouns_.end(), noun) == nouns_.end()) nouns_.push_back(noun);
  }
}

void QueryLogWriter::AppendText() {
  text_.clear();
  const auto add = [&](std::string_view word) {
    if (!text_.empty()) text_ += ' ';
    text_ += word;
  };
  if (nouns_.empty()) {
    // The name of a site.
    fmt::format_to(std::back_inserter(text_), "{}{} com", words_->word(themes_[theme_].front()),
                   1 + random_.Below(20));
    return;
  }
  if (random_.Below(100) < kOtherWord) add(kOtherWords[random_.Below(kOtherWords.size())]);
  for (const uint32_t noun : nouns_) {
    occurs_[noun] = true;
    const std::string& plural = words_->plural(noun);
    const bool many = random_.Below(100) < kPlural && !plural.empty();
    add(many ? plural : words_->word(noun));
    if (random_.Below(100) < kOtherWord / 2) {
      add(kOtherWords[random_.Below(kOtherWords.size())]);
    }
  }
}

void QueryLogWriter::AppendRows(std::string& out) {
  const auto row = [&] {
    fmt::format_to(std::back_inserter(out), "{}\t{}\t", user_, text_);
    AppendTime(time_, out);
  };
  if (random_.Below(100) >= kClicked) {
    row();
    out += "\t\t\n";
    return;
  }
  uint64_t rank = 0;
  do {
    rank += 1 + random_.Below(1 + random_.Below(6));
    row();
    fmt::format_to(std::back_inserter(out), "\t{}\thttp://www.{}{}.example\n", rank,
                   words_->word(nouns_.empty() ? themes_[theme_].front() : nouns_.front()),
                   1 + random_.Below(1000));
  } while (random_.Below(100) < kAnotherClick);
}

void QueryLogWriter::Append(uint64_t /*number*/, std::string& out) {
  NextQuery();
  DrawNouns();
  AppendText();
  AppendRows(out);
}

}  // namespace thicket
