#pragma once
// What a run has to say about its steps: in which share of them something happened that nobody asked for, and whether
// that is so much that its results are to be doubted. What is worth a remark is declared with the counters and by the
// methods (integrate/step_work.hpp); that elements turn inside out is found here.

#include "brio/integrate/integrator.hpp"

#include <string>
#include <vector>

namespace brio {

struct StepShare {
  std::string name;  ///< its key in summary.json
  Remark remark;
  double share = 0;          ///< of the steps, or of the elements
  bool of_elements = false;  ///< in the last step

  bool doubtful() const { return share > remark.doubtful; }
};

/// Counts the steps of a run.
class StepTally {
 public:
  /// `inverted`: the share of the elements that are flat or inside out after the step.
  void add(const StepWork& work, double inverted);
  /// Those that are not zero, in the order of the counters.
  std::vector<StepShare> shares() const;
  void archive(Archive& archive);

 private:
  struct Count {
    std::string_view name;
    Remark remark;
    int steps;
  };
  void count(std::string_view name, const Remark& remark, bool happened);

  int steps_ = 0;
  double inverted_ = 0;  ///< share of the elements after the last step
  std::vector<Count> counts_;
};

/// "12 % of the steps halved, 3.0 % with inverted elements, 0.2 % of the elements inverted at the end", or "".
std::string remarks(const std::vector<StepShare>& shares);
/// Why the run is to be doubted and what to try, or "".
std::string doubts(const std::vector<StepShare>& shares);

}  // namespace brio
