#include "brio/experiment/reproduce/paper.hpp"

#include "brio/core/error.hpp"
#include "brio/core/text_file.hpp"
#include "brio/scene/json_text.hpp"
#include "brio/scene/parsed_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brio {
namespace {

using Names = std::vector<std::string>;

Field field(Option option) { return any_of({std::move(option)}); }
Field text_field(const char* key, const char* doc) { return field(Option::text(key, doc).with_default("")); }
Field names_field(const char* key, const char* doc) { return field(Option::names(key, doc).with_default(Names{})); }

Field nested(Field::Form form, const char* key, const char* doc, ObjectSchema shape) {
  Field result;
  result.form = form;
  result.key = key;
  result.doc = doc;
  result.shape = std::move(shape);
  return result;
}
Field list_of(const char* key, const char* doc, ObjectSchema shape) {
  return nested(Field::Form::list, key, doc, std::move(shape));
}

Field label_field() { return field(Option::text("label", "what expressions call it: letters, digits and _")); }

/// The keys of a changed scene, and more.
ObjectSchema changed_scene(std::vector<Field> more) {
  more.push_back(text_field("scene", "the scene file, relative to this one; the item's if left out"));
  more.push_back(names_field("set", "key.path=value, after those of the item"));
  more.push_back(names_field("quick", "more of them for short runs"));
  return {std::move(more), {}, {}};
}

ObjectSchema solver_shape() {
  return {{label_field(), field(Option::text("solver", "a row of `brio list`'s solvers")),
           field(Option::integer("iterations", "at most").at_least(1).at_most(1e6).with_default(50.0)),
           field(Option::integer("window", "of L-BFGS").at_least(0).at_most(1000).with_default(5.0)),
           field(Option::number("rho", "", "of Chebyshev's acceleration").at_least(0).below(1).with_default(0.9992))},
          {},
          {}};
}

ObjectSchema oscillator_shape() {
  return {{label_field(), field(Option::text("method", "an integrator with options, genalpha:r=0.2, or exact")),
           field(Option::number("omega", "rad/s", "steps the oscillator, too").above(0).optional()),
           field(Option::number("damping", "1/s", "of the oscillator").with_default(0.0)),
           field(Option::number("h", "s", "step").above(0).with_default(0.01)),
           field(Option::number("end", "s", "of the path").above(0).with_default(1.0))},
          {},
          {}};
}

ObjectSchema table_shape() {
  const ObjectSchema row{{field(Option::names("cells", "texts, or expressions behind an ="))}, {}, {}};
  return {{text_field("title", "above it"), field(Option::names("head", "of the columns")),
           list_of("rows", "one object each", row)},
          {},
          {}};
}

ObjectSchema chart_shape() {
  const ObjectSchema line{{field(Option::text("name", "in the legend")), field(Option::names("x", "expressions")),
                           field(Option::names("y", "expressions, as many"))},
                          {},
                          {}};
  return {
      {field(Option::text("title", "above it")), text_field("across", "label of the horizontal axis, with its unit"),
       text_field("unit", "of the vertical axis"),
       field(Option::choice("log", {"", "x", "y", "xy"}, "logarithmic axes").with_default("")),
       names_field("curves", "label.curve of the findings"), list_of("lines", "lines through points", line)},
      {},
      {}};
}

ObjectSchema check_shape() {
  return {
      {field(Option::text("say", "what the paper says, in our words")), field(Option::text("value", "an expression")),
       field(Option::number("above", "", "holds when the value is greater").optional()),
       field(Option::number("below", "", "holds when the value is less").optional()),
       field(Option::number("paper", "", "the paper's number").optional()),
       field(Option::number("within", "", "holds when the value is so near to the paper's, relatively")
                 .above(0)
                 .optional())},
      {},
      {}};
}

ObjectSchema item_shape() {
  ObjectSchema shape = changed_scene(
      {field(Option::text("name", "by which people ask for it")), field(Option::text("title", "what it is")),
       field(Option::text("claim", "what the paper shows, in our words")),
       text_field("differs", "what is not as in the paper"),
       text_field("incomparable", "why there is nothing to check"),
       text_field("why", "why statements fail, in a sentence"),
       field(Option::integer("rounds", "how often the runs are done, for their times")
                 .at_least(1)
                 .at_most(100)
                 .with_default(1.0)),
       names_field("today", "labels of runs and oscillators to be done with today's method, too"),
       text_field("today_scene", "in place of their scene, without its condensation"),
       text_field("no_today", "why there are none of them")});
  const ObjectSchema run = changed_scene({label_field()});
  shape.fields.push_back(list_of("runs", "scenes to run", run));
  shape.fields.push_back(nested(Field::Form::object, "reference", "what errors are measured against", run));
  shape.fields.push_back(
      list_of("convergence", "solvers on one step of a scene",
              changed_scene({field(Option::integer("frame", "steps before").at_least(0).at_most(1e6).with_default(0.0)),
                             list_of("solvers", "which", solver_shape())})));
  shape.fields.push_back(list_of("oscillators", "methods on one vibration", oscillator_shape()));
  shape.fields.push_back(
      list_of("materials", "laws under stretch",
              changed_scene({label_field(), field(Option::integer("index", "which of the scene's materials")
                                                      .at_least(0)
                                                      .at_most(1000)
                                                      .with_default(0.0))})));
  shape.fields.push_back(list_of("tables", "numbers beside the paper's", table_shape()));
  shape.fields.push_back(list_of("charts", "curves", chart_shape()));
  shape.fields.push_back(list_of("checks", "statements with their rules", check_shape()));
  return shape;
}

ObjectSchema paper_shape() {
  return {{field(Option::text("paper", "its name")), field(Option::text("cite", "authors, title, place, year")),
           list_of("items", "its tables and figures", item_shape())},
          {},
          {}};
}

std::string text_of(const ParsedObject& record, const char* key) { return record.get<std::string>(key); }
std::optional<double> number_of(const ParsedObject& record, const char* key) {
  return record.has(key) ? std::optional(record.get<double>(key)) : std::nullopt;
}
int integer_of(const ParsedObject& record, const char* key) { return static_cast<int>(record.get<double>(key)); }

/// The keys that decide what is run: claims, statements, tables and charts are judged and drawn from what there is.
Json what_is_measured(const Json& item) {
  Json measured = Json::object();
  for (const char* key : {"scene", "set", "quick", "runs", "today", "today_scene", "reference", "rounds", "convergence",
                          "oscillators", "materials"})
    if (item.contains(key)) measured[key] = item[key];
  return measured;
}

void erase_everywhere(Json& json, const char* key) {
  if (json.is_object() && json.contains(key)) json.erase(key);
  if (json.is_structured())
    for (Json& part : json) erase_everywhere(part, key);
}

class PaperReader {
 public:
  PaperReader(const std::filesystem::path& file, Problems& problems)
      : folder_(file.parent_path()), problems_(problems) {}

