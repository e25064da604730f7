// A headless Chromium that draws in software, and pages that complain about everything on the console.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const candidates = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function chromium_path() {
  return candidates.find((path) => path && existsSync(path));
}

const drawing = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const no_drawing = ["--disable-gpu", "--disable-3d-apis"];

export async function launch({ webgl = true } = {}) {
  return chromium.launch({
    executablePath: chromium_path(),
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...(webgl ? drawing : no_drawing)],
  });
}

/** A page on which errors and warnings of the console are collected in `complaints`. */
export async function open(browser, address, { width = 1440, height = 860, scheme = "light", ratio = 1 } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    deviceScaleFactor: ratio,
    acceptDownloads: true,
  });
  // Drawing without a graphics card takes its time where other programs run.
  context.setDefaultTimeout(120000);
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    // Chromium itself warns about reading pixels from its software renderer.
    if (/GPU stall|software WebGL|swiftshader/i.test(message.text())) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.waitForSelector("#trammel[data-ready=true]", { state: "attached" });
  return { page, complaints, context };
}
