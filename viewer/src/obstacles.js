// Rigid obstacles, each in its own axes and moved by its pose.

import * as THREE from 'three';

import {makeGround} from './ground.js';

// Curved solids are drawn a little thinner than they are: cloth that lies on them has flat triangles, whose middles would
// otherwise sink in and let the obstacle show through.
const SHOWN = 0.985;
const solids = {
  sphere: ([radius]) => new THREE.SphereGeometry(SHOWN * radius, 64, 40),
  torus: ([ring, tube]) => new THREE.TorusGeometry(ring, SHOWN * tube, 32, 128),
  box: (half) => new THREE.BoxGeometry(...half.map((length) => 2 * length)),
};

/** Radius of a ball around the obstacle [m]; infinite for a half-space. */
export function reach({shape, size}) {
  return {half_space: Infinity, sphere: size[0], torus: size[0] + size[1], box: Math.hypot(...size)}[shape];
}

function setPose(object, [x, y, z, qx, qy, qz, qw]) {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw);
  object.updateMatrixWorld();
}

/** bounds: the ball in which the scene happens; half-spaces are drawn around its center. */
export function makeObstacle(obstacle, pose, bounds, spacing, plain = false) {
  if (obstacle.shape === 'half_space') {
    const place = new THREE.Object3D();
    setPose(place, pose);
    const center = place.worldToLocal(bounds.center.clone());
    return makeGround({spacing, radius: 5 * bounds.radius, center: new THREE.Vector2(center.x, center.y), fill: 0.1, plain});
  }
  const material = plain ? new THREE.MeshLambertMaterial({color: '#b4bdc9'}) : new THREE.MeshStandardMaterial({color: '#b4bdc9', roughness: 0.8, metalness: 0});
  const mesh = new THREE.Mesh(solids[obstacle.shape](obstacle.size), material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

export {setPose};
