/** Thrown where a file of an archive cannot be had; in words that follow its name. */
export class NoFileError extends Error {}
