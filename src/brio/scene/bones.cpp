#include "brio/scene/bones.hpp"

#include "brio/core/error.hpp"
#include "brio/rigid/joint_table.hpp"
#include "brio/scene/make_item.hpp"
#include "brio/scene/placement.hpp"
#include "brio/system/joint_torque.hpp"

#include <map>
#include <set>

namespace brio {
namespace {

struct NamedBone {
  BoneSurface surface;
  JointSetup setup;
  int owner = 0;  ///< the body that it belongs to
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

/// What a bone is called in the world: "arm" of a body without a name, otherwise "robot.arm".
std::string world_name(const Body& body, const std::string& bone) {
  return body.name.empty() || bone.empty() ? bone : body.name + "." + bone;
}

/// The rigid body in the world.
void put_in_place(const BodyPlacement& place, MassProperties& solid) {
  solid.center = place.point(solid.center);
  solid.inertia = place.tensor(solid.inertia);
}

void put_in_place(const BodyPlacement& place, MatrixX3d& X) {
  if (!place.moves()) return;
  for (Index i = 0; i < X.rows(); ++i) X.row(i) = place.point(X.row(i).transpose()).transpose();
}

/// Joints that turn or move every way have vectors of three in the axes of their parent.
void put_in_place(const BodyPlacement& place, JointSetup& setup) {
  setup.joint.anchor = place.point(setup.joint.anchor);
  setup.joint.axis = place.direction(setup.joint.axis);
  if (!place.moves()) return;
  for (VectorXd* vectors : {&setup.start, &setup.speed, &setup.torque})
    for (Index i = 0; i + 3 <= vectors->size(); i += 3)
      vectors->segment<3>(i) = place.direction(vectors->segment<3>(i));
}

/// The vertices that bones carry, a vertex by one bone only.
class Grips {
 public:
  /// Takes the vertices of the bone's tissue; its rigid body then includes their mass.
  void take(const BoneSpec& spec, const Body& body, MassProperties& solid) {
    if (!spec.tissue) return;
    BoneGrip grip;
    const VertexSet& own = body.sets.at(*spec.tissue);
    for (int v : own) {
      if (!taken_.insert(body.first + v).second)
        throw Error("{}.tissue = \"{}\": another bone carries vertex {} already", spec.shape.path, *spec.tissue, v);
      grip.vertices.push_back(body.first + v);
    }
    grip.X = body.X()(own, Eigen::all);
    grip.mass = body.mass(own);
    solid = with_points(solid, grip.X, grip.mass);
    grips_[world_name(body, spec.name)] = std::move(grip);
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
  std::map<std::string, BoneGrip> grips_;
  std::set<int> taken_;
};

}  // namespace

std::optional<SkeletonBody> make_bones(const Scene& scene, const std::vector<Body>& bodies) {
  Grips grips;
  std::map<std::string, NamedBone> named;
  std::vector<Bone> bones;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const BodyPlacement place(scene.bodies[b].transform);
    if (bodies[b].bones > 0 && place.scale() != 1)
      throw Error("{}.transform.scale = {}: bones keep their size; change their shapes instead", scene.bodies[b].path,
                  place.scale());
    for (const BoneSpec& spec : scene.bodies[b].bones) {
      BoneShape shape = make_item(bone_shapes(), spec.shape);
      MassProperties solid = body_of(spec, shape.solid);
      const std::string name = world_name(bodies[b], spec.name);
      NamedBone& bone =
          named[name] = {{shape.X, shape.triangles}, make_item(joints(), spec.joint), static_cast<int>(b)};
      put_in_place(place, bone.surface.X);
      put_in_place(place, bone.setup);
      put_in_place(place, solid);
      grips.take(spec, bodies[b], solid);
      bones.push_back({name, world_name(bodies[b], spec.parent), bone.setup.joint, solid});
      if (bodies[b].vertices() > 0 && !bone.setup.start.isZero(0))
        throw Error("{}.joint: bones of a body of tissue begin in the pose in which they are described, not turned",
                    spec.shape.path);
    }
  }
  if (bones.empty()) return {};
  const int vertices = bodies.back().first + bodies.back().vertices();
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
    SkeletonBody body;
    body.points = std::make_shared<const BonePoints>(skeleton, surfaces, vertices, grips.in_order(*skeleton));
    for (int b = 0; b < skeleton->bones(); ++b) body.owner.push_back(named.at(skeleton->bone(b).name).owner);
    for (int b = 0; b < skeleton->bones(); ++b) {
      const JointSetup& setup = named.at(skeleton->bone(b).name).setup;
      if (!setup.torque.isZero(0))
        body.motors.push_back(std::make_unique<JointTorque>(body.points, b, setup.torque, setup.strength));
    }
    VectorXd q = skeleton->rest(), x = VectorXd::Zero(3 * (vertices + body.points->count())), u = x;
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
