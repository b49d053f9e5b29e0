// A plane with a grid that fades out: the ground, or the face of a half-space.

import * as THREE from 'three';

const vertexShader = `
  varying vec2 p;
  void main() {
    p = position.xy;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const fragmentShader = `
  uniform float spacing, radius, fill;
  uniform vec2 center;
  varying vec2 p;
  float lines(float s) {
    vec2 d = abs(fract(p / s - 0.5) - 0.5) / fwidth(p / s);
    return 1.0 - min(min(d.x, d.y), 1.0);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.35 * radius, radius, length(p - center));
    float grid = max(0.28 * lines(spacing), 0.5 * lines(5.0 * spacing));
    gl_FragColor = vec4(0.36, 0.42, 0.5, fade * max(fill, grid));
  }`;

/** Lies in its own xy plane around `center` (x, y); z is up. */
export function makeGround({spacing, radius, center, fill}) {
  const geometry = new THREE.PlaneGeometry(2 * radius, 2 * radius).translate(center.x, center.y, 0);
  const grid = new THREE.Mesh(
    geometry,
    new THREE.ShaderMaterial({
      vertexShader,
      fragmentShader,
      uniforms: {spacing: {value: spacing}, radius: {value: radius}, fill: {value: fill}, center: {value: center}},
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
    }),
  );
  const shadow = new THREE.Mesh(geometry, new THREE.ShadowMaterial({opacity: 0.22, depthWrite: false}));
  shadow.receiveShadow = true;
  shadow.renderOrder = -1;
  grid.renderOrder = -2;
  return new THREE.Group().add(grid, shadow);
}
