// The moving bodies of all runs, moving in step with the player: each in a cell of its own, seen by the same camera, or
// all in one picture.

import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

import {Body} from './body.js';
import {indexAt} from './data.js';
import {roundBelow} from './format.js';
import {makeGround} from './ground.js';
import {Labels} from './labels.js';
import {makeObstacle, reach, setPose} from './obstacles.js';
import {Pace} from './pace.js';

const leastToolsHeight = 46; // [px], kept free above a grid of pictures

/** The buttons above a grid of pictures may take several rows. */
function toolsHeight() {
  const tools = document.getElementById('view-tools');
  return Math.max(leastToolsHeight, tools ? tools.offsetTop + tools.offsetHeight + 6 : 0);
}
const overlaidOpacity = 0.6;

/** The box in which the bodies move, without the wild frames of a run that went astray. */
function movingBox(runs) {
  const box = new THREE.Box3();
  for (const run of runs) {
    const normal = 20 * Math.hypot(...run.frames[0].size) || Infinity;
    for (const {low, size} of run.frames) {
      if (Math.hypot(...size) > normal) continue;
      const corner = new THREE.Vector3(...low);
      box.expandByPoint(corner).expandByPoint(corner.clone().add(new THREE.Vector3(...size)));
    }
  }
  return box;
}

/** The box of the whole scene: the bodies and those obstacles that are not much larger than they. */
function sceneBox(runs, bodies) {
  const box = bodies.clone();
  const size = bodies.getSize(new THREE.Vector3()).length();
  for (const run of runs)
    run.obstacles.forEach((obstacle, k) => {
      const radius = reach(obstacle);
      if (radius > size) return;
      const [x, y, z] = run.frames[0].obstacles[k];
      box.union(new THREE.Sphere(new THREE.Vector3(x, y, z), radius).getBoundingBox(new THREE.Box3()));
    });
  return box;
}

/** Dots at places of interest, seen through the body. */
function marks(places) {
  const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.Float32BufferAttribute(places.flat(), 3));
  const dots = new THREE.Points(geometry, new THREE.PointsMaterial({color: '#d02020', size: 7, sizeAttenuation: false, depthTest: false, transparent: true}));
  dots.renderOrder = 1;
  return dots;
}

export class SceneView {
  /** plain: without shadows, smooth edges and gloss. */
  constructor(parent, {runs, up}, player, plain = false) {
    this.parent = parent;
    this.player = player;
    this.drawnPlain = plain;
    this.up = new THREE.Vector3(...up).normalize();
    this.renderer = new THREE.WebGLRenderer({antialias: !plain, alpha: true});
    const ratio = plain ? 1 : Math.min(window.devicePixelRatio, 2);
    this.renderer.setPixelRatio(ratio);
    this.pace = new Pace((part) => {
      this.renderer.setPixelRatio(part * ratio);
      this.requestPicture();
    });
    this.renderer.shadowMap.enabled = !plain;
    this.renderer.autoClear = false;
    parent.prepend(this.renderer.domElement);

    this.runs = runs.filter((run) => run.frames.length > 0);
    this.box = movingBox(this.runs);
    this.extent = sceneBox(this.runs, this.box);
    this.bounds = this.extent.getBoundingSphere(new THREE.Sphere());
    this.bounds.radius ||= 1;
    this.gridSpacing = roundBelow(this.bounds.radius / 2.5);
    this.sideBySide = this.runs.length > 1;
    if (this.sideBySide) this.labels = new Labels(parent, this.runs);
    this.scene = new THREE.Scene();
    this.addBodies();
    this.addGround();
    this.addCamera();
    this.addLights();

    this.firstPicture = new Promise((resolve) => (this.resolveFirst = resolve));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(parent);
    player.onChange(() => this.showTime());
  }

  addBodies() {
    this.shown = this.runs.map((run) => {
      const body = new Body(run, this.bounds.radius, this.up, this.drawnPlain);
      const obstacles = run.obstacles.map((obstacle, k) => makeObstacle(obstacle, run.frames[0].obstacles[k], this.bounds, this.gridSpacing, this.drawnPlain));
      this.scene.add(body.group, ...obstacles);
      if (run.marks) body.group.add(marks(run.marks));
      return {run, body, obstacles, frame: -1};
    });
  }

