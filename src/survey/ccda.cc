// C-CDA documents: HL7's Consolidated Clinical Document Architecture. One document is one patient; its sections are told by LOINC codes.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/phase.h"
#include "base/text.h"
#include "io/file/source.h"
#include "io/xml/xml_stream.h"
#include "policy/policy_writer.h"
#include "survey/clinical.h"

namespace thicket {

namespace {

constexpr std::string_view kSections = "component/structuredBody/component/section";
constexpr std::string_view kPatient = "recordTarget/patientRole/";

struct Section {
  // Its code, the classes of the section and of what is in it, and where these are.
  std::string code;
  std::string name;
  std::string entry;
  std::string at;
  std::vector<std::vector<ClinicalAttribute>> attributes;
};

std::vector<ClinicalAttribute> Coded(const std::string& path, const std::string& why) {
  return {{path + "/displayName", true, "", why}, {path + "/code", true, "", why}};
}

const std::vector<Section>& Sections() {
  static const std::string material = "consumable/manufacturedProduct/manufacturedMaterial/code";
  static const std::vector<Section> sections = {
      {"11450-4",
       "problems",
       "problem",
       "entry/act/entryRelationship/observation",
       {Coded("value", "diagnoses")}},
      {"10160-0",
       "medications",
       "medication",
       "entry/substanceAdministration",
       {Coded(material, "drugs")}},
      {"48765-2",
       "allergies",
       "allergy",
       "entry/act/entryRelationship/observation",
       {Coded("participant/participantRole/playingEntity/code", "allergies")}},
      {"47519-4", "procedures", "procedure", "entry/procedure", {Coded("code", "procedures")}},
      {"30954-2",
       "results",
       "result",
       "entry/organizer/component/observation",
       {Coded("code", "what was examined")}},
      {"46240-8", "encounters", "encounter", "entry/encounter", {Coded("code", "why they came")}},
      {"11369-6",
       "immunizations",
       "immunization",
       "entry/substanceAdministration",
       {Coded(material, "vaccines")}},
  };
  return sections;
}

constexpr std::string_view kDocument = "ClinicalDocument";

struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::string text = {};
  std::vector<std::unique_ptr<Element>> children = {};

  std::string Attribute(std::string_view of) const {
    for (const auto& [key, value] : attributes) {
      if (key == of) return value;
    }
    return "";
  }
};

class TreeReader final : public XmlEvents {
 public:
  // Ends at once where the document is none of these, however long it is.
  Status StartElement(std::string_view name, const char** attributes) override {
    if (open_.empty() && name != kDocument) return Interrupted();
    auto element = std::make_unique<Element>();
    element->name = name;
    for (; *attributes != nullptr; attributes += 2) {
      if (!std::string_view(*attributes).starts_with("xmlns")) {
        element->attributes.emplace_back(attributes[0], attributes[1]);
      }
    }
    Element* added = element.get();
    if (open_.empty()) {
      root = std::move(element);
    } else {
      open_.back()->children.push_back(std::move(element));
    }
    open_.push_back(added);
    return {};
  }
  Status EndElement() override {
    open_.pop_back();
    return {};
  }
  Status Text(std::string_view text) override {
    if (!open_.empty()) open_.back()->text += text;
    return {};
  }

  std::unique_ptr<Element> root;

 private:
  std::vector<Element*> open_;
};

class DocumentSurvey {
 public:
  // False if the document is none of C-CDA.
  bool Add(const Element& document) {
    if (document.name != kDocument) return false;
    ++documents_;
    Flatten(document, "", root_, std::string(kSections));
    for (const Element* section : At(document, kSections)) {
      const Element* code = Child(*section, "code");
      const std::string of = code == nullptr ? "" : code->Attribute("code");
      if (of.empty()) continue;
      const auto known = std::find_if(Sections().begin(), Sections().end(),
                                      [&](const Section& one) { return one.code == of; });
      Kinds& kinds = sections_[of];
      ++kinds.section.vertices;
      Flatten(*section, "", kinds.section, known == Sections().end() ? "" : known->at);
      if (known == Sections().end()) continue;
      for (const Element* entry : At(*section, known->at)) Flatten(*entry, "", kinds.entry, "");
    }
    return true;
  }

