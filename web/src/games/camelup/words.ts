/** Names of things in Camel Up, in the language on screen. */
import { list, t } from "../../i18n/language.svelte";
import { CAMELS } from "./art/camels";

/** The colour alone: Green. */
export function colour(camel: number): string {
  return t(`camelup.colour.${CAMELS[camel].name}`);
}

/** The camel within a sentence: Green, das grüne Kamel. */
export function theCamel(camel: number): string {
  return t(`camelup.the.${CAMELS[camel].name}`);
}

export function theCamels(camels: readonly number[]): string {
  return list(camels.map(theCamel));
}

/** The camels of a stack, from bottom to top. */
export function stackOf(camels: readonly number[]): string {
  return camels.length === 1 ? theCamel(camels[0]) : t("camelup.stack", { camels: theCamels(camels) });
}
