/**
 * Returns the code of a Unicode emoji without variation selectors. Requests, archives and what was stored before may have them
 * (docs/interface/messages.md#codes-and-names-of-emoji).
 */
export function unqualifiedEmojiCode(code: string): string {
  return code.replaceAll('-fe0f', '')
}
