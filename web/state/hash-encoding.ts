/**
 * Encodes operands in addresses: percent encoding of everything but `A-Za-z0-9_~-`, with `.` in place of `%`.
 * Rendered messages and other clients of this API write them so.
 */
export function encodeOperand(text: string): string {
  // A lone surrogate has no encoding of its own.
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

/**
 * Returns the operand that a text encodes; undefined when it encodes none. Browsers may have encoded its
 * signs once more, or not at all.
 */
export function decodeOperand(encoded: string): string | undefined {
  try {
    return decodeURIComponent(decodeURIComponent(encoded).replaceAll('%', '%25').replaceAll('.', '%'))
  } catch {
    return undefined
  }
}
