/** How advice is shown: loaded when somebody plays, since nothing before the first action needs it. */
export { default as Layer } from "./Layer.svelte";
export * as said from "./said";
