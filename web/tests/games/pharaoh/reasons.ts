/** Reasons that no person is given: what is drawn is not chosen. */
export const UNSAID = /^(tile|photo|treasure)\./;
