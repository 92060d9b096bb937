/** A failure that no retry can mend. The text is for people. */
export class FinalFailure extends Error {}
