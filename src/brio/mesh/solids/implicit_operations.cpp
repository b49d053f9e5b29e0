#include "brio/mesh/solids/implicit_operations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace brio {
namespace {

/// The smaller of two numbers; where they differ by less than `blend`, less than it by up to blend / 4. Its gradient is
/// a mean of the two, so that a bound on distances remains one.
double smooth_min(double a, double b, double blend) {
  const double overlap = std::max(blend - std::fabs(a - b), 0.0);
  return std::min(a, b) - (blend > 0 ? 0.25 * overlap * overlap / blend : 0);
}
double smooth_max(double a, double b, double blend) { return -smooth_min(-a, -b, blend); }

double total_cost(const std::vector<SolidPointer>& parts) {
  double sum = 0;
  for (const SolidPointer& part : parts) sum += part->cost();
  return sum;
}

/// What all operations on several parts have in common.
class Composite : public SignedDistance {
 public:
  Composite(std::vector<SolidPointer> parts, double blend)
      : parts_(std::move(parts)), blend_(blend), cost_(total_cost(parts_)) {}
  double cost() const override { return cost_; }

 protected:
  std::vector<SolidPointer> parts_;
  double blend_, cost_;
};

/// Boxes by coordinates, so that the distances from sixteen of them take a few instructions: a mesher asks for them at
/// millions of places.
class BoxRows {
 public:
  static constexpr int kRow = 16;
  using Row = Eigen::Array<double, kRow, 1>;

  explicit BoxRows(const std::vector<Box>& boxes) : rows_((boxes.size() + kRow - 1) / kRow) {
    for (size_t i = 0; i < rows_.size() * kRow; ++i)
      for (int axis = 0; axis < 3; ++axis) {  // what has no box is infinitely far away
        rows_[i / kRow].low[axis][i % kRow] = i < boxes.size() ? boxes[i].min()[axis] : INFINITY;
        rows_[i / kRow].high[axis][i % kRow] = i < boxes.size() ? boxes[i].max()[axis] : INFINITY;
      }
  }
  size_t rows() const { return rows_.size(); }
  /// The distances from x, squared.
  Row squared_distances(size_t row, const Vec3& x) const {
    Row sum = Row::Zero();
    for (int axis = 0; axis < 3; ++axis)
      sum += (rows_[row].low[axis] - x[axis]).max(x[axis] - rows_[row].high[axis]).max(0).square();
    return sum;
  }

 private:
  struct Sides {
    Row low[3], high[3];
  };
  std::vector<Sides> rows_;
};

class Union : public Composite {
 public:
  Union(std::vector<SolidPointer> parts, double blend) : Composite(std::move(parts), blend), boxes_(bounds_of(parts_)) {}
  /// The part with the nearest box gives a value that the result cannot exceed. A part whose box is farther away by
  /// twice the blend cannot change it, nor can several such parts that blend with each other first, and is not asked.
  double value(const Vec3& x) const override {
    size_t nearest = 0;
    double least = std::numeric_limits<double>::max();
    for (size_t row = 0; row < boxes_.rows(); ++row) {
      int i = 0;
      const BoxRows::Row squared = boxes_.squared_distances(row, x);
      if (squared.minCoeff() >= least) continue;
      least = squared.minCoeff(&i);
      nearest = row * BoxRows::kRow + i;
    }
    const double first = parts_[nearest]->value(x);
    const double reach = std::max(first + 2 * blend_, 0.0);
    double result = std::numeric_limits<double>::max();
    for (size_t row = 0; row < boxes_.rows(); ++row) {
      const size_t begin = row * BoxRows::kRow, end = std::min(begin + BoxRows::kRow, parts_.size());
      const BoxRows::Row squared = boxes_.squared_distances(row, x);
      if (row != nearest / BoxRows::kRow && squared.minCoeff() > reach * reach) continue;
      for (size_t i = begin; i < end; ++i) {
        if (i != nearest && squared[i - begin] > reach * reach) continue;
        result = smooth_min(result, i == nearest ? first : parts_[i]->value(x), blend_);
      }
    }
    return result;
  }
  Box bounds() const override {
    Box box;
    for (const Box& part : bounds_of(parts_)) box.extend(part);
    // Each further part may lower the value by blend / 4 where all of them meet; one lower by blend has no effect.
    const double bulge = blend_ * std::min(1.0, 0.25 * static_cast<double>(parts_.size() - 1));
    return {box.min() - Vec3::Constant(bulge), box.max() + Vec3::Constant(bulge)};
  }

