#pragma once
// Frame writers and what they get: the topology of the body once, then one Frame after another.

#include "brio/core/archive.hpp"
#include "brio/core/table.hpp"
#include "brio/core/types.hpp"
#include "brio/diagnose/stress.hpp"
#include "brio/energy/obstacle.hpp"
#include "brio/mesh/embedding.hpp"
#include "brio/mesh/formats/grid.hpp"

#include <Eigen/Geometry>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace brio {

/// What stays the same over a run, or from cut to cut: all bodies together. Empty matrices where there is nothing of a
/// kind.
struct BodyTopology {
  int vertices = 0;
  MatrixX4i tets;
  MatrixX3i triangles;                    ///< the surface, seen from outside counterclockwise
  MatrixX2i edges;                        ///< springs or rope segments; drawn where no triangle has their ends
  VectorXi region;                        ///< per tetrahedron, or empty: all in region 0
  std::shared_ptr<const Skin> skin = {};  ///< drawn in place of the triangles, where there is one
  std::vector<int> node_region = {};  ///< per vertex, the adaptive node whose region it belongs to, or -1; may be empty
  std::vector<std::string> body_names = {};  ///< of the bodies; empty where there is one without a name
  std::vector<int> body = {};                ///< per vertex, whose it is: row of body_names; empty without names
  bool stress = false;                       ///< whether files of frames shall have the stress of each of them
  bool contact = false;                      ///< whether frames have forces of contact
  std::vector<int> owner = {};               ///< per vertex, the rank whose it is; empty where there is one rank
};

/// Throws Error when an index is out of range or the regions do not match the tetrahedra.
void check_topology(const BodyTopology& body);

/// The cells that grid files hold, at least one kind: the tetrahedra with their regions (0 where none are given), the
/// triangles of what has no tetrahedra (cloth, bones), and the edges of what has neither (ropes). Where bodies have
/// names, each cell has its body.
std::vector<GridCells> grid_cells(const BodyTopology& body);

/// Where a rigid obstacle is.
struct Placement {
  Vec3 position = Vec3::Zero();  ///< [m]
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();

  void archive(Archive& archive) { archive(position, rotation.x(), rotation.y(), rotation.z(), rotation.w()); }
};

/// A rigid obstacle in its own axes, as ObstacleDrawing describes them; placements come with the frames.
struct DrawnObstacle {
  ObstacleDrawing::Kind kind = ObstacleDrawing::Kind::half_space;
  Vec3 size = Vec3::Zero();  ///< [m]
  std::shared_ptr<const TriangleSurface> surface = {};
};

/// The state of the body at one time; only valid during the call that receives it.
struct Frame {
  double time;                              ///< [s]
  const MatrixX3d& x;                       ///< positions of all vertices [m]
  const MatrixX3d& v;                       ///< their velocities [m/s]
  const VectorXd& strain;                   ///< strain measure at each vertex, not negative
  const std::vector<Placement>& obstacles;  ///< one per obstacle
  const BodyStress* stress = nullptr;       ///< of the tetrahedra, in their order; null where there are none
  const MatrixX3d* contact_force = nullptr;  ///< on each vertex [N]; null where nothing can touch
};

/// Throws Error unless every array of the frame has one row per vertex.
void check_frame(int vertices, const Frame& frame);

/// Frames that another process can continue.
class ResumableFrames {
 public:
  virtual ~ResumableFrames() = default;
  /// Brings the files to the disk and stores what goes on with them; or, when the archive loads, cuts the files back
  /// to what they were then. Loading comes before the first frame of a writer.
  virtual void archive(Archive& archive) = 0;
};

/// Writes frames to files, without keeping more than one of them in memory.
class FrameWriter {
 public:
  virtual ~FrameWriter() = default;
  /// Files are made with the first frame. Those of formats that can grow are valid after every call.
  virtual void write(const Frame& frame) = 0;
  /// Once, after the last frame, however the run ended: for formats that tell the count of frames before the frames.
  virtual void finish() {}
  /// Continues with the body after a cut; returns false where the files of the format hold one topology only. Such a
  /// file ends here, and a new writer continues in another folder.
  virtual bool set_topology(const BodyTopology&) { return false; }
  /// Itself where another process can continue its files, or null.
  virtual ResumableFrames* resumable() { return nullptr; }
};

struct FrameFormatEntry : Entry {
  /// A writer that puts its files into the folder, which is created when missing, from the first frame on.
  std::function<std::unique_ptr<FrameWriter>(const std::filesystem::path& folder, const BodyTopology& body)> make;
  bool by_all_ranks = false;  ///< whether all ranks write together; the others leave it to the first
};

/// Every format that `brio run --frames` takes.
const std::vector<FrameFormatEntry>& frame_formats();
Table<FrameFormatEntry>& frame_format_table();  ///< the same, to add rows to

}  // namespace brio
