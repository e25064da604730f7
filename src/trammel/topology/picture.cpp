#include "trammel/topology/picture.h"

#include <algorithm>

#include <fmt/format.h>

namespace trammel::topology {
namespace {

std::string count(int number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

const Edge& edge_of(const Tree& tree, int edge) {
  return tree.graph().edges[static_cast<std::size_t>(edge)];
}

std::string hinge_name(const Tree& tree, const Branch& branch) {
  if (branch.edge < 0) return "free";
  return edge_of(tree, branch.edge).name;
}

std::string matrix_text(const char* title, const Eigen::MatrixXi& matrix) {
  std::string text = fmt::format("\n{}\n", title);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += "  ";
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += fmt::format("{:>3}", matrix(i, j));
    text += "\n";
  }
  return text;
}

std::string loop_text(const Tree& tree, const Loop& loop) {
  std::string text = fmt::format("  {}:", edge_of(tree, loop.cut_joint).name);
  for (const int k : loop.branches) text += fmt::format(" {}", hinge_name(tree, tree.branch(k)));
  return text + "\n";
}

std::string branch_table(const Tree& tree) {
  std::string text = fmt::format("\nBranches\n{:>6}  {:<16}  {:>6}  {:<16}  {:<14}  {}\n", "number",
                                 "body", "parent", "hinge", "kind", "coordinates");
  for (int k = 1; k <= tree.bodies(); ++k) {
    const Branch& branch = tree.branch(k);
    const std::string kind = branch.edge < 0 ? "free" : edge_of(tree, branch.edge).kind;
    text += fmt::format("{:>6}  {:<16}  {:>6}  {:<16}  {:<14}  {}{}\n", k, tree.vertex(k).name,
                        branch.parent, branch.edge < 0 ? "(added)" : hinge_name(tree, branch), kind,
                        branch.coordinates, branch.reversed ? "  reversed" : "");
  }
  return text;
}

std::string wish_text(const Tree& tree) {
  std::string text;
  for (const auto& [wish, word] :
       {std::pair(Wish::open, "opened"), std::pair(Wish::keep, "kept")}) {
    std::string names;
    for (const Edge& edge : tree.graph().edges) {
      if (edge.wish == wish) names += (names.empty() ? "" : ", ") + edge.name;
    }
    if (!names.empty()) text += fmt::format("  {}: {}\n", word, names);
  }
  for (const Tie& tie : tree.graph().ties) {
    text += fmt::format("  tied: {} to {}\n",
                        tree.graph().vertices[static_cast<std::size_t>(tie.vertex)].name,
                        tree.graph().vertices[static_cast<std::size_t>(tie.to)].name);
  }
  return text.empty() ? text : "\nAs wished\n" + text;
}

std::string escaped(const std::string& text, const std::string& quote) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += quote == "xml" ? "&amp;" : "&";
    } else if (c == '<' && quote == "xml") {
      result += "&lt;";
    } else if (c == '"') {
      result += quote == "xml" ? "&quot;" : "\\\"";
    } else {
      result += c;
    }
  }
  return result;
}

std::string dot_name(const Tree& tree, int number) {
  return fmt::format("\"{}\"", escaped(tree.vertex(number).name, "dot"));
}

// Places of the bodies: a row per depth; a parent stands over the middle of its children.
class Layout {
 public:
  explicit Layout(const Tree& tree) : x(static_cast<std::size_t>(tree.bodies()) + 1, -1.0) {
    std::vector<std::vector<int>> children(x.size());
    for (int k = 1; k <= tree.bodies(); ++k) {
      children[static_cast<std::size_t>(tree.branch(k).parent)].push_back(k);
    }
    // Children have larger numbers and leaves come in order of their numbers.
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (children[k].empty()) x[k] = width++;
    }
    for (std::size_t k = x.size(); k-- > 0;) {
      if (children[k].empty()) continue;
      double sum = 0.0;
      for (const int child : children[k]) sum += x[static_cast<std::size_t>(child)];
      x[k] = sum / static_cast<double>(children[k].size());
    }
  }
  std::vector<double> x;
  double width = 0.0;
};

constexpr double column = 110.0;
constexpr double line = 80.0;

struct Place {
  double x;
  double y;
};

class Drawing {
 public:
  explicit Drawing(const Tree& tree) : tree_(tree), layout_(tree) {
    width_ = column * std::max(layout_.width, 1.0) + 20.0;
    height_ = line * (tree.depth() + 1) + 20.0;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 "
        "{0:g} {1:g}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width_, height_);
  }

  Place place(int number) const {
    const double depth = number == 0 ? 0.0 : tree_.branch(number).depth;
    return {10.0 + column * (layout_.x[static_cast<std::size_t>(number)] + 0.5),
            10.0 + line * (depth + 0.5)};
  }

