/** Texts and names of archives: UTF-8, or else Latin-1, as old programs write them. */

const UTF_8 = new TextDecoder('utf-8', { fatal: true })
/** Bytes that become characters in one call, which has an argument for each. */
const BYTES_AT_ONCE = 8_192

export interface DecodedText {
  readonly text: string
  /** Whether it was no UTF-8. */
  readonly isLatin1: boolean
}

export function decodedText(bytes: Uint8Array): DecodedText {
  try {
    return { text: UTF_8.decode(bytes), isLatin1: false }
  } catch {
    let text = ''
    for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE)
      text += String.fromCharCode(...bytes.subarray(at, at + BYTES_AT_ONCE))
    return { text, isLatin1: true }
  }
}
