// The elements and texts of an XML document, one event after the other, from a Source.
//
// Expat parses, and what people do with XML to harm a reader is refused: a document type declaration of any kind (so
// there are no entities but the five of XML itself, nothing external, no bomb), nesting beyond kMostXmlLevels, tags
// beyond kLongestXmlTag. Names are as they are written, with their prefix; texts are UTF-8 whatever the encoding was.
//
//   class Names final : public XmlEvents { ... };
//   Names names;
//   THICKET_TRY(XmlStream(source, progress, "students.xml", names).Run());
//
// Time is linear, memory O(longest tag).
#pragma once

#include <expat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "io/file/source.h"

namespace thicket {

inline constexpr size_t kMostXmlLevels = 1000;
inline constexpr size_t kLongestXmlTag = size_t{1} << 28;

// What happens to the events. An error ends the reading.
class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  // `attributes` is name, value, name, value, ..., null.
  virtual Status StartElement(std::string_view name, const char** attributes) = 0;
  virtual Status EndElement() = 0;
  // A text may come in any number of pieces.
  virtual Status Text(std::string_view text) = 0;

  // Whether to keep the markup of events, and to tell of what means nothing.
  virtual bool WantsMarkup() const { return false; }
  // "a comment", "a processing instruction", "a CDATA section".
  virtual void MeetOther(std::string_view /*what*/) {}
  // The XML declaration, and blanks around the document's element.
  virtual void MeetOutside(std::string_view /*text*/) {}
};

class XmlStream {
 public:
  // `name` is the source's, for messages. Everything given must outlive it.
  XmlStream(Source& source, Progress& progress, std::string name, XmlEvents& events);
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;
  ~XmlStream();

  // Reads to the end. Broken XML is a kData error with line, column and reason. A source with nothing in it, or only
  // blanks, is no error here: there are no events.
  Status Run();

  // The event that is being handled, as it stands in the document; where the events want it.
  std::string_view markup() const { return markup_; }
  // Where the event that is being handled begins.
  uint64_t line() const { return XML_GetCurrentLineNumber(parser_); }
  uint64_t offset() const { return static_cast<uint64_t>(XML_GetCurrentByteIndex(parser_)); }

 private:
  static void OnStart(void* self, const char* name, const char** attributes);
  static void OnEnd(void* self, const char* name);
  static void OnText(void* self, const char* text, int size);
  static void OnDoctype(void* self, const char* name, const char* system_id, const char* public_id,
                        int has_internal_subset);

  static void OnComment(void* self, const char* text);
  static void OnInstruction(void* self, const char* target, const char* text);
  static void OnCdata(void* self);
  static void OnDefault(void* self, const char* text, int size);

  void KeepMarkup();
  // Reads and parses one piece; true at the end.
  Result<bool> ReadPiece();
  Result<size_t> Fill(char* buffer, size_t size);
  // Ends the parsing if there is an error.
  void Keep(Status status);
  Error NotXml(std::string_view what, std::string hint) const;
  Error Malformed() const;
  Error BadCharacter() const;

  Source* source_;
  Progress* progress_;
  std::string name_;
  XmlEvents* events_;
  // Bytes that are read and parsed at once.
  size_t piece_;
  XML_Parser parser_;
  Status status_;
  // Bytes given to the parser so far.
  uint64_t given_ = 0;
  uint64_t reported_ = 0;
  // Open elements.
  size_t depth_ = 0;
  bool begun_ = false;
  bool keeps_markup_ = false;
  std::string markup_;
};

// Whether a text is the name of an element or attribute in XML.
bool IsXmlName(const std::string& name);

}  // namespace thicket
