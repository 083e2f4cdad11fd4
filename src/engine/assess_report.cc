#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/assess.h"

namespace thicket {

namespace {

void AddWarnings(JsonWriter& json, const std::vector<std::string>& warnings) {
  json.Key("warnings").BeginArray();
  for (const std::string& warning : warnings) json.String(warning);
  json.EndArray();
}

std::string Found(std::string_view name, const std::optional<int>& found,
                  const std::optional<int>& promised) {
  std::string text = found ? fmt::format("{} = {}", name, *found) : fmt::format("no {}", name);
  if (promised) text += fmt::format(" (promised: {})", *promised);
  return text;
}

std::string TruthText(const VerifyReport& report) {
  if (!report.truthful) return "not checked (give --original)";
  if (!*report.truthful) return "NO";
  const std::string_view original =
      report.linked ? "the original one that the link names" : "a distinct original one";
  if (!report.epsilon_promised) return fmt::format("yes: every record generalizes {}", original);
  return fmt::format("yes: every record stands for {}, its terms at most {} step{} away", original,
                     *report.epsilon_promised, *report.epsilon_promised == 1 ? "" : "s");
}

void AddShares(JsonWriter& json, const std::optional<std::array<double, 5>>& shares) {
  if (!shares) {
    json.Null();
    return;
  }
  json.BeginArray();
  for (const double share : *shares) json.Number(share);
  json.EndArray();
}

void AddLoss(JsonWriter& json, const EvaluateReport::Loss& loss) {
  json.Key("lm").Number(loss.lm).Key("labels").Number(loss.labels);
  json.Key("absent").Number(loss.absent);
  json.Key("suppressed").Number(loss.suppressed).Key("generalized").Number(loss.generalized);
}

void AddSide(JsonWriter& json, const EvaluateReport::Terms::Side& side) {
  json.BeginObject().Key("bags").Number(side.bags).Key("terms").Number(side.terms);
  json.Key("distinct").Number(side.distinct).Key("mean_size").Number(side.mean_size).EndObject();
}

void AddBags(JsonWriter& json, const EvaluateReport& report) {
  if (report.blm) {
    json.Key("blm").Number(report.blm->blm).Key("blm_terms").Number(report.blm->terms);
    json.Key("blm_left_out").Number(report.blm->left_out);
  }
  if (report.terms) {
    json.Key("terms").BeginObject().Key("original");
    AddSide(json, report.terms->original);
    json.Key("published");
    AddSide(json, report.terms->published);
    json.Key("distinct_share").Optional(report.terms->distinct_share);
    json.Key("size_share").Optional(report.terms->size_share).EndObject();
  }
  if (report.closed) {
    json.Key("closed").BeginObject().Key("count").Number(report.closed->count);
    json.Key("original").Number(report.closed->original);
    json.Key("published").Number(report.closed->published);
    json.Key("recall").Optional(report.closed->recall);
    json.Key("s_dist").Optional(report.closed->s_dist).EndObject();
  }
}

std::string OrNone(const std::optional<double>& number, std::string_view unit, double factor,
                   int digits) {
  if (!number) return "n/a";
  return fmt::format("{:.{}f}{}", factor * *number, digits, unit);
}

void AddBags(std::string& text, const EvaluateReport& report) {
  auto out = std::back_inserter(text);
  if (report.blm) {
    fmt::format_to(out, "  bLM {:.4f} ({} of {} terms are not published)\n", report.blm->blm,
                   WithCommas(report.blm->left_out), WithCommas(report.blm->terms));
  }
  if (report.terms) {
    const EvaluateReport::Terms& terms = *report.terms;
    fmt::format_to(out, "  different terms {} (original: {}), {}\n",
                   WithCommas(terms.published.distinct), WithCommas(terms.original.distinct),
                   OrNone(terms.distinct_share, " %", 100, 1));
    fmt::format_to(out, "  terms in a bag {:.2f} on average (original: {:.2f}), {}\n",
                   terms.published.mean_size, terms.original.mean_size,
                   OrNone(terms.size_share, " %", 100, 1));
  }
  if (report.closed) {
    fmt::format_to(out, "  closed patterns {} of up to {} (original: {}): Recall {}, sDist {}\n",
                   WithCommas(report.closed->published), WithCommas(report.closed->count),
                   WithCommas(report.closed->original), OrNone(report.closed->recall, "", 1, 3),
                   OrNone(report.closed->s_dist, "", 1, 3));
  }
}

void AddAgainst(JsonWriter& json, const AttackOutcome::Against& against) {
  json.BeginObject().Key("victims").Number(against.victims);
  json.Key("found_share").Number(against.found_share);
  json.Key("mean_probability").Number(against.mean_probability);
  json.Key("worst_probability").Number(against.worst_probability);
  json.Key("worst_certainty").Number(against.worst_certainty);
  json.Key("worst_certainty_anywhere").Optional(against.worst_certainty_anywhere);
  json.Key("misled").Number(against.misled).EndObject();
}

void AddAgainst(JsonWriter& json, const SimilarityOutcome::Against& against) {
  json.BeginObject().Key("values").Number(against.values);
  json.Key("known_share").Number(against.known_share);
  json.Key("mean_certainty").Number(against.mean_certainty);
  json.Key("worst_certainty").Number(against.worst_certainty);
  json.Key("people_share").Number(against.people_share).EndObject();
}

// Original and published side by side.
void AddPercentages(std::string& text, std::string_view name, double before, double after) {
  fmt::format_to(std::back_inserter(text), "  {:<44} {:>8.1f} % {:>8.1f} %\n", name, 100 * before,
                 100 * after);
}

void AddSimilarity(std::string& text, const std::vector<SimilarityOutcome>& outcomes) {
  for (const SimilarityOutcome& outcome : outcomes) {
    fmt::format_to(std::back_inserter(text),
                   "How sensitive {} is, to the same adversary (levels {}{})\n", outcome.path,
                   outcome.levels == "given" ? "as the policy gives them" : "by " + outcome.levels,
                   outcome.by_default ? ", by default" : "");
    fmt::format_to(std::back_inserter(text), "  {:<44} {:>10} {:>10}\n", "", "original",
                   "published");
    const auto percent = [&](std::string_view name, double SimilarityOutcome::Against::*field) {
      AddPercentages(text, name, outcome.original.*field, outcome.published.*field);
    };
    percent("people with a level known for certain", &SimilarityOutcome::Against::people_share);
    percent("values with a level known for certain", &SimilarityOutcome::Against::known_share);
    percent("certainty about a level, mean", &SimilarityOutcome::Against::mean_certainty);
    percent("certainty about a level, worst", &SimilarityOutcome::Against::worst_certainty);
    AddPercentages(text, "the same for who knows nobody's class", outcome.guess, outcome.guess);
  }
}

}  // namespace

std::string VerifyReport::ToJson() const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("holds").Boolean(holds);
  json.Key("guarantee").BeginObject().Key("model").String(model);
  json.Key("k").Optional(k).Key("l").Optional(l).Key("verified").Boolean(holds);
  json.Key("k_promised").Optional(k_promised).Key("l_promised").Optional(l_promised);
  if (alpha_promised) {
    json.Key("alpha");
    AddShares(json, alpha);
    json.Key("alpha_promised");
    AddShares(json, alpha_promised);
  }
  if (share_of_theta) json.Key("share_of_theta").Optional(share_of_theta);
  if (m_promised) {
    json.Key("m").Optional(m_promised).Key("n").Optional(n_promised);
  } else {
    json.Key("share_at_place").Optional(share_at_place);
    json.Key("share_anywhere").Optional(share_anywhere);
    if (alpha_promised) {
      json.Key("alpha_anywhere");
      AddShares(json, alpha_anywhere);
    }
  }
  json.Key("truthful");
  if (truthful) {
    json.Boolean(*truthful);
  } else {
    json.Null();
  }
  if (epsilon_promised) json.Key("epsilon").Optional(epsilon_promised);
  if (linked) json.Key("linked").Boolean(linked);
  if (least_owners) {
    json.Key("least_owners").Number(*least_owners);
    json.Key("largest_owner_share").Optional(largest_owner_share);
  }
  json.EndObject();
  json.Key("output").BeginObject().Key("records").Number(records).Key("vertices").Number(vertices);
  if (m_promised) {
    json.Key("label_sets").Number(label_sets);
  } else {
    json.Key("classes").Number(classes).Key("class_size").BeginObject();
    json.Key("min").Number(smallest_class).Key("median").Number(median_class);
    json.Key("max").Number(largest_class).EndObject();
  }
  if (suppressed_values > 0) json.Key("suppressed_values").Number(suppressed_values);
  json.EndObject();
  if (bags) {
    json.Key("bags").BeginObject().Key("terms").Number(bags->terms);
    json.Key("published_terms").Number(bags->published);
    json.Key("left_out_terms").Number(bags->left_out);
    json.Key("substituted_terms").Number(bags->substituted);
    json.Key("mean_steps").Number(bags->mean_steps()).Key("max_steps").Number(bags->most_steps);
    json.Key("empty_bags").Number(bags->empty).EndObject();
  }
  json.Key("violations").BeginObject().Key("count").Number(violations).Key("first").BeginArray();
  for (const std::string& message : messages) json.String(message);
  json.EndArray().EndObject();
  AddWarnings(json, warnings);
  json.EndObject();
  return json.text() + "\n";
}

