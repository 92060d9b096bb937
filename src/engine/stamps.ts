/** A table, or what a table says about a subject: a channel, an account, a group. */
export interface Part {
  readonly table: string
  readonly subject?: number | undefined
}

/** Number of subjects whose changes are known by themselves. */
const SUBJECTS = 20_000

/**
 * When each part of the store changed last, by a clock that counts changes. Numbers only rise: what a transaction that was rolled back has
 * changed counts as changed too.
 */
export class Stamps {
  #clock = 0
  /** By table: the last change of whatever in it. */
  readonly #ofTables = new Map<string, number>()
  /** By table: the last change that did not name its subjects. */
  readonly #ofAllSubjects = new Map<string, number>()
  readonly #ofSubjects = new Map<string, number>()
  /** The time up to which the changes of subjects are forgotten. */
  #forgotten = 0

  get clock(): number {
    return this.#clock
  }

  /** Notes a change of a table; `subjects`: those whose rows alone have changed. */
  changed(table: string, subjects?: readonly number[]): void {
    this.#clock += 1
    this.#ofTables.set(table, this.#clock)
    if (!subjects) this.#ofAllSubjects.set(table, this.#clock)
    for (const subject of subjects ?? []) this.#ofSubjects.set(nameOf({ table, subject }), this.#clock)
    if (this.#ofSubjects.size <= SUBJECTS) return
    this.#ofSubjects.clear()
    this.#forgotten = this.#clock
  }

  /** Whether nothing of a part has changed since `clock`. `name`: that of the part. */
  isCurrent({ table, subject }: Part, name: string, clock: number): boolean {
    if (subject === undefined) return (this.#ofTables.get(table) ?? 0) <= clock
    return (
      (this.#ofAllSubjects.get(table) ?? 0) <= clock &&
      (this.#ofSubjects.get(name) ?? this.#forgotten) <= clock
    )
  }
}

/** The name of a part among all. */
function nameOf({ table, subject }: Part): string {
  return subject === undefined ? table : `${table} ${subject}`
}

/** The parts of the store that a value was read from, each with the time before its first row was read. */
export class Sources {
  readonly #parts = new Map<string, { readonly part: Part; readonly clock: number }>()

  get count(): number {
    return this.#parts.size
  }

  add(part: Part, clock: number): void {
    const name = nameOf(part)
    if (!this.#parts.has(name)) this.#parts.set(name, { part, clock })
  }

  addAll(others: Sources): void {
    for (const { part, clock } of others.#parts.values()) {
      const known = this.#parts.get(nameOf(part))
      // The older of two times is true for both.
      if (!known || known.clock > clock) this.#parts.set(nameOf(part), { part, clock })
    }
  }

  /** Whether none has changed since it was read, nor after `until`. */
  areCurrent(stamps: Stamps, until = Number.MAX_SAFE_INTEGER): boolean {
    for (const [name, { part, clock }] of this.#parts) {
      if (!stamps.isCurrent(part, name, Math.min(clock, until))) return false
    }
    return true
  }
}
