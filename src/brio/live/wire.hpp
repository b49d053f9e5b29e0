#pragma once
// What a page is told: the scene in JSON, once and after each change; its state a few times a second; and frames, each
// of them whole, in float32.

#include "brio/live/session.hpp"

namespace brio {

/// Everything that stays as it is while the bodies move: what is drawn, its obstacles, names and colors.
Json scene_message(const Session& session);
/// What can be changed, and the values that the scene file will have.
Json parameters_message(const Session& session);
/// Energies and momenta of a run so far, a few hundred rows of them at most.
Json history_message(const Session& session);

/// One row of the charts.
Json chart_row(const LiveRun& run);
/// The columns of a row.
const std::vector<std::string>& chart_columns();

/// All runs at one time: the length of a JSON text (uint32), the text, filled up with spaces to a multiple of four
/// bytes, and the positions of the drawn vertices of each run, x y z as float32 [m]. The text has `time`, and of each
/// run `topology`, `vertices`, `time`, `obstacles` (position and quaternion) and `holds` (point, target, force).
std::string frame_message(const Session& session);

}  // namespace brio
