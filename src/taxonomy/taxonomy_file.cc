#include "taxonomy/taxonomy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "taxonomy/amnesia.h"
#include "taxonomy/hierarchy.h"

namespace thicket {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

size_t LineOf(std::string_view text, size_t position) {
  return 1 + static_cast<size_t>(std::count(text.begin(), text.begin() + position, '\n'));
}

struct Field {
  std::string text;
  bool quoted = false;
};

struct Row {
  std::vector<Field> fields;
  size_t line = 0;
};

// `;` if it stands anywhere outside quotes, else a tab, else a comma.
char FindDelimiter(std::string_view text) {
  bool quoted = false;
  bool tab = false;
  char before = '\n';
  for (const char c : text) {
    if (quoted) {
      quoted = c != '"';
    } else if (c == '"') {
      // A doubled quote inside a quoted field closes and opens it again.
      quoted = before == '"' || std::string_view(";,\t\r\n").find(before) != std::string_view::npos;
    } else if (c == ';') {
      return ';';
    } else if (c == '\t') {
      tab = true;
    }
    before = c;
  }
  return tab ? '\t' : ',';
}

// Rows of RFC 4180, one at a time.
class CsvReader {
 public:
  // `line` is the number of the text's first one.
  CsvReader(std::string_view text, size_t line, const Hierarchy& errors)
      : text_(text), delimiter_(FindDelimiter(text)), errors_(errors), line_(line) {}

  bool AtEnd() const { return at_ >= text_.size(); }

  Result<Row> Next() {
    Row row;
    row.line = line_;
    while (true) {
      THICKET_ASSIGN(Field field, NextField());
      row.fields.push_back(std::move(field));
      if (AtEnd()) return row;
      const char c = text_[at_++];
      if (c == delimiter_) continue;
      if (c == '\r' && !AtEnd() && text_[at_] == '\n') ++at_;
      ++line_;
      return row;
    }
  }

 private:
  bool AtFieldEnd() const {
    return AtEnd() || text_[at_] == delimiter_ || text_[at_] == '\n' || text_[at_] == '\r';
  }

  Result<Field> NextField() {
    Field field;
    if (AtEnd() || text_[at_] != '"') {
      while (!AtFieldEnd()) field.text += text_[at_++];
      return field;
    }
    field.quoted = true;
    const size_t first_line = line_;
    ++at_;
    while (!AtEnd()) {
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c != '"') {
        field.text += c;
      } else if (!AtEnd() && text_[at_] == '"') {
        field.text += text_[at_++];
      } else if (AtFieldEnd()) {
        return field;
      } else {
        return errors_.Fail(line_, "a closing quote must end the column, but more text follows it",
                            "write a quote inside a quoted column twice");
      }
    }
    return errors_.Fail(first_line, "a quoted column must be closed, but this one is not",
                        "add the closing quote, or write a quote inside the column twice");
  }

  std::string_view text_;
  char delimiter_;
  const Hierarchy& errors_;
  size_t at_ = 0;
  size_t line_;
};

// What stands before the leaves.
struct Comments {
  size_t lines = 0;
  std::optional<TaxonomyOrigin> origin;
};

// Takes comments from the front of the text. A leaf's line has two columns at least.
Comments TakeComments(std::string_view& text) {
  Comments comments;
  while (text.starts_with('#')) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_of(";,\t") != std::string_view::npos) break;
    if (!comments.origin) comments.origin = ParseOriginLine(line);
    ++comments.lines;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return comments;
}

Status AddRow(const Row& row, Hierarchy& hierarchy) {
  const Field& value = row.fields.front();
  std::vector<std::string_view> groups;
  for (const Field& field : row.fields) {
    // The empty text can be a value; a generalization needs a name.
    if (field.text.empty() && !(field.quoted && &field == &value)) {
      return hierarchy.Fail(row.line, "every column must have a label, but one is empty",
                            "fill it in, or remove the separator");
    }
    if (&field == &value) continue;
    if (groups.empty() || groups.back() != field.text) groups.emplace_back(field.text);
  }
  if (groups.empty() || (groups.size() == 1 && groups.front() == value.text)) {
    return hierarchy.Fail(
        row.line,
        fmt::format("a line must hold a value and the root at least, but holds only \"{}\"",
                    value.text),
        "write the value, its generalizations and the root, separated by ;");
  }
  THICKET_TRY(hierarchy.AddValue(value.text, groups.front(), row.line));
  for (size_t i = 0; i + 1 < groups.size(); ++i) {
    THICKET_TRY(hierarchy.AddParent(groups[i], groups[i + 1], row.line));
  }
  return hierarchy.AddRoot(groups.back(), row.line);
}

