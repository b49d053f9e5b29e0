#pragma once
// What the tests of all laws share: sample options for every row, deformations of every kind, and a law's answers for
// one element as plain matrices.

#include "brio/material/lame.hpp"
#include "brio/material/materials.hpp"

#include <Eigen/Geometry>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace brio {

using Mat9 = Eigen::Matrix<double, 9, 9>;
using Given = std::map<std::string, OptionValue>;

constexpr double kYoung = 1e4, kPoisson = 0.35, kKappa = 2e4;

/// Options under which an isotropic row has Young's modulus kYoung and Poisson's ratio kPoisson, and a fiber row
/// kKappa. Rows with E and nu, or kappa, need nothing here.
inline Given sample_options(const MaterialEntry& row) {
  const Lame k = lame_from(kYoung, kPoisson);
  // Valanis-Landel: 2 mu = a'' + b'', lambda = b'' + c'' at 1, where b'' = 2 beta.
  const double beta = k.mu / 10;
  if (row.name == "valanis-landel-polynomial") {
    return {{"a", std::vector<double>{k.mu - beta, -k.mu / 3, k.mu / 2}},
            {"b", std::vector<double>{beta, 0.0, beta}},
            {"c", std::vector<double>{k.lambda / 2 - beta}}};
  }
  if (row.name == "valanis-landel-spline") {
    // Equal chords on both sides of 1 make the slope there that of the chord. No sample deformation has a stretch at a
    // point, where the stiffness has a kink.
    const double a = 2 * (k.mu - beta), b = 2 * beta, c = k.lambda - 2 * beta;
    return {{"a", std::vector<Pair>{{0.15, -2 * a}, {0.65, -0.35 * a}, {1, 0}, {1.35, 0.35 * a}, {2.1, 2 * a}}},
            {"b", std::vector<Pair>{{0.5, -0.5 * b}, {1, 0}, {1.5, 0.5 * b}}},
            {"c", std::vector<Pair>{{-0.3, -2 * c}, {0.7, -0.3 * c}, {1, 0}, {1.3, 0.3 * c}, {3.1, c}}}};
  }
  Given given;
  for (const Option& option : row.options) {
    if (option.key == "E") given["E"] = kYoung;
    if (option.key == "nu") given["nu"] = kPoisson;
    if (option.key == "kappa" && option.required) given["kappa"] = kKappa;
  }
  return given;
}

inline std::unique_ptr<Material> make_material(const MaterialEntry& row, const Given& given) {
  return row.make(Options(row.options, given, row.name));
}

/// A law's answers for one element. With the unit vectors as gradients the blocks are the Hessian of psi(F), F
/// row-major by block: entry (3a+i, 3b+j) is d2psi/(dF_ia dF_jb).
struct Answer {
  double psi;
  Mat3 P;
  Mat9 H;
};

inline void set_lane(ElementBatch& batch, int l, const Mat3& F, const Vec3& fiber, const Mat3& g) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) batch.F(i, j)[l] = F(i, j), batch.g[j][i][l] = g(i, j);
    batch.fiber[i][l] = fiber[i];
  }
}

inline Mat3 get_lane(const M3<Pack>& A, int l) {
  return Mat3::NullaryExpr([&](Index i, Index j) { return A(int(i), int(j))[l]; });
}

inline Answer answer(const Material& material, const ElementBatch& batch, int l, Psd psd) {
  Pack psi;
  M3<Pack> P, blocks[6];
  material.evaluate(batch, {&psi, &P, blocks, psd});
  Answer out{psi[l], get_lane(P, l), {}};
  constexpr int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int b = 0; b < 6; ++b) {
    const Mat3 K = get_lane(blocks[b], l);
    out.H.block<3, 3>(3 * pairs[b][0], 3 * pairs[b][1]) = K;
    out.H.block<3, 3>(3 * pairs[b][1], 3 * pairs[b][0]) = K.transpose();
  }
  return out;
}

inline ElementBatch batch_of(const Mat3& F, const Vec3& fiber, const Mat3& g = Mat3::Identity()) {
  ElementBatch batch;
  for (int l = 0; l < kLanes; ++l) set_lane(batch, l, F, fiber, g);
  return batch;
}

inline Answer answer(const Material& material, const Mat3& F, const Vec3& fiber, Psd psd = Psd::none) {
  return answer(material, batch_of(F, fiber), 0, psd);
}

inline double energy(const Material& material, const Mat3& F, const Vec3& fiber) {
  Pack psi;
  material.evaluate(batch_of(F, fiber), {&psi});
  return psi[0];
}

inline Mat3 stress(const Material& material, const Mat3& F, const Vec3& fiber) {
  M3<Pack> P;
  material.evaluate(batch_of(F, fiber), {nullptr, &P});
  return get_lane(P, 0);
}

inline Mat3 random_matrix(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Mat3::NullaryExpr([&] { return normal(random); });
}
inline Mat3 random_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random)).normalized().matrix();
}
inline Vec3 random_direction(std::mt19937& random) { return random_rotation(random).col(0); }

/// Deformations of every kind: small and large, with equal and almost equal stretches, flat, and inside out; none
/// closer than 0.05 to s_i + s_j = 0, where some laws have a kink.
inline std::vector<Mat3> sample_deformations() {
  std::mt19937 random(11);
  std::vector<Mat3> list;
  for (const Vec3& s :
       {Vec3(1.3, 1.1, 0.8),        Vec3(1.001, 1.0005, 0.999), Vec3(1.9, 1.2, 0.7),        Vec3(0.9, 0.7, 0.5),
        Vec3(1.3, 1.3, 0.8),        Vec3(1.2, 0.8, 0.8),        Vec3(1.25, 1.25, 1.25),     Vec3(0.7, 0.7, 0.7),
        Vec3(1.2 + 1e-8, 1.2, 0.9), Vec3(1.2 + 1e-6, 1.2, 0.9), Vec3(1.2, 0.9 + 2e-5, 0.9), Vec3(1.2, 0.9 + 3e-5, 0.9),
        Vec3(1.2, 0.9 + 1e-4, 0.9), Vec3(1.1, 0.9, 1e-3),       Vec3(1.1, 0.9, 1e-7),       Vec3(1.1, 0.9, 0),
        Vec3(1.1, 0.9, -1e-3),      Vec3(1.1, 0.11, 0.02),      Vec3(1.1, 0.9, -0.5),       Vec3(1.6, 1.2, -0.9),
        Vec3(1.1, 1.1, -0.3),       Vec3(0.6, 0.5, -0.2),       Vec3(2.2, 1.7, -1.3)}) {
    for (int k = 0; k < 3; ++k) {
      list.push_back(random_rotation(random) * s.asDiagonal() * random_rotation(random).transpose());
    }
  }
  return list;
}

}  // namespace brio
