import { fromJson, type JsonText } from '../core/json.ts'
import type { Sql, SqlParameter, SqlValue, WritableSql } from '../core/sql.ts'

/** Returns a column for a SELECT under the name of its property: `user_id AS userId`. */
function named({ name, property }: Column, prefix: string): string {
  if (property === name) return prefix + name
  return property === propertyOf(name)
    ? `${prefix}${name} AS ${property}`
    : `${prefix}${name} AS "${property}"`
}

/** Returns the property of a column: `userId` of `user_id`. */
function propertyOf(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** A value that SQLite has no type for: a flag is stored as 0 or 1, a list or an object as JSON. */
type Form = 'flag' | 'json'

interface Column {
  readonly name: string
  readonly property: string
  readonly form: Form | undefined
}

/** The rows of a table as objects: one declaration of its columns, for reading and writing them. */
export class Rows<Row extends object> {
  /** The columns for a SELECT or RETURNING, under the names of properties. */
  readonly columns: string
  readonly #table: string
  /** The table in a SELECT. */
  readonly #from: string
  readonly #columns: readonly Column[]
  readonly #formed: readonly Column[]

  /**
   * @param table the table that these rows are of, and its alias in statements if it has one
   * @param columns separated by spaces, each with its form if it has one, and the name of its property if that does not follow from its own:
   *   `id user_id is_archived:flag recipients=to:json`
   */
  constructor(table: string, columns: string) {
    const [name = table, alias] = table.split(' ')
    this.#table = name
    this.#from = table
    this.#columns = columns.split(' ').map((column) => {
      const [names, form] = column.split(':') as [string, Form?]
      const [name, property = propertyOf(name)] = names.split('=') as [string, string?]
      return { name, property, form }
    })
    this.#formed = this.#columns.filter(({ form }) => form)
    const prefix = alias === undefined ? '' : `${alias}.`
    this.columns = this.#columns.map((column) => named(column, prefix)).join(', ')
  }

  /** Lists rows of the table. `rest`: what follows its name in the SELECT, as `WHERE user_id = ? ORDER BY id`. */
  list(sql: Sql, rest: string, ...params: SqlParameter[]): Row[] {
    return this.all(sql, `SELECT ${this.columns} FROM ${this.#from} ${rest}`, ...params)
  }

  /** Finds the first such row. */
  find(sql: Sql, rest: string, ...params: SqlParameter[]): Row | undefined {
    return this.first(sql, `SELECT ${this.columns} FROM ${this.#from} ${rest}`, ...params)
  }

  all(sql: Sql, query: string, ...params: SqlParameter[]): Row[] {
    const rows = sql.all<Stored>(query, ...params)
    return (this.#formed.length === 0 ? rows : rows.map((row) => this.#read(row))) as Row[]
  }

  first(sql: Sql, query: string, ...params: SqlParameter[]): Row | undefined {
    const row = sql.first<Stored>(query, ...params)
    return row && this.#read(row)
  }

  /** Runs a write of at most one row, and returns its RETURNING. */
  returned(sql: WritableSql, query: string, ...params: SqlParameter[]): Row | undefined {
    const row = sql.runForFirst<Stored>(query, ...params)
    return row && this.#read(row)
  }

  /** Inserts a row of the given columns. `more`: further values, by the columns' names. */
  insert(sql: WritableSql, row: Partial<Row>, more: Columns = {}): void {
    const values = { ...this.#valuesOf(row), ...more }
    sql.run(insertion(`INSERT INTO ${this.#table}`, values), ...Object.values(values))
  }

  /** Inserts a row in the place of the one with the same key. */
  replace(sql: WritableSql, row: Partial<Row>, more: Columns = {}): void {
    const values = { ...this.#valuesOf(row), ...more }
    sql.run(insertion(`INSERT OR REPLACE INTO ${this.#table}`, values), ...Object.values(values))
  }

  /** Inserts a row, and returns the id that it gets. */
  insertNew(sql: WritableSql, row: Partial<Row>, more: Columns = {}): number {
    const { id: _, ...values } = { ...this.#valuesOf(row), ...more }
    const statement = `${insertion(`INSERT INTO ${this.#table}`, values)} RETURNING id`
    return sql.runForValue(statement, ...Object.values(values))!
  }

  /** Changes the given columns of the row with an id: at least one. */
  change(sql: WritableSql, id: number | string, changes: Partial<Row>): void {
    const { id: _, ...values } = this.#valuesOf(changes)
    updateRow(sql, this.#table, id, values)
  }

  #read(row: Stored): Row {
    for (const { property, form } of this.#formed) {
      const value = row[property]
      if (form === 'flag') row[property] = value === 1
      else if (value !== null) row[property] = fromJson(value as JsonText<object>)
    }
    return row as Row
  }

  #valuesOf(row: Partial<Row>): Record<string, SqlValue> {
    const values: Record<string, SqlValue> = {}
    for (const { name, property, form } of this.#columns) {
      const value = row[property as keyof Row]
      if (value !== undefined) values[name] = form ? storedAs(value) : (value as SqlValue)
    }
    return values
  }
}

/** Writes values of the row with an id, by the columns' names: at least one. */
export function updateRow(sql: WritableSql, table: string, id: number | string, values: Columns): void {
  const set = Object.keys(values).map((column) => `${column} = ?`)
  sql.run(`UPDATE ${table} SET ${set.join(', ')} WHERE id = ?`, ...Object.values(values), id)
}

/** Returns the form in which a property is stored. */
export function storedAs(value: unknown): SqlValue {
  if (typeof value === 'boolean') return Number(value)
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : ((value ?? null) as SqlValue)
}

/** Returns the column of a property: `user_id` of `userId`. */
export function columnOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

type Stored = Record<string, unknown>
type Columns = Readonly<Record<string, SqlValue>>

function insertion(beginning: string, values: Columns): string {
  const columns = Object.keys(values)
  return `${beginning} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}
