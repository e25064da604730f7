// What all computations started from Python share: they run without the GIL, Ctrl-C stops them, and
// what they had by then is kept, with the reason of their end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model_handle.h"
#include "report_text.h"
#include "results_handle.h"
#include "run_sink.h"

#include "trammel/analysis/simulate.h"

namespace trammel::python {

/// One computation with a model: its functions, Ctrl-C and errors. Made, read and destroyed with
/// the GIL.
class Computation {
 public:
  using Work =
      std::function<void(const model::Description& description, model::ModelSystem& system)>;

  /// Analyses look at the rows of drives; simulations need none for coordinates of hinges.
  Computation(const ModelHandle& model,
              const pybind11::list& functions,
              bool main_thread,
              formulation::HingeDrives drives = formulation::HingeDrives::rows);

  /// Compiles the model and does the work without the GIL. A RunError is its ending; an InputError
  /// is thrown, unless Python code raised before, of which it is then a consequence.
  void run(const Work& work);
  /// Told by the work: it ended early.
  void fail(const std::string& message, const std::string& remedy) { error_ = {message, remedy}; }

  /// {error, callback, interrupt}, which model.py raises. A signal that stopped the work is handled
  /// here: once Python code runs again, it would raise before anybody had the results.
  pybind11::dict ending() const;

  const ModelHandle& model() const { return model_; }
  const FunctionSet& functions() const { return functions_; }
  CallbackState& state() { return state_; }

 private:
  using Error = std::pair<std::string, std::string>;  ///< what, and what to try

  const ModelHandle& model_;
  CallbackState state_;
  FunctionSet functions_;
  bool main_thread_;
  formulation::HingeDrives drives_;
  std::optional<Error> error_;
  bool stopped_ = false;  ///< on demand
};

/// "pin: point x" for every row.
std::vector<std::string> row_texts(const std::vector<model::RowName>& rows);

/// What the caller wants recorded, and what stands in the results about their origin.
struct Request {
  std::vector<std::string> channels;
  std::string output;
  bool overwrite = false;
  bool main_thread = true;
  double time_limit = 0.0;  ///< s; 0: none
  std::string text;         ///< of the model, for the record
  std::string started;
  std::map<std::string, std::string> more;
  analysis::SecondRun second_run = analysis::SecondRun::when_cheap;
  bool certify = false;
};

/// The rows of a computation: in memory, and in a file if one is wanted.
class Recording {
 public:
  /// InputError when the file is in the way.
  Recording(Computation& computation,
            const Request& request,
            const pybind11::object& callback = pybind11::none());

  /// For an analysis that writes its rows here. `method` is what the results say about it.
  analysis::SimulationOptions options(const std::string& method = {});
  /// What the report says, besides the warnings of the model.
  void tell(const cli::Report& facts, const std::vector<std::string>& notes) {
    tell(facts, report::RunNotes{.warnings = notes});
  }
  void tell(const cli::Report& facts, const report::RunNotes& notes);
  /// The results, at the end.
  std::shared_ptr<ResultsHandle> take();

 private:
  Computation& computation_;
  const Request& request_;
  RunSink sink_;
  std::shared_ptr<ResultsHandle> handle_ = std::make_shared<ResultsHandle>();
};

}  // namespace trammel::python
