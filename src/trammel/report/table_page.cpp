#include "trammel/report/table_page.h"

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/report/json_writer.h"
#include "trammel/results/output_file.h"

namespace trammel::report {
namespace {

constexpr const char* page_styles = R"(*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;color-scheme:light dark}
body{max-width:1240px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:25px;line-height:1.2;margin:0 0 6px}h2{font-size:18px;margin:34px 0 6px}
p{margin:6px 0;max-width:96ch}.lead{font-size:16px}code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 18px;margin:14px 0;font-size:14px}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.keys{display:flex;flex-wrap:wrap;gap:6px 26px;margin:18px 0 8px;position:sticky;top:0;background:var(--paper);
padding:8px 0;border-bottom:1px solid var(--rule);z-index:1}
.keys fieldset{border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;align-items:center;gap:2px 12px}
.keys legend{float:left;color:var(--soft);font-size:13px;padding:0;margin-right:2px}
.keys label{display:inline-flex;align-items:center;gap:5px;font-size:13px;cursor:pointer}
.keys label.off{opacity:.4}.keys input{margin:0;accent-color:var(--c0)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(460px,100%),1fr));gap:14px}
figure{margin:0;padding:8px 10px;background:var(--card);border:1px solid var(--rule);border-radius:8px}
.scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:8px;background:var(--card)}
table{border-collapse:collapse;font-size:12.5px;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:4px 7px;text-align:right;white-space:nowrap}th.t,td.t{text-align:left}
thead th{font-weight:600;color:var(--soft);border-bottom:1px solid var(--rule);cursor:pointer;user-select:none}
thead th[aria-sort=ascending]:after{content:" \25B4"}thead th[aria-sort=descending]:after{content:" \25BE"}
tbody tr:nth-child(even){background:color-mix(in srgb,var(--grid) 45%,transparent)}
tbody tr:hover{background:color-mix(in srgb,var(--c0) 16%,transparent)}
tr.hidden,svg .line.hidden{display:none}
td.good{color:var(--c2);font-weight:600}td.doubtful{color:var(--c4);font-weight:600}
td.bad{color:var(--c1);font-weight:600}td.faint{color:var(--soft)}
@media print{.keys{position:static}figure,.scroll{break-inside:avoid;border-color:#ccc}}
)";

// Sorting, keys and pointing at rows. Works on classes only, so that the page needs no data twice.
constexpr const char* page_script = R"((()=>{
const all=(s,r=document)=>[...r.querySelectorAll(s)];
all("table").forEach(table=>all("thead th",table).forEach((head,column)=>{
  head.tabIndex=0;
  const sort=()=>{
    const down=head.getAttribute("aria-sort")==="ascending";
    all("thead th",table).forEach(h=>h.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort",down?"descending":"ascending");
    const numeric=!head.classList.contains("t"),body=table.tBodies[0];
    const value=row=>{const c=row.cells[column];return numeric?parseFloat(c.dataset.v):c.textContent;};
    const rows=[...body.rows].sort((a,b)=>{
      const x=value(a),y=value(b);
      if(numeric){if(isNaN(x))return isNaN(y)?0:1;if(isNaN(y))return -1;return down?y-x:x-y;}
      return (down?-1:1)*x.localeCompare(y,"en",{numeric:true});});
    rows.forEach(row=>body.append(row));
  };
  head.addEventListener("click",sort);
  head.addEventListener("keydown",e=>{if(e.key==="Enter"||e.key===" "){e.preventDefault();sort();}});
}));
const boxes=all(".keys input");
const refresh=()=>{
  const off=boxes.filter(b=>!b.checked).map(b=>b.value);
  boxes.forEach(b=>b.parentElement.classList.toggle("off",!b.checked));
  all("svg.chart .line,tbody tr").forEach(e=>e.classList.toggle("hidden",off.some(c=>e.classList.contains(c))));
};
boxes.forEach(b=>b.addEventListener("change",refresh));refresh();
const point=name=>all("svg.chart .line").forEach(line=>{
  line.classList.toggle("faded",!!name&&!line.classList.contains(name));
  line.classList.toggle("front",!!name&&line.classList.contains(name));});
all("tbody tr").forEach(row=>{const name=[...row.classList].find(c=>c.startsWith("g-"));
  if(!name)return;row.addEventListener("mouseenter",()=>point(name));row.addEventListener("mouseleave",()=>point(""));});
all("svg.chart .line").forEach(line=>{const name=[...line.classList].find(c=>c.startsWith("g-"));
  if(!name)return;line.addEventListener("mouseenter",()=>point(name));line.addEventListener("mouseleave",()=>point(""));});
})();)";

