#pragma once
// The four bars of scenes/ and what the benchmarks share.

#include "brio/output/scene_tables.hpp"
#include "brio/scene/simulation.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace brio::bench {

inline const std::vector<std::string> kBars = {"bar-1k", "bar-5k", "bar-32k", "bar-98k"};

inline Simulation build_bar(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const std::string file = std::string(BRIO_SOURCE_DIR) + "/scenes/" + name + ".json";
  return build_simulation(load_scene(file, scene_tables(), overrides));
}

inline double median(std::vector<double> samples) {
  std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
  return samples[samples.size() / 2];
}

}  // namespace brio::bench
