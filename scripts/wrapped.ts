/** Characters of a line of a generated page. */
const LINE = 180

/** Breaks a text at its blanks into lines that are not longer, and indents those after the first. */
export function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && longer.length > LINE) {
      lines.push(line)
      line = indent + word
    } else line = longer
  }
  return [...lines, line]
}
