#pragma once
// glTF 2.0 in one binary file: the first frame is the mesh, every other one a morph target (what is to be added to
// positions and normals), and an animation goes from target to target in the run's time. Bodies with names are nodes of
// their own; their vertices follow each other in every frame.
//
// Layout: twelve bytes of header; the JSON chunk, which is as long from the beginning as it can become and filled up
// with spaces; the binary chunk with the mesh, the animation's times and weights, and a slot for each target. So the
// file grows at its end, nothing is moved, and it is valid after every frame.

#include "brio/core/file.hpp"
#include "brio/core/json.hpp"
#include "brio/output/frames/glb_mesh.hpp"

namespace brio {

struct GlbLimits {
  int frames = 200;            ///< WebGL promises room for some 250 morph targets
  size_t bytes = 100'000'000;  ///< of the targets; but at least eight frames are kept
};

/// Writes folder/body.glb. When there are too many frames, every other one goes, and from then on only every second,
/// fourth, eighth … stays; the newest frame is always there.
class GlbWriter : public FrameWriter {
 public:
  GlbWriter(const std::filesystem::path& folder, const BodyTopology& body, GlbLimits limits = {});
  void write(const Frame& frame) override;

 private:
  struct Bounds {
    std::array<float, 3> low{}, high{};
  };
  struct Target {
    int number = 0;              ///< of the frame
    int slot = 0;                ///< its place in the file
    float time = 0;              ///< since the first frame [s]
    std::vector<Bounds> bounds;  ///< of what is added to the positions, of each body
  };

  std::vector<Bounds> bounds_of(const std::vector<float>& attributes) const;
  void write_mesh(const std::vector<float>& attributes);
  void add_target(const std::vector<float>& attributes, float time);
  int free_a_slot();
  void write_animation();
  void write_json();
  std::string json(const std::vector<Target>& targets, size_t bytes) const;
  /// Bytes of the binary chunk with so many slots.
  size_t length(int slots) const { return slots_at_ + static_cast<size_t>(slots) * slot_bytes(); }
  size_t slot_bytes() const { return first_bytes_; }

  int vertices_;
  DrawnPart part_;
  GlbMesh mesh_;
  size_t first_bytes_;                                   ///< of the attributes of one frame
  size_t indices_at_, uv_at_, animation_at_, slots_at_;  ///< in the binary chunk
  int most_;                                             ///< targets
  size_t json_bytes_ = 0;                                ///< of the JSON chunk
  OutputFile file_;
  std::vector<float> first_;    ///< the attributes that the targets are relative to
  std::vector<Bounds> bounds_;  ///< of the first frame, of each body
  double first_time_ = 0;       ///< [s]
  int seen_ = 0, stride_ = 1, slots_ = 0;
  std::vector<Target> targets_;  ///< in order of time
};

}  // namespace brio