std::string VerifyReport::ToText() const {
  std::string text = holds ? "The promise holds.\n" : "The promise does NOT hold.\n";
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  found        {}, {}\n", Found("k", k, k_promised),
                 Found("l", l, l_promised));
  if (share_of_theta) {
    fmt::format_to(out, "  thresholds   shares of values up to {:.0f} % of their thresholds\n",
                   100 * *share_of_theta);
  }
  if (suppressed_values > 0) {
    fmt::format_to(out, "  suppressed   {} sensitive value{} (*)\n", WithCommas(suppressed_values),
                   suppressed_values == 1 ? "" : "s");
  }
  if (alpha && alpha_promised) {
    fmt::format_to(out, "  levels       shares up to {:.2f} (promised: {})\n",
                   fmt::join(*alpha, ", "), fmt::join(*alpha_promised, ", "));
  }
  if (anywhere_promised && share_at_place) {
    fmt::format_to(
        out,
        "  shares       of a sensitive value: at a place up to {:.2f}, anywhere up to {:.2f}\n",
        *share_at_place, share_anywhere.value_or(0));
  }
  if (m_promised) {
    fmt::format_to(out, "  counted      {} sets of labels (m = {}, n = {})\n",
                   WithCommas(label_sets), *m_promised, n_promised.value_or(0));
  } else {
    fmt::format_to(out, "  classes      {} of {} to {} records (median {})\n", WithCommas(classes),
                   smallest_class, largest_class, median_class);
  }
  fmt::format_to(out, "  records      {} with {} vertices\n", WithCommas(records),
                 WithCommas(vertices));
  fmt::format_to(out, "  truthful     {}\n", TruthText(*this));
  if (bags) {
    fmt::format_to(out, "  terms        {}\n",
                   bags->substituted == 0
                       ? "all of them are the person's own"
                       : fmt::format("{} of {} are NOT the person's own, but a term nearby: {:.1f} "
                                     "steps on average, at most {}",
                                     WithCommas(bags->substituted), WithCommas(bags->published),
                                     bags->mean_steps(), bags->most_steps));
    fmt::format_to(out, "  left out     {} of {} terms; {} bag{} empty\n",
                   WithCommas(bags->left_out), WithCommas(bags->terms), WithCommas(bags->empty),
                   bags->empty == 1 ? " is" : "s are");
  }
  if (least_owners) {
    fmt::format_to(out, "  people       records that look alike are about at least {}, ",
                   WithCommas(*least_owners));
    fmt::format_to(out, "at most {:.1f} % of them about one\n",
                   100 * largest_owner_share.value_or(0));
  }
  if (violations > 0) fmt::format_to(out, "  violations   {}\n", WithCommas(violations));
  for (const std::string& message : messages) fmt::format_to(out, "    {}\n", message);
  return text;
}

