#include "io/xml/xml_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/memory.h"
#include "base/text.h"

namespace thicket {

namespace {

constexpr uint64_t kLeastPiece = uint64_t{1} << 12;
constexpr uint64_t kUsualPiece = uint64_t{1} << 20;
constexpr char kConvert[] =
    "say the encoding in the XML declaration, or convert the file, for example with iconv";

// Enough for all of a small file; of others, what goes well through the caches.
size_t PieceFor(uint64_t stored_bytes) {
  if (stored_bytes == 0) return kUsualPiece;
  return std::clamp(stored_bytes * 3, kLeastPiece, kUsualPiece);
}

}  // namespace

XmlStream::XmlStream(Source& source, Progress& progress, std::string name, XmlEvents& events)
    : source_(&source),
      progress_(&progress),
      name_(std::move(name)),
      events_(&events),
      piece_(PieceFor(source.stored_bytes())),
      parser_(XML_ParserCreate(nullptr)) {
  if (parser_ == nullptr) return;
  XML_SetUserData(parser_, this);
  XML_SetElementHandler(parser_, OnStart, OnEnd);
  XML_SetCharacterDataHandler(parser_, OnText);
  XML_SetStartDoctypeDeclHandler(parser_, OnDoctype);
  if (events.WantsMarkup()) {
    XML_SetCommentHandler(parser_, OnComment);
    XML_SetProcessingInstructionHandler(parser_, OnInstruction);
    XML_SetStartCdataSectionHandler(parser_, OnCdata);
    XML_SetDefaultHandlerExpand(parser_, OnDefault);
  }
  // OnDoctype stops the parser before it would come to this, or to expat's own limit on how entities expand.
  XML_SetParamEntityParsing(parser_, XML_PARAM_ENTITY_PARSING_NEVER);
}

XmlStream::~XmlStream() { XML_ParserFree(parser_); }

Status XmlStream::Run() {
  if (parser_ == nullptr) throw std::bad_alloc();
  for (bool end = false; !end;) {
    THICKET_ASSIGN(end, ReadPiece());
  }
  return {};
}

Result<bool> XmlStream::ReadPiece() {
  if (progress_->cancelled()) return Interrupted();
  // A tag is looked at again from its beginning with every piece: one that is longer than a piece gets pieces that
  // double, so that this stays linear.
  const uint64_t pending = given_ == 0 ? 0 : given_ - std::min(given_, offset());
  if (pending > kLongestXmlTag) {
    return NotXml("a tag or a comment is longer than 256 MiB",
                  "look for a quote or a comment that is not closed");
  }
  const size_t size = std::max<size_t>(piece_, pending);
  THICKET_TRY(CheckMemory(*progress_, source_->name(), size));
  void* buffer = XML_GetBuffer(parser_, static_cast<int>(size));
  if (buffer == nullptr) return Malformed();
  THICKET_ASSIGN(const size_t got, Fill(static_cast<char*>(buffer), size));
  const bool end = got < size;
  given_ += got;
  const XML_Status parsed =
      XML_ParseBuffer(parser_, static_cast<int>(got), end ? XML_TRUE : XML_FALSE);
  if (!status_.ok()) return std::move(status_.error());
  if (parsed != XML_STATUS_OK) {
    // Nothing but blanks: no XML, but nothing broken either.
    if (!begun_ && XML_GetErrorCode(parser_) == XML_ERROR_NO_ELEMENTS) return true;
    return Malformed();
  }
  return end;
}

Result<size_t> XmlStream::Fill(char* buffer, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    THICKET_ASSIGN(const size_t got, source_->Read(buffer + filled, size - filled));
    if (got == 0) break;
    filled += got;
    progress_->Advance(source_->bytes_taken() - reported_);
    reported_ = source_->bytes_taken();
  }
  return filled;
}

void XmlStream::Keep(Status status) {
  if (status.ok()) return;
  status_ = std::move(status);
  XML_StopParser(parser_, XML_FALSE);
}

// Expat may still deliver an event after it was stopped.
void XmlStream::OnStart(void* self, const char* name, const char** attributes) {
  auto& stream = *static_cast<XmlStream*>(self);
  if (!stream.status_.ok()) return;
  stream.begun_ = true;
  if (++stream.depth_ > kMostXmlLevels) {
    stream.Keep(stream.NotXml(
        "it is nested more than " + WithCommas(kMostXmlLevels) + " levels deep", "flatten it"));
    return;
  }
  stream.KeepMarkup();
  stream.Keep(stream.events_->StartElement(name, attributes));
}

void XmlStream::OnEnd(void* self, const char* /*name*/) {
  auto& stream = *static_cast<XmlStream*>(self);
  if (!stream.status_.ok()) return;
  --stream.depth_;
  stream.KeepMarkup();
  stream.Keep(stream.events_->EndElement());
}

