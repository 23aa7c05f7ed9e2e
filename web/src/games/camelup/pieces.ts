/** What lies in the box, as numbers: the spaces of the track and the values of the leg tiles. */

export const LAST_SPACE = 16;
export const SPACES: readonly number[] = Array.from({ length: LAST_SPACE }, (_, index) => index + 1);

/** Of the leg tiles of one colour, from the top. */
export const LEG_VALUES: readonly number[] = [5, 3, 2];