std::string EvaluateReport::ToJson() const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("utility").BeginObject();
  if (loss) {
    AddLoss(json, *loss);
    json.Key("classes").BeginObject();
    for (const Loss& of_class : classes) {
      json.Key(of_class.path).BeginObject();
      AddLoss(json, of_class);
      json.Key("attributes").BeginObject();
      for (const Loss& attribute : of_class.attributes) {
        json.Key(attribute.path).BeginObject();
        AddLoss(json, attribute);
        json.EndObject();
      }
      json.EndObject().EndObject();
    }
    json.EndObject();
  }
  if (queries) {
    json.Key("queries").BeginObject().Key("count").Number(queries->count);
    json.Key("accuracy")
        .Number(queries->mean)
        .Key("accuracy_bounded")
        .Number(queries->mean_bounded);
    json.Key("median").Number(queries->median).EndObject();
  }
  if (dm) {
    json.Key("dm").BeginObject().Key("sum").Number(dm->dm);
    json.Key("mean_group").Number(dm->mean_group);
    json.Key("suppressed_records").Number(dm->suppressed).EndObject();
  }
  if (dissimilarity) {
    json.Key("dissimilarity").BeginObject().Key("degree").Number(dissimilarity->degree);
    json.Key("mean_distance").Number(dissimilarity->mean_distance);
    json.Key("classes").Number(dissimilarity->classes).EndObject();
  }
  if (rpd) {
    json.Key("rpd").BeginObject().Key("original").Number(rpd->original);
    json.Key("published").Number(rpd->published);
    json.Key("approximate_original").Number(rpd->approximate_original);
    json.Key("approximate_published").Number(rpd->approximate_published).EndObject();
  }
  if (mining) {
    json.Key("mining").BeginObject().Key("ml2").Number(mining->ml2);
    json.Key("dml2").Number(mining->dml2).Key("frequent").Number(mining->frequent);
    json.Key("kept").Number(mining->kept).EndObject();
  }
  if (ncp) {
    json.Key("ncp").Number(ncp->ncp).Key("ncp_is_bound").Boolean(ncp->is_bound);
  }
  if (patterns) {
    json.Key("patterns").BeginObject().Key("support").Number(patterns->support);
    json.Key("original").Number(patterns->original);
    json.Key("published").Number(patterns->published);
    json.Key("common").Number(patterns->common).Key("error");
    if (patterns->error) {
      json.Number(*patterns->error);
    } else {
      json.Null();
    }
    json.EndObject();
  }
  AddBags(json, *this);
  json.EndObject();
  AddWarnings(json, warnings);
  json.EndObject();
  return json.text() + "\n";
}

