// The motion as files for ParaView and other VTK programs: one surface file (.vtp) per time and an
// index (.pvd) that gives them their times.
//
//   cells    one triangle each, with `body` (its number from 0) and all channels of its body:
//            "velocity" (three components), "angle", ...; NaN where a body has no such channel
//   field    "TimeValue" and every channel that belongs to no body, by its name: energy.kinetic
//   points   world coordinates, m
//
// Files are XML with binary numbers in base64, version 1.0 of the format.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>

#include "trammel/report/drawn_model.h"
#include "trammel/results/table.h"

namespace trammel::report {

struct VtkOptions {
  std::size_t most_frames = 250;  ///< files; more rows are thinned out evenly
  bool overwrite = false;
  const std::atomic<bool>* stop = nullptr;  ///< looked at before each file
};

/// Writes `index` ("crank.pvd") and a folder beside it ("crank_vtk/") with the surfaces. Returns
/// the number of times. InputError when something exists and may not be overwritten, or when there
/// is nothing to draw; RunError when it cannot be written or was stopped: all is as before then.
std::size_t write_vtk(const std::filesystem::path& index,
                      const DrawnModel& model,
                      const results::Table& table,
                      const VtkOptions& options = {});

}  // namespace trammel::report
