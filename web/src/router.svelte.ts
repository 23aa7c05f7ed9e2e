/** The screen on display, and the ways to another: links, the browser's own buttons, and `go`. */
import { at, pathOf } from "./address";

/** Which screen the address asks for. */
export type Route =
  | { screen: "home" }
  | { screen: "new"; game: string }
  | { screen: "about" }
  | { screen: "privacy" }
  | { screen: "host" }
  | { screen: "mine" }
  | { screen: "move" }
  | { screen: "table"; id: string }
  | { screen: "replay"; id: string | null; at: number | null; review: boolean }
  | { screen: "lesson"; game: string }
  | { screen: "train"; game: string; id: string }
  | { screen: "theme"; game: string; theme: string }
  | { screen: "rules"; game: string }
  | { screen: "insights"; game: string }
  | { screen: "game"; game: string; page: string };

export function routeOf(path: string): Route {
  const table = /^\/t\/([^/]+)$/.exec(path);
  if (table) return { screen: "table", id: decodeURIComponent(table[1]) };
  const own = /^\/g\/([^/]+)\/([^/]+)$/.exec(path);
  if (own) {
    const [, game, page] = own;
    return page === "rules" || page === "insights" ? { screen: page, game } : { screen: "game", game, page };
  }
  const replay = /^\/(replay|review)(?:\/([^/]+)(?:\/(\d{1,6}))?)?$/.exec(path);
  if (replay) {
    const [, how, id, at] = replay;
    return {
      screen: "replay",
      id: id ? decodeURIComponent(id) : null,
      at: at ? Number(at) : null,
      review: how === "review",
    };
  }
  const lesson = /^\/learn\/([^/]+)$/.exec(path);
  if (lesson) return { screen: "lesson", game: decodeURIComponent(lesson[1]) };
  const theme = /^\/train\/([^/]+)\/about\/([^/]+)$/.exec(path);
  if (theme) return { screen: "theme", game: decodeURIComponent(theme[1]), theme: decodeURIComponent(theme[2]) };
  const train = /^\/train(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path);
  if (train) return { screen: "train", game: decodeURIComponent(train[1] ?? ""), id: train[2] ?? "" };
  if (path === "/mine") return { screen: "mine" };
  if (path === "/move") return { screen: "move" };
  const made = /^\/new(?:\/([^/]+))?$/.exec(path);
  if (made) return { screen: "new", game: decodeURIComponent(made[1] ?? "") };
  if (path === "/privacy") return { screen: "privacy" };
  if (path === "/host") return { screen: "host" };
  if (path === "/about") return { screen: "about" };
  return { screen: "home" };
}

let current = $state.raw<Route>(here());

export function route(): Route {
  return current;
}

/** With `start`, to a table whose game is to begin at once. */
export function go(path: string, state: { start: boolean } | null = null): void {
  history.pushState(state, "", at(path));
  arrive();
}

function here(): Route {
  return routeOf(pathOf(location.pathname) ?? "/");
}

function arrive(): void {
  current = here();
  if (location.hash === "") scrollTo(0, 0);
}

addEventListener("popstate", arrive);
// Links within the page change the screen without loading it anew.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.origin !== location.origin || link.hasAttribute("download") || link.target) return;
  const path = pathOf(link.pathname);
  if (path === null || path.startsWith("/api/")) return;
  if (link.hash !== "" && link.pathname === location.pathname) return;
  event.preventDefault();
  go(path + link.search + link.hash);
});
