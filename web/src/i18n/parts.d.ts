/** How every language is loaded, and from there every part of its catalogue; made by `tools/catalogues.ts`. */
declare module "virtual:catalogues" {
  import type { Catalogue, Language } from "./catalogue";

  interface Part {
    default: Partial<Catalogue>;
  }
  /** The words of the first screen, and how the others are loaded. */
  interface Page extends Part {
    parts: Record<string, () => Promise<Part>>;
  }
  const loaders: Record<Language, () => Promise<Page>>;
  export default loaders;
}