  addGround() {
    if (this.runs.some((run) => run.obstacles.some(({shape}) => shape === 'half_space'))) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.up);
    // The support of the box in the direction -up, a little below what moves.
    const half = this.box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const depth = Math.abs(half.x * this.up.x) + Math.abs(half.y * this.up.y) + Math.abs(half.z * this.up.z);
    const middle = this.box.getCenter(new THREE.Vector3());
    const height = this.up.dot(middle) - depth - 0.04 * this.bounds.radius;
    const center = middle.applyQuaternion(turn.clone().invert());
    const ground = makeGround({spacing: this.gridSpacing, radius: 4 * this.bounds.radius, center: new THREE.Vector2(center.x, center.y), fill: 0, plain: this.drawnPlain});
    ground.quaternion.copy(turn);
    ground.position.copy(this.up).multiplyScalar(height);
    this.scene.add(ground);
  }

  addCamera() {
    const {radius} = this.bounds;
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01 * radius, 100 * radius);
    this.camera.up.copy(this.up);
    this.scene.add(this.camera);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener('change', () => this.requestPicture());
    this.resetCamera();
  }

  /** Across the longer horizontal direction of the scene, from the side and from above. */
  bestDirection() {
    const size = this.box.getSize(new THREE.Vector3());
    const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];
    const extent = (axis) => Math.abs(size.dot(axis)) * (Math.abs(axis.dot(this.up)) > 0.7 ? -1 : 1);
    const across = axes.reduce((a, b) => (extent(b) > extent(a) * 1.01 ? b : a));
    const right = across.clone().addScaledVector(this.up, -across.dot(this.up)).normalize();
    const towards = new THREE.Vector3().crossVectors(right, this.up);
    return towards.addScaledVector(right, 0.45).addScaledVector(this.up, 0.38).normalize();
  }

  resetCamera() {
    const direction = this.bestDirection();
    const center = this.extent.getCenter(new THREE.Vector3());
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, 1.15 * this.fittingDistance(center, direction));
    this.controls.update();
    this.requestPicture();
  }

  /** How far from the center, in that direction, the camera sees every corner of the scene. */
  fittingDistance(center, direction) {
    const right = new THREE.Vector3().crossVectors(this.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const {min, max} = this.extent;
    let distance = 0;
    for (let corner = 0; corner < 8; corner++) {
      const point = new THREE.Vector3(corner & 1 ? min.x : max.x, corner & 2 ? min.y : max.y, corner & 4 ? min.z : max.z).sub(center);
      const needed = Math.max(Math.abs(point.dot(right)) / this.camera.aspect, Math.abs(point.dot(above))) / tangent;
      distance = Math.max(distance, point.dot(direction) + needed);
    }
    return distance || 5 * this.bounds.radius;
  }

  /** Shows each run in a cell of its own, or all in one picture. */
  arrange(sideBySide) {
    this.sideBySide = sideBySide && this.runs.length > 1;
    for (const {body} of this.shown) body.setOpacity(this.sideBySide || this.runs.length === 1 ? 1 : overlaidOpacity);
    if (this.sized) this.layOut();
  }

  /** Cells of the grid in which the bodies come out largest. */
  layOut() {
    const [width, height] = [this.parent.clientWidth, this.parent.clientHeight];
    if (this.sideBySide) {
      const top = toolsHeight();
      const inner = Math.max(1, height - top);
      const grids = this.runs.map((_, i) => {
        const [columns, rows] = [i + 1, Math.ceil(this.runs.length / (i + 1))];
        const cell = {width: width / columns, height: inner / rows};
        this.camera.aspect = cell.width / cell.height;
        return {columns, cell, size: cell.height / this.fittingDistance(this.extent.getCenter(new THREE.Vector3()), this.bestDirection())};
      });
      const {columns, cell} = grids.reduce((a, b) => (b.size > a.size ? b : a));
      this.cells = this.shown.map((shown, i) => ({
        ...cell,
        x: (i % columns) * cell.width,
        y: top + Math.floor(i / columns) * cell.height,
        shown: [shown],
      }));
    } else {
      this.cells = [{x: 0, y: 0, width, height, shown: this.shown}];
    }
    this.labels?.place(this.cells.map((cell) => ({...cell, runs: cell.shown.map(({run}) => run)})));
    this.camera.aspect = this.cells[0].width / this.cells[0].height;
    this.camera.updateProjectionMatrix();
    this.resetCamera();
  }

  render() {
    const height = this.parent.clientHeight;
    this.renderer.setScissorTest(false);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    for (const cell of this.cells) {
      for (const shown of this.shown) {
        shown.body.group.visible = cell.shown.includes(shown);
        // Obstacles are the same in every run: one set of them is enough.
        for (const object of shown.obstacles) object.visible = cell.shown[0] === shown;
      }
      const corner = [cell.x, height - cell.y - cell.height, cell.width, cell.height];
      this.renderer.setViewport(...corner);
      this.renderer.setScissor(...corner);
      this.renderer.render(this.scene, this.camera);
    }
  }

  addLights() {
    const {center, radius} = this.bounds;
    this.scene.add(new THREE.HemisphereLight('#ffffff', '#c3cad4', 2.3));
    const view = this.camera.position.clone().sub(center).normalize();
    const side = new THREE.Vector3().crossVectors(this.up, view).normalize();
    const key = new THREE.DirectionalLight('#fffaf2', 2.1);
    key.position.copy(center).addScaledVector(this.up, 2.6 * radius).addScaledVector(side, -1.2 * radius).addScaledVector(view, 1.8 * radius);
    key.target.position.copy(center);
    key.castShadow = true;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.radius = 4;
    key.shadow.normalBias = 0.004 * radius;
    Object.assign(key.shadow.camera, {left: -1.3 * radius, right: 1.3 * radius, top: 1.3 * radius, bottom: -1.3 * radius, near: radius, far: 8 * radius});
    const fill = new THREE.DirectionalLight('#eef3ff', 0.9);
    fill.position.set(0.6, 0.2, 1);
    this.camera.add(fill, fill.target);
    this.scene.add(key, key.target);
  }

  /** 'plain' or 'body' or a field of the run; top: upper end of the color scale. */
  colorBy(name, top) {
    this.coloring = {name, top};
    this.showAgain();
  }

  /** Hides the bodies with these numbers in all runs. */
  hide(numbers) {
    for (const {body} of this.shown) body.hide(numbers);
    this.showAgain();
  }

  showAgain() {
    for (const shown of this.shown) shown.frame = -1;
    this.showTime();
  }

  /** The cell at a place of the picture [px], or undefined. */
  cellAt(x, y) {
    return this.cells?.find((cell) => x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height);
  }

  rayAt(x, y, cell) {
    const place = new THREE.Vector2((2 * (x - cell.x)) / cell.width - 1, 1 - (2 * (y - cell.y)) / cell.height);
    const raycaster = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    raycaster.setFromCamera(place, this.camera);
    return raycaster;
  }

  /** Number of the body that is seen at a place of the picture [px], or -1. */
  bodyAt(x, y) {
    const cell = this.cellAt(x, y);
    if (!cell) return -1;
    const raycaster = this.rayAt(x, y, cell);
    const hits = cell.shown.map(({body}) => body.pick(raycaster)).filter((hit) => hit);
    return hits.length > 0 ? hits.reduce((a, b) => (b.distance < a.distance ? b : a)).number : -1;
  }

  /** The point of a body that is seen there: its run, place, vertices with weights, cell and the direction of sight; or null. */
  pointAt(x, y) {
    const cell = this.cellAt(x, y);
    if (!cell) return null;
    const raycaster = this.rayAt(x, y, cell);
    const hits = cell.shown.map((shown) => ({run: this.shown.indexOf(shown), hit: shown.body.pickPoint(raycaster)})).filter(({hit}) => hit);
    if (hits.length === 0) return null;
    const {run, hit} = hits.reduce((a, b) => (b.hit.distance < a.hit.distance ? b : a));
    return {run, cell, direction: raycaster.ray.direction.clone(), ...hit};
  }

  /** Where the line of sight at a place of a cell meets the plane through a point that faces the camera. */
  placeAt(x, y, cell, point) {
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
    return this.rayAt(x, y, cell).ray.intersectPlane(plane, new THREE.Vector3()) ?? point.clone();
  }

  /** Where a point of a run is in the window [px]. */
  project(point, run = 0) {
    const cell = this.cells.find(({shown}) => shown.includes(this.shown[run]));
    this.camera.updateMatrixWorld();
    const at = new THREE.Vector3(...point).project(this.camera);
    const box = this.renderer.domElement.getBoundingClientRect();
    return [box.left + cell.x + ((at.x + 1) / 2) * cell.width, box.top + cell.y + ((1 - at.y) / 2) * cell.height];
  }

  /** The view is not used any more. */
  dispose() {
    this.observer.disconnect();
    this.controls.dispose();
    this.labels?.root.remove();
    this.renderer.domElement.remove();
    this.renderer.dispose();
  }

  showMeshLines(on) {
    for (const {body} of this.shown) body.showMeshLines(on);
    this.requestPicture();
  }

  showTime() {
    for (const shown of this.shown) {
      const {run, body, obstacles} = shown;
      const frame = indexAt(run.times, this.player.time);
      if (frame === shown.frame) continue;
      shown.frame = frame;
      const {name, top} = this.coloring;
      body.show(frame, name, top);
      obstacles.forEach((object, k) => setPose(object, run.frames[frame].obstacles[k]));
      this.requestPicture();
    }
  }

  resize() {
    const {clientWidth, clientHeight} = this.parent;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.sized = true;
    this.renderer.setSize(clientWidth, clientHeight);
    this.layOut();
  }

  /** Draws before the browser next paints, and only when something has changed. */
  requestPicture() {
    if (this.requested || !this.sized) return;
    this.requested = true;
    requestAnimationFrame(() => {
      this.requested = false;
      this.render();
      // Chromium shows the first picture of a canvas without what is behind it, on black, until there is a second one.
      if (this.drawn) this.resolveFirst();
      else this.drawn = true, this.requestPicture();
    });
  }
}
