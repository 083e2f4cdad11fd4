#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/thicket.h"

namespace thicket {

namespace {

void AddCut(const Report::Cut& cut, JsonWriter& json) {
  json.Key("cut").BeginObject().Key("attributes").BeginObject();
  for (const Report::Cut::Attribute& attribute : cut.attributes) {
    if (attribute.left_out) continue;
    json.Key(attribute.path).BeginArray();
    for (const std::string& label : attribute.labels) json.String(label);
    json.EndArray();
  }
  json.EndObject().Key("left_out").BeginArray();
  for (const Report::Cut::Attribute& attribute : cut.attributes) {
    if (attribute.left_out) json.String(attribute.path);
  }
  json.EndArray().Key("disassociated").BeginArray();
  for (const Report::Cut::Disassociation& one : cut.disassociated) {
    json.BeginObject().Key("above").BeginObject().Key(one.above_path).String(one.above).EndObject();
    json.Key("below").BeginObject().Key(one.below_path).String(one.below).EndObject();
    json.Key("support").Number(one.support).EndObject();
  }
  json.EndArray().Key("cost").Number(cut.cost);
  json.Key("stopped_early").Boolean(cut.stopped_early);
  if (cut.proof) {
    json.Key("metric").String(cut.proof->metric).Key("proof").String(cut.proof->kind);
    json.Key("bound").Optional(cut.proof->bound).Key("gap");
    if (cut.proof->bound) {
      json.Number(std::max(0.0, cut.cost - *cut.proof->bound));
    } else {
      json.Null();
    }
  }
  json.EndObject();
}

void AddSets(const Report::Sets& sets, JsonWriter& json) {
  json.Key("threats").Number(sets.threats).Key("itemsets").Number(sets.itemsets);
  if (sets.rounds) json.Key("rounds").Number(uint64_t{*sets.rounds});
  json.Key("suppressed_items").Number(sets.suppressed_items);
}

// "any 3 items that a person has and 1 that it has not fit at least 5 records or none".
std::string KnowledgeText(const Report::Guarantee& guarantee) {
  const std::string who =
      !guarantee.m ? "who knows everything of a person finds"
                   : fmt::format(
                         "who knows up to {} item{} that a person has and {} that it has "
                         "not finds",
                         *guarantee.m, *guarantee.m == 1 ? "" : "s", *guarantee.n);
  std::string found = who + fmt::format(" at least {} record{} or none", guarantee.k.value_or(1),
                                        guarantee.k.value_or(1) == 1 ? "" : "s");
  if (guarantee.l) found += fmt::format(", a sensitive item in at most 1/{} of them", *guarantee.l);
  return found;
}

void AddTaxonomies(const std::vector<Report::BuiltTaxonomy>& taxonomies, JsonWriter& json) {
  if (taxonomies.empty()) return;
  json.Key("taxonomies").BeginObject();
  for (const Report::BuiltTaxonomy& taxonomy : taxonomies) {
    json.Key(taxonomy.path).BeginObject().Key("order").String(taxonomy.order);
    json.Key("fanout").Number(taxonomy.fanout);
    if (taxonomy.seed) json.Key("seed").Number(*taxonomy.seed);
    json.EndObject();
  }
  json.EndObject();
}

void AddBags(const Report::Bags& bags, JsonWriter& json) {
  json.Key("bags").BeginObject().Key("terms").Number(bags.terms);
  json.Key("published_terms").Number(bags.published);
  json.Key("left_out_terms").Number(bags.left_out);
  json.Key("substitutes").Boolean(bags.substitutes);
  json.Key("substituted_terms").Number(bags.substituted);
  json.Key("mean_steps").Number(bags.mean_steps());
  json.Key("max_steps").Number(bags.most_steps);
  json.Key("empty_bags").Number(bags.empty).EndObject();
}

// "1,201 of 5,003 (24.0 %) are not the person's own, but a term nearby: 2.4 steps on average, at most 6".
std::string SubstitutionText(const Report::Bags& bags) {
  const double share = bags.published == 0 ? 0
                                           : 100 * static_cast<double>(bags.substituted) /
                                                 static_cast<double>(bags.published);
  if (bags.substituted == 0) return "all of them are the person's own";
  return fmt::format(
      "{} of {} ({:.1f} %) are NOT the person's own, but a term nearby: {:.1f} steps on average, "
      "at "
      "most {}",
      WithCommas(bags.substituted), WithCommas(bags.published), share, bags.mean_steps(),
      bags.most_steps);
}

std::string Plural(uint64_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", WithCommas(count), count == 1 ? one : several);
}

// "25 labels of nation, 4 of orders.price; orders.date left out; 3 relations disassociated".
std::string CutText(const Report::Cut& cut, bool has_relations) {
  std::string labels;
  std::string left_out;
  for (const Report::Cut::Attribute& attribute : cut.attributes) {
    if (attribute.left_out) {
      left_out += (left_out.empty() ? "" : ", ") + attribute.path;
    } else {
      const size_t count = attribute.labels.size();
      const char* const noun = !labels.empty() ? "" : count == 1 ? " label" : " labels";
      labels += fmt::format("{}{}{} of {}", labels.empty() ? "" : ", ", WithCommas(count), noun,
                            attribute.path);
    }
  }
  if (!left_out.empty()) labels += (labels.empty() ? "" : "; ") + left_out + " left out";
  if (cut.proof || !has_relations) return labels;
  const size_t count = cut.disassociated.size();
  return fmt::format("{}; {} relation{} disassociated", labels,
                     count == 0 ? "no" : WithCommas(count), count == 1 ? "" : "s");
}

// "LM 12.5, proven least of 25 cuts (7 looked at)". A cut that was drawn with top_h need not be the least.
std::string ProofText(const Report::Cut& cut, const Report::Search& search) {
  std::string metric = cut.proof->metric;
  for (char& c : metric) c = static_cast<char>(c - 'a' + 'A');
  const std::string cost = fmt::format("{} {}", metric, FigureText(cut.cost));
  const std::string all = cut.proof->all_cuts < 1e15
                              ? WithCommas(static_cast<uint64_t>(cut.proof->all_cuts))
                              : fmt::format("{:.1e}", cut.proof->all_cuts);
  const bool of_levels = cut.proof->kind == "optimal-levels";
  const std::string of_all =
      fmt::format("{} {} cuts ({} looked at){}", of_levels ? " the" : "", all,
                  WithCommas(search.candidates), of_levels ? " that take whole levels" : "");
  const bool is_proven = of_levels || cut.proof->kind == "optimal";
  if (is_proven && cut.cost <= cut.proof->bound) return cost + ", proven least of" + of_all;
  if (!cut.proof->bound) return cost + ", the least found; nothing is proven of" + of_all;
  return fmt::format("{}; none of{} costs less than {}", cost, of_all,
                     FigureText(*cut.proof->bound));
}

}  // namespace

std::string_view Version() { return THICKET_VERSION; }

std::string Report::ToJson() const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("seed").Optional(seed);
  json.Key("method").BeginObject().Key("name").String(method.name);
  for (const Method::Parameter& parameter : method.parameters) {
    json.Key(parameter.name);
    if (parameter.is_word) {
      json.String(parameter.text);
    } else {
      json.Raw(parameter.text);
    }
  }
  json.EndObject();
  json.Key("input").BeginObject().Key("format").String(input.format);
  json.Key("records").Number(input.records).Key("vertices").Number(input.vertices);
  json.Key("labels").Number(input.labels);
  json.Key("absent_labels").Number(input.absent_labels).EndObject();
  AddTaxonomies(taxonomies, json);
  json.Key("output").BeginObject().Key("records").Number(output.records);
  json.Key("vertices").Number(output.vertices).Key("classes").Number(output.classes);
  json.Key("class_size").BeginObject().Key("min").Number(output.smallest_class);
  json.Key("median")
      .Number(output.median_class)
      .Key("max")
      .Number(output.largest_class)
      .EndObject();
  json.Key("suppressed_records").Number(output.suppressed_records);
  if (output.costly_leftovers) json.Key("costly_leftovers").Number(*output.costly_leftovers);
  json.Key("suppressed_vertices").Number(output.suppressed_vertices);
  if (output.merged_vertices) json.Key("merged_vertices").Number(*output.merged_vertices);
  if (cut && cut->proof && !sets) json.Key("suppressed_values").Number(output.suppressed_values);
  json.Key("generalized_labels").Number(output.generalized_labels);
  json.Key("replaced").Boolean(output.replaced).Key("link").Boolean(output.link).EndObject();
  json.Key("guarantee").BeginObject().Key("model").String(guarantee.model);
  json.Key("k").Optional(guarantee.k).Key("l").Optional(guarantee.l);
  if (guarantee.m || guarantee.of_sets) {
    json.Key("m").Optional(guarantee.m).Key("n").Optional(guarantee.n);
    if (!guarantee.of_sets) json.Key("negative").Boolean(guarantee.negative);
  }
  if (guarantee.alpha) {
    json.Key("alpha").BeginArray();
    for (const double share : *guarantee.alpha) json.Number(share);
    json.EndArray();
  }
  if (guarantee.theta) {
    json.Key("theta").BeginObject().Key("default").Number(guarantee.theta->otherwise);
    json.Key("named_values").Number(guarantee.theta->named);
    json.Key("from_frequency").Boolean(guarantee.theta->from_frequency);
    json.Key("reached").Optional(guarantee.theta->reached).EndObject();
  }
  if (!guarantee.m && !guarantee.of_sets) {
    json.Key("share_at_place").Optional(guarantee.share_at_place);
    json.Key("share_anywhere").Optional(guarantee.share_anywhere);
  }
  if (guarantee.alpha_anywhere) {
    json.Key("alpha_anywhere").BeginArray();
    for (const double share : *guarantee.alpha_anywhere) json.Number(share);
    json.EndArray();
  }
  if (guarantee.epsilon) json.Key("epsilon").Number(static_cast<uint64_t>(*guarantee.epsilon));
  json.Key("verified").Boolean(guarantee.verified);
  json.Key("truthful").Boolean(guarantee.truthful).EndObject();
  json.Key("utility").BeginObject().Key("lm").Number(utility.lm);
  if (utility.at_least) json.Key("at_least").Number(*utility.at_least);
  if (sets) json.Key("ncp").Number(sets->ncp);
  if (bags) json.Key("blm").Number(utility.lm);
  json.Key("attributes").BeginObject();
  for (const AttributeUtility& attribute : utility.attributes) {
    json.Key(attribute.path).Number(attribute.lm);
  }
  json.EndObject().EndObject();
  if (cut) AddCut(*cut, json);
  if (bags) AddBags(*bags, json);
  json.Key("search").BeginObject().Key("candidates").Number(search.candidates);
  json.Key("compared").Number(search.compared);
  if (search.neighbourhood > 0) {
    json.Key("neighbourhood").Number(search.neighbourhood).Key("parts").Number(search.parts);
    if (search.neighbourhood_cost) {
      json.Key("neighbourhood_cost").Number(*search.neighbourhood_cost);
      json.Key("neighbourhood_sample").Number(search.neighbourhood_sample);
    }
  }
  if (cut && cut->proof) {
    json.Key("all_cuts").Number(cut->proof->all_cuts).Key("pruned").Number(cut->proof->pruned);
  }
  if (sets) AddSets(*sets, json);
  json.EndObject();
  json.Key("seconds").BeginObject().Key("read").Number(seconds.read);
  json.Key("anonymize").Number(seconds.anonymize).Key("verify").Number(seconds.verify);
  json.Key("write").Number(seconds.write).EndObject();
  json.Key("peak_rss_bytes").Number(peak_rss_bytes);
  json.Key("warnings").BeginArray();
  for (const std::string& warning : warnings) json.String(warning);
  json.EndArray().EndObject();
  return json.text() + "\n";
}