 private:
  static std::vector<Box> bounds_of(const std::vector<SolidPointer>& parts) {
    std::vector<Box> boxes;
    for (const SolidPointer& part : parts) boxes.push_back(part->bounds());
    return boxes;
  }

  BoxRows boxes_;
};

class Intersection : public Composite {
 public:
  using Composite::Composite;
  double value(const Vec3& x) const override {
    double result = parts_[0]->value(x);
    for (size_t i = 1; i < parts_.size(); ++i) result = smooth_max(result, parts_[i]->value(x), blend_);
    return result;
  }
  /// That of the smallest part; the common part of all boxes might be farther away than the value says.
  Box bounds() const override {
    Box least = parts_[0]->bounds();
    for (const SolidPointer& part : parts_)
      if (part->bounds().volume() < least.volume()) least = part->bounds();
    return least;
  }
};

/// The first part without the others.
class Difference : public Composite {
 public:
  using Composite::Composite;
  double value(const Vec3& x) const override {
    double result = parts_[0]->value(x);
    for (size_t i = 1; i < parts_.size(); ++i) result = smooth_max(result, -parts_[i]->value(x), blend_);
    return result;
  }
  Box bounds() const override { return parts_[0]->bounds(); }
};

class Offset : public SignedDistance {
 public:
  Offset(SolidPointer body, double by) : body_(std::move(body)), by_(by) {}
  double value(const Vec3& x) const override { return body_->value(x) - by_; }
  Box bounds() const override {
    const Box box = body_->bounds();
    const Vec3 growth = Vec3::Constant(std::max(by_, 0.0));
    return {box.min() - growth, box.max() + growth};
  }
  double cost() const override { return body_->cost(); }

 private:
  SolidPointer body_;
  double by_;
};

class Transformed : public SignedDistance {
 public:
  Transformed(SolidPointer body, const Similarity& by)
      : body_(std::move(body)), by_(by), back_(by.rotation.transpose() / by.scale) {}
  double value(const Vec3& x) const override { return by_.scale * body_->value(back_ * (x - by_.shift)); }
  Box bounds() const override {
    const Box box = body_->bounds();
    const Vec3 center = by_.scale * by_.rotation * box.center() + by_.shift;
    const Vec3 reach = 0.5 * by_.scale * by_.rotation.cwiseAbs() * box.sizes();
    return {center - reach, center + reach};
  }
  double cost() const override { return body_->cost(); }

 private:
  SolidPointer body_;
  Similarity by_;
  Mat3 back_;
};

class Mirrored : public SignedDistance {
 public:
  Mirrored(SolidPointer body, int axis) : body_(std::move(body)), axis_(axis) {}
  double value(const Vec3& x) const override { return std::min(body_->value(x), body_->value(image(x))); }
  Box bounds() const override {
    const Box box = body_->bounds();
    Box both = box;
    return both.extend(image(box.min())).extend(image(box.max()));
  }
  double cost() const override { return 2 * body_->cost(); }

 private:
  Vec3 image(Vec3 x) const {
    x[axis_] = -x[axis_];
    return x;
  }
  SolidPointer body_;
  int axis_;
};

}  // namespace

SolidPointer make_union(std::vector<SolidPointer> parts, double blend) {
  return std::make_shared<Union>(std::move(parts), blend);
}
SolidPointer make_intersection(std::vector<SolidPointer> parts, double blend) {
  return std::make_shared<Intersection>(std::move(parts), blend);
}
SolidPointer make_difference(SolidPointer body, std::vector<SolidPointer> taken, double blend) {
  taken.insert(taken.begin(), std::move(body));
  return std::make_shared<Difference>(std::move(taken), blend);
}
SolidPointer make_offset(SolidPointer body, double by) { return std::make_shared<Offset>(std::move(body), by); }
SolidPointer make_transformed(SolidPointer body, const Similarity& by) {
  return std::make_shared<Transformed>(std::move(body), by);
}
SolidPointer make_mirrored(SolidPointer body, int axis) { return std::make_shared<Mirrored>(std::move(body), axis); }

}  // namespace brio
