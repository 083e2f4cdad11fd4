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
// Where classes are told by values, the events of an element are held until it has ended, and are then read as those of its class.
//
// Time is linear in the document; memory beside the data set is O(longest text), or O(longest such element).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
  // From now on every stream is a document of a folder (io/documents.h). Without a path the document's element is the record.
  void ReadDocuments();
  // After each of them.
  Status EndDocument();

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
  // A vertex of a class that is told by values.
  struct Candidate {
    uint32_t element = 0;
    Key* key = nullptr;
  };
  // What a name stands for in an element of the layout: a key, or elements further down.
  struct Entry {
    std::string name;
    Key* key = nullptr;
    // The element's number in the layout; 0 if it is none.
    uint32_t element = 0;
    // In an element around others: what stood around the last one that had it.
    uint64_t last_around = 0;
    // What a class is told by: where its form is kept, and the last element that had it.
    size_t where = XmlLayoutValue::kNone;
    uint64_t last_vertex = 0;
    // Where classes are told by values: all of them; and published data, their order.
    std::vector<Candidate> candidates = {};
    KeyOrder classes{0};
    // Of a value: how it stands in every vertex that has it.
    bool has_form = false;
    XmlForm form = XmlForm::kAttribute;
    Declared declared = {};
    // Whether the scope's order has it, and which entries it was seen right behind.
    bool has_place = false;
    std::vector<uint32_t> behind = {};
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
    // Around others: whether the last one had any, whether some stood beside each other, also with elements of the same name in
    // them, and whether some had several elements.
    bool last_has_content = false;
    bool twice = false;
    bool alike = false;
    bool shared = false;

    // Whether they stand around each vertex anew.
    bool repeated() const { return alike && !shared; }
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
    // kWrapper: whether it is the first of its name in its place, so that values in it count; the number of what stands around it;
    // and how many elements are in it.
    bool counts = true;
    uint64_t around = 0;
    size_t elements = 0;
    Entry* entry = nullptr;
    std::string text;
  };

  // An event that is held back, with what the stream said of it.
  struct Event {
    enum class Kind : uint8_t { kStart, kEnd, kText };
    Kind kind = Kind::kText;
    // The name of an element, or a text.
    std::string text;
    // Name, value, name, value, ...
    std::vector<std::string> attributes = {};
    std::string markup = {};
    uint64_t line = 0;
    uint64_t offset = 0;
  };

  void AddScope(uint32_t element);
  void AddValue(const XmlLayoutElement& self, const XmlLayoutValue& value, Scope& scope);
  void AddElement(const XmlLayoutElement& self, uint32_t child, Scope& scope);
  // Of the event that is handled now, whether it was held back or not.
  std::string_view markup() const { return replayed_ ? replayed_->markup : stream_->markup(); }
  uint64_t line() const { return replayed_ ? replayed_->line : stream_->line(); }
  uint64_t offset() const { return replayed_ ? replayed_->offset : stream_->offset(); }
  void Hold(Event::Kind kind, std::string_view text, const char** attributes);
  Status Release();
  Status Replay(const Event& event);
  const Candidate* Choose(const Entry& entry, const std::vector<Event>& events) const;
  // The text of the value that the steps lead to in the element of the events; empty if there is none.
  static std::string LookUp(const std::vector<Event>& events,
                            const std::vector<std::string>& steps);
  static Entry* Find(Scope& scope, std::string_view name);
  static void MeetOrder(Scope& scope, Level& level, Entry& entry);
  // The entries that were met as elements, each behind those that it was seen behind, as far as there is such an order.
  static std::vector<uint32_t> OrderOf(const Scope& scope);
  std::vector<XmlMember> MembersOf(uint32_t element) const;
  Level& Push(Level::Kind kind, uint32_t element, bool keeps_text);
  Level& top() { return levels_[depth_ - 1]; }
  ClassId ClassOf(const Level& level) const { return layout_->elements[level.element].id; }

  Status Start(std::string_view name, const char** attributes);
  Status End();
  Status StartOutside(std::string_view name, const char** attributes);
  Status StartRecord(const char** attributes);
  Status StartInside(std::string_view name, const char** attributes);
  Status StartVertex(uint32_t element, Key& key, const char** attributes);
  Status StartWrapper(Entry& entry, const char** attributes);
  Status StartValue(Entry& entry, const char** attributes);
  Status EndWrapper();
  void MeetElement(Level& level, Entry& entry);
  Status EndVertex();
  Status EndValue();
  Status EndText(Level& level, const Scope& scope, bool& plain);

  Status ReadAttributes(const char** attributes);
  Status ReadAttribute(Scope& scope, std::string_view name, std::string_view text);
  // `further`: whether the vertex has the value already, and this is another of a list.
  Status MeetValue(Entry& entry, XmlForm form, bool& further);
  Status MeetWhere(Entry& entry, XmlForm form);
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
  // How many elements lead to a record, its own included.
  size_t steps_;
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
  // Documents of a folder: how many there were.
  bool documents_ = false;
  // Events that are held back until their element ends, how many elements are open in them, and what the element may be.
  std::vector<Event> held_;
  size_t held_depth_ = 0;
  Entry* held_entry_ = nullptr;
  // The event that is read at last, and the class of its element.
  const Event* replayed_ = nullptr;
  const Candidate* chosen_ = nullptr;
  // By class and value of `where`: how it stands.
  std::vector<std::vector<XmlValueShape>> where_;
  // By class: entries in its elements where classes are told by values.
  std::vector<std::vector<std::pair<uint32_t, size_t>>> choosing_;
};

}  // namespace thicket
