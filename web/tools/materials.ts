/**
 * What of others is in the built page: their licence texts (`licences.txt`, served with the page) and a bill of
 * materials in CycloneDX (`bom.cdx.json`, which the wheel carries). Read off the bundle itself, so nothing is
 * forgotten; a package without a licence text stops the build.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

const ROOT = join(import.meta.dirname, "../..");
const MODULES = join(import.meta.dirname, "../node_modules");
const LICENCE_FILE = /^licen[cs]e(\.(md|txt))?$/i;

interface Material {
  name: string;
  version: string;
  licence: string;
  text: string;
}

export function materials(): Plugin {
  return {
    name: "serai-materials",
    apply: "build",
    generateBundle(_options, bundle) {
      const bundled = packagesIn(bundle).map(material);
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licences(bundled) });
      this.emitFile({ type: "asset", fileName: "bom.cdx.json", source: bill(bundled) });
    },
  };
}

/** The names of the packages of which something ended up in the bundle. */
export function packagesIn(bundle: Rolldown.OutputBundle): string[] {
  const sources = Object.values(bundle).flatMap((part) =>
    part.type === "asset"
      ? part.originalFileNames
      : Object.entries(part.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : [])),
  );
  const found = sources.map(packageOf).filter((name) => name !== null);
  return [...new Set(found)].sort();
}

/** The package that a module belongs to; `null` for our own. */
export function packageOf(id: string): string | null {
  // What the tools themselves put in has no file.
  const made = /^\0(vite|rolldown)\//.exec(id);
  if (made !== null) return made[1]!;
  const below = id.split("node_modules/").at(-1)!;
  if (below === id) return null;
  const [first, second] = below.split("/");
  return first!.startsWith("@") ? `${first}/${second}` : first!;
}

function material(name: string): Material {
  const folder = join(MODULES, name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
  const file = readdirSync(folder).find((one) => LICENCE_FILE.test(one));
  if (file === undefined || !license) throw new Error(`${name} is in the page, but tells no licence`);
  return { name, version, licence: license, text: readFileSync(join(folder, file), "utf8").trim() };
}

function licences(bundled: Material[]): string {
  const parts = bundled.map(({ name, version, licence, text }) => `${name} ${version} (${licence})\n\n${text}\n`);
  const opening = "Serai's page is made with the work of others, whose licences follow.\n";
  return [opening, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

function bill(bundled: Material[]): string {
  const version = /^version = "(.+)"$/m.exec(readFileSync(join(ROOT, "pyproject.toml"), "utf8"))![1]!;
  const whole = { type: "application", "bom-ref": `pkg:pypi/serai@${version}`, name: "serai", version };
  const components = bundled.map(({ name, version, licence }) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return { type: "library", "bom-ref": purl, name, version, licenses: [{ license: { id: licence } }], purl };
  });
  const told = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...whole, purl: whole["bom-ref"], licenses: [{ license: { id: "Apache-2.0" } }] } },
    components,
    dependencies: [{ ref: whole["bom-ref"], dependsOn: components.map(({ purl }) => purl) }],
  };
  // Named after what it tells: the same build makes the same file.
  const digest = createHash("sha256").update(JSON.stringify(told)).digest("hex");
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return `${JSON.stringify({ ...told, serialNumber: `urn:uuid:${uuid.join("-")}` }, null, 2)}\n`;
}
