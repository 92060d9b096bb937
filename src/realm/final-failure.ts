/** What will not be done however often it is tried. The text is for people. */
export class FinalFailure extends Error {}