std::string generator_mark(const std::string& generator) {
  return fmt::format(R"(<meta name="generator" content="{}">)", escaped_html(generator));
}

std::string table_text(const PageTable& table) {
  std::string text = fmt::format("<h2>{}</h2>\n{}<div class=\"scroll\"><table>\n<thead><tr>",
                                 escaped_html(table.title), table.text);
  for (const PageColumn& column : table.columns) {
    text +=
        fmt::format(R"(<th scope="col"{} title="{}">{}</th>)", column.numeric ? "" : " class=\"t\"",
                    escaped_html(column.hint), escaped_html(column.name));
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const PageRow& row : table.rows) {
    text += fmt::format("<tr class=\"{}\">", fmt::join(row.classes, " "));
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const PageCell& cell = row.cells[i];
      const bool numeric = table.columns[i].numeric;
      text += fmt::format("<td class=\"{}{}\"", numeric ? "" : "t ", cell.style);
      if (numeric) text += fmt::format(" data-v=\"{:.6g}\"", cell.sort);
      if (!cell.hint.empty()) text += fmt::format(" title=\"{}\"", escaped_html(cell.hint));
      text += fmt::format(">{}</td>", escaped_html(cell.text));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string keys_text(const std::vector<PageKey>& keys) {
  if (keys.empty()) return {};
  std::string text = "<div class=\"keys\">";
  std::string group;
  for (const PageKey& key : keys) {
    if (key.group != group) {
      if (!group.empty()) text += "</fieldset>";
      group = key.group;
      text += fmt::format("<fieldset><legend>{}</legend>", escaped_html(group));
    }
    text += fmt::format(R"(<label><input type="checkbox" checked value="{}">{}{}</label>)",
                        key.line_class, key.sample, escaped_html(key.name));
  }
  return text + "</fieldset></div>\n";
}

bool was_written_by(const std::filesystem::path& path, const std::string& generator) {
  std::ifstream file(path, std::ios::binary);
  std::string head(2000, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head.find(generator_mark(generator)) != std::string::npos;
}

}  // namespace

std::string html(const TablePage& page) {
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{}\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      generator_mark(page.generator), escaped_html(page.title), chart_styles(), page_styles,
      escaped_html(page.title));
  if (!page.lead.empty()) text += fmt::format("<p class=\"lead\">{}</p>\n", page.lead);
  if (!page.facts.empty()) {
    text += "<dl>";
    for (const auto& [term, fact] : page.facts) {
      text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped_html(term), escaped_html(fact));
    }
    text += "</dl>\n";
  }
  text += keys_text(page.keys) + "<div class=\"charts\">\n";
  for (const Chart& chart : page.charts) text += "<figure>" + svg(chart) + "</figure>\n";
  text += "</div>\n";
  for (const PageTable& table : page.tables) text += table_text(table);
  text += page.remarks;
  return text + fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script);
}

void check_page_path(const std::filesystem::path& path,
                     const std::string& generator,
                     bool overwrite) {
  results::check_output_path(path, results::FileKind::html,
                             overwrite || was_written_by(path, generator));
}

void write_page(const std::filesystem::path& path, const TablePage& page, bool overwrite) {
  check_page_path(path, page.generator, overwrite);
  results::write_whole(path, results::FileKind::html, html(page), true);
}

}  // namespace trammel::report
