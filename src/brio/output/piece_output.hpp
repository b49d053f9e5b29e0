#pragma once
// What the ranks beside the first do for the output of a run: their part of what all measure together, and their pieces
// of frames that all write.

#include "brio/output/frames/frame.hpp"
#include "brio/scene/run.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace brio {

class PieceOutput {
 public:
  /// Must be made on every rank but the first, which has a RunOutput. The simulation must outlive it.
  PieceOutput(const std::filesystem::path& folder, const Simulation& simulation);

  void on_step(const StepRecord& record);
  void on_frame(const RunFrame& frame);
  void on_cut();

 private:
  const Simulation& simulation_;
  std::vector<std::unique_ptr<FrameWriter>> writers_;
};

}  // namespace brio