  PaperItem item(const ParsedObject& record, const Json& json) {
    labels_.clear();
    PaperItem item;
    item.name = text_of(record, "name");
    item.title = text_of(record, "title");
    item.claim = text_of(record, "claim");
    item.differs = text_of(record, "differs");
    item.incomparable = text_of(record, "incomparable");
    item.why = text_of(record, "why");
    item.rounds = integer_of(record, "rounds");
    item.today = record.get<Names>("today");
    item.no_today = text_of(record, "no_today");
    for (const ParsedObject& run : record.all("runs")) item.runs.push_back({label(run), change(run, record)});
    if (const ParsedObject* reference = record.one("reference"))
      item.reference = {label(*reference), change(*reference, record)};
    for (const ParsedObject& source : record.all("convergence")) {
      ConvergenceSource convergence{change(source, record), integer_of(source, "frame"), {}};
      for (const ParsedObject& solver : source.all("solvers"))
        convergence.solvers.push_back({label(solver), text_of(solver, "solver"), integer_of(solver, "iterations"),
                                       integer_of(solver, "window"), solver.get<double>("rho")});
      item.convergence.push_back(std::move(convergence));
    }
    for (const ParsedObject& o : record.all("oscillators"))
      item.oscillators.push_back({label(o), text_of(o, "method"), number_of(o, "omega"), o.get<double>("damping"),
                                  o.get<double>("h"), o.get<double>("end")});
    for (const std::string& name : item.today) add_todays(item, name, record);
    for (const ParsedObject& m : record.all("materials"))
      item.materials.push_back({label(m), change(m, record), integer_of(m, "index")});
    for (const ParsedObject& t : record.all("tables")) item.tables.push_back(table(t));
    for (const ParsedObject& c : record.all("charts")) item.charts.push_back(chart(c));
    for (const ParsedObject& c : record.all("checks")) item.checks.push_back(check(c));
    if (item.checks.empty() == item.incomparable.empty())
      problems_.add(record.path, "expected either checks or a reason under \"incomparable\"");
    if (!item.today.empty() && !item.no_today.empty())
      problems_.add(record.path, "expected \"today\" or \"no_today\", not both");
    Json measured = what_is_measured(json);
    item.quick_text = measured.dump();
    erase_everywhere(measured, "quick");
    item.full_text = measured.dump();
    std::set<std::filesystem::path> scenes;
    const auto add_scene = [&](const SceneChange& c) { scenes.insert(c.scene); };
    for (const LabeledRun& run : item.runs) add_scene(run.change);
    if (item.reference) add_scene(item.reference->change);
    for (const ConvergenceSource& source : item.convergence) add_scene(source.change);
    for (const MaterialSource& source : item.materials) add_scene(source.change);
    for (const std::filesystem::path& scene : scenes) {
      const std::string text = read_scene(scene, record.path);
      item.quick_text += text;
      item.full_text += text;
    }
    return item;
  }

