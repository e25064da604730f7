// Stands in for the script of the theme, which Debian ships unbundled: light and dark, and the heading in view.
"use strict";

const dark_system = matchMedia("(prefers-color-scheme: dark)");

function stored_theme() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // some browsers keep nothing for pages from disk
  }
}

function apply_theme() {
  const chosen = stored_theme();
  const known = chosen === "light" || chosen === "dark";
  document.body.dataset.theme = known ? chosen : dark_system.matches ? "dark" : "light";
}

function toggle_theme() {
  const next = document.body.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("theme", next);
  } catch {
    // chosen for this page only
  }
  document.body.dataset.theme = next;
}

// Marks the last heading above the upper third of the window in the table of contents.
function mark_heading(links) {
  const limit = innerHeight / 3;
  let current = links[0];
  for (const link of links) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading && heading.getBoundingClientRect().top < limit) current = link;
  }
  for (const link of links) link.parentElement.classList.toggle("scroll-current", link === current);
}

document.documentElement.classList.remove("no-js");
apply_theme();
dark_system.addEventListener("change", apply_theme);
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.getElementsByClassName("theme-toggle")) button.addEventListener("click", toggle_theme);
  const links = [...document.querySelectorAll(".toc-tree a[href^='#']")].filter((link) => link.hash.length > 1);
  if (links.length === 0) return;
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark_heading(links);
    });
  };
  addEventListener("scroll", later, { passive: true });
  mark_heading(links);
});
