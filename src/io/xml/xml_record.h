// Turns the events of an XML document into records of a DatasetSink.
//
// A record is an element at the end of `input.at`. In a vertex's element, an attribute a="..." and an element <a>...</a>
// are the policy's attribute a, an element that a class's `at` leads to is a vertex below, and text() is its own text. How
// each value stood, and which namespaces were declared where, is kept for the writer; it must be the same everywhere.
//
//   XmlRecords records(layout, record_path, sink);
//   XmlStream stream(source, progress, name, records);
//   records.Follow(stream);
//   THICKET_TRY(stream.Run());
//   THICKET_TRY(records.Finish());
//
// Time is linear in the document; memory beside the data set is O(longest text).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/dataset_sink.h"
#include "io/one_way.h"
#include "io/xml/xml_appearance.h"
#include "io/xml/xml_layout.h"
#include "io/xml/xml_stream.h"

namespace thicket {

class XmlRecords final : public XmlEvents {
 public:
  // `record_path` is empty where every element right below the document's is a record.
  XmlRecords(const XmlLayout& layout, std::vector<std::string> record_path, DatasetSink& sink);

  // The stream that the events come from.
  void Follow(const XmlStream& stream) { stream_ = &stream; }

  Status StartElement(std::string_view name, const char** attributes) override;
  Status EndElement() override;
  Status Text(std::string_view text) override;
  bool WantsMarkup() const override { return sink_->published(); }
  void MeetOther(std::string_view what) override { sink_->MeetUnnamed(what); }
  void MeetOutside(std::string_view text) override { appearance_.Outside(text); }

  // After the last event: keeps the shape, and fails where there was no element of the path.
  Status Finish();

 private:
  using Key = DatasetSink::Key;

  // The namespaces that elements of one kind declare.
  struct Declared {
    bool met = false;
    XmlNamespaces namespaces;
  };
  // What a name stands for in an element of the layout: a key, or elements further down.
  struct Entry {
    std::string name;
    Key* key = nullptr;
    // The element's number in the layout; 0 if it is none.
    uint32_t element = 0;
    // Of a value: how it stands in every vertex that has it.
    bool has_form = false;
    XmlForm form = XmlForm::kAttribute;
    Declared declared = {};
    // Whether the scope's order has it.
    bool has_place = false;
    // Published data: how it is written where it is missing, whether blanks are asked to be kept where there are none,
    // and the last of a list of values.
    OneForm missing = {};
    OneForm preserve = {};
    std::string last = {};
  };
  // How something that is missing is written.
  enum Missing : unsigned { kAbsent, kEmpty, kNil };
  // An element of the layout, for looking names up.
  struct Scope {
    std::vector<Entry> entries;
    std::unordered_map<std::string_view, uint32_t> by_name;
    // Names mostly come in one order.
    uint32_t expected = 0;
    // Entries that were met as elements, each behind the one that it followed at first.
    std::vector<uint32_t> order;
    Declared declared = {};
    // Around vertices: the keys of those that may stand right in it.
    std::vector<Key*> below;
    // A vertex: the key of its own text, if the policy names it.
    Key* text = nullptr;
    // A vertex of a class with one attribute and nothing below, which its text may be.
    bool may_be_plain = false;
    // Published data: the number of the element around the last one, and as for an entry.
    uint64_t last_parent = 0;
    // Around vertices: whether the last one had any.
    bool last_has_elements = false;
    OneForm preserve = {};

    bool keeps_text() const { return text != nullptr || may_be_plain; }
  };
  // An element that is open.
  struct Level {
    enum class Kind : uint8_t { kAround, kVertex, kWrapper, kValue };
    Kind kind = Kind::kAround;
    // kVertex, kWrapper: the element's number in the layout.
    uint32_t element = 0;
    // kVertex: the position among its siblings.
    int64_t index = 0;
    // kVertex, kWrapper: the entry that was met last, and one more; 0 at first.
    uint32_t last_entry = 0;
    // A number of its own.
    uint64_t number = 0;
    bool has_values = false;
    bool has_elements = false;
    // Elements that the policy does not name.
    bool has_unnamed = false;
    // Text that is not blank. It is kept where it may be a value.
    bool has_text = false;
    bool keeps_text = false;
    bool preserve = false;
    bool nil = false;
    // kValue: not the first of its name in the vertex.
    bool further = false;
    Entry* entry = nullptr;
    std::string text;
  };

  void AddScope(uint32_t element);
  static Entry* Find(Scope& scope, std::string_view name);
  static void MeetOrder(Scope& scope, Level& level, Entry& entry);
  std::vector<XmlMember> MembersOf(const Scope& scope) const;
  Level& Push(Level::Kind kind, uint32_t element, bool keeps_text);
  Level& top() { return levels_[depth_ - 1]; }
  ClassId ClassOf(const Level& level) const { return layout_->elements[level.element].id; }

  Status Start(std::string_view name, const char** attributes);
  Status End();
  Status StartOutside(std::string_view name, const char** attributes);
  Status StartRecord(const char** attributes);
  Status StartInside(std::string_view name, const char** attributes);
  Status StartVertex(Entry& entry, const char** attributes);
  Status StartWrapper(Entry& entry, const char** attributes);
  Status StartValue(Entry& entry, const char** attributes);
  void EndWrapper(const Level& level);
  Status EndVertex();
  Status EndValue();
  Status EndText(Level& level, const Scope& scope, bool& plain);

  Status ReadAttributes(const char** attributes);
  Status ReadAttribute(Scope& scope, std::string_view name, std::string_view text);
  // `further`: whether the vertex has the value already, and this is another of a list.
  Status MeetValue(Entry& entry, XmlForm form, bool& further);
  Status SetValue(Entry& entry, std::string_view text, bool further);
  Status SetKey(const Key& key, std::string_view text, bool further);
  Status MeetNamespaces(Declared& declared, const char** attributes, std::string_view name);
  void MeetMissing(Entry& entry, Missing form);
  void MeetAbsent(const Level& level);
  void MeetPreserve(OneForm& preserve, const Level& level);
  void MeetList(Entry& entry, std::string_view text, bool further);
  Error TooLong() const;
  void CountUnnamed(const Level& level, std::string_view name);
  std::string PathOutside(std::string_view name) const;
  Error NotFound() const;

  const XmlLayout* layout_;
  DatasetSink* sink_;
  const XmlStream* stream_ = nullptr;
  // The names of the elements around the records, and of the record's; found out where the policy does not say.
  std::vector<std::string> path_;
  bool path_is_given_;
  std::vector<Declared> around_;
  std::vector<Scope> scopes_;
  // The first depth_ are open; the others keep their memory for the next ones.
  std::vector<Level> levels_;
  size_t depth_ = 0;
  uint64_t elements_ = 0;
  // How many elements are open within one that is left out, this one included.
  size_t left_out_ = 0;
  // Whether an element says that it has no value, which takes a prefix.
  bool has_nil_ = false;
  // By class: the classes whose vertices may stand in it.
  std::vector<std::vector<ClassId>> below_;
  // By class: the position of the next vertex below the open parent.
  std::vector<int64_t> next_index_;
  uint64_t record_begin_ = 0;
  // How many steps of the path were found, and the names that stood where the next was due.
  size_t steps_found_ = 0;
  std::set<std::string, std::less<>> others_;
  XmlNamespaces scratch_;
  XmlAppearance appearance_;
};

}  // namespace thicket
