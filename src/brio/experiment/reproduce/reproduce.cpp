#include "brio/experiment/reproduce/reproduce.hpp"

#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/json.hpp"
#include "brio/experiment/reproduce/expression.hpp"
#include "brio/experiment/reproduce/measured.hpp"
#include "brio/experiment/reproduce/verdict.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brio {
namespace {

std::string mode_text(const ReproduceOptions& options) {
  std::string text = options.quick ? "quick" : "full";
  if (options.steps) text += fmt::format(", at most {} steps", *options.steps);
  return text;
}

/// FNV-1a hash, to detect changed texts.
std::string fingerprint(const PaperItem& item, const ReproduceOptions& options) {
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char c : (options.quick ? item.quick_text : item.full_text) + mode_text(options))
    hash = (hash ^ c) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

/// As people read it, since JSON has no infinity.
std::string readable(double value) {
  if (std::isnan(value)) return "not measured";
  if (std::isinf(value)) return "never";
  const bool counts = value == std::round(value) && std::fabs(value) < 1e9;
  return counts ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

Json check_json(const CheckResult& check) {
  return {{"say", check.say},
          {"value", check.value_text},
          {"ours", readable(check.value)},
          {"spread", check.least ? fmt::format("{} to {}", readable(*check.least), readable(*check.most)) : ""},
          {"today", check.today ? readable(*check.today) : ""},
          {"paper", check.paper ? Json(*check.paper) : Json()},
          {"rule", check.rule},
          {"outcome", to_string(check.outcome)}};
}

Json table_json(const ItemTable& table, const Evidence& evidence) {
  Json rows = Json::array();
  for (const std::vector<std::string>& row : table.rows) {
    Json cells = Json::array();
    for (const std::string& cell : row)
      cells.push_back(cell.starts_with('=') ? readable(evaluate(cell.substr(1), evidence)) : cell);
    rows.push_back(std::move(cells));
  }
  return {{"title", table.title}, {"head", table.head}, {"rows", rows}};
}

/// Not more points than a chart can show.
SampledCurve thinned(const SampledCurve& curve) {
  constexpr size_t kMostPoints = 600;
  const size_t stride = 1 + curve.x.size() / kMostPoints;
  SampledCurve thin;
  for (size_t i = 0; i < curve.x.size(); i += stride) {
    thin.x.push_back(static_cast<float>(curve.x[i]));
    thin.y.push_back(static_cast<float>(curve.y[i]));
  }
  return thin;
}

Json chart_json(const ItemChart& chart, const Evidence& evidence) {
  Json curves = Json::array();
  const auto add = [&](const std::string& name, const SampledCurve& curve, bool points) {
    curves.push_back({{"name", name}, {"x", curve.x}, {"y", curve.y}, {"points", points}});
  };
  for (const std::string& name : chart.curves) add(name, thinned(find_curve(name, evidence)), false);
  for (const ItemChart::Line& line : chart.lines) {
    SampledCurve curve;
    for (size_t i = 0; i < line.x.size(); ++i) {
      const double x = evaluate(line.x[i], evidence), y = evaluate(line.y[i], evidence);
      if (std::isfinite(x) && std::isfinite(y)) curve.x.push_back(x), curve.y.push_back(y);
    }
    add(line.name, curve, false);
  }
  return {
      {"title", chart.title}, {"across", chart.across}, {"unit", chart.unit}, {"log", chart.log}, {"curves", curves}};
}

Json run_json(const RunNote& run) {
  return {{"label", run.label},       {"scene", run.scene}, {"method", run.method}, {"vertices", run.vertices},
          {"elements", run.elements}, {"steps", run.steps}, {"h", run.h},           {"status", run.status},
          {"message", run.message}};
}

Json head_json(const PaperItem& item) {
  return {{"name", item.name},       {"title", item.title}, {"claim", item.claim},
          {"differs", item.differs}, {"why", item.why},     {"no_today", item.no_today}};
}

Json result_json(const PaperItem& item, const Gathered& gathered) {
  Json json = head_json(item);
  std::vector<CheckResult> checks;
  for (const ItemCheck& check : item.checks) {
    checks.push_back(judge(check, gathered.evidence, item.today));
    find_spread(check, gathered.evidence, gathered.rounds, checks.back());
  }
  const ItemVerdict verdict = verdict_on(checks, item.incomparable);
  json["verdict"] = verdict.text;
  json["reason"] = verdict.reason;
  for (const char* list : {"checks", "tables", "charts", "runs"}) json[list] = Json::array();
  for (const CheckResult& check : checks) json["checks"].push_back(check_json(check));
  for (const ItemTable& table : item.tables) json["tables"].push_back(table_json(table, gathered.evidence));
  for (const ItemChart& chart : item.charts) json["charts"].push_back(chart_json(chart, gathered.evidence));
  for (const RunNote& run : gathered.runs) json["runs"].push_back(run_json(run));
  json["page"] = gathered.page ? Json(item.name + "/compare.html") : Json();
  return json;
}

void write_json(const std::filesystem::path& path, const Json& json) {
  const std::string text = json.dump(1);
  write_whole_file(path, [&](OutputFile& file) { file.write(text + "\n"); });
}

}  // namespace

std::optional<Json> reproduce(const PaperItem& item, const ReproduceOptions& options,
                              const std::filesystem::path& folder, const ProgressListener& listener) {
  const std::filesystem::path own = create_folder(folder / item.name);
  remove_file(own / "result.json");
  try {
    const Gathered gathered = gather(item, options, own, listener);
    if (gathered.interrupted) return {};
    keep_measured(gathered, fingerprint(item, options), own);
    Json json = result_json(item, gathered);
    write_json(own / "result.json", json);
    return json;
  } catch (const WriteError&) {  // the item is not to blame
    throw;
  } catch (const Error& error) {
    Json json = head_json(item);
    json["verdict"] = "failed";
    json["reason"] = error.what();
    return json;
  }
}

std::optional<Json> earlier_result(const PaperItem& item, const ReproduceOptions& options,
                                   const std::filesystem::path& folder) {
  const std::filesystem::path own = folder / item.name;
  const std::optional<Gathered> measured = kept_measured(fingerprint(item, options), own);
  if (!measured) return {};
  try {
    Json json = result_json(item, *measured);
    write_json(own / "result.json", json);
    return json;
  } catch (const WriteError&) {
    throw;
  } catch (const Error&) {  // a statement asks for what this program measures and the one before did not
  }
  return {};
}

void write_reproductions(const std::filesystem::path& folder, const std::vector<Paper>& papers,
                         const ReproduceOptions& options, const std::map<std::string, Json>& results) {
  Json json = {
      {"mode", mode_text(options)}, {"rule", kVerdictRule}, {"today", kTodaysMethod}, {"papers", Json::array()}};
  for (const Paper& paper : papers) {
    Json items = Json::array();
    for (const PaperItem& item : paper.items) {
      const auto found = results.find(item.name);
      items.push_back(found != results.end() ? found->second : head_json(item));
      if (found == results.end()) items.back()["verdict"] = "still to come";
    }
    json["papers"].push_back({{"name", paper.name}, {"cite", paper.cite}, {"items", std::move(items)}});
  }
  create_folder(folder);
  write_json(folder / "reproduce.json", json);
  write_page(folder / "index.html", reproduce_template(), [&](OutputFile& file) { file.write(script_text(json)); });
}

}  // namespace brio
