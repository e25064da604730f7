import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// One classic script with everything in it, the style sheet too: it is pasted into HTML files that open from disk.
export default defineConfig({
  build: {
    target: "es2021",
    lib: { entry: "src/main.ts", name: "trammelViewer", formats: ["iife"], fileName: () => "viewer.js" },
    rollupOptions: { output: { exports: "named" } },
    reportCompressedSize: false,
  },
  esbuild: { charset: "ascii", legalComments: "none" },
  plugins: [
    {
      // Whoever passes on a report passes on what it is made of: their notices head the script.
      name: "notices",
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== "chunk") continue;
          const names = new Set(Object.keys(file.modules).flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []));
          const notices = [...names].sort().map((name) => {
            const text = readFileSync(new URL(`node_modules/${name}/LICENSE`, import.meta.url), "utf8");
            return `${name}\n\n${text.trim()}`.replaceAll("*/", "* /").replace(/[^\x00-\x7f]/g, (c) => (c === "\u00a9" ? "(c)" : "?"));
          });
          file.code = `/*!\nTrammel is under the Apache License 2.0. This script contains:\n\n${notices.join("\n\n")}\n*/\n${file.code}`;
        }
      },
    },
    {
      // The text of a <script> element must not contain its own end.
      name: "no-script-end",
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk") file.code = file.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
        }
      },
    },
  ],
});
