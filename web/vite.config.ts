import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { catalogues } from "./tools/catalogues.ts";
import { fileOf } from "./tools/chunks.ts";
import { materials } from "./tools/materials.ts";
import { previews } from "./tools/previews.ts";

export default defineConfig({
  plugins: [svelte(), catalogues(), materials(), previews()],
  // Files find each other relatively: Serai may live below a path that is not known yet.
  base: "./",
  build: {
    outDir: "../src/serai/web",
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy allows no data: addresses and no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf }] } } },
  },
  server: { fs: { allow: [".."] } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
