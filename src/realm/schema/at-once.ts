/**
 * The schema that all steps together give to an empty database. It is created at once, since a new organization
 * would otherwise wait for every step. SQLite reads the whole schema again for every added column, which takes
 * nearly all of the time.
 */

/**
 * Returns the steps' statements in their order, with added columns where their table is created, and without
 * tables that are dropped later.
 */
export function statementsAtOnce(statements: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const statement of statements) {
    const [, table, change, operand] =
      /^ALTER TABLE (\w+) (ADD COLUMN|RENAME TO) (.+)$/s.exec(statement) ?? []
    const [, dropped] = /^DROP TABLE (\w+)$/.exec(statement) ?? []
    if (change === 'ADD COLUMN') replaceCreation(kept, table!, (creation) => withColumn(creation, operand!))
    else if (change) replaceCreation(kept, table!, (creation) => creation.replace(table!, operand!))
    else if (dropped) forget(kept, dropped)
    else kept.push(statement)
  }
  return kept
}

function replaceCreation(kept: string[], table: string, replace: (creation: string) => string): void {
  const at = kept.findIndex((statement) => statement.startsWith(`CREATE TABLE ${table} (`))
  if (at < 0) throw new Error(`No step creates the table ${table}`)
  kept[at] = replace(kept[at]!)
}

/** Matches the first constraint of the whole table, or the end of its columns. */
const OF_THE_WHOLE_TABLE = /,\s*(?:PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY) \(|\)(?: WITHOUT ROWID)?$/

/** Adds a column after the others, before constraints of the whole table, as SQLite writes it. */
function withColumn(creation: string, column: string): string {
  const at = creation.search(OF_THE_WHOLE_TABLE)
  return `${creation.slice(0, at)}, ${column}${creation.slice(at)}`
}

/** Removes statements about a table, which had no effect on an empty database. */
function forget(kept: string[], table: string): void {
  const left = kept.filter((statement) => !statement.split(/\W+/).includes(table))
  kept.splice(0, kept.length, ...left)
}
