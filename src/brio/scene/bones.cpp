#include "brio/scene/bones.hpp"

#include "brio/core/error.hpp"
#include "brio/rigid/joint_table.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/system/joint_torque.hpp"

#include <map>

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
  if (spec.centre_of_mass) body.centre = *spec.centre_of_mass;
  if (spec.inertia) body.inertia = spec.inertia->asDiagonal();
  return body;
}

MatrixX3d rows_of(const VectorXd& stacked, const BonePoints& points) {
  return Eigen::Map<const MatrixX3d>(stacked.data() + 3 * points.first(), points.count(), 3);
}

}  // namespace

BoneBody make_bones(const Scene& scene, int first) {
  std::map<std::string, NamedBone> named;
  std::vector<Bone> bones;
  for (const BoneSpec& spec : scene.bones) {
    const BoneShape shape = make_item(bone_shapes(), spec.shape);
    NamedBone& bone = named[spec.name] = {{shape.X, shape.triangles}, make_item(joints(), spec.joint)};
    bones.push_back({spec.name, spec.parent, bone.setup.joint, body_of(spec, shape.solid)});
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
    body.points = std::make_shared<const BonePoints>(skeleton, surfaces, first);
    for (int b = 0; b < skeleton->bones(); ++b) {
      const JointSetup& setup = named.at(skeleton->bone(b).name).setup;
      if (!setup.torque.isZero(0))
        body.motors.push_back(std::make_unique<JointTorque>(body.points, b, setup.torque, setup.strength));
    }
    VectorXd q = skeleton->rest(), x(3 * (first + body.points->count())), u(x.size());
    skeleton->advance(q, start);
    const SkeletonPose pose = skeleton->pose(q);
    body.points->put_positions(pose, x);
    body.points->put_velocities(pose, speed, u);
    body.x = rows_of(x, *body.points);
    body.u = rows_of(u, *body.points);
    return body;
  } catch (const Error& error) {
    throw Error("bones: {}", error.what());
  }
}

}  // namespace brio
