#include "cli/progress.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "espalier/base/error.h"
#include "espalier/base/json_text.h"

namespace espalier::cli {
namespace {

constexpr auto kBetweenBars = std::chrono::milliseconds(100);

/// The part of all epochs that is done, 0..1.
double fraction(const Progress& progress) {
  const double here = progress.total ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
  if (progress.epochs == 0) return here;
  return (progress.epoch - 1 + here) / progress.epochs;
}

std::string position(const Progress& progress) {
  return progress.epochs ? fmt::format("{} {}/{}", progress.phase, progress.epoch, progress.epochs) : progress.phase;
}

/// Items per second since the phase began.
double speed(const Progress& progress, double seconds) {
  const double epochs_before = progress.epochs ? progress.epoch - 1 : 0;
  const double items = epochs_before * static_cast<double>(progress.total) + static_cast<double>(progress.done);
  return seconds > 0 ? items / seconds : 0;
}

}  // namespace

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::llround(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
}

std::string summary(const nlohmann::json& values, const std::string& prefix) {
  std::string text;
  if (!values.is_object()) return text;
  for (const auto& [key, value] : values.items()) {
    if (value.is_array() || value.is_null()) continue;
    if (!text.empty()) text += "  ";
    if (value.is_object()) {
      text += summary(value, prefix + key + ' ');
      continue;
    }
    text += prefix + key + ' ';
    if (value.is_number_float()) {
      text += fmt::format("{:.2f}", value.get<double>());
    } else {
      text += value.is_string() ? value.get<std::string>() : json_text(value);
    }
  }
  return text;
}

std::string ProgressDisplay::bar(const Progress& progress, double seconds) {
  constexpr int kWidth = 24;
  const double done = std::clamp(fraction(progress), 0.0, 1.0);
  const int filled = static_cast<int>(done * kWidth);
  std::string text =
      fmt::format("{:<16} [{}{}] {:3.0f}%", position(progress), std::string(static_cast<size_t>(filled), '#'),
                  std::string(static_cast<size_t>(kWidth - filled), '.'), 100 * done);
  if (progress.total) text += fmt::format("  {:.0f}/s", speed(progress, seconds));
  if (done > 0.01) text += fmt::format("  {} left", duration(seconds / done - seconds));
  if (const std::string values = summary(progress.values); !values.empty()) text += "  " + values;
  return text;
}

std::string ProgressDisplay::line(const Progress& progress, double seconds) {
  std::string text = fmt::format("{:<12} {}", position(progress), summary(progress.values));
  if (progress.total) text += fmt::format("  {:.0f}/s", speed(progress, seconds));
  text += "  " + duration(seconds);
  if (const double done = fraction(progress); done > 0.01 && done < 1) {
    text += fmt::format("  {} left", duration(seconds / done - seconds));
  }
  return text;
}

ProgressDisplay::ProgressDisplay(Options options, std::FILE* output) : options_(std::move(options)), output_(output) {
  if (options_.log.empty()) return;
  log_.open(options_.log);
  if (!log_) throw run_error("cannot write the log {}", options_.log);
}

ProgressDisplay::~ProgressDisplay() { erase_bar(); }

void ProgressDisplay::check_log() const {
  if (log_.is_open() && !log_) throw run_error("cannot write the log {}: the disk may be full", options_.log);
}

void ProgressDisplay::erase_bar() {
  if (bar_is_shown_) fmt::print(output_, "\r\033[K");
  bar_is_shown_ = false;
}

void ProgressDisplay::show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_start_ = now;
  }
  const double seconds = std::chrono::duration<double>(now - phase_start_).count();
  if (log_.is_open()) {
    nlohmann::json entry = progress.values.is_object() ? progress.values : nlohmann::json::object();
    entry.update({{"phase", progress.phase},
                  {"epoch", progress.epoch},
                  {"epochs", progress.epochs},
                  {"done", progress.done},
                  {"total", progress.total},
                  {"epoch_end", progress.epoch_end},
                  {"seconds", std::chrono::duration<double>(now - start_).count()}});
    const bool was_good = log_.good();
    log_ << json_text(entry) << std::endl;
    if (was_good && !log_) {
      erase_bar();
      fmt::print(output_, "cannot write the log {}: the disk may be full; training goes on\n", options_.log);
    }
  }
  if (options_.quiet) return;
  if (progress.epoch_end) {
    erase_bar();
    fmt::print(output_, "{}\n", line(progress, seconds));
    std::fflush(output_);
  } else if (options_.terminal && now - drawn_ >= kBetweenBars) {
    drawn_ = now;
    bar_is_shown_ = true;
    fmt::print(output_, "\r{}\033[K", bar(progress, seconds));
    std::fflush(output_);
  }
}

}  // namespace espalier::cli
