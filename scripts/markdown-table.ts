/** Returns the lines of a Markdown table; all columns but the first are aligned to the right unless `left` is set. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { left = false } = {},
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(head),
    `|${head.map((_, at) => (at === 0 || left ? '---' : '--:')).join('|')}|`,
    ...rows.map(line),
  ]
}
