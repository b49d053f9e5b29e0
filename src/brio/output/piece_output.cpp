#include "brio/output/piece_output.hpp"

#include "brio/output/drawn_simulation.hpp"

namespace brio {

PieceOutput::PieceOutput(const std::filesystem::path& folder, const Simulation& simulation) : simulation_(simulation) {
  for (const std::string& format : simulation.scene->output.frames) {
    const FrameFormatEntry& row = find_row(frame_formats(), "frame format", format);
    if (row.by_all_ranks) writers_.push_back(row.make(folder / format, topology(simulation)));
  }
}

void PieceOutput::on_step(const StepRecord& record) {
  if (simulation_.reactions.sources.empty()) return;
  simulation_.reactions.measure(*simulation_.system, simulation_.state, simulation_.h,
                                record.report.contact_forces.get());
}

void PieceOutput::on_frame(const RunFrame& run_frame) {
  if (writers_.empty()) return;
  const MadeFrame made(simulation_, run_frame);
  for (const auto& writer : writers_) writer->write(made.frame());
}

void PieceOutput::on_cut() {
  for (const auto& writer : writers_) writer->set_topology(topology(simulation_));
}

}  // namespace brio
