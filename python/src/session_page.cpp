// What a notebook shows of a simulation.

#include "brio/output/report.hpp"

#include "session.hpp"

namespace brio::python {

RunRecorder Session::recorder_from_now() {
  RunRecorder recorder(simulation());
  recorder.on_step(loop().now());
  recorder.on_frame(simulation(), {time(), *positions(), *velocities()});
  return recorder;
}

void Session::record() {
  const auto guard = enter_to_change("record");
  const CollectErrors collect(errors_);
  recorder_ = recorder_from_now();
}

void Session::write_page(const std::filesystem::path& file) {
  const auto guard = enter();
  const CollectErrors collect(errors_);
  RunRecorder recorder = live_ ? live_->run->recorder() : recorder_ ? *recorder_ : recorder_from_now();
  if (recorder.recording().frames().back()->time < time())  // frames come every few steps
    recorder.on_frame(simulation(), {time(), *positions(), *velocities()});
  const Scene& scene = *simulation().scene;
  brio::Report report;
  report.title = scene.name.empty() ? scene.file.stem().string() : scene.name;
  report.description = scene.description;
  report.up = up_direction(scene);
  report.runs.push_back({.name = simulation().integrator_name,
                         .summary = summarize(simulation(), loop().result_here()),
                         .recording = recorder.recording(),
                         .series = recorder.series(),
                         .bodies = &recorder.bodies()});
  write_report(file, report);
}

}  // namespace brio::python
