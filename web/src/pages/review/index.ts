/** What stands beside a replay when the game is reviewed; loaded when that is asked for. */
export { beside, type Beside } from "./open.svelte";
export { default as Course } from "./GameCourse.svelte";
export { default as Summary } from "./Summary.svelte";
