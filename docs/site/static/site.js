// Formulas by KaTeX; reports in the colours of the page; long names that may break.
"use strict";

function typeset() {
  for (const element of document.querySelectorAll(".math")) {
    const options = { displayMode: element.tagName === "DIV", throwOnError: false, output: "htmlAndMathml" };
    if (window.katex) window.katex.render(element.textContent, element, options);
  }
}

// Long names in tables break between their words: ChLink|Lock|Revolute.
function allow_breaks() {
  for (const code of document.querySelectorAll("td code .pre, td code:not(:has(.pre))")) {
    const parts = code.textContent.split(/(?<=[a-z])(?=[A-Z])/);
    if (parts.length < 2) continue;
    code.replaceChildren(...parts.flatMap((part) => [document.createElement("wbr"), part]).slice(1));
  }
}

// The report takes its settings from its address when it is loaded.
function show_reports() {
  for (const frame of document.querySelectorAll("iframe[data-report]")) {
    const address = `${frame.dataset.report}#embed&theme=${document.body.dataset.theme}`;
    if (frame.getAttribute("src") === address) continue;
    const fresh = frame.cloneNode();
    fresh.setAttribute("src", address);
    frame.replaceWith(fresh);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  typeset();
  allow_breaks();
  show_reports();
  new MutationObserver(show_reports).observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
});
