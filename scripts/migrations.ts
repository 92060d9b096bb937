/** The D1 schema: `migrations/0001-….sql` and so on, applied in the order of their names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MIGRATIONS } from './project.ts'

/** A migration, cut into single statements because D1 prepares one statement at a time. */
export interface Migration {
  name: string
  statements: string[]
}

/** The part of D1's interface that migrating needs. */
export interface MigratableDatabase<Statement extends MigratableStatement<Statement>> {
  prepare(sql: string): Statement
  batch(statements: Statement[]): Promise<unknown>
}

interface MigratableStatement<Bound> {
  bind(...values: unknown[]): Bound
  run(): Promise<unknown>
  all<Row>(): Promise<{ results: Row[] }>
}

/** File names in the order in which they are applied. */
export function listMigrations(): string[] {
  if (!existsSync(MIGRATIONS)) return []
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/** @param splitStatements wrangler's own, so that a file is cut here as it is when deployed. */
export function readMigrations(splitStatements: (sql: string) => string[]): Migration[] {
  return listMigrations().map((name) => ({
    name,
    statements: splitStatements(readFileSync(join(MIGRATIONS, name), 'utf8')),
  }))
}

/** Which other build of Parley has made a database, whose data this one cannot read. */
export type OtherBuild = 'an earlier' | 'a newer'

export class OtherBuildError extends Error {
  readonly build: OtherBuild

  constructor(build: OtherBuild) {
    super(`The database was made by ${build} Parley`)
    this.build = build
  }
}

/** @throws OtherBuildError unless these migrations are the first ones of those that are known, in their order. */
export function requireOwnMigrations(applied: readonly string[], known: readonly string[]): void {
  if (known.some((name, at) => at < applied.length && applied[at] !== name)) {
    throw new OtherBuildError('an earlier')
  }
  if (applied.length > known.length) throw new OtherBuildError('a newer')
}

/**
 * Applies pending migrations, each file as one batch, and records them in the table that
 * `wrangler d1 migrations` keeps, so that both can be used on one database.
 * @returns the names now applied, oldest first, and how many of them were new.
 * @throws OtherBuildError
 */
export async function applyMigrations<Statement extends MigratableStatement<Statement>>(
  database: MigratableDatabase<Statement>,
  migrations: Migration[],
): Promise<{ applied: string[]; added: number }> {
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
      )`,
    )
    .run()
  const rows = await database.prepare('SELECT name FROM d1_migrations ORDER BY id').all<{ name: string }>()
  const applied = rows.results.map((row) => row.name)
  requireOwnMigrations(
    applied,
    migrations.map(({ name }) => name),
  )
  const pending = migrations.filter((migration) => !applied.includes(migration.name))
  for (const { name, statements } of pending) {
    const record = database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    const batch = [...statements.map((sql) => database.prepare(sql)), record]
    await database.batch(batch).catch((error: Error) => {
      throw new Error(`Migration ${name} failed, and none of it was applied: ${error.message}`)
    })
    applied.push(name)
  }
  return { applied, added: pending.length }
}
