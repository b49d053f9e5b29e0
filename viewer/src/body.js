// One run in the picture: a surface, or a rope of rods and balls where there are no triangles.

import * as THREE from 'three';

import {table} from './color.js';
import {splitAtCreases, uniqueEdges} from './creases.js';

const fieldColors = table.map(([r, g, b]) => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace));

/** Color of a field value, `top` being the upper end of the scale; none for what is not a number. */
function fieldColor(value, top) {
  return fieldColors[top > 0 ? Math.min(255, Math.round((255 * value) / top)) : 0];
}

function material(color) {
  return new THREE.MeshStandardMaterial({color: color, roughness: 0.55, metalness: 0.05, side: THREE.DoubleSide});
}

/** Bodies that overlap are seen through each other. */
function setOpacity(meshes, opacity) {
  for (const mesh of meshes) {
    const changed = mesh.material.transparent !== opacity < 1;
    Object.assign(mesh.material, {transparent: opacity < 1, opacity});
    if (changed) mesh.material.needsUpdate = true;
  }
}

class SurfaceBody {
  constructor({triangles}, positions, color) {
    const {indices, source} = splitAtCreases(positions, triangles);
    this.source = source;
    this.plain = new THREE.Color(color);
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    for (const name of ['position', 'normal', 'color'])
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * source.length), 3));
    const mesh = new THREE.Mesh(this.geometry, material('#ffffff'));
    Object.assign(mesh.material, {vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
    mesh.castShadow = mesh.receiveShadow = true;

    const lines = new THREE.BufferGeometry();
    lines.setIndex(new THREE.BufferAttribute(uniqueEdges(indices), 1));
    lines.setAttribute('position', this.geometry.getAttribute('position'));
    this.meshLines = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({color: '#0b1a2c', transparent: true, opacity: 0.22}));

    this.group = new THREE.Group();
    this.group.add(mesh, this.meshLines);
    this.group.traverse((object) => (object.frustumCulled = false));
    this.setOpacity = (opacity) => setOpacity([mesh], opacity);
  }

  show(positions) {
    const {array} = this.geometry.getAttribute('position');
    for (let i = 0; i < this.source.length; i++)
      for (let k = 0; k < 3; k++) array[3 * i + k] = positions[3 * this.source[i] + k];
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.computeVertexNormals();
  }

  color(values, top) {
    const attribute = this.geometry.getAttribute('color');
    for (let i = 0; i < this.source.length; i++) {
      const {r, g, b} = (values && fieldColor(values[this.source[i]], top)) ?? this.plain;
      attribute.setXYZ(i, r, g, b);
    }
    attribute.needsUpdate = true;
  }
}

class RopeBody {
  constructor({edges}, positions, color, thickness) {
    this.edges = edges;
    this.vertices = positions.length / 3;
    this.plain = new THREE.Color(color);
    const rod = new THREE.CylinderGeometry(1, 1, 1, 12, 1, true);
    this.radius = thickness;
    this.rods = new THREE.InstancedMesh(rod, material('#ffffff'), this.edges.length / 2);
    this.balls = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), material('#ffffff'), this.vertices);
    this.meshLines = this.balls;
    this.group = new THREE.Group();
    this.group.add(this.rods, this.balls);
    this.group.traverse((object) => Object.assign(object, {castShadow: true, receiveShadow: true, frustumCulled: false}));
    this.setOpacity = (opacity) => setOpacity([this.rods, this.balls], opacity);
  }

  show(positions) {
    const end = (vertex) => new THREE.Vector3().fromArray(positions, 3 * vertex);
    const along = new THREE.Vector3(0, 1, 0);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    for (let e = 0; e < this.rods.count; e++) {
      const [a, b] = [end(this.edges[2 * e]), end(this.edges[2 * e + 1])];
      const middle = a.clone().add(b).multiplyScalar(0.5);
      const length = b.sub(a).length();
      turn.setFromUnitVectors(along, length > 0 ? b.divideScalar(length) : along);
      this.rods.setMatrixAt(e, matrix.compose(middle, turn, new THREE.Vector3(this.radius, length, this.radius)));
    }
    const size = new THREE.Vector3().setScalar(1.6 * this.radius);
    for (let i = 0; i < this.vertices; i++) this.balls.setMatrixAt(i, matrix.compose(end(i), turn.identity(), size));
    this.rods.instanceMatrix.needsUpdate = this.balls.instanceMatrix.needsUpdate = true;
  }

  color(values, top) {
    const at = (value) => (values && fieldColor(value(), top)) ?? this.plain;
    for (let e = 0; e < this.rods.count; e++)
      this.rods.setColorAt(e, at(() => (values[this.edges[2 * e]] + values[this.edges[2 * e + 1]]) / 2));
    for (let i = 0; i < this.vertices; i++) this.balls.setColorAt(i, at(() => values[i]));
    for (const mesh of [this.rods, this.balls]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }
}

/** A run's body, which may be another one after a cut; each is made when it is first shown. */
export class Body {
  constructor(run, sceneRadius) {
    this.run = run;
    this.thickness = 0.006 * sceneRadius;
    this.made = run.parts.map(() => null);
    this.group = new THREE.Group();
    this.opacity = 1;
    this.lines = true;
  }

  make(number) {
    const part = this.run.parts[number];
    const positions = this.run.positions(this.run.frames.findIndex((frame) => frame.part === number));
    const rope = part.triangles.length === 0;
    const body = rope ? new RopeBody(part, positions, this.run.color, this.thickness) : new SurfaceBody(part, positions, this.run.color);
    this.group.add(body.group);
    this.made[number] = body;
    this.setOpacity(this.opacity);
    this.showMeshLines(this.lines);
    return body;
  }

  /** values: of the field that colors it, or null. */
  show(frame, values, top) {
    const number = this.run.frames[frame].part;
    const body = this.made[number] ?? this.make(number);
    for (const other of this.made) if (other) other.group.visible = other === body;
    body.show(this.run.positions(frame));
    body.color(values, top);
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const body of this.made) body?.setOpacity(opacity);
  }

  showMeshLines(on) {
    this.lines = on;
    for (const body of this.made) if (body) body.meshLines.visible = on;
  }
}
