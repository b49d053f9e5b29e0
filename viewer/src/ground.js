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

const gray = new THREE.Color().setRGB(0.36, 0.42, 0.5, THREE.SRGBColorSpace);

/** The same grid as lines, for where the processor draws: a plane that covers the picture costs more than the bodies do. */
function makeLines({spacing, radius, center, fill}) {
  const [places, colors] = [[], []];
  const reach = Math.ceil(radius / spacing);
  const middle = [Math.round(center.x / spacing), Math.round(center.y / spacing)];
  const add = (x, y, strength) => {
    const part = Math.min(1, Math.max(0, (Math.hypot(x - center.x, y - center.y) / radius - 0.35) / 0.65));
    places.push(x, y, 0);
    colors.push(...gray.toArray(), strength * (1 - part * part * (3 - 2 * part)));
  };
  for (const along of [0, 1])
    for (let k = middle[1 - along] - reach; k <= middle[1 - along] + reach; k++)
      for (let i = middle[along] - reach; i < middle[along] + reach; i += 2)
        for (const end of [i, i + 2]) {
          const [a, b] = [spacing * end, spacing * k];
          add(along ? b : a, along ? a : b, k % 5 === 0 ? 0.5 : 0.28);
        }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 4));
  const group = new THREE.Group().add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({vertexColors: true, transparent: true, depthWrite: false})));
  if (fill > 0) {
    const plane = new THREE.CircleGeometry(radius, 32).translate(center.x, center.y, 0);
    group.add(new THREE.Mesh(plane, new THREE.MeshBasicMaterial({color: gray, transparent: true, opacity: fill, depthWrite: false, side: THREE.DoubleSide})));
  }
  for (const object of group.children) object.renderOrder = -2;
  return group;
}

/** Lies in its own xy plane around `center` (x, y); z is up. */
export function makeGround({spacing, radius, center, fill, plain = false}) {
  if (plain) return makeLines({spacing, radius, center, fill});
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
