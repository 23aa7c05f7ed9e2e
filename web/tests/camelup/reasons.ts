/** Reasons that no person is given: dice are not chosen, and programs play in batches. */
export const UNSAID = /^(die|batch)\./;
