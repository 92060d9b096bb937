/** The number of cells up to which a paste is offered as a table; more are better read in a file. */
const MOST = { rows: 100, columns: 20 } as const

/** Returns cells as a table of Markdown, with the first row as its head; undefined if there are too many, or one alone. */
export function tableOf(cells: readonly (readonly string[])[]): string | undefined {
  const rows = cells.filter((row) => row.some((text) => text.trim() !== ''))
  const columns = Math.max(0, ...rows.map((row) => row.findLastIndex((text) => text.trim() !== '') + 1))
  if (rows.length > MOST.rows || columns > MOST.columns || rows.length * columns < 2) return undefined
  const [head, ...others] = rows.map((row) => lineOf(row, columns))
  return [head, `|${' --- |'.repeat(columns)}`, ...others].join('\n')
}

function lineOf(row: readonly string[], columns: number): string {
  const texts = Array.from({ length: columns }, (_, column) => oneLine(row[column] ?? ''))
  return `| ${texts.join(' | ')} |`
}

/** A cell is one line, and a bar would end it. */
function oneLine(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ').replaceAll('|', '\\|')
}
