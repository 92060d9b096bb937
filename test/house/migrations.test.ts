import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listMigrations } from '../../scripts/migrations.ts'
import { MIGRATIONS } from '../../scripts/project.ts'

/** Statements after which the build before still works: a column that it does not fill has a default, or may be NULL. */
const ADDS =
  /^(?:CREATE (?:TABLE|INDEX|VIRTUAL TABLE)|ALTER TABLE \w+ ADD COLUMN (?!.*NOT NULL(?!.* DEFAULT )))/

/** Statements after which it does if they are about a table that the same migration makes. */
const ABOUT_A_TABLE = /^CREATE (?:UNIQUE INDEX|TRIGGER) .*? ON (\w+)/s

/** Migrations that drop what no build since the one named here uses. */
const DROPPING: Readonly<Record<string, string>> = {}

/** Statements of a migration without comments. */
function statementsOf(name: string): string[] {
  const sql = readFileSync(join(MIGRATIONS, name), 'utf8').replaceAll(/--.*$/gm, '')
  return sql
    .split(/;(?=\s*(?:$|[A-Z]+ (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER|VIRTUAL)\b))/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

it('a migration of D1 leaves the build before working: it only adds', () => {
  const [first, ...later] = listMigrations()
  expect(first).toBe('0001-schema.sql')
  const others = later
    .filter((name) => !(name in DROPPING))
    .flatMap((name) => {
      const statements = statementsOf(name)
      const makes = (table = '') =>
        statements.some((statement) => statement.startsWith(`CREATE TABLE ${table} `))
      return statements.filter(
        (statement) => !ADDS.test(statement) && !makes(ABOUT_A_TABLE.exec(statement)?.[1]),
      )
    })
  expect(others).toEqual([])
  for (const statement of ['DROP TABLE a', 'ALTER TABLE a ADD COLUMN b TEXT NOT NULL', 'DELETE FROM a']) {
    expect(statement).not.toMatch(ADDS)
  }
  expect('ALTER TABLE a ADD COLUMN b INTEGER NOT NULL DEFAULT 0').toMatch(ADDS)
})
