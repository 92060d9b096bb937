import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Reader } from '../../src/core/reader.ts'
import type { Sql, SqlValue } from '../../src/core/sql.ts'
import { Readings, type UseIn } from '../../src/engine/readings.ts'
import { StoreWatch } from '../../src/engine/store-watch.ts'
import { LongChange, Suspensions, untilNotSuspended } from '../../src/engine/suspended.ts'
import { readsOfOneColumn } from '../support/inside-one-column.ts'

const SCHEMA = `
  CREATE TABLE member (group_id INTEGER, user_id INTEGER, PRIMARY KEY (group_id, user_id));
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, color TEXT);
  CREATE TABLE news (text TEXT);
  CREATE TRIGGER news_of_person AFTER INSERT ON person BEGIN INSERT INTO news VALUES (NEW.name); END;
`

class Rollback extends Error {}

type Use = <Key, Value>(reader: Reader<Key, Value>, key: Key) => Value

/** What one commit of a long change does in the toy store. */
type ToyPart = (use: Use) => unknown

/** A store with an engine, and nothing of chat: groups with members, and people. */
export class ToyStore {
  readonly #database = new DatabaseSync(':memory:')
  readonly watch: StoreWatch
  readonly sql: Sql
  readonly readings: Readings

  constructor(limits = { rowsOfTurn: 10, bytes: 100_000 }) {
    this.#database.exec(SCHEMA)
    this.watch = new StoreWatch(() => {
      const rows = (query: string) => this.#database.prepare(query).all() as Record<string, string>[]
      return {
        tables: rows(`SELECT name FROM sqlite_master WHERE type = 'table'`).map(({ name }) => ({
          name: name!,
          columns: rows(`SELECT name FROM pragma_table_info('${name}')`).map((column) => column.name!),
        })),
        triggers: rows(`SELECT tbl_name, sql FROM sqlite_master WHERE type = 'trigger'`).map(
          ({ tbl_name, sql }) => ({ table: tbl_name!, sql: sql! }),
        ),
      }
    }, limits.bytes)
    this.sql = this.#sqlOf()
    this.readings = new Readings(this.watch, this.sql, limits)
  }

  /** Runs a statement that changes something, of these subjects alone if they are named. */
  write(statement: string, values: readonly SqlValue[] = [], subjects?: readonly number[]): void {
    const table = /(?:INTO|UPDATE|FROM) (\w+)/.exec(statement)![1]!
    const run = () => {
      this.watch.note(statement)
      this.#database.prepare(statement).run(...(values as SQLInputValue[]))
    }
    if (subjects) this.watch.changing(table, subjects, run)
    else run()
  }

  /** Runs a command to its end, suspended as often as it takes. `between` is called whenever others have a turn. */
  async run<Result>(
    command: (use: Use) => Result,
    between: () => void | Promise<void> = () => {},
  ): Promise<Result> {
    const suspensions = new Suspensions()
    const pause = async () => {
      await between()
    }
    const run = () => this.transact((use) => command(use), suspensions)
    return untilNotSuspended(run, ({ finish }) => finish(pause))
  }

  /** Makes the commits of a change to its end. `last` is called in the transaction of the last one. */
  async runLong<Result>(
    commits: Generator<ToyPart, Result, unknown>,
    between: () => void | Promise<void> = () => {},
    last: (result: Result) => void = () => {},
  ): Promise<Result> {
    const change = new LongChange(commits)
    for (;;) {
      const part = change.next
      const over = await this.run((use) => {
        const over = change.goOn(part, part?.(use))
        if (over) last(over.result)
        return over
      }, between)
      if (over) return over.result
      await between()
    }
  }

  /** Runs one transaction; `rollBack` in it undoes it, and then nothing is returned. */
  transact<Result>(change: (use: Use, rollBack: () => never) => Result, suspensions?: Suspensions): Result {
    const use: UseIn = { sql: this.sql, meter: this.readings.meter(), suspensions }
    this.#database.exec('BEGIN')
    this.watch.begin()
    try {
      const result = change(
        (reader, key) => this.readings.use(reader, key, use),
        () => {
          throw new Rollback()
        },
      )
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      this.#database.exec('ROLLBACK')
      this.watch.rollBack()
      if (error instanceof Rollback) return undefined as Result
      throw error
    }
  }

  #sqlOf(): Sql {
    const counts = { read: 0, written: 0 }
    const all = <Row>(query: string, ...params: SqlValue[]): Row[] => {
      this.watch.note(query)
      const rows = this.#database.prepare(query).all(...(params as SQLInputValue[]))
      counts.read += rows.length
      return rows as Row[]
    }
    return {
      counts,
      statements: 0,
      all,
      each: all,
      ...readsOfOneColumn(all),
      first: <Row>(query: string, ...params: SqlValue[]) => all<Row>(query, ...params)[0],
      kept: (key, make) => this.watch.kept(key, make),
      findKept: (key) => this.watch.findKept(key),
      following: (table, make) => this.watch.following(table, make),
      about: (table, subject, read) => this.watch.about(table, subject, read),
    }
  }
}
