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
