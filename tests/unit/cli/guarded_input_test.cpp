// What a model or a command line may ask for, and what is refused, bounded or escaped.
#include <chrono>
#include <cmath>
#include <map>
#include <regex>

#include "command_line.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "trammel/results/reader.h"

namespace trammel::cli::testing {
namespace {

using Words = std::vector<std::string>;

const std::string trials = TRAMMEL_SOURCE_DIR "/tests/data/trials/";

constexpr const char* pendulum =
    "trammel: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n  rod: {mass: 1, inertia: 0.1, position: [0.5, 0], frames: {top: [-0.5, 0]}}\n"
    "joints:\n  pin: {type: revolute, between: [ground, rod.top]}\n";

constexpr const char* driven =
    "drives:\n  motor: {type: position, coordinate: pin.angle, motion: 1 rad/s * time}\n";

// ---- counts

TEST(Counts, StepsAndRowsThatNobodyCanWaitForAreRefusedWithTheirNumber) {
  const Folder folder;
  const std::map<std::string, std::string> expected{
      {"tiny_step", "5e+13 steps of 1e-15 s until t = 0.05 s are too many"},
      {"tinier_step", "1e+20 steps of 1e-20 s until t = 1 s are too many"},
      {"tiny_output_step", "1e+300 steps of 1e-300 s until t = 1 s are too many"}};
  for (const auto& [name, message] : expected) {
    for (const char* command : {"run", "check"}) {
      const Answer answer = folder.run({command, trials + name + ".yaml"});
      EXPECT_EQ(answer.code, 2) << command << " " << name;
      EXPECT_TRUE(contains(answer.err, message)) << answer.err;
      EXPECT_TRUE(contains(answer.err, name + ".yaml:8:")) << answer.err;  // where it stands
    }
    EXPECT_FALSE(std::filesystem::exists(folder / (name + ".h5")));
  }
}

TEST(Counts, HoldForEveryCommandThatMarches) {
  const Folder folder;
  folder.put("free.yaml", pendulum);
  folder.put("driven.yaml", std::string(pendulum) + driven);
  for (const Words& words : {Words{"run", "free.yaml", "--step", "1e-15"},
                             Words{"run", "free.yaml", "--output-step", "1e-300"},
                             Words{"kinematics", "driven.yaml", "--step", "1e-15"},
                             Words{"inverse", "driven.yaml", "--step", "1e-15"},
                             Words{"dof", "driven.yaml", "--step", "1e-15"},
                             Words{"dof", "free.yaml", "--step", "1e-15"},
                             Words{"compare", "free.yaml", "--step", "1e-15"}}) {
    const Answer answer = folder.run(words);
    EXPECT_EQ(answer.code, 2) << words[0] << " " << answer.out;
    EXPECT_TRUE(contains(answer.err, "steps of 1e-") && contains(answer.err, "are too many"))
        << words[0] << ": " << answer.err;
  }
}

// ---- names

TEST(Names, AStateNamedLikeAUnitIsRefusedInTheseWords) {
  const Folder folder;
  const Answer answer = folder.run({"check", trials + "state_named_t.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(
      contains(answer.err, "states.t: 't' is a unit (tonne); choose another name, e.g. t_1"))
      << answer.err;
  EXPECT_TRUE(contains(answer.err, "sensors.h: 'h' is a unit (hour)")) << answer.err;
}

TEST(Counts, TimesWhoseSquaresAreNoNumbersAreRefusedByEveryCommandThatMarches) {
  const Folder folder;
  folder.put("free.yaml", pendulum);
  folder.put("driven.yaml", std::string(pendulum) + driven);
  for (const char* until : {"1e-200", "1e-100"}) {
    for (const Words& words :
         {Words{"run", "free.yaml"}, Words{"run", "free.yaml", "-m", "newmark"},
          Words{"run", "free.yaml", "-m", "dormand-prince"}, Words{"kinematics", "driven.yaml"},
          Words{"inverse", "driven.yaml"}, Words{"compare", "free.yaml", "--step", until}}) {
      Words all = words;
      all.insert(all.end(), {"--until", until});
      const Answer answer = folder.run(all);
      EXPECT_EQ(answer.code, 2) << words[0] << " " << until << answer.out;
      EXPECT_TRUE(contains(answer.err, std::string(until) + " s is too short to be computed with"))
          << answer.err;
    }
  }
  EXPECT_EQ(folder.run({"run", "free.yaml", "--until", "1e-70", "--no-report"}).code, 0);
  const results::Table table = results::read(folder / "free.h5");
  for (const double value : table.column(std::size_t{0})) {
    EXPECT_TRUE(std::isfinite(value));
  }
}

// Found by a mutated model: a frame 1e300 m away, whose sensors were angles of nothing.
TEST(Numbers, ThatAreNotFiniteAreToldByEveryAnalysis) {
  const Folder folder;
  const std::string lever = R"yaml(
trammel: 1
space: planar
bodies:
  lever: {mass: 1 kg, inertia: 0.1, angle: 10 deg}
joints:
  pin: {type: revolute, between: [ground, lever]}
forces:
  spring: {type: coordinate_spring, coordinate: pin.angle, stiffness: 10}
sensors:
  odd: {type: formula, formula: "log(-1 - lever.angle/(1 rad)*(lever.angle/(1 rad)))"}
)yaml";
  folder.put("lever.yaml", lever);
  folder.put("driven.yaml", lever + R"yaml(
drives:
  motor: {type: position, coordinate: pin.angle, motion: "10 deg + 1 rad/s*time"}
)yaml");
  for (const char* command : {"statics", "modes"}) {
    const Answer answer = folder.run({command, "lever.yaml", "-f", "--no-report"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(contains(answer.err, "'odd' is not finite at t = 0 s")) << command << answer.err;
  }
  for (const char* command : {"kinematics", "inverse"}) {
    const Answer answer = folder.run({command, "driven.yaml", "-u", "0.1 s", "-f", "--no-report"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(contains(answer.err, "'odd' is not finite at t = 0 s")) << command << answer.err;
  }
}

TEST(Numbers, ThatAreNotFiniteAreTold) {
  const Folder folder;
  folder.put("ratio.yaml", std::string(pendulum) +
                               "sensors: {ratio: {type: formula, formula: pin.angle / time}}\n");
  const Words command{"run", "ratio.yaml", "-u", "0.1 s", "-f", "--no-report"};
  const Answer answer = folder.run(command);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.err, "'ratio' is not finite at t = 0 s")) << answer.err;
  EXPECT_TRUE(contains(results::inspect(folder / "ratio.h5").message, "'ratio' is not finite"));
  Words strict = command;
  strict.emplace_back("--strict");
  EXPECT_EQ(folder.run(strict).code, 3);
}

// ---- time limits

TEST(TimeLimits, EndARunAsOneThatIsStopped) {
  const Folder folder;
  folder.put("free.yaml", pendulum);
  const Answer answer = folder.run(
      {"run", "free.yaml", "--until", "1e6 s", "--output-step", "1 s", "--time-limit", "0.5 s"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_TRUE(contains(answer.err, "the time limit of 0.5 s was reached at t = ")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "is readable and holds")) << answer.err;
  const results::Contents contents = results::inspect(folder / "free.h5");
  EXPECT_EQ(contents.outcome, results::Outcome::stopped);
  EXPECT_GE(contents.rows, 2u);
}

TEST(TimeLimits, HoldForEveryCommandThatMarches) {
  const Folder folder;
  folder.put("free.yaml", pendulum);
  folder.put("driven.yaml", std::string(pendulum) + driven);
  const Words limit{"--until", "1e6 s", "--time-limit", "0.3 s"};
  for (const Words& first : {Words{"kinematics", "driven.yaml"}, Words{"inverse", "driven.yaml"},
                             Words{"dof", "driven.yaml"}, Words{"dof", "free.yaml"},
                             Words{"compare", "free.yaml", "--step", "1 ms"}}) {
    Words words = first;
    words.insert(words.end(), limit.begin(), limit.end());
    const auto start = std::chrono::steady_clock::now();
    const Answer answer = folder.run(words);
    EXPECT_EQ(answer.code, 1) << words[0] << answer.err;
    EXPECT_TRUE(contains(answer.err, "the time limit of 0.3 s was reached")) << answer.err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << words[0];
  }
}

TEST(TimeLimits, EndTheSearchForARest) {
  // A chain so long that relaxation takes minutes.
  const Folder folder;
  std::string model = "trammel: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n";
  std::string joints = "joints:\n";
  std::string before = "ground";
  for (int i = 0; i < 60; ++i) {
    const std::string name = fmt::format("b{}", i);
    model += fmt::format(
        "  {}: {{mass: 1, inertia: 0.1, position: [{}, 0], frames: {{end: [1, 0]}}}}\n", name, i);
    joints += fmt::format("  j{}: {{type: revolute, between: [{}, {}]}}\n", i, before, name);
    before = name + ".end";
  }
  folder.put("chain.yaml", model + joints);
  for (const Words& words :
       {Words{"statics", "chain.yaml", "-m", "relaxation"}, Words{"modes", "chain.yaml"}}) {
    Words limited = words;
    limited.insert(limited.end(), {"--time-limit", "0.2 s"});
    const Answer answer = folder.run(limited);
    EXPECT_EQ(answer.code, 1) << words[0] << answer.out;
    EXPECT_TRUE(contains(answer.err, "the time limit of 0.2 s was reached while ")) << answer.err;
    EXPECT_TRUE(contains(answer.err, "start nearer to it")) << answer.err;
  }
}

TEST(Pipes, AsModelsAreRefusedWithoutWaitingUnlessTheShellMadeThem) {
  const Folder folder;
  folder.put("free.yaml", pendulum);
  ASSERT_EQ(::mkfifo((folder / "pipe.yaml").c_str(), 0600), 0);  // nobody ever writes to it
  for (const char* command : {"check", "run", "compare", "format", "info", "statics"}) {
    for (const char* name : {"pipe.yaml", "/dev/zero"}) {
      const Answer answer = folder.run({command, name, "--time-limit", "5 s"});
      EXPECT_EQ(answer.code, 2) << command << name << answer.err;
      EXPECT_TRUE(contains(answer.err, "is no regular file but a pipe or device")) << answer.err;
    }
    if (std::string(command) == "compare") continue;
    const std::string line =
        fmt::format("cat free.yaml | {} {} /dev/stdin > out", TRAMMEL_CLI, command);
    EXPECT_EQ(folder.run_program("sh", {"-c", line}).code, 0) << command;
  }
}

TEST(TimeLimits, MustBeTimes) {
  const Folder folder;
  folder.put("free.yaml", pendulum);
  for (const char* limit : {"0", "-1 s", "5 kg", "soon"}) {
    const Answer answer = folder.run({"statics", "free.yaml", "--time-limit", limit});
    EXPECT_EQ(answer.code, 2) << limit;
    EXPECT_TRUE(contains(answer.err, "is no time above zero")) << answer.err;
  }
}

// ---- what is printed

TEST(Messages, HoldNothingThatATerminalWouldObey) {
  const Folder folder;
  folder.put("evil.yaml", std::string(pendulum) + "name: \"\\e]0;title\\a\\e[2J\"\n");
  for (const char* command : {"check", "info"}) {
    const Answer answer = folder.run({command, "evil.yaml"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(contains(answer.out, "\\x1b]0;title\\x07\\x1b[2J")) << answer.out;
    EXPECT_FALSE(contains(answer.out, "\x1b]")) << answer.out;
  }
  folder.put("wrong.yaml", std::string(pendulum) + "simulation: {integrator: \"\\e[31mred\"}\n");
  const Answer answer = folder.run({"check", "wrong.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "\\x1b[31mred")) << answer.err;
  EXPECT_FALSE(contains(answer.err, "\x1b")) << answer.err;
  EXPECT_FALSE(contains(folder.run({"check", "no\x1b[31m.yaml"}).err, "\x1b"));
}

// Whatever somebody else wrote: it steers no terminal, and no line of the program begins with it.
void expect_own_lines(const Answer& answer, const Words& words) {
  for (const std::string& text : {answer.out, answer.err}) {
    for (const char c : text) {
      const bool harmless = static_cast<unsigned char>(c) >= 0x20U && c != '\x7f';
      ASSERT_TRUE(harmless || c == '\n') << fmt::format("{}", fmt::join(words, " ")) << text;
    }
    EXPECT_FALSE(contains("\n" + text, "\nerror: y"))
        << fmt::format("{}", fmt::join(words, " ")) << "\n"
        << text;
  }
}

// The names of a list in a help text: what stands first in the lines below a title.
std::vector<std::string> listed(const std::string& help, const std::regex& pattern) {
  std::vector<std::string> names;
  for (std::sregex_iterator it(help.begin(), help.end(), pattern), end; it != end; ++it) {
    names.push_back(it->str(1));
  }
  return names;
}

const std::string evil = "x\nerror: y\x1b[31m\r\xE2\x80\xA8z";

TEST(Messages, OfEveryCommandAndOptionBeginNoLineWithWhatTheyQuote) {
  const Folder folder;
  folder.put("model.yaml", std::string(pendulum) + driven);
  ASSERT_EQ(folder.run({"run", "model.yaml", "-u", "0.1", "-q", "--no-report"}).code, 0);
  const std::regex command_pattern("\n  ([a-z]+)  ");
  const std::regex option_pattern("(--[a-z-]+)");
  const Words commands = listed(folder.run({"--help"}).out, command_pattern);
  ASSERT_GE(commands.size(), 18U);
  int tried = 0;
  const auto attempt = [&](const Words& words) {
    const Answer answer = folder.run(words);
    EXPECT_EQ(answer.signal, 0) << words[0];
    expect_own_lines(answer, words);
    ++tried;
  };
  attempt({evil});
  for (const std::string& command : commands) {
    attempt({command, evil});
    attempt({command, evil, "--" + evil});
    for (const char* ending : {".h5", ".yaml"}) attempt({command, evil + ending});
    if (command == "view" || command == "render")
      continue;  // one serves, the other needs a browser
    const bool reads_results = command == "plot" || command == "export" || command == "report";
    const std::string input = reads_results ? "model.h5" : "model.yaml";
    for (const std::string& option : listed(folder.run({command, "--help"}).out, option_pattern)) {
      if (option == "--help") continue;
      attempt({command, input, option, evil});
    }
  }
  EXPECT_GT(tried, 200);
}

TEST(Messages, OfCommandsThatSucceedShowTheNamesOfTheirFilesEscaped) {
  const Folder folder;
  folder.put("m" + evil + ".yaml", std::string(pendulum) + driven +
                                       "name: \"a\\nerror: y\"\nsimulation: {until: 0.1 s}\n");
  const std::string model = "m" + evil + ".yaml";
  const std::string results = "m" + evil + ".h5";
  for (const Words& words :
       {Words{"check", model}, Words{"info", model}, Words{"dof", model}, Words{"run", model},
        Words{"info", results}, Words{"plot", results, "pin.angle"}, Words{"report", results, "-f"},
        Words{"export", results, "--to", "csv"}, Words{"export", results, "--to", "glb"},
        Words{"export", results, "--summary"}, Words{"kinematics", model, "-f"},
        Words{"inverse", model, "-f"}, Words{"format", model, "--in-place"},
        Words{"compare", model, "-m", "newmark", "--index", "3", "--stabilisation", "none"},
        Words{"new", "pendulum", "n" + evil + ".yaml"}}) {
    const Answer answer = folder.run(words);
    EXPECT_EQ(answer.code, 0) << words[0] << answer.err;
    expect_own_lines(answer, words);
  }
}

TEST(Messages, OfForeignResultsShowTheirTextsEscaped) {
  const Folder folder;
  folder.put(
      "foreign.csv",
      "time,\"a\\nerror: y\x1b\"\n# trammel results: 1\n# info: model_name,\"b\\nerror: y\"\n"
      "# more: set,\"c=1\\nerror: y\"\n0,1\n1,2\n# outcome: failed\n# message: \"d\\nerror: y\"\n");
  for (const Words& words :
       {Words{"info", "foreign.csv"}, Words{"info", "foreign.csv", "--names"},
        Words{"export", "foreign.csv", "--summary"}, Words{"plot", "foreign.csv", "nothing"}}) {
    expect_own_lines(folder.run(words), words);
  }
}

TEST(Messages, ShowNoLineOfAFileThatIsNoModel) {
  const Folder folder;
  folder.put("secret.txt", "user: hunter2\n[oops\n");
  folder.put("model.yaml", std::string(pendulum) + "include: secret.txt\n");
  const Answer answer = folder.run({"check", "model.yaml"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_FALSE(contains(answer.err, "hunter2")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "'secret.txt' is no part of a model")) << answer.err;
}

TEST(Messages, BlameTheResultsBeforeTheReportBesideThem) {
  const Folder folder;
  folder.put("model.yaml", pendulum);
  const Answer answer = folder.run({"run", "model.yaml", "-o", "absent/x.h5"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "absent")) << answer.err;
  EXPECT_FALSE(contains(answer.err, ".html")) << answer.err;
}

TEST(Messages, OfARefusedIncludeAreNotFollowedByItsConsequences) {
  const Folder folder;
  for (const char* name : {"../part.yaml", "absent.yaml"}) {
    folder.put("model.yaml", fmt::format("trammel: 1\nspace: planar\ninclude: {}\n", name));
    const Answer answer = folder.run({"check", "model.yaml"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_TRUE(contains(answer.err, "error: include: ")) << answer.err;
    EXPECT_FALSE(contains(answer.err, "bodies")) << answer.err;
  }
}

TEST(Messages, OfFormulasReachCheck) {
  const Folder folder;
  folder.put("kinked.yaml",
             "trammel: 1\nspace: planar\n"
             "bodies:\n  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1, position: [1, 0]}\n"
             "joints:\n  p: {type: revolute, between: [ground, a]}\n"
             "  q: {type: revolute, between: [ground, b], at: [1, 0]}\n"
             "couplings:\n  c: {type: equation, equation: \"abs(p.angle) - q.angle\"}\n");
  const Answer answer = folder.run({"check", "kinked.yaml"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(contains(answer.err, "kinked.yaml:10:")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "warning: couplings.c")) << answer.err;
  EXPECT_TRUE(contains(answer.err, "kinks or jumps where a tangent is needed")) << answer.err;
}

TEST(Messages, TellThatTimesOfResultsRunBackwards) {
  const Folder folder;
  folder.put("back.csv", "time,x\n0,1\n1,2\n0.5,3\n");
  folder.put("twice.csv", "time,x\n0,1\n1,2\n1,3\n");  // before and after a jump
  for (const char* command : {"info", "export", "plot"}) {
    Words words{command, "back.csv"};
    if (words[0] == "export") words.emplace_back("--summary");
    if (words[0] == "plot") words.emplace_back("x");
    const Answer answer = folder.run(words);
    EXPECT_EQ(answer.code, 2) << command << answer.out;
    EXPECT_TRUE(contains(answer.err, "back.csv:4:1: error: the time goes back from 1 s to 0.5 s"))
        << answer.err;
    words[1] = "twice.csv";
    EXPECT_EQ(folder.run(words).code, 0) << command;
  }
}

TEST(Outside, FilesAreReadOnlyWithLeave) {
  const Folder folder;
  std::filesystem::create_directory(folder / "models");
  folder.put("part.yaml", "parameters: {length: 2}\n");
  folder.put("models/model.yaml", std::string(pendulum) + "include: ../part.yaml\n");
  for (const char* command : {"check", "info"}) {
    EXPECT_EQ(folder.run({command, "models/model.yaml"}).code, 2) << command;
    EXPECT_EQ(folder.run({command, "models/model.yaml", "--allow-outside"}).code, 0) << command;
  }
}

// ---- finished runs of compare belong to everything that they depend on

class KeptRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.put("model.yaml",
                std::string(pendulum) +
                    "include: part.yaml\ntables: {lift: {csv: lift.csv, interpolation: linear}}\n"
                    "forces: {push: {type: actuator, coordinate: pin.angle, "
                    "formula: \"1 N m * table(lift, time/1 s)\"}}\n");
    folder_.put(
        "part.yaml",
        "bodies: {block: {shape: {mesh: {file: block.obj, density: 1000}}, position: [5, 0]}}\n");
    folder_.put("lift.csv", "0,0\n0.05,1\n0.1,0\n");
    put_block("1");
  }
  void put_block(const std::string& height) {
    folder_.put("block.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 " + height +
                                 "\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  }
  bool keeps() {
    const Answer answer =
        folder_.run({"compare", "model.yaml", "--methods", "newmark", "--index", "3",
                     "--stabilisation", "none", "--step", "10 ms", "--until", "0.1 s"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    return contains(answer.out, "kept from before");
  }
  Folder folder_;
};

TEST_F(KeptRuns, AreMadeAnewWhenAnyFileOfTheModelChanges) {
  EXPECT_FALSE(keeps());
  EXPECT_TRUE(keeps());
  put_block("2");  // a mesh, and with it mass and inertia
  EXPECT_FALSE(keeps());
  EXPECT_TRUE(keeps());
  folder_.put("lift.csv", "0,0\n0.06,1\n0.12,0\n");  // the same values at other places
  EXPECT_FALSE(keeps());
  EXPECT_TRUE(keeps());
  folder_.put(
      "part.yaml",
      "bodies: {block: {shape: {mesh: {file: block.obj, density: 2000}}, position: [5, 0]}}\n");
  EXPECT_FALSE(keeps());
  EXPECT_TRUE(keeps());
}

}  // namespace
}  // namespace trammel::cli::testing
