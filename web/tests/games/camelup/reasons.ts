/** Reasons that no person is given: dice are not chosen, and programs play in batches and roll out. */
export const UNSAID = /^(die|batch|rollouts)\./;
