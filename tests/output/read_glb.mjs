// What three.js finds in a .glb file, as JSON: node read_glb.mjs THREE_FOLDER FILE.glb
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
const [, , three, file] = process.argv;
const {AnimationMixer, Mesh, Vector3} = await import(pathToFileURL(`${three}/build/three.module.js`));
const {GLTFLoader} = await import(pathToFileURL(`${three}/examples/jsm/loaders/GLTFLoader.js`));

const bytes = readFileSync(file);
const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
const drawn = [];
gltf.scene.traverse((object) => object.geometry && drawn.push(object));
const [object] = drawn;
const {attributes, morphAttributes, index} = object.geometry;
const point = new Vector3();
const clip = gltf.animations[0];

// The mixer of three.js moves the weights; getVertexPosition applies the morph targets.
function positionsAt(time) {
  if (clip) {
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(clip).play();
    mixer.setTime(time);
  }
  const all = [];
  for (let i = 0; i < attributes.position.count; i++) {
    all.push(Mesh.prototype.getVertexPosition.call(object, i, point).toArray()); // of lines and points, too
  };
  return all;
}

const track = clip?.tracks[0];
const times = track ? [...track.times] : [0];
const last = times.length - 1;
console.log(JSON.stringify({
  kind: object.type,
  objects: drawn.length,
  names: drawn.map((o) => o.name),
  kinds: drawn.map((o) => o.type),
  counts: drawn.map((o) => o.geometry.attributes.position.count),
  materials: drawn.map((o) => o.material.name),
  color: object.material.color.getHexString(),
  vertices: attributes.position.count,
  indices: drawn.reduce((sum, o) => sum + o.geometry.index.count, 0),
  first_triangle: [...index.array.slice(0, 3)],
  uv: attributes.uv ? [...attributes.uv.array] : null,
  normals: attributes.normal ? [...attributes.normal.array] : null,
  targets: morphAttributes.position?.length ?? 0,
  last_normals: morphAttributes.normal ? [...morphAttributes.normal.at(-1).array] : null,
  times,
  tracks: clip?.tracks.length ?? 0,
  first: positionsAt(0),
  // Short of the end, since a mixer that loops starts again there.
  last: positionsAt(last > 0 ? times[last] * (1 - 1e-7) : 0),
  between: last > 0 ? positionsAt((times[last - 1] + times[last]) / 2) : null,
}));