  Proposal Write(const std::string& data_path, const std::string& policy_path) {
    ClinicalPolicy policy(Format::kXml, "C-CDA document", documents_, data_path, policy_path);
    policy.Line(0, "record:");
    policy.Line(1, "class: document");
    const auto of_patient = [](const std::string& path, std::string recoding = "",
                               std::string why = "") {
      return ClinicalAttribute{std::string(kPatient) + path, false, std::move(recoding),
                               std::move(why)};
    };
    policy.Attributes(
        "document", root_,
        {{of_patient("addr/state")},
         {of_patient("addr/country")},
         {of_patient("patient/administrativeGenderCode/code")},
         {of_patient("patient/birthTime/value", "mask: 12", "a date: masked from the right")},
         {of_patient("patient/raceCode/displayName"), of_patient("patient/raceCode/code")},
         {of_patient("patient/ethnicGroupCode/displayName"),
          of_patient("patient/ethnicGroupCode/code")},
         {of_patient("patient/maritalStatusCode/code")}},
        {std::string(kSections)}, 1, false);
    bool first = true;
    for (const Section& section : Sections()) {
      const auto kinds = sections_.find(section.code);
      if (kinds == sections_.end()) continue;
      ClinicalPolicy probe = policy;
      if (first) probe.Line(1, "children:");
      probe.Line(2, "- class: " + section.name);
      probe.Line(3, "at: " + std::string(kSections));
      probe.Line(3, "where: {code/code: " + YamlScalar(section.code) + "}");
      kinds->second.section.values.erase("code/code");
      probe.Attributes(section.name, kinds->second.section, {}, {section.at, "code/code"}, 3,
                       false);
      probe.Line(3, "children:");
      probe.Line(4, "- class: " + section.entry);
      probe.Line(5, "at: " + section.at);
      if (!probe.Attributes(section.entry, kinds->second.entry, section.attributes, {}, 5, true)) {
        continue;
      }
      policy = std::move(probe);
      first = false;
      sections_.erase(kinds);
    }
    for (const auto& [code, kinds] : sections_) {
      policy.Line(1, "", "left out: sections with the code " + YamlScalar(code));
    }
    return std::move(policy).Finish();
  }

 private:
  struct Kinds {
    ClinicalKind section;
    ClinicalKind entry;
  };

  static const Element* Child(const Element& of, std::string_view name) {
    for (const auto& child : of.children) {
      if (child->name == name) return child.get();
    }
    return nullptr;
  }

  static std::vector<const Element*> At(const Element& from, std::string_view path) {
    std::vector<const Element*> level = {&from};
    while (!path.empty()) {
      const std::string_view step = path.substr(0, path.find('/'));
      path.remove_prefix(std::min(path.size(), step.size() + 1));
      std::vector<const Element*> next;
      for (const Element* element : level) {
        for (const auto& child : element->children) {
          if (child->name == step) next.push_back(child.get());
        }
      }
      level = std::move(next);
    }
    return level;
  }

  // Every value, but for what stands at `but`.
  void Flatten(const Element& element, const std::string& path, ClinicalKind& into,
               const std::string& but) {
    if (!but.empty() && path == but) return;
    if (path.empty()) ++into.vertices;
    const std::string prefix = path.empty() ? "" : path + "/";
    for (const auto& [name, value] : element.attributes) {
      if (!value.empty()) into.Add(prefix + name, value, documents_);
    }
    const std::string_view text = Trim(element.text);
    if (!text.empty() && !path.empty()) {
      const bool plain = element.attributes.empty() && element.children.empty();
      into.Add(plain ? path : path + "/text()", text, documents_);
    }
    for (const auto& child : element.children) {
      Flatten(*child, prefix + child->name, into, but);
    }
  }

  uint64_t documents_ = 0;
  ClinicalKind root_;
  std::map<std::string, Kinds> sections_;
};

}  // namespace

Result<std::optional<Proposal>> ProposeCcda(const std::vector<std::string>& files,
                                            const std::string& data_path,
                                            const std::string& policy_path,
                                            const SurveyOptions& options) {
  DocumentSurvey survey;
  // One document is read in no time; what advances is their number, once the first one is known for what it is.
  Progress of_document;
  std::optional<Phase> phase;
  const size_t count = std::min<size_t>(files.size(), kMostSurveyed);
  for (size_t i = 0; i < count; ++i) {
    if (options.progress != nullptr && options.progress->cancelled()) return Interrupted();
    if (IsTooLargeForOnePatient(files[i])) return std::optional<Proposal>();
    const Result<std::unique_ptr<Source>> source = Source::Open(files[i]);
    if (!source.ok()) return std::optional<Proposal>();
    TreeReader tree;
    XmlStream stream(**source, of_document, files[i], tree);
    // What is wrong with a document is said where it is read as one.
    if (!stream.Run().ok() || tree.root == nullptr || !survey.Add(*tree.root)) {
      return std::optional<Proposal>();
    }
    if (!phase) phase.emplace("read", count);
    phase->Advance();
  }
  return std::optional<Proposal>(survey.Write(data_path, policy_path));
}

}  // namespace thicket
