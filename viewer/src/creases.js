// Vertices for drawing: one per smooth patch around a vertex of the body, so that a bar has sharp edges and a ball none.

const sharp = Math.cos((40 * Math.PI) / 180);

/** Unit normals of the triangles, three numbers each. */
function faceNormals(positions, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; k++) normals[t + k] = n[k] / length;
  }
  return normals;
}

/**
 * Joins corners of triangles across every edge that is not sharp. Returns the triangles on the new vertices and, for
 * each new vertex, the vertex of the body that it follows.
 */
export function splitAtCreases(positions, triangles) {
  const normals = faceNormals(positions, triangles);
  const parent = Uint32Array.from(triangles, (_, corner) => corner);
  const root = (corner) => {
    while (parent[corner] !== corner) corner = parent[corner] = parent[parent[corner]];
    return corner;
  };
  const join = (a, b) => (parent[root(a)] = root(b));

  const vertices = positions.length / 3;
  const edges = new Map();
  for (let corner = 0; corner < triangles.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const [a, b] = [triangles[corner], triangles[next]];
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    const face = corner - (corner % 3);
    const other = edges.get(key);
    if (!other) {
      edges.set(key, {a, corner, next, face});
      continue;
    }
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += normals[face + k] * normals[other.face + k];
    if (cosine < sharp) continue;
    join(corner, a === other.a ? other.corner : other.next);
    join(next, a === other.a ? other.next : other.corner);
  }

  const number = new Map();
  const source = [];
  const indices = Uint32Array.from(triangles, (vertex, corner) => {
    const patch = root(corner);
    if (!number.has(patch)) {
      number.set(patch, source.length);
      source.push(vertex);
    }
    return number.get(patch);
  });
  return {indices, source: Uint32Array.from(source)};
}

/** Both ends of every edge of the triangles, each edge once. */
export function uniqueEdges(triangles) {
  const seen = new Set();
  const ends = [];
  let vertices = 0;
  for (const vertex of triangles) vertices = Math.max(vertices, vertex + 1);
  for (let corner = 0; corner < triangles.length; corner++) {
    const a = triangles[corner];
    const b = triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
    const key = Math.min(a, b) * vertices + Math.max(a, b);
    if (seen.has(key)) continue;
    seen.add(key);
    ends.push(a, b);
  }
  return Uint32Array.from(ends);
}
