#include "brio/output/quasistatic_output.hpp"

#include "brio/core/json.hpp"
#include "brio/output/drawn_simulation.hpp"
#include "brio/output/page.hpp"
#include "brio/output/report_template.hpp"

#include <fmt/format.h>

namespace brio {
namespace {}  // namespace

QuasistaticOutput::QuasistaticOutput(const std::filesystem::path& folder, const Scene& scene,
                                     const Simulation& simulation, double t, const StaticLimits& limits,
                                     const std::vector<std::string>& formats)
    : folder_(create_folder(folder)),
      scene_(scene),
      simulation_(simulation),
      t_(t),
      limits_(limits),
      csv_(folder_ / "iterations.csv"),
      recording_(topology(simulation), drawn_obstacles(simulation)) {
  csv_.write("iteration,residual,step_length,elastic,gravity,contact,total\n");
  for (const std::string& format : formats) {
    writers_.push_back(find_row(frame_formats(), "frame format", format).make(folder_ / format, topology(simulation)));
  }
}

void QuasistaticOutput::on_iterate(const QuasistaticIterate& now) {
  const Potentials& p = now.potentials;
  csv_.write(fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", now.iteration, now.residual,
                         now.length, p.elastic, p.gravity, p.contact, p.total()));
  csv_.flush();
  iteration_.push_back(now.iteration);
  residual_.push_back(now.residual);
  elastic_.push_back(p.elastic);
  gravity_.push_back(p.gravity);
  contact_.push_back(p.contact);
  total_.push_back(p.total());
  const MatrixX3d still = MatrixX3d::Zero(now.x.rows(), 3);
  recording_.add(
      {static_cast<double>(now.iteration), now.x, still, simulation_.strain(now.x), placements_at(simulation_, t_)});
}

Json QuasistaticOutput::summary(const QuasistaticResult& result) const {
  const StaticReport& solve = result.solve;
  const Potentials& p = result.potentials;
  return {
      {"solver", "quasistatic"},
      {"vertices", simulation_.vertices()},
      {"elements", simulation_.elements()},
      {"time", t_},
      {"status", to_string(solve.status)},
      {"message", result.message},
      {"stable", solve.stable},
      {"iterations", solve.iterations},
      {"residual", solve.residual},
      {"tolerance", limits_.tolerance},
      {"load", solve.load},
      {"energy", {{"elastic", p.elastic}, {"gravity", p.gravity}, {"contact", p.contact}, {"total", p.total()}}},
      {"factorizations", solve.factorizations},
      {"projections", solve.projections},
      {"shifts", solve.shifts},
      {"wall_s", result.wall_s},
  };
}

void QuasistaticOutput::finish(const QuasistaticResult& result) {
  const Json numbers = summary(result);
  write_whole_file(folder_ / "summary.json", [&](OutputFile& file) { file.write(numbers.dump(2) + "\n"); });

  MatrixX3d x;
  simulation_.system->positions(t_, simulation_.state.q, x);
  const MatrixX3d still = MatrixX3d::Zero(x.rows(), 3);
  for (const auto& writer : writers_) {
    writer->write({t_, x, still, simulation_.strain(x), placements_at(simulation_, t_)});
    writer->finish();
  }

  const auto column = [](const std::vector<double>& values) { return encode(values.data(), values.size()); };
  const Json series = {{"time", column(iteration_)},  {"residual", column(residual_)}, {"elastic", column(elastic_)},
                       {"gravity", column(gravity_)}, {"contact", column(contact_)},   {"total", column(total_)}};
  const Json head = {{"kind", "quasistatic"},
                     {"title", scene_.name + ", at rest"},
                     {"description", scene_.description},
                     {"up", vec_json(up_direction(scene_))}};
  write_page(folder_ / "report.html", report_template(), [&](OutputFile& file) {
    write_with_list(file, head, "runs", 1, [&](size_t) {
      write_recording(file, {{"name", "quasistatic"}, {"summary", numbers}, {"series", series}}, recording_);
    });
  });
}

}  // namespace brio
