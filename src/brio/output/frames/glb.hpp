#pragma once
// glTF 2.0 in one binary file: the first frame is the mesh, every other one a morph target (what is to be added to
// positions and normals), and an animation goes from target to target in the run's time. Bodies with names are nodes of
// their own; their vertices follow each other in every frame.
//
// Layout: twelve bytes of header; the JSON chunk; the binary chunk with the mesh, the animation's times and weights,
// and the targets in order of time. Since what comes first depends on what comes last, the targets wait in body.slots,
// and body.glb is put together whole: after the first frame, at checkpoints and at the end.

#include "brio/core/file.hpp"
#include "brio/core/json.hpp"
#include "brio/output/frames/glb_mesh.hpp"

#include <optional>

namespace brio {

struct GlbLimits {
  int frames = 200;            ///< WebGL promises room for some 250 morph targets
  size_t bytes = 100'000'000;  ///< of the targets; but at least eight frames are kept
};

/// Writes folder/body.glb. When there are too many frames, every other one goes, and from then on only every second,
/// fourth, eighth … stays; the newest frame is always there.
class GlbWriter : public FrameWriter, public ResumableFrames {
 public:
  GlbWriter(const std::filesystem::path& folder, const BodyTopology& body, GlbLimits limits = {});
  void write(const Frame& frame) override;
  void finish() override;
  ResumableFrames* resumable() override { return this; }
  void archive(Archive& archive) override;

 private:
  struct Bounds {
    std::array<float, 3> low{}, high{};
    void archive(Archive& archive) {
      for (size_t k = 0; k < 3; ++k) archive(low[k], high[k]);
    }
  };
  struct Target {
    int number = 0;              ///< of the frame
    int slot = 0;                ///< its place in body.slots
    float time = 0;              ///< since the first frame [s]
    std::vector<Bounds> bounds;  ///< of what is added to the positions, of each body
    void archive(Archive& archive) { archive(number, slot, time, bounds); }
  };

  std::vector<Bounds> bounds_of(const std::vector<float>& attributes) const;
  void add_target(const std::vector<float>& attributes, float time);
  int free_a_slot();
  /// Puts body.glb together.
  void compose();
  std::string json(const std::vector<Target>& targets) const;
  /// Makes body.slots of the targets that body.glb has.
  void take_apart();
  /// Leaves out the targets whose slots body.slots has given to others since.
  void find_slots();
  /// In the binary chunk with so many targets: where they begin, and its length [byte].
  size_t targets_at(size_t targets) const { return animation_at_ + sizeof(float) * (1 + targets) * (1 + targets); }
  size_t length(size_t targets) const { return targets_at(targets) + targets * first_bytes_; }
  /// A slot has the number of its frame before the attributes.
  size_t slot_bytes() const { return sizeof(std::int64_t) + first_bytes_; }

  int vertices_;
  DrawnPart part_;
  GlbMesh mesh_;
  std::filesystem::path whole_, slots_;
  size_t first_bytes_;                        ///< of the attributes of one frame
  size_t indices_at_, uv_at_, animation_at_;  ///< in the binary chunk
  int most_;                                  ///< targets
  std::optional<OutputFile> file_;            ///< body.slots
  std::vector<float> first_;                  ///< the attributes that the targets are relative to
  std::vector<Bounds> bounds_;                ///< of the first frame, of each body
  double first_time_ = 0;                     ///< [s]
  int seen_ = 0, stride_ = 1;
  std::vector<Target> targets_;  ///< in order of time
};

}  // namespace brio
