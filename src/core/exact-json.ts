declare global {
  interface JSON {
    /** Part of ES2026; TypeScript does not know it yet. */
    rawJSON(text: string): object
  }
}

/** Writes an integer of any length as a number in JSON; a JavaScript number would lose digits beyond 2^53. */
export function jsonInteger(digits: string): object {
  if (!/^-?(0|[1-9]\d*)$/.test(digits)) throw new RangeError(`Not an integer: ${digits}`)
  return JSON.rawJSON(digits)
}
