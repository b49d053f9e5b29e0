#include "brio/output/drawn_part.hpp"

#include <numeric>

namespace brio {

DrawnPart::DrawnPart(const BodyTopology& body) {
  check_topology(body);
  triangles = body.triangles;
  if (triangles.rows() == 0) edges = body.edges;

  std::vector<int> number(body.vertices, -1);
  for (int vertex : triangles.reshaped()) number[vertex] = 0;
  for (int vertex : edges.reshaped()) number[vertex] = 0;
  if (triangles.rows() + edges.rows() == 0) std::fill(number.begin(), number.end(), 0);
  for (int vertex = 0; vertex < body.vertices; ++vertex) {
    if (number[vertex] < 0) continue;
    number[vertex] = static_cast<int>(vertices.size());
    vertices.push_back(vertex);
  }
  for (int& vertex : triangles.reshaped()) vertex = number[vertex];
  for (int& vertex : edges.reshaped()) vertex = number[vertex];
}

std::vector<float> DrawnPart::gather(const MatrixX3d& all) const {
  std::vector<float> rows;
  rows.reserve(3 * vertices.size());
  for (int vertex : vertices)
    for (int k = 0; k < 3; ++k) rows.push_back(static_cast<float>(all(vertex, k)));
  return rows;
}

}  // namespace brio
