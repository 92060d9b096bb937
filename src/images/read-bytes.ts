/** Whether `bytes` have these letters at `at`. */
export function hasLetters(bytes: Uint8Array, at: number, letters: string): boolean {
  for (let index = 0; index < letters.length; index += 1) {
    if (bytes[at + index] !== letters.charCodeAt(index)) return false
  }
  return true
}

/** Reads the four letters of a type; bytes after the end read as zero. */
export function lettersAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0)
}

/** Reads a number; bytes after the end read as zero. */
export function uint16(bytes: Uint8Array, at: number, isLittleEndian = false): number {
  const [first, second] = [bytes[at] ?? 0, bytes[at + 1] ?? 0]
  return isLittleEndian ? first | (second << 8) : (first << 8) | second
}

export function uint32(bytes: Uint8Array, at: number, isLittleEndian = false): number {
  const first = uint16(bytes, at, isLittleEndian)
  const second = uint16(bytes, at + 2, isLittleEndian)
  return isLittleEndian ? second * 0x10000 + first : first * 0x10000 + second
}
