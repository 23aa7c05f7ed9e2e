import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { catalogues } from "./tools/catalogues.ts";
import { fileOf } from "./tools/chunks.ts";
import { lean } from "./tools/lean.ts";
import { materials } from "./tools/materials.ts";
import { previews } from "./tools/previews.ts";

export default defineConfig({
  plugins: [lean(), svelte(), catalogues(), materials(), previews()],
  // Files find each other relatively: Serai may live below a path that is not known yet.
  base: "./",
  build: {
    outDir: "../src/serai/web",
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy allows no data: addresses and no inline code.
    assetsInlineLimit: 0,
    // Only a table is asked for together with all that it needs: to list that for every part that is loaded later would
    // weigh more than it saves.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed) => (/TablePage/.test(file) ? needed : []),
    },
    rolldownOptions: {
      // Merging what several files share into a game's file loses that game's exports (rolldown 1.2.14).
      experimental: { chunkOptimization: false },
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf }] } },
    },
  },
  server: { fs: { allow: [".."] } },
  test: {
    pool: "threads",
    maxWorkers: 2,
    // On a busy machine much of it may pass before the first test of a file has all that it needs.
    testTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.ts", "tests/games/*/*.test.ts"],
          environment: "node",
          // Each file in a process of its own only in the long form: starting them costs more than all they do.
          isolate: process.env.SERAI_SOAK === "1",
        },
      },
      {
        extends: true,
        plugins: [svelteTesting({ autoCleanup: false })],
        test: {
          name: "dom",
          include: ["tests/dom/*.test.ts", "tests/games/*/dom/**/*.test.ts"],
          environment: "happy-dom",
          environmentOptions: { happyDOM: { url: "http://serai.test/" } },
          // Every visit loads all of the page anew (kit.ts), so files need not be kept apart.
          isolate: process.env.SERAI_SOAK === "1",
        },
      },
      {
        extends: true,
        plugins: [svelteTesting({ autoCleanup: false })],
        test: {
          name: "component",
          include: ["tests/dom/component/*.test.ts"],
          environment: "happy-dom",
          environmentOptions: { happyDOM: { url: "http://serai.test/" } },
        },
      },
    ],
  },
});
