/** Where the page begins: the language first, then everything else. */
import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import { startLanguage } from "./i18n/language.svelte";
import { preferences } from "./ui/preferences.svelte";

const page = document.getElementById("page");
if (page === null) throw new Error("index.html has no element #page");
// Not by a top-level await: the files of words import from this one, and would wait for it to end.
export const app = startLanguage(preferences.language).then(() => mount(App, { target: page }));
