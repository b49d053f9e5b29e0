#include "brio/output/recording_glb.hpp"

#include "brio/output/frames/glb.hpp"

namespace brio {
namespace {

MatrixX3d positions(const RecordedFrame& frame) {
  constexpr double kMost = 65535;
  MatrixX3d x(static_cast<Index>(frame.position.size() / 3), 3);
  for (Index i = 0; i < x.size(); ++i)
    x(i / 3, i % 3) = frame.low[i % 3] + frame.size[i % 3] * frame.position[static_cast<size_t>(i)] / kMost;
  return x;
}

}  // namespace

void write_glb(const std::filesystem::path& folder, const Recording& recording) {
  const DrawnPart& part = recording.parts().back();
  BodyTopology body;  // what is drawn is all that there is
  body.vertices = static_cast<int>(part.vertices.size());
  body.triangles = part.triangles;
  body.edges = part.edges;
  body.body_names = part.body_names;
  body.body = part.body;
  GlbWriter writer(folder, body);
  for (const RecordedFrame* frame : recording.frames()) {
    if (frame->part != static_cast<int>(recording.parts().size()) - 1) continue;
    const MatrixX3d x = positions(*frame);
    writer.write({frame->time, x, MatrixX3d::Zero(x.rows(), 3), VectorXd::Zero(x.rows()), {}});
  }
  writer.finish();
}

}  // namespace brio
