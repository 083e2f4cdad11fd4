// Whether published XML is written one way throughout, so that records that look alike are alike to the last byte but for
// their sensitive and kept values.
//
// Expat reads elements and texts and says nothing of how they are written, so this looks at the markup itself:
//   - Blanks: those between two tags, around a text and inside a tag are the same in all elements of one path.
//   - Attributes, elements and text of an element stand in one order.
//   - A value stands in the same quotes, an element without content is <a/> or <a></a>.
//   - A character is written in one way, as itself or as a reference.
//   - There are no comments, processing instructions or CDATA sections.
//
// A document that was written anew as a whole, indented or with other references, passes. What the policy does not name
// is a finding already and is not looked at.
//
//   XmlAppearance appearance(sink);
//   appearance.Start("student", "<student age=\"[20, 30)\">");
//   appearance.Text("\n  ");
//   appearance.End("</student>");
//
// Time is linear in the markup.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/dataset_sink.h"
#include "io/one_way.h"

namespace thicket {

class XmlAppearance {
 public:
  explicit XmlAppearance(DatasetSink& sink);

  // A start tag, as it stands in the document.
  void Start(std::string_view name, std::string_view tag);
  // An end tag; empty if the start tag was <a/>.
  void End(std::string_view tag);
  // A part of a text, as it stands in the document. Parts end where a reference begins or ends, or a line ends.
  void Text(std::string_view text) { text_ += text; }
  // What stands before and after the document's element: declaration and blanks.
  void Outside(std::string_view text);
  // After each of several documents: what stands outside must be the same in all of them.
  void EndDocument();

  // The places around a piece of text.
  enum Edge : size_t { kStartTag, kEndTag, kText, kEdges };

 private:
  // All elements with the same names from the document's element down to their own.
  struct Path {
    std::map<std::string, std::unique_ptr<Path>, std::less<>> below;
    NameOrder order;
    std::array<std::array<OneWay, kEdges>, kEdges> blanks;
    // Inside start tags: before the first attribute, before others, around =, before the end.
    OneWay before_first;
    OneWay before_next;
    OneWay around_equals;
    OneWay before_end;
    OneWay before_empty_end;
    OneWay end_tag;
    OneForm empty;
    OneWay nil;
  };
  void MeetBlanks(OneWay& way, std::string_view blanks);
  void MeetCharacters(std::string_view raw, CharacterWays& ways);
  void MeetTag(Path& path, std::string_view tag);
  void MeetQuotes(char quote, std::string_view raw);
  // What stood between the last tag and the next one.
  void EndText(Path& path, Edge next);
  void Tell(std::string_view rule);

  DatasetSink* sink_;
  Path root_;
  // Those that are open, the document's element second.
  std::vector<Path*> open_;
  Edge last_ = kStartTag;
  // Whether the start tag that came last was <a/>.
  bool closed_ = false;
  // Whether blanks around the text that follows it are part of the text.
  bool preserve_ = false;
  std::string text_;
  OneForm quotes_;
  CharacterWays in_attributes_;
  CharacterWays in_texts_;
  std::string outside_;
  OneWay outside_of_all_;
};

}  // namespace thicket
