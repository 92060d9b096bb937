/**
 * What the steps of the schema make of an empty database, without going through all that it has been: a new organization would wait for
 * that. SQLite reads the whole schema again for every column that is added, and that is nearly all of the work.
 */

/** The steps' statements in their order, with added columns where their table is created, and without tables that are gone. */
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

/** A constraint, or the end. */
const OF_THE_WHOLE_TABLE = /,\s*(?:PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY) \(|\)(?: WITHOUT ROWID)?$/

/** Behind the other columns, before what is said of the whole table: as SQLite writes it. */
function withColumn(creation: string, column: string): string {
  const at = creation.search(OF_THE_WHOLE_TABLE)
  return `${creation.slice(0, at)}, ${column}${creation.slice(at)}`
}

/** Whatever names it was about nothing: the database was empty. */
function forget(kept: string[], table: string): void {
  const left = kept.filter((statement) => !statement.split(/\W+/).includes(table))
  kept.splice(0, kept.length, ...left)
}