  void arc(int from, int to, const std::string& label, const char* style, double bend) {
    const Place a = place(from);
    const Place b = place(to);
    const double mx = 0.5 * (a.x + b.x) + bend;
    const double my = 0.5 * (a.y + b.y) + 0.4 * bend;
    text_ += fmt::format(
        "<path d=\"M{:.1f} {:.1f} Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" {}/>\n<text "
        "x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#555\">{}</text>\n",
        a.x, a.y, mx, my, b.x, b.y, style, 0.25 * a.x + 0.5 * mx + 0.25 * b.x,
        0.25 * a.y + 0.5 * my + 0.25 * b.y + 4.0, escaped(label, "xml"));
  }

  void body(int number) {
    const Place p = place(number);
    const std::string name = number == 0 ? tree_.vertex(0).name
                                         : fmt::format("{} {}", number, tree_.vertex(number).name);
    text_ += fmt::format(
        "<ellipse cx=\"{0:.1f}\" cy=\"{1:.1f}\" rx=\"48\" ry=\"15\" fill=\"{2}\" "
        "stroke=\"#333\"/>\n<text x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>\n",
        p.x, p.y, number == 0 ? "#ddd" : "#eef4ff", p.y + 4.0, escaped(name, "xml"));
  }

  std::string finish() { return text_ + "</svg>\n"; }

 private:
  const Tree& tree_;
  Layout layout_;
  double width_ = 0.0;
  double height_ = 0.0;
  std::string text_;
};

}  // namespace

std::string to_text(const Tree& tree, int most_matrix_bodies) {
  std::string text =
      fmt::format("{}, {}, {}, depth {}, {}, {}\n", count(tree.bodies(), "body", "bodies"),
                  count(static_cast<int>(tree.graph().edges.size()), "joint", "joints"),
                  count(tree.trees(), "tree", "trees"), tree.depth(),
                  count(tree.coordinates(), "Lagrange coordinate", "Lagrange coordinates"),
                  count(static_cast<int>(tree.cut_joints().size()), "cut joint", "cut joints"));
  text += branch_table(tree);
  if (!tree.cut_joints().empty()) {
    text += "\nCut joints, each with the hinges of the loop it closes\n";
    for (const Loop& loop : tree.loops()) text += loop_text(tree, loop);
  }
  text += wish_text(tree);
  if (tree.bodies() == 0 || tree.bodies() > most_matrix_bodies) return text;
  text += "\nLocation column l (parent of each body)\n  ";
  for (const int parent : tree.location_column()) text += fmt::format("{:>3}", parent);
  text += "\n";
  text += matrix_text("Location matrix L = [S0; S] (rows: ground, bodies; columns: branches)",
                      tree.location_matrix());
  if (!tree.cut_joints().empty()) {
    text += matrix_text("Location matrix of the cut joints", tree.cut_joint_location_matrix());
  }
  return text + matrix_text("Tree matrix T (branch k on the path to body i)", tree.tree_matrix());
}

std::string to_dot(const Tree& tree) {
  std::string text = "digraph topology {\n  node [shape=ellipse];\n  edge [dir=none];\n";
  text += fmt::format("  {} [shape=box];\n", dot_name(tree, 0));
  for (int k = 1; k <= tree.bodies(); ++k) {
    const Branch& branch = tree.branch(k);
    text += fmt::format("  {} -> {} [label=\"{}\"{}];\n", dot_name(tree, branch.parent),
                        dot_name(tree, k), escaped(hinge_name(tree, branch), "dot"),
                        branch.edge < 0 ? ", style=dotted" : "");
  }
  for (const CutJoint& cut_joint : tree.cut_joints()) {
    text += fmt::format("  {} -> {} [label=\"{}\", style=dashed, constraint=false];\n",
                        dot_name(tree, cut_joint.from), dot_name(tree, cut_joint.to),
                        escaped(edge_of(tree, cut_joint.edge).name, "dot"));
  }
  return text + "}\n";
}

std::string to_svg(const Tree& tree) {
  Drawing drawing(tree);
  for (int k = 1; k <= tree.bodies(); ++k) {
    const Branch& branch = tree.branch(k);
    drawing.arc(branch.parent, k, hinge_name(tree, branch),
                branch.edge < 0 ? R"(stroke="#333" stroke-dasharray="2 4")" : R"(stroke="#333")",
                0.0);
  }
  for (const CutJoint& cut_joint : tree.cut_joints()) {
    drawing.arc(cut_joint.from, cut_joint.to, edge_of(tree, cut_joint.edge).name,
                R"(stroke="#c33" stroke-dasharray="8 5")", 60.0);
  }
  for (int k = 0; k <= tree.bodies(); ++k) drawing.body(k);
  return drawing.finish();
}

}  // namespace trammel::topology