 private:
  std::string label(const ParsedObject& record) {
    const std::string name = text_of(record, "label");
    const bool plain =
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (name.empty() || !plain || std::isdigit(static_cast<unsigned char>(name[0])))
      problems_.add(join_path(record.path, "label"), "expected letters, digits and _, a letter first", name);
    else if (!labels_.insert(name).second)
      problems_.add(join_path(record.path, "label"), "is used twice in the item", name);
    return name;
  }

  /// Beside the run, or the oscillator, of that label: the same with today's method.
  void add_todays(PaperItem& item, const std::string& name, const ParsedObject& record) {
    const auto named = [&](const auto& list) {
      return std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.label == name; });
    };
    labels_.insert(todays_label(name));
    if (const auto found = named(item.oscillators); found != item.oscillators.end()) {
      OscillatorSource oscillator = *found;
      oscillator.label = todays_label(name);
      oscillator.method = kTodaysMethod;
      item.oscillators.push_back(std::move(oscillator));
    } else if (const auto run = named(item.runs); run != item.runs.end()) {
      item.runs.push_back({todays_label(name), todays_change(run->change, text_of(record, "today_scene"))});
    } else {
      problems_.add(join_path(record.path, "today"), "is not the label of a run or of an oscillator", name);
    }
  }

  /// What is set of the paper's method is not of today's, but for the step; and where the item names a scene without
  /// condensation, today's method moves all vertices.
  SceneChange todays_change(SceneChange change, const std::string& scene) const {
    const auto papers_own = [&](const std::string& value) {
      return (value.starts_with("integrator.") && !value.starts_with("integrator.h=")) ||
             (!scene.empty() && value.starts_with("condensation."));
    };
    std::erase_if(change.set, papers_own);
    std::erase_if(change.quick, papers_own);
    if (!scene.empty()) change.scene = (folder_ / scene).lexically_normal();
    change.set.push_back(std::string("integrator.name=") + kTodaysMethod);
    return change;
  }

  SceneChange change(const ParsedObject& record, const ParsedObject& item) {
    std::string scene = text_of(record, "scene");
    if (scene.empty()) scene = text_of(item, "scene");
    if (scene.empty()) problems_.add(record.path, "expected \"scene\", here or in the item");
    SceneChange change{(folder_ / scene).lexically_normal(), item.get<Names>("set"), item.get<Names>("quick")};
    for (const std::string& more : record.get<Names>("set")) change.set.push_back(more);
    for (const std::string& more : record.get<Names>("quick")) change.quick.push_back(more);
    return change;
  }

  ItemTable table(const ParsedObject& record) {
    ItemTable table{text_of(record, "title"), record.get<Names>("head"), {}};
    for (const ParsedObject& row : record.all("rows")) {
      table.rows.push_back(row.get<Names>("cells"));
      if (table.rows.back().size() != table.head.size())
        problems_.add(row.path, fmt::format("has {} cells; expected {}, as many as \"head\"", table.rows.back().size(),
                                            table.head.size()));
    }
    return table;
  }

  ItemChart chart(const ParsedObject& record) {
    ItemChart chart{text_of(record, "title"), text_of(record, "across"),   text_of(record, "unit"),
                    text_of(record, "log"),   record.get<Names>("curves"), {}};
    for (const ParsedObject& line : record.all("lines")) {
      chart.lines.push_back({text_of(line, "name"), line.get<Names>("x"), line.get<Names>("y")});
      if (chart.lines.back().x.size() != chart.lines.back().y.size())
        problems_.add(line.path, "expected as many expressions in \"x\" as in \"y\"");
    }
    return chart;
  }

  ItemCheck check(const ParsedObject& record) {
    ItemCheck check{text_of(record, "say"),     text_of(record, "value"),    number_of(record, "above"),
                    number_of(record, "below"), number_of(record, "within"), number_of(record, "paper")};
    if (!check.above && !check.below && !check.within)
      problems_.add(record.path, "expected a rule: \"above\", \"below\" or \"within\"");
    if (check.within && !check.paper) problems_.add(record.path, "\"within\" needs the paper's number, \"paper\"");
    return check;
  }

  std::string read_scene(const std::filesystem::path& scene, const std::string& path) {
    try {
      return read_text(scene);
    } catch (const Error& error) {
      problems_.add(path, error.what());
      return "";
    }
  }

  std::filesystem::path folder_;
  Problems& problems_;
  std::set<std::string> labels_;  ///< of the item being read
};

}  // namespace

std::string todays_label(const std::string& label) { return std::string(kTodaysMethod) + "_" + label; }

Paper parse_paper(const std::string& text, const std::filesystem::path& file) {
  Problems problems(file.string());
  const Json json = parse_json(text, file.string());
  const ParsedObject record = read_record(json, paper_shape(), "", problems);
  problems.throw_if_any();
  Paper paper{text_of(record, "paper"), text_of(record, "cite"), {}};
  PaperReader reader(file, problems);
  const std::vector<ParsedObject>& items = record.all("items");
  for (size_t i = 0; i < items.size(); ++i) paper.items.push_back(reader.item(items[i], json["items"][i]));
  problems.throw_if_any();
  return paper;
}

Paper load_paper(const std::filesystem::path& file) { return parse_paper(read_text(file), file); }

std::vector<Paper> load_papers(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Paper> papers;
  std::set<std::string> names;
  for (const std::filesystem::path& file : files) {
    papers.push_back(load_paper(file));
    for (const PaperItem& item : papers.back().items)
      if (!names.insert(item.name).second) throw Error("{}: there are two items \"{}\"", file.string(), item.name);
  }
  return papers;
}

}  // namespace brio
