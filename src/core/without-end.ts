/**
 * The text without the characters that it ends with. A regular expression for the same (`/-+$/`) looks again from each of
 * them wherever they stand, and takes square time.
 */
export function withoutEnd(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end -= 1
  return text.slice(0, end)
}
