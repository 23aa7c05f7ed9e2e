/** Which screen the address asks for. */
export type Route =
  | { screen: "home" }
  | { screen: "new" }
  | { screen: "about" }
  | { screen: "mine" }
  | { screen: "table"; id: string }
  | { screen: "replay"; id: string | null; at: number | null }
  | { screen: "lesson"; game: string };

export function routeOf(path: string): Route {
  const table = /^\/t\/([^/]+)$/.exec(path);
  if (table) return { screen: "table", id: decodeURIComponent(table[1]) };
  const replay = /^\/replay(?:\/([^/]+)(?:\/(\d{1,6}))?)?$/.exec(path);
  if (replay) {
    const [, id, at] = replay;
    return { screen: "replay", id: id ? decodeURIComponent(id) : null, at: at ? Number(at) : null };
  }
  const lesson = /^\/learn\/([^/]+)$/.exec(path);
  if (lesson) return { screen: "lesson", game: decodeURIComponent(lesson[1]) };
  if (path === "/mine") return { screen: "mine" };
  if (path === "/new") return { screen: "new" };
  if (path === "/about") return { screen: "about" };
  return { screen: "home" };
}

let current = $state.raw<Route>(routeOf(location.pathname));

export function route(): Route {
  return current;
}

export function go(path: string): void {
  history.pushState(null, "", path);
  arrive();
}

function arrive(): void {
  current = routeOf(location.pathname);
  scrollTo(0, 0);
}

addEventListener("popstate", arrive);
// Links within the page change the screen without loading it anew.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.origin !== location.origin || link.hasAttribute("download") || link.target) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname);
});