Result<Taxonomy> ParseCsv(std::string_view text, const std::string& file) {
  Hierarchy hierarchy(file);
  const Comments comments = TakeComments(text);
  CsvReader reader(text, comments.lines + 1, hierarchy);
  while (!reader.AtEnd()) {
    THICKET_ASSIGN(const Row row, reader.Next());
    const bool blank = row.fields.size() == 1 && !row.fields.front().quoted &&
                       Trim(row.fields.front().text).empty();
    if (!blank) THICKET_TRY(AddRow(row, hierarchy));
  }
  THICKET_ASSIGN(TaxonomyBuilder builder, hierarchy.Finish());
  Taxonomy taxonomy = std::move(builder).Build();
  if (comments.origin) taxonomy.SetOrigin(*comments.origin);
  return taxonomy;
}

void AppendCsv(const std::string& label, std::string& out) {
  // A leading brace, also behind blanks, or a byte order mark would be taken for another format.
  const bool plain = !label.empty() && label.find_first_of(";\"\r\n") == std::string::npos &&
                     Trim(label) == label && label.front() != '{' &&
                     !label.starts_with(kByteOrderMark);
  if (plain) {
    out += label;
    return;
  }
  out += '"';
  for (const char c : label) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

Result<Taxonomy> ParseTaxonomy(std::string_view text, const std::string& file) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  size_t bad = 0;
  if (!IsUtf8(text, &bad)) {
    return ErrorAt(ErrorCode::kUsage, {.file = file, .line = LineOf(text, bad)},
                   "a taxonomy must be UTF-8, but this line is not",
                   "convert the file, for example with iconv -f latin1 -t utf8");
  }
  if (Trim(text).empty()) {
    return ErrorAt(ErrorCode::kUsage, {.file = file},
                   "a taxonomy must have values, but this file is empty",
                   "write one line per value: the value, then its generalizations, then *");
  }
  if (IsAmnesiaJson(text)) return ParseAmnesiaJson(text, file);
  if (IsAmnesiaText(text)) return ParseAmnesiaText(text, file);
  return ParseCsv(text, file);
}

std::string FormatTaxonomy(const Taxonomy& taxonomy) {
  std::string out;
  if (taxonomy.origin()) out += OriginLine(*taxonomy.origin()) + "\n";
  for (Node leaf = taxonomy.first_leaf(); leaf < taxonomy.node_count(); ++leaf) {
    AppendCsv(taxonomy.label(leaf), out);
    for (Node node = leaf; node != Taxonomy::kRoot;) {
      node = taxonomy.parent(node);
      out += ';';
      AppendCsv(taxonomy.label(node), out);
    }
    out += '\n';
  }
  return out;
}

std::string ShowTaxonomy(const Taxonomy& taxonomy, size_t most_lines) {
  std::vector<std::vector<Node>> children(taxonomy.node_count());
  for (Node node = 1; node < taxonomy.node_count(); ++node) {
    children[taxonomy.parent(node)].push_back(node);
  }
  std::string out;
  size_t shown = 0;
  std::vector<Node> open = {Taxonomy::kRoot};
  while (!open.empty()) {
    const size_t left = taxonomy.node_count() - shown;
    if (most_lines != 0 && shown + 1 >= most_lines && left > 1) {
      out += fmt::format("... ({} more)\n", WithCommas(left));
      break;
    }
    const Node node = open.back();
    open.pop_back();
    ++shown;
    const uint32_t leaves = taxonomy.leaves(node);
    out += std::string(size_t{2} * taxonomy.depth(node), ' ') + taxonomy.label(node);
    if (!taxonomy.is_leaf(node)) {
      out += fmt::format("  ({} {}", WithCommas(leaves), leaves == 1 ? "leaf" : "leaves");
      if (node != Taxonomy::kRoot) out += fmt::format(", loss {:.3f}", taxonomy.Loss(node));
      out += ')';
    }
    out += '\n';
    for (size_t i = children[node].size(); i-- > 0;) open.push_back(children[node][i]);
  }
  return out;
}

}  // namespace thicket
