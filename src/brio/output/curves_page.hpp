#pragma once
// A web page of static charts: curves with a title and some text.

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace brio {

struct Curve {
  std::string name;
  std::vector<double> x, y;  ///< as many of each; what is not finite is left out of the picture
  bool points = false;       ///< dots in place of a line
};

struct CurveChart {
  std::string title, note;
  std::string across;                          ///< label of the horizontal axis, with its unit
  std::string unit;                            ///< of the vertical axis
  std::string log;                             ///< the axes that are logarithmic: "", "x", "y" or "xy"
  std::optional<std::array<double, 2>> range;  ///< bottom and top, where the curves do not decide
  std::vector<Curve> curves;
};

struct CurvesPage {
  std::string title, text, footer;
  std::vector<CurveChart> charts;
};

/// NAME.html with the charts, NAME.csv and NAME.json with the numbers; creates the folder.
void write_curves(const std::filesystem::path& folder, const std::string& name, const CurvesPage& page);

}  // namespace brio
