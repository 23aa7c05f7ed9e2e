/** Finds what can be seen on the page right now. */

/** The first of these places that can be seen; while a question is on screen, its answer, or else the question. */
export function visibleAt(places: string[]): Element | null {
  if (places.length === 0) return null;
  const question = firstOf(["main [role=dialog]"], document);
  return question === null ? firstOf(places, document) : (firstOf(places, question) ?? question);
}

function firstOf(places: string[], within: ParentNode): Element | null {
  for (const place of places) {
    const shown = [...within.querySelectorAll(place)].find((one) => one.getBoundingClientRect().width > 0);
    if (shown) return shown;
  }
  return null;
}
