/** What stands beside a replay when the game is reviewed; loaded when that is asked for. */
export { beside, type Beside } from "./beside.svelte";
export { default as Course } from "./Course.svelte";
export { default as Summary } from "./Summary.svelte";
