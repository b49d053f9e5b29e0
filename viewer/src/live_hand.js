// What the pointer does to the bodies: drag, poke, pin and cut; and how hands and pins are drawn.

import * as THREE from 'three';

import {number} from './format.js';

const handColor = '#e0542e';
const pinColor = '#7a4fc0';

/** Thin rods from held points to where hands are, and balls at pins, one group in each run. */
export class HandsShown {
  constructor(view) {
    this.radius = 0.005 * view.bounds.radius;
    this.rod = new THREE.CylinderGeometry(1, 1, 1, 10, 1, true);
    this.ball = new THREE.SphereGeometry(1, 16, 12);
    this.material = new THREE.MeshBasicMaterial({color: handColor, depthTest: false, transparent: true});
    this.pinMaterial = new THREE.MeshBasicMaterial({color: pinColor, depthTest: false, transparent: true});
    this.groups = view.shown.map(({body}) => {
      const group = new THREE.Group();
      body.group.add(group);
      return group;
    });
  }

  add(group, geometry, material, position, scale) {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.copy(position);
    mesh.scale.copy(scale);
    mesh.renderOrder = 2;
    mesh.frustumCulled = false;
    group.add(mesh);
    return mesh;
  }

  show(runs) {
    runs.forEach(({holds, pins}, r) => {
      const group = this.groups[r];
      group.clear();
      const ball = (at, size, material) => this.add(group, this.ball, material, at, new THREE.Vector3().setScalar(size * this.radius));
      for (const {point, target} of holds) {
        const [a, b] = [new THREE.Vector3(...point), new THREE.Vector3(...target)];
        const along = b.clone().sub(a);
        const length = along.length();
        const rod = this.add(group, this.rod, this.material, a.clone().add(b).multiplyScalar(0.5), new THREE.Vector3(this.radius, length, this.radius));
        if (length > 0) rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
        ball(a, 2.2, this.material);
        ball(b, 3, this.material);
      }
      for (const pin of pins) ball(new THREE.Vector3(...pin), 3, this.pinMaterial);
    });
  }
}

/** Tools: name → what begins at a pointer that hits a body, or anywhere where `anywhere` is set. */
export class Pointer {
  constructor(view, runs, say) {
    this.view = view;
    this.runs = runs;
    this.say = say;
    this.tool = 'drag';
    this.held = null; // of a drag: pointer, cell and the place where the body was taken
    this.stroke = null; // of a cut: pointer, cell and where it begins
    this.force = document.getElementById('force');
    const {parent} = view;
    // In the capturing phase: what is ours does not reach the controls of the camera.
    this.ended = new AbortController();
    const {signal} = this.ended;
    parent.addEventListener('pointerdown', (event) => this.down(event), {capture: true, signal});
    window.addEventListener('pointermove', (event) => this.move(event), {signal});
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, (event) => this.up(event), {signal});
  }

  /** The view is not used any more. */
  dispose() {
    this.ended.abort();
    this.force.hidden = true;
  }

  place(event) {
    const box = this.view.renderer.domElement.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    if (event.target !== this.view.renderer.domElement || event.button !== 0 || this.tool === 'look' || this.held || this.stroke) return;
    const [x, y] = this.place(event);
    if (this.tool === 'cut') {
      event.stopPropagation();
      this.stroke = {pointer: event.pointerId, cell: this.view.cellAt(x, y), from: [x, y]};
      this.showStroke([x, y]);
      return;
    }
    const hit = this.view.pointAt(x, y);
    if (!hit) return;
    event.stopPropagation();
    const {run, vertices, weights, point, direction, cell} = hit;
    const pick = {run, vertices, weights};
    if (this.tool === 'poke') this.say('poke', {...pick, direction: direction.toArray()});
    else if (this.tool === 'pin') this.pin(pick, point);
    else {
      this.held = {pointer: event.pointerId, cell, depth: point, target: point};
      this.say('grab', {...pick, target: point.toArray()});
    }
  }

  /** Unpins where a pin is near, else pins. */
  pin(pick, point) {
    const near = 0.05 * this.view.bounds.radius;
    const index = this.runs[pick.run].pins.findIndex((pin) => point.distanceTo(new THREE.Vector3(...pin)) < near);
    if (index >= 0) this.say('unpin', {run: pick.run, index});
    else this.say('pin', pick);
  }

  move(event) {
    if (this.stroke && event.pointerId === this.stroke.pointer) return this.showStroke(this.place(event));
    if (!this.held || event.pointerId !== this.held.pointer) return;
    this.at = this.place(event);
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      if (!this.held) return;
      this.held.target = this.view.placeAt(...this.at, this.held.cell, this.held.depth);
      this.say('move', {target: this.held.target.toArray()});
    });
  }

  up(event) {
    if (this.stroke && event.pointerId === this.stroke.pointer) return this.endStroke(this.place(event));
    if (!this.held || event.pointerId !== this.held.pointer) return;
    this.held = null;
    this.force.hidden = true;
    this.say('release');
  }

  showStroke([x, y]) {
    const svg = document.getElementById('stroke');
    svg.removeAttribute('hidden');
    const [x1, y1] = this.stroke.from;
    Object.entries({x1, y1, x2: x, y2: y}).forEach(([key, value]) => svg.firstElementChild.setAttribute(key, value));
  }

  endStroke(to) {
    const {cell, from} = this.stroke;
    this.stroke = null;
    document.getElementById('stroke').setAttribute('hidden', '');
    if (!cell || Math.hypot(to[0] - from[0], to[1] - from[1]) < 8) return;
    const center = this.view.bounds.center;
    const [a, b] = [from, to].map((place) => this.view.placeAt(...place, cell, center).toArray());
    this.say('cut', {from: a, to: b, eye: this.view.camera.position.toArray()});
  }

  /** The force of the hands, beside the first of them. */
  showForce() {
    const holds = this.runs.map((run) => run.holds[0]).filter((hold) => hold);
    this.force.hidden = !this.held || holds.length === 0 || !this.at;
    if (this.force.hidden) return;
    this.force.textContent = holds.map(({force}) => `${number(Math.hypot(...force), 3)} N`).join(' · ');
    this.force.style.cssText = `left: ${this.at[0] + 16}px; top: ${this.at[1] + 12}px`;
  }
}
