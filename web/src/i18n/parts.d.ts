/** How every part of every catalogue is loaded; made by `tools/catalogues.ts` while the page is built. */
declare module "virtual:catalogues" {
  import type { Catalogue, Language } from "./catalogue";

  const loaders: Record<Language, Record<string, () => Promise<{ default: Partial<Catalogue> }>>>;
  export default loaders;
}