void XmlStream::OnText(void* self, const char* text, int size) {
  auto& stream = *static_cast<XmlStream*>(self);
  if (!stream.status_.ok()) return;
  stream.KeepMarkup();
  stream.Keep(stream.events_->Text({text, static_cast<size_t>(size)}));
}

void XmlStream::OnComment(void* self, const char* /*text*/) {
  static_cast<XmlStream*>(self)->events_->MeetOther("a comment");
}

void XmlStream::OnInstruction(void* self, const char* /*target*/, const char* /*text*/) {
  static_cast<XmlStream*>(self)->events_->MeetOther("a processing instruction");
}

void XmlStream::OnCdata(void* self) {
  static_cast<XmlStream*>(self)->events_->MeetOther("a CDATA section");
}

// Expat hands over here what nobody else takes, and what KeepMarkup() asks for.
void XmlStream::OnDefault(void* self, const char* text, int size) {
  auto& stream = *static_cast<XmlStream*>(self);
  const std::string_view markup(text, static_cast<size_t>(size));
  if (stream.keeps_markup_) {
    stream.markup_ += markup;
  } else if (stream.depth_ == 0) {
    stream.events_->MeetOutside(markup);
  }
}

void XmlStream::KeepMarkup() {
  if (!events_->WantsMarkup()) return;
  markup_.clear();
  keeps_markup_ = true;
  XML_DefaultCurrent(parser_);
  keeps_markup_ = false;
}

void XmlStream::OnDoctype(void* self, const char* /*name*/, const char* /*system_id*/,
                          const char* /*public_id*/, int /*has_internal_subset*/) {
  auto& stream = *static_cast<XmlStream*>(self);
  if (!stream.status_.ok()) return;
  stream.Keep(ErrorAt(ErrorCode::kData, {.file = stream.name_, .line = stream.line()},
                      "must have no document type declaration, but has one",
                      "remove <!DOCTYPE ...>, and write out the entities that it declares"));
}

Error XmlStream::NotXml(std::string_view what, std::string hint) const {
  return ErrorAt(ErrorCode::kData,
                 {.file = name_, .line = line(), .column = XML_GetCurrentColumnNumber(parser_) + 1},
                 fmt::format("must be XML, but {}", what), std::move(hint));
}

Error XmlStream::Malformed() const {
  const XML_Error code = XML_GetErrorCode(parser_);
  switch (code) {
    case XML_ERROR_NO_MEMORY:
      throw std::bad_alloc();
    case XML_ERROR_INVALID_TOKEN:
      return BadCharacter();
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
    case XML_ERROR_PARTIAL_CHAR:
      return NotXml("it ends too early", "the file may be cut off");
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
      return NotXml("something follows its end",
                    "a file must hold one document: put all records below one element");
    case XML_ERROR_MISPLACED_XML_PI:
      return NotXml("something stands before the XML declaration",
                    "<?xml must be the first characters of the file");
    case XML_ERROR_UNDEFINED_ENTITY:
      return NotXml("an entity is not defined",
                    "write the character itself, or &amp; for an ampersand");
    case XML_ERROR_TAG_MISMATCH:
      return NotXml("an end tag does not fit the element that is open",
                    "close every element that is opened");
    case XML_ERROR_UNKNOWN_ENCODING:
    case XML_ERROR_INCORRECT_ENCODING:
      return ErrorAt(
          ErrorCode::kData, {.file = name_},
          "must be in UTF-8, UTF-16, ISO-8859-1 or US-ASCII, but declares another encoding",
          "convert the file, for example with iconv, and correct the XML declaration");
    default:
      return NotXml(XML_ErrorString(code), "mend the place; an XML checker shows it");
  }
}

Error XmlStream::BadCharacter() const {
  int offset = 0;
  int size = 0;
  const char* context = XML_GetInputContext(parser_, &offset, &size);
  const bool known = context != nullptr && offset < size;
  if (known && static_cast<unsigned char>(context[offset]) >= 0x80) {
    return NotXml("a byte is not in the encoding of the file, UTF-8 if it declares none", kConvert);
  }
  if (given_ >= 1 && !begun_ && known && offset == 0 && context[0] != '<') {
    return NotXml("it does not begin with an element",
                  "check that it is the right file, and input.format");
  }
  return NotXml("a character may not stand here",
                "write &lt; for < and &amp; for &; control "
                "characters must be removed");
}

bool IsXmlName(const std::string& name) {
  // What is left could only be part of a name, and whether it is one is expat's to say, as when it is read again.
  const bool possible = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == ':';
  });
  if (!possible) return false;
  const std::string document = "<" + name + "/>";
  XML_Parser parser = XML_ParserCreate("UTF-8");
  if (parser == nullptr) throw std::bad_alloc();
  const bool good = XML_Parse(parser, document.data(), static_cast<int>(document.size()),
                              XML_TRUE) == XML_STATUS_OK;
  const bool no_memory = !good && XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY;
  XML_ParserFree(parser);
  // Says nothing about the name.
  if (no_memory) throw std::bad_alloc();
  return good;
}

}  // namespace thicket
