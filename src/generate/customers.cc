#include "generate/customers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <string_view>

namespace thicket {

namespace {

struct Nation {
  std::string_view name;
  std::string_view region;
};

constexpr std::array<Nation, 25> kNations = {{
    {"ALGERIA", "AFRICA"},
    {"ARGENTINA", "AMERICA"},
    {"BRAZIL", "AMERICA"},
    {"CANADA", "AMERICA"},
    {"EGYPT", "MIDDLE EAST"},
    {"ETHIOPIA", "AFRICA"},
    {"FRANCE", "EUROPE"},
    {"GERMANY", "EUROPE"},
    {"INDIA", "ASIA"},
    {"INDONESIA", "ASIA"},
    {"IRAN", "MIDDLE EAST"},
    {"IRAQ", "MIDDLE EAST"},
    {"JAPAN", "ASIA"},
    {"JORDAN", "MIDDLE EAST"},
    {"KENYA", "AFRICA"},
    {"MOROCCO", "AFRICA"},
    {"MOZAMBIQUE", "AFRICA"},
    {"PERU", "AMERICA"},
    {"CHINA", "ASIA"},
    {"ROMANIA", "EUROPE"},
    {"SAUDI ARABIA", "MIDDLE EAST"},
    {"VIETNAM", "ASIA"},
    {"RUSSIA", "EUROPE"},
    {"UNITED KINGDOM", "EUROPE"},
    {"UNITED STATES", "AMERICA"},
}};

constexpr uint64_t kMostItems = 3;
constexpr uint64_t kBand = 5'000;
constexpr uint64_t kLastBand = 450'000;
constexpr uint64_t kQuantities = 50;
constexpr uint64_t kManufacturers = 5;
constexpr uint64_t kBrandsEach = 5;

// From 1992-01-01 to 1998-08-02.
constexpr std::chrono::sys_days kFirstDay =
    std::chrono::year{1992} / std::chrono::January / std::chrono::day{1};
constexpr uint64_t kDays = 2406;
constexpr int kFirstYear = 1992;
constexpr int kMonths = 80;

// What a line of an order costs, in cents: the parts' prices, discounts and taxes of the benchmark.
uint64_t LinePrice(uint64_t quantity, Random& random) {
  uint64_t part = 90'000 + random.Below(20'001);
  part += 100 * random.Below(1'000);
  const uint64_t discount = random.Below(11);
  const uint64_t tax = random.Below(9);
  return quantity * part * (100 - discount) * (100 + tax) / 10'000;
}

}  // namespace

CustomerWriter::CustomerWriter(uint64_t seed) : random_(Random::Seeded(seed)) {}

void CustomerWriter::AppendOrder(std::string& out) {
  const std::chrono::year_month_day day(kFirstDay +
                                        std::chrono::days(static_cast<int>(random_.Below(kDays))));
  const uint64_t lines = 1 + random_.Below(7);
  uint64_t price = 0;
  std::string items;
  for (uint64_t line = 0; line < lines; ++line) {
    const uint64_t quantity = 1 + random_.Below(kQuantities);
    price += LinePrice(quantity, random_);
    if (line >= kMostItems) continue;
    const uint64_t manufacturer = 1 + random_.Below(kManufacturers);
    fmt::format_to(std::back_inserter(items),
                   R"({}{{"quantity":{},"manufacturer":"Manufacturer#{}","brand":"Brand#{}{}"}})",
                   line > 0 ? "," : "", quantity, manufacturer, manufacturer,
                   1 + random_.Below(kBrandsEach));
  }
  const uint64_t band = std::min(price / 100 / kBand * kBand, kLastBand);
  fmt::format_to(std::back_inserter(out), R"({{"price":{},"date":"{}-{:02}","items":[{}]}})", band,
                 static_cast<int>(day.year()), static_cast<unsigned>(day.month()), items);
}

void CustomerWriter::Append(uint64_t number, std::string& out) {
  const uint64_t id = number + 1;
  fmt::format_to(std::back_inserter(out), R"({{"id":{},"nation":"{}","orders":[)", id,
                 kNations[random_.Below(kNations.size())].name);
  if (id % 3 != 0) {
    AppendOrder(out);
    out += ',';
    AppendOrder(out);
  }
  out += "]}\n";
}

std::string NationTaxonomy() {
  std::string text;
  for (const Nation& nation : kNations)
    text += fmt::format("{};{};*\n", nation.name, nation.region);
  return text;
}

std::string OrderPriceTaxonomy() {
  // The last band joins the 25,000 below it, so that no node has a single child.
  const auto wider = [](uint64_t band, uint64_t width) {
    const uint64_t low = std::min(band, kLastBand - 1) / width * width;
    return low + width < kLastBand ? fmt::format("{}-{}", low, low + width)
                                   : fmt::format("{} or more", low);
  };
  std::string text;
  for (uint64_t band = 0; band <= kLastBand; band += kBand) {
    text += fmt::format("{};{};{};*\n", band, wider(band, 25'000), wider(band, 125'000));
  }
  return text;
}

std::string OrderDateTaxonomy() {
  std::string text;
  for (int i = 0; i < kMonths; ++i) {
    const int year = kFirstYear + i / 12;
    const int month = i % 12;
    text += fmt::format("{0}-{1:02};{0}-H{2};{0};*\n", year, month + 1, 1 + month / 6);
  }
  return text;
}

std::string QuantityTaxonomy() {
  const auto wider = [](uint64_t quantity, uint64_t width) {
    const uint64_t low = (quantity - 1) / width * width;
    return fmt::format("{}-{}", low + 1, low + width);
  };
  std::string text;
  for (uint64_t quantity = 1; quantity <= kQuantities; ++quantity) {
    text += fmt::format("{};{};{};*\n", quantity, wider(quantity, 5), wider(quantity, 25));
  }
  return text;
}

std::string ManufacturerTaxonomy() {
  std::string text;
  for (uint64_t i = 1; i <= kManufacturers; ++i) text += fmt::format("Manufacturer#{};*\n", i);
  return text;
}

std::string BrandTaxonomy() {
  std::string text;
  for (uint64_t i = 1; i <= kManufacturers; ++i) {
    for (uint64_t j = 1; j <= kBrandsEach; ++j)
      text += fmt::format("Brand#{0}{1};Brand#{0}*;*\n", i, j);
  }
  return text;
}

}  // namespace thicket
