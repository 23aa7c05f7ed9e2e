/** Names of things in Camel Up, in the language on screen. */
import { list, t } from "../../i18n/language.svelte";
import { CAMELS } from "./art/camels";

/** The colour alone: Green. */
export function colour(camel: number): string {
  return t(`camelup.colour.${CAMELS[camel].name}`);
}

/** The camel within a sentence: the green camel. */
export function theCamel(camel: number): string {
  return t(`camelup.the.${CAMELS[camel].name}`);
}

export function theCamels(camels: readonly number[]): string {
  return list(camels.map(theCamel));
}
