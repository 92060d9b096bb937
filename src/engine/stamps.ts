/** The subject of a table's row: a channel, an account, or the key of a value. */
export type Subject = number | string

/** The part of a table that is read: all of it, some columns, or the rows about one subject. */
export interface Part {
  readonly table: string
  readonly subject?: Subject | undefined
  /** Undefined: all columns. */
  readonly columns?: readonly string[] | undefined
}

/** The known part of a table that changes. */
export interface Change {
  readonly table: string
  readonly subjects?: readonly Subject[] | undefined
  readonly columns?: readonly string[] | undefined
}

/** Number of subjects whose changes are tracked one by one. */
const SUBJECTS = 20_000

/** When what a change may name of a table changed last: each name separately, and those changes that named none. */
class Last<Name> {
  readonly #ofEach = new Map<Name, number>()
  #ofAll = 0

  /** Returns the number of names that are new. */
  changed(names: readonly Name[] | undefined, clock: number): number {
    const before = this.#ofEach.size
    if (!names) this.#ofAll = clock
    else for (const name of names) this.#ofEach.set(name, clock)
    return this.#ofEach.size - before
  }

  /** `forgotten` is the time of a name that is not known. */
  isCurrent(name: Name, clock: number, forgotten: number): boolean {
    return this.#ofAll <= clock && (this.#ofEach.get(name) ?? forgotten) <= clock
  }

  forget(): void {
    this.#ofEach.clear()
  }
}

/** When a table changed last. */
class TableStamp {
  clock = 0
  readonly subjects = new Last<Subject>()
  readonly columns = new Last<string>()
}

/** When each part of the store last changed, by a clock that counts changes. Stamps only rise: a change that was rolled back counts too. */
export class Stamps {
  #clock = 0
  readonly #tables = new Map<string, TableStamp>()
  /** Subjects of all tables together. */
  #subjects = 0
  /** The time up to which the changes of subjects are forgotten. */
  #forgotten = 0

  get clock(): number {
    return this.#clock
  }

  changed({ table, subjects, columns }: Change): void {
    const stamp = this.#tables.get(table) ?? new TableStamp()
    this.#tables.set(table, stamp)
    this.#clock += 1
    stamp.clock = this.#clock
    stamp.columns.changed(columns, this.#clock)
    this.#subjects += stamp.subjects.changed(subjects, this.#clock)
    if (this.#subjects <= SUBJECTS) return
    for (const { subjects: known } of this.#tables.values()) known.forget()
    this.#subjects = 0
    this.#forgotten = this.#clock
  }

  /** Whether a part has not changed since `clock`. Changes of other subjects, or of other columns, do not count. */
  isCurrent({ table, subject, columns }: Part, clock: number): boolean {
    const stamp = this.#tables.get(table)
    if (!stamp || stamp.clock <= clock) return true
    if (subject !== undefined && stamp.subjects.isCurrent(subject, clock, this.#forgotten)) return true
    return columns?.every((column) => stamp.columns.isCurrent(column, clock, 0)) ?? false
  }
}

/** The parts of the store that a value was read from, each with the time before its first row was read. */
export class Sources {
  readonly #parts = new Map<string, { readonly part: Part; readonly clock: number }>()

  get count(): number {
    return this.#parts.size
  }

  add(part: Part, clock: number): void {
    this.#add(nameOf(part), part, clock)
  }

  addAll(others: Sources): void {
    for (const [name, { part, clock }] of others.#parts) this.#add(name, part, clock)
  }

  /** Whether none has changed since it was read, or since a later time at which all were current. */
  areCurrent(stamps: Stamps, checked = 0): boolean {
    for (const { part, clock } of this.#parts.values()) {
      if (!stamps.isCurrent(part, Math.max(clock, checked))) return false
    }
    return true
  }

  #add(name: string, part: Part, clock: number): void {
    const known = this.#parts.get(name)
    // The older of two times is true for both.
    if (!known || known.clock > clock) this.#parts.set(name, { part, clock })
  }
}

function nameOf({ table, subject, columns }: Part): string {
  return `${table} ${subject ?? ''} ${columns?.join() ?? '*'}`
}
