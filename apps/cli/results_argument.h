// What the commands that write results share: where they go, what stands in them about their
// origin, the report beside them, and what is told at the end.
#pragma once

#include <string>
#include <vector>

#include "interface.h"
#include "model_argument.h"
#include "output_argument.h"
#include "report_text.h"

#include "trammel/io/model_file.h"
#include "trammel/report/pack.h"
#include "trammel/results/sink.h"

namespace trammel::cli {

struct ResultsArgument {
  std::string output;
  std::vector<std::string> channels;
  bool force = false;
  bool quiet = false;
  bool no_report = false;
};

/// Adds --output, --channels, --force, --no-report and --quiet. `ending` is what the default name
/// of the results ends with: ".h5", ".modes.h5".
void add_results_options(Interface& interface,
                         CLI::App* command,
                         ResultsArgument& argument,
                         const std::string& ending);

/// Adds --until, --step and --output-step: times of the simulation section.
void add_time_options(Interface& interface, CLI::App* command, ModelArgument& model);

/// The results file; checks that nothing is in the way of it and of the report, and that neither
/// takes the place of the model or of another input. InputError otherwise. How the run ended is
/// recorded by finish_results, write_report_beside or print_remains.
OutputSink open_results(const ResultsArgument& argument,
                        const io::ModelFile& file,
                        const std::string& ending,
                        const std::vector<std::string>& more_inputs = {});

/// The model, the values from the command line, software and date, as they go into the file
/// `results`. `command` is "run", "modes", ...; `channels` are those that are recorded, none: all.
results::RunInformation run_information(const std::string& command,
                                        const ModelArgument& model,
                                        const io::ModelFile& file,
                                        const std::string& results,
                                        const std::vector<std::string>& channels = {});

/// Keeps what happened with the results, which are complete with that, and writes the report beside
/// them; empty when there is none. A report that cannot be made is a warning: the results are there
/// all the same. RunError when the end of the results cannot be written.
std::string write_report_beside(const ResultsArgument& argument,
                                OutputSink& sink,
                                const io::ModelFile& file,
                                const Report& facts,
                                const report::RunNotes& notes);

/// What there is to look at now, and how.
void print_results(const OutputSink& sink, const std::string& report);

/// Tells what is left of a run that did not reach its end.
void print_remains(OutputSink& sink);

/// Report and last lines of an analysis that ended with this outcome; the exit code.
int finish_results(const ResultsArgument& argument,
                   const io::ModelFile& file,
                   OutputSink& sink,
                   const Report& facts,
                   const std::vector<std::string>& notes);

}  // namespace trammel::cli
