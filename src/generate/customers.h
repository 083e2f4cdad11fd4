// The records of `customers`: customers of a wholesaler, their orders and the items ordered, as the data generator of the
// TPC-H benchmark makes them (section IV of Gkountouna et al. 2013).
//
// As there: every third customer has no orders; an order has one to seven items, each number as often, and its price is the
// sum over all of them; the day of an order is uniform from 1992-01-01 to 1998-08-02, a quantity from 1 to 50, the brand
// and the nation are uniform, and the brand says who the manufacturer is. As in the paper, two orders of a customer and
// three items of an order are kept, and the values of all six attributes are 276:
//
//   nation        25, in 5 regions
//   price         91: thousands in steps of five, rounded down; 450000 also stands for everything above
//   date          80 months
//   quantity      50
//   manufacturer   5
//   brand         25
//
// The hierarchies above them have a mean fan-out of 4.8.
//
//   CustomerWriter writer(seed);
//   writer.Append(0, line);   // {"id":1,"nation":"PERU","orders":[{"price":75000,"date":"1992-04","items":[...
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"

namespace thicket {

class CustomerWriter {
 public:
  explicit CustomerWriter(uint64_t seed);

  // As StudentWriter::Append; the customer's id is `number` + 1.
  void Append(uint64_t number, std::string& out);

 private:
  void AppendOrder(std::string& out);

  Random random_;
};

// Taxonomy files: nation, region, *; price in bands of 5,000, 25,000 and 125,000, *; month, half-year, year, *; quantity,
// fives, halves, *; manufacturer, *; brand, brands of one manufacturer, *.
std::string NationTaxonomy();
std::string OrderPriceTaxonomy();
std::string OrderDateTaxonomy();
std::string QuantityTaxonomy();
std::string ManufacturerTaxonomy();
std::string BrandTaxonomy();

}  // namespace thicket
