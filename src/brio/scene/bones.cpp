#include "brio/scene/bones.hpp"

#include "brio/core/error.hpp"
#include "brio/rigid/joint_table.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/system/joint_torque.hpp"

#include <map>
#include <set>

namespace brio {
namespace {

struct NamedBone {
  BoneSurface surface;
  JointSetup setup;
};

MassProperties body_of(const BoneSpec& spec, const MassProperties& solid) {
  MassProperties body = solid;
  const double density = spec.mass ? *spec.mass / solid.mass : spec.density;
  body.mass *= density;
  body.inertia *= density;
  if (spec.center_of_mass) body.center = *spec.center_of_mass;
  if (spec.inertia) body.inertia = spec.inertia->asDiagonal();
  return body;
}

/// The vertices that bones carry, a vertex by one bone only.
class Grips {
 public:
  Grips(const VertexSets& sets, const MatrixX3d& X, const VectorXd& mass) : sets_(sets), X_(X), mass_(mass) {}

  /// Takes the vertices of the bone's tissue; its body then includes their mass.
  void take(const BoneSpec& spec, MassProperties& body) {
    if (!spec.tissue) return;
    BoneGrip grip;
    for (int v : sets_.at(*spec.tissue)) {
      if (!taken_.insert(v).second)
        throw Error("{}.tissue = \"{}\": another bone carries vertex {} already", spec.shape.path, *spec.tissue, v);
      grip.vertices.push_back(v);
    }
    grip.X = X_(grip.vertices, Eigen::all);
    grip.mass = mass_(grip.vertices);
    body = with_points(body, grip.X, grip.mass);
    grips_[spec.name] = std::move(grip);
  }

  std::vector<BoneGrip> in_order(const Skeleton& skeleton) const {
    std::vector<BoneGrip> ordered;
    for (int b = 0; b < skeleton.bones(); ++b) {
      const auto found = grips_.find(skeleton.bone(b).name);
      if (found == grips_.end()) continue;
      ordered.push_back(found->second);
      ordered.back().bone = b;
    }
    return ordered;
  }

 private:
  const VertexSets& sets_;
  const MatrixX3d& X_;
  const VectorXd& mass_;
  std::map<std::string, BoneGrip> grips_;
  std::set<int> taken_;
};

}  // namespace

BoneBody make_bones(const Scene& scene, const VertexSets& sets, const MatrixX3d& X, const VectorXd& mass) {
  Grips grips(sets, X, mass);
  std::map<std::string, NamedBone> named;
  std::vector<Bone> bones;
  for (const BoneSpec& spec : scene.bones) {
    const BoneShape shape = make_item(bone_shapes(), spec.shape);
    NamedBone& bone = named[spec.name] = {{shape.X, shape.triangles}, make_item(joints(), spec.joint)};
    bones.push_back({spec.name, spec.parent, bone.setup.joint, body_of(spec, shape.solid)});
    grips.take(spec, bones.back().body);
    if (X.rows() > 0 && !bone.setup.start.isZero(0))
      throw Error("{}.joint: bones of a body of tissue begin in the pose in which they are described, not turned",
                  spec.shape.path);
  }
  try {
    const auto skeleton = std::make_shared<const Skeleton>(std::move(bones));
    std::vector<BoneSurface> surfaces;
    VectorXd start = VectorXd::Zero(skeleton->dofs()), speed = start;
    for (int b = 0; b < skeleton->bones(); ++b) {
      NamedBone& bone = named.at(skeleton->bone(b).name);
      surfaces.push_back(bone.surface);
      start.segment(skeleton->first_dof(b), bone.setup.start.size()) = bone.setup.start;
      speed.segment(skeleton->first_dof(b), bone.setup.speed.size()) = bone.setup.speed;
    }
    BoneBody body;
    body.points =
        std::make_shared<const BonePoints>(skeleton, surfaces, static_cast<int>(X.rows()), grips.in_order(*skeleton));
    for (int b = 0; b < skeleton->bones(); ++b) {
      const JointSetup& setup = named.at(skeleton->bone(b).name).setup;
      if (!setup.torque.isZero(0))
        body.motors.push_back(std::make_unique<JointTorque>(body.points, b, setup.torque, setup.strength));
    }
    VectorXd q = skeleton->rest(), x = VectorXd::Zero(3 * (X.rows() + body.points->count())), u = x;
    skeleton->advance(q, start);
    const SkeletonPose pose = skeleton->pose(q);
    body.points->put_positions(pose, x);
    body.points->put_velocities(pose, speed, u);
    const auto rows = [&](const VectorXd& stacked) {
      const Eigen::Map<const MatrixX3d> all(stacked.data(), stacked.size() / 3, 3);
      return MatrixX3d(all(body.points->vertices(), Eigen::all));
    };
    body.x = rows(x);
    body.u = rows(u);
    return body;
  } catch (const Error& error) {
    throw Error("bones: {}", error.what());
  }
}

}  // namespace brio
