/** Where the page begins: the language first, then everything else. */
import { mount } from "svelte";
import App from "./App.svelte";
import "./theme.css";
import { startLanguage } from "./i18n/language.svelte";

const page = document.getElementById("page");
if (page === null) throw new Error("index.html has no element #page");
await startLanguage();
mount(App, { target: page });
