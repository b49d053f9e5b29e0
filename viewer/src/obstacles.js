// Rigid obstacles, each in its own axes and moved by its pose.

import * as THREE from 'three';

import {bytes} from './data.js';
import {makeGround} from './ground.js';

// Curved solids are drawn a little thinner than they are: cloth that lies on them has flat triangles, whose middles would
// otherwise sink in and let the obstacle show through.
const SHOWN = 0.985;
const solids = {
  sphere: ([radius]) => new THREE.SphereGeometry(SHOWN * radius, 64, 40),
  torus: ([ring, tube]) => new THREE.TorusGeometry(ring, SHOWN * tube, 32, 128),
  box: (half) => new THREE.BoxGeometry(...half.map((length) => 2 * length)),
};

/** The surface of an obstacle of triangles: flat ones, so that its edges are seen. It may be around the bodies, and is seen through. */
function makeSurface({points, triangles}) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(bytes(points).buffer), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(triangles).buffer), 1));
  geometry.computeVertexNormals();
  return geometry;
}

/** Radius of a ball around the obstacle's own origin [m]; infinite for a half-space. */
export function reach({shape, size, points}) {
  if (shape === 'mesh') {
    const x = new Float32Array(bytes(points).buffer);
    let most = 0;
    for (let i = 0; i < x.length; i += 3) most = Math.max(most, Math.hypot(x[i], x[i + 1], x[i + 2]));
    return most;
  }
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
  const surface = obstacle.shape === 'mesh';
  const looks = {
    color: '#b4bdc9',
    ...(surface && {side: THREE.DoubleSide, flatShading: true, transparent: true, opacity: 0.4, depthWrite: false}),
  };
  const material = plain ? new THREE.MeshLambertMaterial(looks) : new THREE.MeshStandardMaterial({...looks, roughness: 0.8, metalness: 0});
  const mesh = new THREE.Mesh(surface ? makeSurface(obstacle) : solids[obstacle.shape](obstacle.size), material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

export {setPose};
