/** Where Serai lives: it may have a host of its own or the path of another site. Every address is made here. */

/** The path before everything, with a slash at its end. The server writes it into the page. */
const base = document.querySelector<HTMLMetaElement>('meta[name="serai-base"]')?.content ?? "/";

/** The build that this page is; empty where nobody says, as while it is being developed. */
export const ownBuild = document.querySelector<HTMLMetaElement>('meta[name="serai-build"]')?.content ?? "";

/** The address of something that Serai itself calls `path`, as "/about". */
export const at = (path: string): string => base + path.slice(1);

/** What Serai itself calls the thing at an address of this host, or `null` if it is none of Serai's. */
export const pathOf = (address: string): string | null =>
  address.startsWith(base) ? address.slice(base.length - 1) : null;
