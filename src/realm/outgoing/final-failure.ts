/** A failure that no further attempt can mend. The text is for people. */
export class FinalFailure extends Error {}
