// A pool of workspaces for any thread, with as many as were ever needed at once.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "espalier/parser/parser.h"

namespace espalier {

class WorkspacePool {
 public:
  /// `parser` must outlive the pool.
  explicit WorkspacePool(const Parser& parser) : parser_(parser) {}

  /// Holds a workspace during its lifetime. A workspace is not reused after an exception.
  class Lease {
   public:
    Lease(WorkspacePool& pool, std::unique_ptr<Workspace> workspace)
        : pool_(pool), workspace_(std::move(workspace)), exceptions_(std::uncaught_exceptions()) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (std::uncaught_exceptions() == exceptions_) pool_.give_back(std::move(workspace_));
    }
    Workspace& operator*() const { return *workspace_; }

   private:
    WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
    int exceptions_;
  };

  Lease take() {
    std::unique_ptr<Workspace> workspace;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        workspace = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!workspace) workspace = parser_.make_workspace();
    return Lease(*this, std::move(workspace));
  }

 private:
  void give_back(std::unique_ptr<Workspace> workspace) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(workspace));
  }

  const Parser& parser_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace espalier
