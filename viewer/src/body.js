// One run in the picture: surfaces, and ropes of rods and balls where there are no triangles.

import * as THREE from 'three';

import {bodyColor, runColors, table} from './color.js';
import {splitAtCreases, uniqueEdges} from './creases.js';
import {plainMaterial} from './plain_material.js';

const fieldColors = table.map(([r, g, b]) => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace));

const bodyColors = runColors.map((_, i) => new THREE.Color(bodyColor(i)));

/** Color of a field value, `top` being the upper end of the scale; none for what is not a number. */
function fieldColor(value, top) {
  return fieldColors[top > 0 ? Math.min(255, Math.round((255 * value) / top)) : 0];
}

/** plain: one that costs little where there is no graphics card. */
function material(plain) {
  const common = {color: '#ffffff', side: THREE.DoubleSide};
  return plain ? new THREE.MeshLambertMaterial(common) : new THREE.MeshStandardMaterial({...common, roughness: 0.55, metalness: 0.05});
}

function surfaceMaterial(plain, up) {
  const made = plain ? plainMaterial(up) : Object.assign(material(false), {vertexColors: true});
  return Object.assign(made, {polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1});
}

/** Bodies that overlap are seen through each other. */
function setOpacity(meshes, opacity) {
  for (const mesh of meshes) {
    const changed = mesh.material.transparent !== opacity < 1;
    Object.assign(mesh.material, {transparent: opacity < 1, opacity});
    if (changed) mesh.material.needsUpdate = true;
  }
}

/** Normals at the vertices, weighted by area; their length is the shader's. */
function addNormals(x, triangles, normals) {
  normals.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ux = x[b] - x[a];
    const uy = x[b + 1] - x[a + 1];
    const uz = x[b + 2] - x[a + 2];
    const vx = x[c] - x[a];
    const vy = x[c + 1] - x[a + 1];
    const vz = x[c + 2] - x[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    // Written out: arrays and inner loops take four times as long here.
    normals[a] += nx;
    normals[a + 1] += ny;
    normals[a + 2] += nz;
    normals[b] += nx;
    normals[b + 1] += ny;
    normals[b + 2] += nz;
    normals[c] += nx;
    normals[c + 1] += ny;
    normals[c + 2] += nz;
  }
}

class SurfaceBody {
  constructor({triangles}, positions, plain, up) {
    const {indices, source} = splitAtCreases(positions, triangles);
    this.source = source;
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setIndex(new THREE.BufferAttribute(indices, 1));
    for (const name of ['position', 'normal', 'color'])
      this.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * source.length), 3));
    const mesh = new THREE.Mesh(this.geometry, surfaceMaterial(plain, up));
    mesh.castShadow = mesh.receiveShadow = true;

    mesh.userData.vertexOf = ({face}) => source[face.a];
    mesh.userData.pointOf = ({face, barycoord}) => ({vertices: [face.a, face.b, face.c].map((i) => source[i]), weights: barycoord.toArray()});
    this.solids = [mesh];

    this.lines = new THREE.BufferGeometry();
    const ends = uniqueEdges(indices);
    this.lines.setIndex(new THREE.BufferAttribute(ends, 1));
    this.lines.setAttribute('position', this.geometry.getAttribute('position'));
    this.cells = {triangles: indices, ends};
    this.meshLines = new THREE.LineSegments(this.lines, new THREE.LineBasicMaterial({color: '#0b1a2c', transparent: true, opacity: 0.22}));

    this.group = new THREE.Group();
    this.group.add(mesh, this.meshLines);
    this.group.traverse((object) => (object.frustumCulled = false));
    this.setOpacity = (opacity) => setOpacity([mesh], opacity);
  }

  /** Leaves out the triangles of vertices that are not visible. */
  keep(visible) {
    const kept = (cells, corners) => cells.filter((_, i) => visible(this.source[cells[i - (i % corners)]]));
    this.geometry.setIndex(new THREE.BufferAttribute(kept(this.cells.triangles, 3), 1));
    this.lines.setIndex(new THREE.BufferAttribute(kept(this.cells.ends, 2), 1));
  }

  show(positions) {
    const position = this.geometry.getAttribute('position');
    const normal = this.geometry.getAttribute('normal');
    const {array} = position;
    for (let i = 0; i < this.source.length; i++) {
      const from = 3 * this.source[i];
      array[3 * i] = positions[from];
      array[3 * i + 1] = positions[from + 1];
      array[3 * i + 2] = positions[from + 2];
    }
    addNormals(array, this.cells.triangles, normal.array);
    position.needsUpdate = normal.needsUpdate = true;
  }

  color(colorAt) {
    const attribute = this.geometry.getAttribute('color');
    for (let i = 0; i < this.source.length; i++) {
      const {r, g, b} = colorAt(this.source[i]);
      attribute.setXYZ(i, r, g, b);
    }
    attribute.needsUpdate = true;
  }
}

