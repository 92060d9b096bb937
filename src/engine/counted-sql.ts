import { fromJson, type JsonText } from '../core/json.ts'
import { bound, type ChangesForD1, type RowCounts, type SqlParameter, type WritableSql } from '../core/sql.ts'
import type { Subject } from './stamps.ts'
import { StoreWatch, type Tables } from './store-watch.ts'

type Column<Value> = Readonly<Record<string, Value>>

/** The object's SQLite behind the `WritableSql` interface, with every row counted. */
export class CountedSql implements WritableSql {
  readonly #storage: SqlStorage
  readonly #total: CountedSql | undefined
  readonly watch: StoreWatch
  readonly counts: RowCounts = { read: 0, written: 0 }
  #statements = 0

  /** @param total also counts the rows counted here. */
  constructor(storage: SqlStorage, total?: CountedSql) {
    this.#storage = storage
    this.#total = total
    this.watch = total ? total.watch : new StoreWatch(() => tablesOf(storage))
  }

  /** Returns the same database with counters of its own, for the cost of one call. */
  counter(): CountedSql {
    return new CountedSql(this.#storage, this)
  }

  get statements(): number {
    return this.#statements
  }

  all<Row>(query: string, ...params: SqlParameter[]): Row[] {
    const cursor = this.#exec(query, params)
    const columns = cursor.columnNames
    const rows = Array.from(cursor.raw<SqlStorageValue[]>(), (values) => rowOf(columns, values))
    this.count({ read: cursor.rowsRead, written: cursor.rowsWritten }, 1)
    return rows as Row[]
  }

  *each<Row>(query: string, ...params: SqlParameter[]): Generator<Row, void> {
    const cursor = this.#exec(query, params)
    try {
      for (let next = cursor.next(); !next.done; next = cursor.next()) yield next.value as Row
    } finally {
      this.count({ read: cursor.rowsRead, written: cursor.rowsWritten }, 1)
    }
  }

  first<Row>(query: string, ...params: SqlParameter[]): Row | undefined {
    const cursor = this.#exec(query, params)
    const result = cursor.next()
    const row = result.done ? undefined : (result.value as Row)
    // A finished cursor releases its statement. An unfinished one leaves it to be parsed again, which takes three times as long.
    if (!result.done) cursor.next()
    this.count({ read: cursor.rowsRead, written: cursor.rowsWritten }, 1)
    return row
  }

  run(query: string, ...params: SqlParameter[]): number {
    const cursor = this.#exec(query, params)
    // A cursor counts its rows once it has been read to its end.
    cursor.toArray()
    const { rowsRead: read, rowsWritten: written } = cursor
    this.count({ read, written }, 1)
    return written
  }

  values<Value = number>(query: string, ...params: SqlParameter[]): Value[] {
    const rows = this.all<Column<Value>>(query, ...params)
    // The name is looked up once: there may be ten thousand rows.
    const name = rows[0] && Object.keys(rows[0])[0]!
    return name === undefined ? [] : rows.map((row) => row[name]!)
  }

  value<Value = number>(query: string, ...params: SqlParameter[]): Value | undefined {
    const row = this.first<Column<Value>>(query, ...params)
    return (row && Object.values(row)[0]) ?? undefined
  }

  list<Item = number>(query: string, ...params: SqlParameter[]): Item[] {
    return fromJson(this.value<JsonText<Item[]>>(query, ...params)!)
  }

  finds(query: string, ...params: SqlParameter[]): boolean {
    return this.first(query, ...params) !== undefined
  }

  runForFirst<Row>(query: string, ...params: SqlParameter[]): Row | undefined {
    return this.first<Row>(query, ...params)
  }

  runForAll<Row>(query: string, ...params: SqlParameter[]): Row[] {
    return this.all<Row>(query, ...params)
  }

  runForValues<Value = number>(query: string, ...params: SqlParameter[]): Value[] {
    return this.values<Value>(query, ...params)
  }

  runForValue<Value = number>(query: string, ...params: SqlParameter[]): Value | undefined {
    return this.value<Value>(query, ...params)
  }

  runForAny(query: string, ...params: SqlParameter[]): boolean {
    return this.finds(query, ...params)
  }

  kept<Value>(key: string, make: () => Value): Value {
    return this.watch.kept(key, () => frozen(make()))
  }

  findKept<Value>(key: string): Value | undefined {
    return this.watch.findKept(key)
  }

  following<Value>(table: string, make: () => Value): Value {
    return this.watch.following(table, make)
  }

  about<Value>(table: string, subject: Subject, read: () => Value): Value {
    return this.watch.about(table, subject, read)
  }

  changing<Value>(
    table: string,
    subjects: readonly Subject[] | ((result: Value) => readonly Subject[]),
    change: () => Value,
  ): Value {
    return this.watch.changing(table, subjects, change)
  }

  get changesForD1(): ChangesForD1 {
    return this.watch.changesForD1
  }

  noteBegin(): void {
    this.watch.begin()
  }

  noteRollback(): void {
    this.watch.rollBack()
  }

  #exec(query: string, params: readonly SqlParameter[]) {
    this.watch.note(query)
    return this.#storage.exec(textFor(query), ...params.map(bound))
  }

  /** Counts rows, including those that no statement shows: setting an alarm is billed as one row written. */
  count({ read, written }: RowCounts, statements = 0): void {
    this.counts.read += read
    this.counts.written += written
    this.#statements += statements
    this.#total?.count({ read, written }, statements)
  }
}

/** Number of statements whose texts are kept. The code has some hundreds; composed ones could be more. */
const STATEMENTS_KNOWN = 5_000

const texts = new Map<string, string>()

/**
 * Returns the text that SQLite gets. SQLite looks at a number that is bound to a LIMIT when it plans, and so would parse the statement
 * each time; it does not look into a sum.
 */
function textFor(query: string): string {
  const known = texts.get(query)
  if (known !== undefined) return known
  if (texts.size >= STATEMENTS_KNOWN) texts.clear()
  const text = query.replaceAll(/\bLIMIT (\?\d*)/g, 'LIMIT $1 + 0')
  texts.set(query, text)
  return text
}

/** Freezes a value that several callers share, so that code which changes it fails. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** Makes the object of a row, which takes the platform twice as long as returning the values in a list. */
function rowOf(
  columns: readonly string[],
  values: readonly SqlStorageValue[],
): Record<string, SqlStorageValue> {
  const row: Record<string, SqlStorageValue> = {}
  for (let at = 0; at < columns.length; at += 1) row[columns[at]!] = values[at]!
  return row
}

/** Returns the tables of the store without the platform's own, which it does not show. */
function tablesOf(storage: SqlStorage): Tables {
  const columns = storage
    .exec<{ name: string; columns: JsonText<string[]> }>(
      `SELECT m.name, json_group_array(c.name) AS columns FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND substr(m.name, 1, 4) <> '_cf_' GROUP BY m.name`,
    )
    .toArray()
  const triggers = storage
    .exec<{ table: string; sql: string }>(
      `SELECT tbl_name AS "table", sql FROM sqlite_master WHERE type = 'trigger'`,
    )
    .toArray()
  return { tables: columns.map(({ name, columns }) => ({ name, columns: fromJson(columns) })), triggers }
}