std::string EvaluateReport::ToText() const {
  std::string text;
  auto out = std::back_inserter(text);
  if (loss) {
    fmt::format_to(out, "  {:<24} {:>7} {:>12} {:>12} {:>12}\n", "loss", "LM", "labels",
                   "generalized", "suppressed");
    const auto row = [&](const std::string& name, const Loss& entry) {
      fmt::format_to(out, "  {:<24} {:>7.3f} {:>12} {:>12} {:>12}\n", name, entry.lm,
                     WithCommas(entry.labels), WithCommas(entry.generalized),
                     WithCommas(entry.suppressed));
    };
    row("all", *loss);
    for (const Loss& of_class : classes) {
      if (of_class.labels == 0) continue;
      row(of_class.path, of_class);
      for (const Loss& attribute : of_class.attributes) row("  " + attribute.path, attribute);
    }
    if (loss->absent > 0) {
      fmt::format_to(out, "  absent       {} label{} that the original does not have\n",
                     WithCommas(loss->absent), loss->absent == 1 ? "" : "s");
    }
  }
  if (queries) {
    fmt::format_to(out,
                   "  query accuracy {:.3f} (mean over {} count queries; bounded at 0: {:.3f}; "
                   "median {:.3f})\n",
                   queries->mean, WithCommas(queries->count), queries->mean_bounded,
                   queries->median);
  }
  if (dm) {
    fmt::format_to(out, "  DM {} (a person stands among {:.1f} on average", WithCommas(dm->dm),
                   dm->mean_group);
    if (dm->suppressed > 0) {
      fmt::format_to(out, "; {} suppressed, each among all {}", WithCommas(dm->suppressed),
                     WithCommas(dm->records));
    }
    text += ")\n";
  }
  if (dissimilarity) {
    fmt::format_to(out,
                   "  dissimilarity {:.3f} (mean of {} classes; two values that stand together are "
                   "{:.2f} levels apart)\n",
                   dissimilarity->degree, WithCommas(dissimilarity->classes),
                   dissimilarity->mean_distance);
  }
  if (rpd) {
    fmt::format_to(out, "  RPD {:.3g} (original: {:.3g}), approximate {:.3g} (original: {:.3g})\n",
                   rpd->published, rpd->original, rpd->approximate_published,
                   rpd->approximate_original);
  }
  if (mining) {
    fmt::format_to(
        out, "  ML2 {:.3f}, dML2 {:.3f} ({} of {} frequent subtrees are still frequent)\n",
        mining->ml2, mining->dml2, WithCommas(mining->kept), WithCommas(mining->frequent));
  }
  if (ncp) {
    fmt::format_to(out, "  NCP {}{:.4f}\n", ncp->is_bound ? "at least " : "", ncp->ncp);
  }
  if (patterns) {
    fmt::format_to(out, "  patterns {} at {:.4g} % support (original: {}), {} of them in both; ",
                   WithCommas(patterns->published), 100 * patterns->support,
                   WithCommas(patterns->original), WithCommas(patterns->common));
    fmt::format_to(out, "error {}\n",
                   patterns->error ? fmt::format("{:.4f}", *patterns->error) : "n/a");
  }
  AddBags(text, *this);
  return text;
}

