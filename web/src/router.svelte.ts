/** Which screen the address asks for. */
export type Route = { screen: "home" } | { screen: "new"; game: string } | { screen: "about" } | { screen: "table"; id: string };

export function routeOf(path: string): Route {
  const table = /^\/t\/([^/]+)$/.exec(path);
  if (table) return { screen: "table", id: decodeURIComponent(table[1]) };
  const made = /^\/new(?:\/([^/]+))?$/.exec(path);
  if (made) return { screen: "new", game: decodeURIComponent(made[1] ?? "") };
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
