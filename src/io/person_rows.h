// Rows of which several are one person's (VertexClass::group_by), put together as records, whatever the rows came from.
//
//   PersonRows rows(sink);
//   rows.Begin();                                         // for each row
//   rows.values(PersonRows::kRow)[slot] = sink.Intern(...);
//   THICKET_TRY(rows.Add("S17", "", 4));
//   ...
//   THICKET_TRY(rows.Finish());
//
// Values of the record are the same in all rows of a person; those of the one class below it are a vertex per row. A row whose values of
// that class are all missing is no vertex: so a person without any has one row. Rows of a person need not stand together in original
// data. In published data they do, and what says whose a row is must be the person's number: 1, 2, 3 and so on. Records stand in the
// order of the persons' first rows, and the rows of a person in their own.
//
// O(rows) memory beside the data set: 4 bytes per value and 8 per row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/id_set.h"
#include "io/outgoing.h"
#include "record/source_shape.h"

namespace thicket {

class PersonRows {
 public:
  static constexpr ClassId kPerson = 0;
  static constexpr ClassId kRow = 1;

  // The sink must outlive the rows, and its dataset().has_lines must have been set: messages speak of lines or of rows.
  explicit PersonRows(DatasetSink& sink);

  // What a column of the name stands for: whose row it is, a key of the person or of the row, or none of these, which is counted. Also
  // notes how the column stands in the source, for what is published.
  struct Column {
    bool group = false;
    ClassId id = kPerson;
    const DatasetSink::Key* key = nullptr;

    bool is(DatasetSink::Key::Role role) const { return key != nullptr && key->role == role; }
  };
  Column AddColumn(std::string_view name);

  // A new row, all of whose values are missing.
  void Begin();
  // By slot of the class.
  std::vector<Symbol>& values(ClassId id) { return values_[id]; }
  // Ends the row. `group` says whose it is, `class_number` is what stands under kClassKey, `place` the line or the number of the row.
  Status Add(std::string_view group, std::string_view class_number, uint32_t place);

  // Hands all persons to the sink.
  Status Finish();

  // An error about a column of a row; where the data is published, a kPromise one that it must not be handed out.
  Error Wrong(uint32_t place, std::string_view column, std::string_view what,
              std::string hint) const;
  Error WrongPublished(uint32_t place, std::string_view column, std::string_view what) const;
  // A dropped attribute that has a value in published data.
  Error Dropped(uint32_t place, const DatasetSink::Key& key) const {
    return WrongPublished(place, key.name,
                          "published data must not hold a dropped attribute, but does here");
  }

 private:
  ErrorPlace PlaceOf(uint32_t place, std::string_view column) const;
  // The person that the row belongs to, who may be new.
  Status FindPerson(std::string_view group, std::string_view class_number, uint32_t place);
  Status CheckSame(std::string_view class_number, uint32_t place) const;
  void Set(const std::vector<Symbol>& symbols, size_t number, size_t width);

  DatasetSink* sink_;
  const std::string& group_by_;
  // By class: how many values there are, and those of the row that is read.
  size_t width_[2];
  std::vector<Symbol> values_[2];
  // Original data: the persons so far, the place of an entry is one more than its number.
  IdSet groups_;
  uint32_t person_ = 0;
  // Published data: how many rows the person has, and whether one is without values.
  uint64_t rows_of_person_ = 0;
  bool has_empty_ = false;
  // By person.
  std::vector<uint32_t> person_places_;
  std::vector<Symbol> person_symbols_;
  std::vector<std::string> class_numbers_;
  // By row that is a vertex.
  std::vector<uint32_t> parents_;
  std::vector<uint32_t> places_;
  std::vector<Symbol> symbols_;
};

// The published columns of such rows, in the order of their source; where the source was no such table, in the order of the policy.
std::vector<TableColumn> ColumnsOfPersonRows(const Dataset& data);
// How many rows a vertex is, at a position of the record that is written: several where it has several values.
size_t RowsOfVertex(OutgoingRecords& records, size_t position);
// How a column is called.
const std::string& NameOfColumn(const Schema& schema, const TableColumn& column);

}  // namespace thicket