std::string AttackSummary::ToJson() const {
  JsonWriter json;
  json.BeginObject().Key("thicket").String(Version()).Key("attacks").BeginArray();
  for (const AttackOutcome& outcome : outcomes) {
    json.BeginObject().Key("knowledge").String(outcome.knowledge).Key("original");
    AddAgainst(json, outcome.original);
    json.Key("published");
    AddAgainst(json, outcome.published);
    json.EndObject();
  }
  json.EndArray();
  if (similarity) {
    json.Key("similarity").BeginArray();
    for (const SimilarityOutcome& outcome : *similarity) {
      json.BeginObject().Key("path").String(outcome.path).Key("levels").String(outcome.levels);
      json.Key("by_default").Boolean(outcome.by_default).Key("guess").Number(outcome.guess);
      json.Key("original");
      AddAgainst(json, outcome.original);
      json.Key("published");
      AddAgainst(json, outcome.published);
      json.EndObject();
    }
    json.EndArray();
  }
  AddWarnings(json, warnings);
  json.EndObject();
  return json.text() + "\n";
}

std::string AttackSummary::ToText() const {
  std::string text;
  auto out = std::back_inserter(text);
  for (const AttackOutcome& outcome : outcomes) {
    fmt::format_to(out, "An adversary who knows {}\n", outcome.knowledge);
    fmt::format_to(out, "  {:<44} {:>10} {:>10}\n", "", "original", "published");
    const auto percent = [&](std::string_view name, double before, double after) {
      AddPercentages(text, name, before, after);
    };
    percent("people found for certain", outcome.original.found_share,
            outcome.published.found_share);
    percent("probability of finding a person, mean", outcome.original.mean_probability,
            outcome.published.mean_probability);
    percent("probability of finding a person, worst", outcome.original.worst_probability,
            outcome.published.worst_probability);
    if (outcome.original.worst_certainty > 0) {
      percent("certainty about a sensitive value, worst", outcome.original.worst_certainty,
              outcome.published.worst_certainty);
    } else {
      // No vertex that the adversary can point at has a sensitive attribute; that is no zero.
      fmt::format_to(out, "  {:<44} {:>10} {:>10}\n", "certainty about a sensitive value, worst",
                     "n/a", "n/a");
    }
    // An adversary who cannot point at a vertex still learns that the person has the value.
    if (outcome.original.worst_certainty_anywhere) {
      percent("the same, anywhere in the record, worst", *outcome.original.worst_certainty_anywhere,
              outcome.published.worst_certainty_anywhere.value_or(0));
    }
  }
  if (similarity) AddSimilarity(text, *similarity);
  return text;
}

}  // namespace thicket