class RopeBody {
  constructor({edges, triangles}, positions, thickness, plain) {
    this.edges = edges;
    // Without triangles and edges there are loose particles.
    this.vertices = triangles.length + edges.length > 0 ? [...new Set(edges)].sort((a, b) => a - b) : Array.from({length: positions.length / 3}, (_, i) => i);
    this.visible = () => true;
    const rod = new THREE.CylinderGeometry(1, 1, 1, 12, 1, true);
    this.radius = thickness;
    this.rods = new THREE.InstancedMesh(rod, material(plain), this.edges.length / 2);
    this.balls = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), material(plain), this.vertices.length);
    this.rods.userData.vertexOf = ({instanceId}) => edges[2 * instanceId];
    this.balls.userData.vertexOf = ({instanceId}) => this.vertices[instanceId];
    for (const {userData} of [this.rods, this.balls]) userData.pointOf = (hit) => ({vertices: [userData.vertexOf(hit)], weights: [1]});
    this.solids = [this.rods, this.balls];
    this.meshLines = this.balls;
    this.group = new THREE.Group();
    this.group.add(this.rods, this.balls);
    this.group.traverse((object) => Object.assign(object, {castShadow: true, receiveShadow: true, frustumCulled: false}));
    this.setOpacity = (opacity) => setOpacity([this.rods, this.balls], opacity);
  }

  /** Leaves out the rods and balls of vertices that are not visible, from the next frame shown on. */
  keep(visible) {
    this.visible = visible;
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
      this.rods.setMatrixAt(e, matrix.compose(middle, turn, new THREE.Vector3(this.radius, length, this.radius).multiplyScalar(this.visible(this.edges[2 * e]) ? 1 : 0)));
    }
    const size = (vertex) => new THREE.Vector3().setScalar(this.visible(vertex) ? 1.6 * this.radius : 0);
    this.vertices.forEach((vertex, i) => this.balls.setMatrixAt(i, matrix.compose(end(vertex), turn.identity(), size(vertex))));
    this.rods.instanceMatrix.needsUpdate = this.balls.instanceMatrix.needsUpdate = true;
  }

  color(colorAt) {
    for (let e = 0; e < this.rods.count; e++) this.rods.setColorAt(e, colorAt(this.edges[2 * e], this.edges[2 * e + 1]));
    this.vertices.forEach((vertex, i) => this.balls.setColorAt(i, colorAt(vertex)));
    for (const mesh of [this.rods, this.balls]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }
}

/** The bodies of a run, whose parts are others after a cut; each is made when it is first shown. */
export class Body {
  constructor(run, sceneRadius, up, plain = false) {
    this.run = run;
    this.up = up;
    this.drawnPlain = plain;
    this.plain = new THREE.Color(run.color);
    this.thickness = 0.006 * sceneRadius;
    this.made = run.parts.map(() => null);
    this.group = new THREE.Group();
    this.opacity = 1;
    this.lines = true;
    this.hidden = new Set();
  }

  make(number) {
    const part = this.run.parts[number];
    const positions = this.run.positions(this.run.frames.findIndex((frame) => frame.part === number));
    const pieces = [];
    if (part.triangles.length > 0) pieces.push(new SurfaceBody(part, positions, this.drawnPlain, this.up));
    if (part.edges.length > 0 || pieces.length === 0) pieces.push(new RopeBody(part, positions, this.thickness, this.drawnPlain));
    const group = new THREE.Group();
    group.add(...pieces.map((piece) => piece.group));
    this.group.add(group);
    this.made[number] = {part, group, pieces};
    this.setOpacity(this.opacity);
    this.showMeshLines(this.lines);
    if (this.hidden.size > 0) this.hide(this.hidden);
    return this.made[number];
  }

  /** field: what colors it, 'plain' or 'body' or a field of the run, of which `top` is the upper end of the scale. */
  show(frame, field, top) {
    const number = this.run.frames[frame].part;
    this.shown = this.made[number] ?? this.make(number);
    for (const other of this.made) if (other) other.group.visible = other === this.shown;
    // Colors that do not change from frame to frame are set once.
    const fixed = ['plain', 'body'].includes(field) ? field : null;
    const colorAt = fixed && this.shown.colored === fixed ? null : this.coloring(frame, field, top);
    for (const piece of this.shown.pieces) {
      piece.show(this.run.positions(frame));
      if (colorAt) piece.color(colorAt);
    }
    this.shown.colored = fixed;
  }

  /** The color of a vertex, or of what is between two of them. */
  coloring(frame, field, top) {
    const {bodies} = this.shown.part;
    if (field === 'body' && bodies) return (vertex) => bodyColors[bodies[vertex] % bodyColors.length];
    const values = ['plain', 'body'].includes(field) ? null : this.run.field(field, frame);
    return (a, b = a) => (values && fieldColor((values[a] + values[b]) / 2, top)) ?? this.plain;
  }

  /** Hides the bodies with these numbers, from the next frame shown on. */
  hide(hidden) {
    this.hidden = hidden;
    for (const made of this.made) for (const piece of made?.pieces ?? []) piece.keep((vertex) => !hidden.has(made.part.bodies?.[vertex]));
  }

  /** What the ray hits first, or undefined. */
  hit(raycaster) {
    const solids = this.shown.pieces.flatMap((piece) => piece.solids);
    for (const solid of solids) (solid.isInstancedMesh ? solid : solid.geometry).boundingSphere = null; // it has moved
    return raycaster.intersectObjects(solids, false)[0];
  }

  /** Number of the nearest body that the ray hits, and how far it is; null where there is none. */
  pick(raycaster) {
    const hit = this.hit(raycaster);
    return hit ? {number: this.shown.part.bodies[hit.object.userData.vertexOf(hit)], distance: hit.distance} : null;
  }

  /** The point of the surface that the ray hits: its place, and vertices with weights; null where there is none. */
  pickPoint(raycaster) {
    const hit = this.hit(raycaster);
    return hit ? {point: hit.point, distance: hit.distance, ...hit.object.userData.pointOf(hit)} : null;
  }

  setOpacity(opacity) {
    this.opacity = opacity;
    for (const made of this.made) for (const piece of made?.pieces ?? []) piece.setOpacity(opacity);
  }

  showMeshLines(on) {
    this.lines = on;
    for (const made of this.made) for (const piece of made?.pieces ?? []) piece.meshLines.visible = on;
  }
}
