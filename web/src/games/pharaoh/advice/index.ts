/** Advice on the page: brought when somebody plays, since nothing before the first action needs it. */
export { Adviser } from "./adviser.svelte";
export { default as Layer } from "./Layer.svelte";
export * as said from "./said";
