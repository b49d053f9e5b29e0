#include "brio/core/ranks.hpp"

#include "brio/core/error.hpp"
#include "brio/core/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

namespace brio {
namespace {

constexpr int kRowsPerTask = 4096;

std::unique_ptr<Ranks>& current() {
  static std::unique_ptr<Ranks> ranks = std::make_unique<Ranks>();
  return ranks;
}

/// Of a variable that Open MPI, MPICH and its relatives, or Slurm sets.
int told_by_launcher(const std::array<const char*, 3>& names, int fallback) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return fallback;
}

/// One number of each rank.
std::vector<double> numbers_of_ranks(double own) {
  std::vector<double> all(ranks().count());
  ranks().gather(&own, std::vector<int>(all.size(), 1), all.data());
  return all;
}

}  // namespace

void Ranks::gather(const double* own, const std::vector<int>& counts, double* all) const {
  std::copy_n(own, counts.front(), all);
}

void Ranks::abort(int code) const { std::_Exit(code); }

const Ranks& ranks() { return *current(); }

void set_ranks(std::unique_ptr<Ranks> ranks) { current() = std::move(ranks); }

Launched launched() {
  return {told_by_launcher({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}, 1),
          told_by_launcher({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}, 0)};
}

void sum_over_ranks(double* values, int count) {
  const int several = ranks().count();
  if (several == 1) return;
  std::vector<double> all(static_cast<size_t>(count) * several);
  ranks().gather(values, std::vector<int>(several, count), all.data());
  for (int i = 0; i < count; ++i) {
    values[i] = 0;
    for (int r = 0; r < several; ++r) values[i] += all[static_cast<size_t>(r) * count + i];
  }
}

bool first_rank_says(bool yes) {
  std::string bytes(1, yes ? 'y' : 'n');
  ranks().broadcast(bytes);
  return bytes == "y";
}

void on_all_ranks(const std::function<void()>& work) {
  if (!ranks().several()) return work();
  std::string wrong;
  bool failed = false;
  try {
    work();
  } catch (const Error& error) {
    wrong = error.what();
    failed = true;
  }
  const std::vector<double> all = numbers_of_ranks(failed ? 1 : 0);
  const auto first = std::find(all.begin(), all.end(), 1.0);
  if (first == all.end()) return;
  const int from = static_cast<int>(first - all.begin());
  ranks().broadcast(wrong, from);
  const bool everywhere = std::count(all.begin(), all.end(), 1.0) == ranks().count();
  throw Error("{}{}", everywhere ? "" : fmt::format("rank {} of {}: ", from, ranks().count()), wrong);
}

void require_same_on_all_ranks(const std::string& bytes, const std::string& what) {
  if (!ranks().several()) return;
  std::string first = bytes;
  ranks().broadcast(first);
  on_all_ranks([&] {
    if (bytes != first) throw Error("{} is not the one that rank 0 has; give all ranks the same", what);
  });
}

SharedRows::SharedRows(const std::vector<int>& owner) {
  if (!ranks().several()) return;
  counts_.assign(ranks().count(), 0);
  for (const int rank : owner) ++counts_[rank];
  begin_.assign(counts_.size() + 1, 0);
  std::partial_sum(counts_.begin(), counts_.end(), begin_.begin() + 1);
  order_.resize(owner.size());
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (size_t row = 0; row < owner.size(); ++row) order_[next[owner[row]]++] = static_cast<int>(row);
  const int rank = ranks().rank();
  own_.assign(order_.begin() + begin_[rank], order_.begin() + begin_[rank + 1]);
  for (int& count : counts_) count *= 3;
}

std::vector<int> SharedRows::owner() const {
  std::vector<int> owner(order_.size());
  for (int rank = 0; rank + 1 < static_cast<int>(begin_.size()); ++rank)
    for (int i = begin_[rank]; i < begin_[rank + 1]; ++i) owner[order_[i]] = rank;
  return owner;
}

void SharedRows::exchange(double* rows) const {
  if (!shared()) return;
  const auto for_rows = [](const std::vector<int>& list, const auto& body) {
    parallel_for(static_cast<int>(list.size()), kRowsPerTask, [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        for (size_t c = 0; c < 3; ++c) body(3 * static_cast<size_t>(i) + c, 3 * static_cast<size_t>(list[i]) + c);
    });
  };
  static std::vector<double> mine, all;  // one for all: exchanges come one after the other, by one thread
  if (mine.size() < 3 * own_.size()) mine = std::vector<double>(3 * own_.size());
  if (all.size() < 3 * order_.size()) all = std::vector<double>(3 * order_.size());
  for_rows(own_, [&](size_t place, size_t at) { mine[place] = rows[at]; });
  ranks().gather(mine.data(), counts_, all.data());
  for_rows(order_, [&](size_t place, size_t at) { rows[at] = all[place]; });
}

}  // namespace brio
