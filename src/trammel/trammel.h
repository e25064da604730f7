// Everything that a program needs which builds models in code, runs them and reads results.
//
// These are the headers that stay (docs/embedding.md says what that promises). Others are how
// Trammel works inside; they may be included one by one, and may change with every version.
#pragma once

// IWYU pragma: begin_exports
// Mistakes and their remedies; units of settings.
#include "trammel/core/diagnostic.h"
#include "trammel/core/dimension.h"
#include "trammel/core/version.h"
// Bodies by shape and density, rotations.
#include "trammel/math/mass_properties.h"
#include "trammel/math/rotation.h"
#include "trammel/math/shapes.h"
// Models: described in code, or read from a file.
#include "trammel/analysis/vocabulary.h"
#include "trammel/expression/user_function.h"
#include "trammel/formulation/coordinates.h"
#include "trammel/io/model_file.h"
#include "trammel/model/description.h"
#include "trammel/model/model_system.h"
// Forces, joints and integrators of one's own.
#include "trammel/analysis/plugins.h"
#include "trammel/constraint_handling/consistent_start.h"
#include "trammel/integrators/own_kinds.h"
#include "trammel/model/block_element.h"
#include "trammel/model/forces/line_force.h"
#include "trammel/model/joint_assembly.h"
#include "trammel/model/own_kinds.h"
// Runs.
#include "trammel/analysis/assembly.h"
#include "trammel/analysis/inverse.h"
#include "trammel/analysis/kinematics.h"
#include "trammel/analysis/modes.h"
#include "trammel/analysis/simulate.h"
#include "trammel/analysis/start.h"
#include "trammel/analysis/statics.h"
#include "trammel/analysis/stepper.h"
// Equations of motion as formulas.
#include "trammel/symbolic/equation_text.h"
#include "trammel/symbolic/equations.h"
// Results.
#include "trammel/report/page.h"
#include "trammel/results/csv_sink.h"
#include "trammel/results/hdf5_sink.h"
#include "trammel/results/memory_sink.h"
#include "trammel/results/reader.h"
// IWYU pragma: end_exports
