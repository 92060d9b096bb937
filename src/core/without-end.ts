/**
 * Returns the text without this character at its end. A regular expression for the same (`/-+$/`) would try
 * again at each such character anywhere, and take square time.
 */
export function withoutEnd(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end -= 1
  return text.slice(0, end)
}
