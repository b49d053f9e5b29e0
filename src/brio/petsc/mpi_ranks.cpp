#include "brio/petsc/mpi_ranks.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <thread>

namespace brio {

MpiRanks::MpiRanks() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  MPI_Comm_dup(MPI_COMM_WORLD, &errors_);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &on_this_machine_);
  MPI_Comm_free(&machine);
}

void MpiRanks::gather(const double* own, const std::vector<int>& counts, double* all) const {
  std::vector<int> begin(counts.size(), 0);
  for (size_t r = 1; r < counts.size(); ++r) begin[r] = begin[r - 1] + counts[r - 1];
  MPI_Allgatherv(own, counts[rank_], MPI_DOUBLE, all, counts.data(), begin.data(), MPI_DOUBLE, MPI_COMM_WORLD);
}

void MpiRanks::broadcast(std::string& bytes, int from) const {
  std::uint64_t size = bytes.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, from, MPI_COMM_WORLD);
  bytes.resize(size);
  constexpr std::uint64_t kMost = 1u << 30;  // counts are of 32 bits
  for (std::uint64_t at = 0; at < size; at += kMost)
    MPI_Bcast(bytes.data() + at, static_cast<int>(std::min(kMost, size - at)), MPI_BYTE, from, MPI_COMM_WORLD);
}

bool MpiRanks::arrive(double seconds) const {
  using Clock = std::chrono::steady_clock;
  MPI_Request request;
  MPI_Ibarrier(errors_, &request);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  for (int there = 0;;) {
    MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    if (there) return true;
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void MpiRanks::abort(int code) const {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace brio
