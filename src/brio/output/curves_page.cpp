#include "brio/output/curves_page.hpp"

#include "brio/core/json.hpp"
#include "brio/output/csv_text.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <fmt/format.h>

namespace brio {
namespace {

Json chart_json(const CurveChart& chart) {
  Json curves = Json::array();
  for (const Curve& curve : chart.curves)
    curves.push_back({{"name", curve.name}, {"x", curve.x}, {"y", curve.y}, {"points", curve.points}});
  return {{"title", chart.title}, {"note", chart.note}, {"across", chart.across},
          {"unit", chart.unit},   {"log", chart.log},   {"range", chart.range ? Json(*chart.range) : Json()},
          {"curves", curves}};
}

}  // namespace

void write_curves(const std::filesystem::path& folder, const std::string& name, const CurvesPage& page) {
  create_folder(folder);
  Json json = {{"title", page.title}, {"text", page.text}, {"footer", page.footer}, {"charts", Json::array()}};
  for (const CurveChart& chart : page.charts) json["charts"].push_back(chart_json(chart));
  write_whole_file(folder / (name + ".json"), [&](OutputFile& file) { file.write(json.dump() + "\n"); });
  write_whole_file(folder / (name + ".csv"), [&](OutputFile& file) {
    file.write("chart,curve,x,y\n");
    for (const CurveChart& chart : page.charts)
      for (const Curve& curve : chart.curves)
        for (size_t i = 0; i < curve.x.size(); ++i)
          file.write(fmt::format("{},{},{:.17g},{:.17g}\n", csv_text(chart.title), csv_text(curve.name), curve.x[i],
                                 curve.y[i]));
  });
  write_page(folder / (name + ".html"), curves_template(), [&](OutputFile& file) { file.write(script_text(json)); });
}

}  // namespace brio