std::string Report::ToText() const {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "  {:<12} {}\n", name, value);
  };
  const auto share = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  fmt::format_to(std::back_inserter(text), "  {:<12} {:>12} {:>12} {:>12}\n", "", "records",
                 "vertices", "labels");
  fmt::format_to(std::back_inserter(text), "  {:<12} {:>12} {:>12} {:>12}\n", "read",
                 WithCommas(input.records), WithCommas(input.vertices), WithCommas(input.labels));
  fmt::format_to(std::back_inserter(text), "  {:<12} {:>12} {:>12}\n", "published",
                 WithCommas(output.records), WithCommas(output.vertices));
  fmt::format_to(std::back_inserter(text), "  {:<12} {:>12} {:>12}   ({:.1f} % of all vertices)\n",
                 "suppressed", WithCommas(output.suppressed_records),
                 WithCommas(output.suppressed_vertices),
                 share(output.suppressed_vertices, input.vertices));
  fmt::format_to(std::back_inserter(text),
                 "  {:<12} {:>12} {:>12} {:>12}   ({:.1f} % of all labels)\n", "generalized", "",
                 "", WithCommas(output.generalized_labels),
                 share(output.generalized_labels, input.labels));
  if (output.costly_leftovers.value_or(0) > 0) {
    line("left over",
         fmt::format(
             "{} of the suppressed records fitted a class, but would have cost it more than "
             "leaving {} out",
             WithCommas(*output.costly_leftovers), *output.costly_leftovers == 1 ? "it" : "them"));
  }
  if (output.merged_vertices.value_or(0) > 0) {
    line("merged", fmt::format("{} ({:.1f} % of all vertices) into others that look the same",
                               Plural(*output.merged_vertices, "vertex", "vertices"),
                               share(*output.merged_vertices, input.vertices)));
  }
  if (input.absent_labels > 0) {
    line("absent", fmt::format("{} that the original does not have, which count as no loss",
                               Plural(input.absent_labels, "label", "labels")));
  }
  if (output.suppressed_values > 0) {
    line("values",
         fmt::format("{} sensitive value{} suppressed (*)", WithCommas(output.suppressed_values),
                     output.suppressed_values == 1 ? "" : "s"));
  }
  for (const BuiltTaxonomy& taxonomy : taxonomies) {
    line("taxonomy", fmt::format("of {}: built, order {}, fan-out {}", taxonomy.path,
                                 taxonomy.order, WithCommas(taxonomy.fanout)));
  }
  if (cut) line("cut", CutText(*cut, !sets));
  if (cut && cut->proof) line("cost", ProofText(*cut, search));
  if (sets && sets->itemsets > 0) {
    line("threats",
         fmt::format("{} itemset{} broke the promise, of {} looked at{}", WithCommas(sets->threats),
                     sets->threats == 1 ? "" : "s", WithCommas(sets->itemsets),
                     sets->rounds ? fmt::format(" in {} rounds", *sets->rounds) : ""));
  }
  if (bags) {
    if (bags->substitutes) line("terms", SubstitutionText(*bags));
    const std::string empty =
        bags->empty == 0 ? ""
                         : fmt::format("; {} bag{} published empty", WithCommas(bags->empty),
                                       bags->empty == 1 ? " is" : "s are");
    line("left out", fmt::format("{} of {} terms{}", WithCommas(bags->left_out),
                                 WithCommas(bags->terms), empty));
  }
  if ((!cut || cut->proof) && (!sets || output.classes > 0)) {
    line("classes", fmt::format("{} of {} to {} records (median {})", WithCommas(output.classes),
                                output.smallest_class, output.largest_class, output.median_class));
  }
  std::string found = guarantee.k ? fmt::format("k = {}", *guarantee.k) : "";
  if (guarantee.of_sets) {
    found = KnowledgeText(guarantee);
  } else if (guarantee.m) {
    found = fmt::format("any {} label{} and {} relation{} fit {} records or none", *guarantee.m,
                        *guarantee.m == 1 ? "" : "s", *guarantee.n, *guarantee.n == 1 ? "" : "s",
                        guarantee.k ? fmt::format("at least {}", *guarantee.k) : "no");
  }
  if (guarantee.l && !guarantee.of_sets)
    found += fmt::format("{}l = {}", found.empty() ? "" : ", ", *guarantee.l);
  if (guarantee.theta && guarantee.theta->reached) {
    found +=
        fmt::format(", shares up to {:.0f} % of their thresholds", 100 * *guarantee.theta->reached);
  }
  if (guarantee.alpha) {
    found += fmt::format(", shares of levels up to {:.2f}", fmt::join(*guarantee.alpha, ", "));
  }
  // Where terms are replaced, what is checked instead of truth is how far they are from the person's own.
  const std::string truth =
      bags && bags->substitutes
          ? fmt::format("with every term within {} steps", guarantee.epsilon.value_or(0))
      : guarantee.truthful ? "truthful"
                           : "NOT TRUTHFUL";
  line("promise", fmt::format("{}, {} and {} on the finished output ({})", guarantee.model,
                              guarantee.verified ? "verified" : "NOT VERIFIED", truth, found));
  if (guarantee.share_at_place) {
    line("shares",
         fmt::format(
             "of a sensitive value: at a place up to {:.2f}, anywhere in a record up to {:.2f}",
             *guarantee.share_at_place, guarantee.share_anywhere.value_or(0)));
  }
  line("loss", fmt::format("{}{} {:.3f} (0: nothing lost, 1: everything)",
                           sets ? fmt::format("NCP {:.4f}, ", sets->ncp) : "", bags ? "bLM" : "LM",
                           utility.lm));
  size_t width = 22;
  for (const AttributeUtility& attribute : utility.attributes) {
    width = std::max(width, attribute.path.size());
  }
  for (const AttributeUtility& attribute : utility.attributes) {
    fmt::format_to(std::back_inserter(text), "    {:<{}} {:.3f}\n", attribute.path, width,
                   attribute.lm);
  }
  if (output.link) {
    line(
        "link",
        "PRIVATE: it says which original record each published one stands for, so that who has it");
    line("", "undoes the work; keep it with the original, or delete it");
  }
  line("time", fmt::format("{:.2f} s (read {:.2f}, anonymize {:.2f}, write {:.2f}, verify {:.2f}), "
                           "{} MB of memory",
                           seconds.read + seconds.anonymize + seconds.write + seconds.verify,
                           seconds.read, seconds.anonymize, seconds.write, seconds.verify,
                           WithCommas(peak_rss_bytes >> 20)));
  return text;
}

}  // namespace thicket
