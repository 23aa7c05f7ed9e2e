/** Leaves out of Svelte what this page has no use for, and what a bundler cannot know to be unused. */
import type { Plugin } from "vite";

/** Custom elements, and with them components of the old kind: they are set up as soon as they are loaded. */
const UNUSED = /svelte\/src\/internal\/client\/dom\/elements\/custom-element\.js$/;

export function lean(): Plugin {
  return {
    name: "serai-lean",
    apply: "build",
    transform: {
      filter: { id: /svelte\/src\/internal\/client\// },
      handler: (code) => ({ code, map: null, moduleSideEffects: false }),
    },
    load(id) {
      return UNUSED.test(id) ? "export function create_custom_element() {}" : null;
    },
  };
}
