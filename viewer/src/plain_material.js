// A surface that costs little where the processor draws: the light is computed at the vertices, for both sides.

import * as THREE from 'three';

const vertexShader = `
  attribute vec3 color;
  varying vec3 front, back;
  void main() {
    vec3 n = normalize(normalMatrix * normal);
    // The sky, and a light from above, the left and where one looks from: about the lights of the picture with gloss.
    vec3 above = normalize((viewMatrix * vec4(up, 0.0)).xyz);
    float sky = dot(n, above), light = dot(n, normalize(above + vec3(-0.8, 0.0, 0.6)));
    front = color * (0.4 + 0.12 * sky + 0.65 * max(light, 0.0));
    back = color * (0.4 - 0.12 * sky + 0.65 * max(-light, 0.0));
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const fragmentShader = `
  uniform float opacity;
  varying vec3 front, back;
  void main() {
    gl_FragColor = vec4(gl_FrontFacing ? front : back, opacity);
    #include <colorspace_fragment>
  }`;

export function plainMaterial(up) {
  const material = new THREE.ShaderMaterial({
    vertexShader: `uniform vec3 up;\n${vertexShader}`,
    fragmentShader,
    uniforms: {up: {value: new THREE.Vector3(...up)}, opacity: {value: 1}},
    side: THREE.DoubleSide,
  });
  // As other materials have it.
  Object.defineProperty(material, 'opacity', {get: () => material.uniforms.opacity.value, set: (value) => (material.uniforms && (material.uniforms.opacity.value = value))});
  return material;
}
