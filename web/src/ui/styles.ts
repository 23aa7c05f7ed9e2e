/** Style sheets that could not be loaded: an import that is tried again does not ask for them again by itself. */

const failed = new Set<HTMLLinkElement>();

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failed.add(target);
  },
  true,
);

export async function loadFailedStyles(): Promise<void> {
  await Promise.all([...failed].map(loadAnew));
}

function loadAnew(link: HTMLLinkElement): Promise<unknown> {
  failed.delete(link);
  const again = link.cloneNode() as HTMLLinkElement;
  const done = new Promise((resolve) => (again.onload = again.onerror = resolve));
  link.replaceWith(again);
  return done;
}
