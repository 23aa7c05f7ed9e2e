/** Finds what can be seen on the page right now. */

/** The first of these places that can be seen; a question on screen comes before what it was asked about. */
export function visibleAt(places: string[]): Element | null {
  for (const place of places.length > 0 ? ["main [role=dialog]", ...places] : []) {
    const shown = [...document.querySelectorAll(place)].find((one) => one.getBoundingClientRect().width > 0);
    if (shown) return shown;
  }
  return null;
}
