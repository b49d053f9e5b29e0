#pragma once
// A table of rows (laws, integrators, loads …) that programs and plug-ins can add to: first brio's own rows, then the
// others in the order in which they came. Rows are added by one thread before scenes are read.

#include "brio/core/error.hpp"
#include "brio/core/options.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace brio {

/// How many rows have been added to all tables; a cache of what depends on tables compares it with what it saw last.
int table_additions();

/// Throws Error unless the name is given and belongs to no row of the table yet, and no option is described twice.
void check_new_row(const std::string& kind, const Entry& row, const std::vector<const Entry*>& table);
void count_table_addition();

template <class Row>
class Table {
 public:
  /// `kind` is what a row is called in messages: "integrator".
  Table(std::string kind, std::vector<Row> rows) : kind_(std::move(kind)), rows_(std::move(rows)) {}

  const std::string& kind() const { return kind_; }
  const std::vector<Row>& rows() const { return rows_; }

  /// Throws Error for a name that is taken. References to rows are valid until the next call.
  void add(Row row) {
    std::vector<const Entry*> known;
    for (const Row& other : rows_) known.push_back(&other);
    check_new_row(kind_, row, known);
    rows_.push_back(std::move(row));
    count_table_addition();
  }
  /// Puts a row in the place of the one with its name, which there must be.
  void replace(Row row) {
    for (Row& other : rows_)
      if (other.name == row.name) {
        other = std::move(row);
        return count_table_addition();
      }
  }

 private:
  std::string kind_;
  std::vector<Row> rows_;
};

/// A value computed from tables, computed again after rows were added; any thread may ask for it.
template <class T>
class FromTables {
 public:
  template <class Make>
  const T& get(const Make& make) {
    const std::lock_guard guard(mutex_);
    if (seen_ != table_additions()) {
      value_ = make();
      seen_ = table_additions();
    }
    return value_;
  }

 private:
  std::mutex mutex_;
  T value_;
  int seen_ = -1;  ///< no count yet
};

}  // namespace brio
