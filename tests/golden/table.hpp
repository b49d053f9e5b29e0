#pragma once
// The golden results of one scene as a small text file, and the comparison of a run with them: of every bit on the
// machine that recorded them, within a measured tolerance on others.

#include <fmt/ranges.h>

#include "run.hpp"
#include <limits>
#include <map>

namespace brio::testing {

// Where rounding differs, results differ by what the scene makes of it, which is far more for a head that ten
// unfinished iterations a step move than for a pendulum. So a scene is also recorded with disturbances of the size of a
// part in 10¹² (golden_test.cpp), and what they change, column by column, is in its file as "deviation". Another
// machine may differ by
//
// - kMargin times that, up to kSmall of the largest number of the same kind: the disturbances are samples of many
//   possible ones, and other roundings add up over all operations;
// - kLargeMargin times that, where it is more: there the disturbance has grown as far as it can, whatever its size was;
// - and kFloor of the largest number of the same kind, where the disturbances happen to change nothing.
constexpr double kMargin = 1000;
constexpr double kSmall = 1e-6;
constexpr double kLargeMargin = 10;
constexpr double kFloor = 1e-9;

inline double allowed(double deviation, double scale) {
  return std::max({kFloor * scale, std::min(kMargin * deviation, kSmall * scale), kLargeMargin * deviation});
}

/// A run that differs a little from the one that is recorded.
struct Disturbed {
  GoldenResult result;
  double share = 1;  ///< of what it changes that counts: less for a disturbance larger than a part in 10¹²
};

/// A point of the body that is compared with a tolerance.
struct GoldenPlace {
  std::string name;
  std::array<double, 3> x;  ///< [m]
};

struct Golden {
  std::string machine;  ///< whose bits these are
  std::string hash;     ///< of the positions
  size_t vertices = 0;
  std::vector<TextRow> energies;
  std::vector<double> deviation;  ///< per column, the most that a disturbance changes
  std::vector<GoldenPlace> places;
  double place_deviation = 0;  ///< the same for the positions of all vertices [m]
};

/// FNV-1a, 64 bits.
inline std::string hash_of(const std::vector<double>& numbers) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  for (size_t i = 0; i < numbers.size() * sizeof(double); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

/// The mean of all vertices, the corners of the box around them, and eight of them from the first to the last.
inline std::vector<GoldenPlace> places_of(const std::vector<double>& positions) {
  const size_t n = positions.size() / 3;
  GoldenPlace mean{"mean", {}}, lowest{"lowest", {}}, highest{"highest", {}};
  lowest.x.fill(std::numeric_limits<double>::infinity());
  highest.x.fill(-std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < positions.size(); ++i) {
    mean.x[i % 3] += positions[i] / static_cast<double>(n);
    lowest.x[i % 3] = std::min(lowest.x[i % 3], positions[i]);
    highest.x[i % 3] = std::max(highest.x[i % 3], positions[i]);
  }
  std::vector<GoldenPlace> places = {mean, lowest, highest};
  constexpr size_t kSamples = 8;
  for (size_t k = 0; k < std::min(n, kSamples); ++k) {
    const size_t i = n <= kSamples ? k : k * (n - 1) / (kSamples - 1);
    places.push_back({fmt::format("vertex {}", i), {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}});
  }
  return places;
}

/// An empty cell (of a column that the scene does not have) is no number.
inline double number_of(const std::string& cell) {
  return cell.empty() ? std::numeric_limits<double>::quiet_NaN() : std::stod(cell);
}

inline double distance(const std::string& a, const std::string& b) {
  return a == b                   ? 0
         : a.empty() || b.empty() ? std::numeric_limits<double>::infinity()
                                  : std::fabs(number_of(a) - number_of(b));
}

/// What is worth recording: the result, and how far the disturbed ones are from it.
inline Golden golden_of(const std::string& machine, const GoldenResult& result,
                        const std::vector<Disturbed>& disturbed) {
  Golden golden{machine, hash_of(result.positions), result.positions.size() / 3, result.energies, {}, {}, 0};
  golden.deviation.assign(kGoldenColumns.size(), 0);
  golden.places = places_of(result.positions);
  const auto widen = [](double& deviation, double by) { deviation = std::max(deviation, by); };
  for (const auto& [other, share] : disturbed) {
    for (size_t i = 0; i < result.energies.size(); ++i) {
      for (size_t k = 0; k < kGoldenColumns.size(); ++k) {
        widen(golden.deviation[k], share * distance(result.energies[i][k], other.energies.at(i)[k]));
      }
    }
    for (size_t i = 0; i < result.positions.size(); ++i) {
      widen(golden.place_deviation, share * std::fabs(result.positions[i] - other.positions.at(i)));
    }
  }
  return golden;
}

inline std::string to_text(const Golden& golden) {
  std::string text = fmt::format("machine,{}\npositions,{},{}\n{}\n", golden.machine, golden.hash, golden.vertices,
                                 fmt::join(kGoldenColumns, ","));
  for (const TextRow& row : golden.energies) text += fmt::format("{}\n", fmt::join(row, ","));
  text += "deviation";
  for (size_t k = 1; k < golden.deviation.size(); ++k) text += fmt::format(",{:.2g}", golden.deviation[k]);
  text += "\nplace,x,y,z\n";
  for (const GoldenPlace& place : golden.places)
    text += fmt::format("{},{:.17g}\n", place.name, fmt::join(place.x, ","));
  return text + fmt::format("deviation,{:.2g}\n", golden.place_deviation);
}

/// Throws where the text is not what to_text() writes.
inline Golden golden_from(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  const auto next = [&] {
    if (!std::getline(lines, line)) throw std::runtime_error("the table ends too soon");
    return split(line);
  };
  Golden golden;
  next();
  golden.machine = line.substr(line.find(',') + 1);
  const TextRow positions = next();
  golden.hash = positions.at(1);
  golden.vertices = std::stoul(positions.at(2));
  if (next() != TextRow(kGoldenColumns.begin(), kGoldenColumns.end())) throw std::runtime_error("other columns");
  TextRow row;
  for (row = next(); row.at(0) != "deviation"; row = next()) golden.energies.push_back(row);
  golden.deviation.push_back(0);  // of the numbers of the steps
  for (size_t k = 1; k < row.size(); ++k) golden.deviation.push_back(std::stod(row[k]));
  next();
  for (row = next(); row.at(0) != "deviation"; row = next()) {
    golden.places.push_back({row[0], {std::stod(row.at(1)), std::stod(row.at(2)), std::stod(row.at(3))}});
  }
  golden.place_deviation = std::stod(row.at(1));
  return golden;
}

/// Numbers that are measured by the same scale: a component that is zero but for rounding says nothing about its own.
inline char kind_of(const std::string& column) {
  static const std::map<std::string, char> kinds = {{"step", 's'}, {"time", 't'}, {"min_det_f", 'd'}, {"blend", 'b'},
                                                    {"px", 'p'},   {"py", 'p'},   {"pz", 'p'},        {"lx", 'l'},
                                                    {"ly", 'l'},   {"lz", 'l'}};
  const auto found = kinds.find(column);
  return found == kinds.end() ? 'e' : found->second;  // all others are energies
}

/// Per column, how far another machine may be away.
inline std::vector<double> tolerances(const Golden& golden) {
  std::map<char, double> scale;
  for (const TextRow& row : golden.energies) {
    for (size_t k = 0; k < row.size(); ++k) {
      double& largest = scale[kind_of(kGoldenColumns[k])];
      largest = std::fmax(largest, std::fabs(number_of(row[k])));  // fmax passes over what is no number
    }
  }
  std::vector<double> all;
  for (size_t k = 0; k < kGoldenColumns.size(); ++k) {
    all.push_back(allowed(golden.deviation[k], scale[kind_of(kGoldenColumns[k])]));
  }
  return all;
}

/// In words, the first difference and how many there are; empty when there is none.
class Differences {
 public:
  void add(const std::string& text) {
    if (count_++ == 0) first_ = text;
  }
  std::string text() const {
    return count_ == 0 ? "" : count_ == 1 ? first_ : fmt::format("{} (and {} more differences)", first_, count_ - 1);
  }

 private:
  std::string first_;
  int count_ = 0;
};

/// Every digit of the energies, every bit of the positions.
inline std::string exact_differences(const Golden& golden, const GoldenResult& result) {
  Differences differences;
  if (golden.energies.size() != result.energies.size()) return "another number of steps";
  for (size_t i = 0; i < golden.energies.size(); ++i) {
    for (size_t k = 0; k < kGoldenColumns.size(); ++k) {
      const std::string &was = golden.energies[i][k], &is = result.energies[i][k];
      if (was != is) differences.add(fmt::format("step {}: {} was {} and is {}", i, kGoldenColumns[k], was, is));
    }
  }
  const std::string hash = hash_of(result.positions);
  if (golden.hash != hash) differences.add(fmt::format("the positions' hash was {} and is {}", golden.hash, hash));
  return differences.text();
}

/// The same within the tolerance for other machines.
inline std::string far_differences(const Golden& golden, const GoldenResult& result) {
  Differences differences;
  if (golden.energies.size() != result.energies.size()) return "another number of steps";
  if (golden.vertices != result.positions.size() / 3) return "another number of vertices";
  const std::vector<double> tolerance = tolerances(golden);
  for (size_t i = 0; i < golden.energies.size(); ++i) {
    for (size_t k = 0; k < kGoldenColumns.size(); ++k) {
      const std::string &was = golden.energies[i][k], &is = result.energies[i][k];
      if (distance(was, is) <= tolerance[k]) continue;
      differences.add(fmt::format("step {}: {} was {} and is {}, more than {:.2g} away", i, kGoldenColumns[k], was, is,
                                  tolerance[k]));
    }
  }
  const std::vector<GoldenPlace> places = places_of(result.positions);
  double extent = 0;
  for (int axis = 0; axis < 3; ++axis) extent = std::max(extent, golden.places[2].x[axis] - golden.places[1].x[axis]);
  const double nearby = allowed(golden.place_deviation, extent);
  for (size_t i = 0; i < places.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const double was = golden.places[i].x[axis], is = places[i].x[axis];
      if (std::fabs(was - is) <= nearby) continue;
      differences.add(fmt::format("{} of the last positions: {} was {:.17g} and is {:.17g}, more than {:.2g} m away",
                                  places[i].name, "xyz"[axis], was, is, nearby));
    }
  }
  return differences.text();
}

}  // namespace brio::testing
