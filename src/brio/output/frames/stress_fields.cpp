#include "brio/output/frames/stress_fields.hpp"

namespace brio {
namespace {

std::vector<PointField> fields_of(const StressValues& values) {
  return {{"von_mises", 1, values.von_mises.data()},
          {"cauchy", 6, values.cauchy.data()},
          {"stretches", 3, values.stretches.data()}};
}

}  // namespace

StressFields::StressFields(const Frame& frame, Index cells)
    : no_vertices_(frame.stress ? 0 : frame.x.rows()), cells_(cells) {
  if (frame.stress) {
    const StressValues& tets = frame.stress->element;
    const Index n = tets.von_mises.size();
    cells_.cauchy.topRows(n) = tets.cauchy;
    cells_.von_mises.head(n) = tets.von_mises;
    cells_.stretches.topRows(n) = tets.stretches;
  }
  at_vertices_ = fields_of(frame.stress ? frame.stress->vertex : no_vertices_);
  at_cells_ = fields_of(cells_);
}

}  // namespace brio
