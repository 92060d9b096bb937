/** What a row of a table is about: a channel, an account, or the key of a value. */
export type Subject = number | string

/** The part of a table that is read: all of it, some columns, or the rows about one subject. */
export interface Part {
  readonly table: string
  readonly subject?: Subject | undefined
  /** Undefined: all columns. */
  readonly columns?: readonly string[] | undefined
}

/** The part of a table that changes, as far as it is known. */
export interface Change {
  readonly table: string
  readonly subjects?: readonly Subject[] | undefined
  readonly columns?: readonly string[] | undefined
}

/** Number of subjects whose changes are tracked one by one. */
const SUBJECTS = 20_000

/**
 * When each part of the store last changed, by a clock that counts changes. Stamps only rise: a change that was rolled back counts too.
 */
export class Stamps {
  #clock = 0
  /** By table: the last change of any kind, and the last ones that named no subjects, or no columns. */
  readonly #ofTables = new Map<string, number>()
  readonly #ofAllSubjects = new Map<string, number>()
  readonly #ofAllColumns = new Map<string, number>()
  readonly #ofSubjects = new Map<string, number>()
  readonly #ofColumns = new Map<string, number>()
  /** The time up to which the changes of subjects are forgotten. */
  #forgotten = 0

  get clock(): number {
    return this.#clock
  }

  changed({ table, subjects, columns }: Change): void {
    this.#clock += 1
    this.#ofTables.set(table, this.#clock)
    if (!subjects) this.#ofAllSubjects.set(table, this.#clock)
    for (const subject of subjects ?? []) this.#ofSubjects.set(`${table} ${subject}`, this.#clock)
    if (!columns) this.#ofAllColumns.set(table, this.#clock)
    for (const column of columns ?? []) this.#ofColumns.set(`${table} ${column}`, this.#clock)
    if (this.#ofSubjects.size <= SUBJECTS) return
    this.#ofSubjects.clear()
    this.#forgotten = this.#clock
  }

  /** Whether a part has not changed since `clock`. Changes of other subjects, or of other columns, do not count. */
  isCurrent({ table, subject, columns }: Part, clock: number): boolean {
    if ((this.#ofTables.get(table) ?? 0) <= clock) return true
    if (subject !== undefined && this.#isSubjectCurrent(table, subject, clock)) return true
    return columns !== undefined && this.#areColumnsCurrent(table, columns, clock)
  }

  #isSubjectCurrent(table: string, subject: Subject, clock: number): boolean {
    if ((this.#ofAllSubjects.get(table) ?? 0) > clock) return false
    return (this.#ofSubjects.get(`${table} ${subject}`) ?? this.#forgotten) <= clock
  }

  #areColumnsCurrent(table: string, columns: readonly string[], clock: number): boolean {
    if ((this.#ofAllColumns.get(table) ?? 0) > clock) return false
    return columns.every((column) => (this.#ofColumns.get(`${table} ${column}`) ?? 0) <= clock)
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

  /** Whether none has changed since it was read. */
  areCurrent(stamps: Stamps): boolean {
    for (const { part, clock } of this.#parts.values()) {
      if (!stamps.isCurrent(part, clock)) return false
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
