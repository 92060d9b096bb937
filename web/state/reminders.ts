const NOTE = ' Note:\n > '
const LINE_OF_NOTE = '\n > '

/**
 * Returns the user's own note of a reminder; '' if there is none. It is quoted in the first paragraph of the reminder's text, which is
 * otherwise the server's.
 */
export function noteOfReminder(content: string): string {
  const at = content.indexOf(NOTE)
  const end = content.indexOf('\n\n')
  if (at === -1 || (end !== -1 && end < at)) return ''
  const quoted = content.slice(at + NOTE.length)
  const lines = quoted.split(LINE_OF_NOTE)
  // The text after the note is not quoted, and begins after an empty line.
  const last = lines.at(-1)!.split('\n\n', 1)[0]!
  return [...lines.slice(0, -1), last].join('\n')
}
