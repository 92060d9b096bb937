/** Formats reports for the terminal: tables, and figures with units. */

export function namesOf(rows: readonly { readonly name: string }[]): string {
  return rows.map(({ name }) => name).join(', ') || 'none'
}

export function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}

export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('   ')
  console.log(`\n${title}\n${line(head)}`)
  for (const row of rows) console.log(line(row))
}

export function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0)
}

export function ratio(value: number): string {
  return value.toFixed(2)
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`
}
