// A model that runs while it is looked at: `trammel view model.yaml`.
//
// It goes on as fast as the clock, or as fast as the machine can. Parameters may be changed on the
// way: positions and velocities stay, as far as the new model can have them. When the file is
// saved, it is read and started again; with mistakes in it, the last good model stays and the
// mistakes are told. A body is dragged by a spring and damper between a point of it and the
// pointer,
//     F = k (x_pointer - x) - c x',   k = 100 M /s^2,   c = 1.4 sqrt(k M),   M the mass of the
//     model.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/analysis/stepper.h"
#include "trammel/io/model_file.h"
#include "trammel/report/view_server.h"

namespace trammel::cli {

class LiveRun final : public report::LiveModel {
 public:
  /// Throws InputError or RunError when the model cannot be started.
  LiveRun(std::string path, const std::vector<std::string>& assignments, bool allow_outside);

  std::string label() const override;
  void advance() override;
  std::string state() override;
  std::size_t rows() const override { return recorded_; }
  report::Pack pack() override;
  /// set (name, value in SI units), reset (name), pause, play, step, restart, speed (value), drag
  /// (body, x, y, z in its frame; tx, ty, tz of the pointer), release.
  void command(const std::string& name, const std::map<std::string, std::string>& values) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Row {
    double time;
    std::vector<double> values;
  };
  struct Drag {
    std::string body;
    Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< in the body's frame, m
    Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world, m
  };

  io::ModelFile read() const;
  /// The model with the spring of the pointer, if somebody drags.
  model::Description dragged(model::Description description) const;
  /// Makes the simulation anew; at its start, or where the last one stands.
  void start(const io::ModelFile& file, bool go_on);
  /// The same for the file as it is now; mistakes become `trouble_`.
  void try_again(bool go_on);
  void look_at_files();
  void take_steps(double seconds);
  void record();
  void drag_to(const std::map<std::string, std::string>& values);

  std::string path_;
  std::map<std::string, std::string> assignments_;
  bool allow_outside_ = false;
  io::ModelFile file_;
  std::unique_ptr<analysis::Stepper> sim_;
  std::optional<Drag> drag_;
  std::vector<results::Channel> channels_;
  std::deque<Row> rows_;
  std::size_t recorded_ = 0;
  int generation_ = 0;  ///< counts models; whoever draws one begins anew with the next
  bool playing_ = true;
  double speed_ = 1.0;  ///< seconds of the model per second
  double owed_ = 0.0;   ///< s that steps have not gone yet
  double pace_ = 1.0;   ///< of the speed that the machine reaches
  std::string trouble_;
  Clock::time_point last_ = Clock::now();
  Clock::time_point looked_ = Clock::now();
  std::filesystem::file_time_type saved_{};
};

}  // namespace trammel::cli
