/** Units of a text that are read: more than a message may have. */
const MAX_TEXT_LENGTH = 25_000
/** Characters that no message may have, or that no text has on purpose. */
const NOT_TEXT = /\0/g

type Key = string | number

/**
 * A value of a payload, of which nothing is known: the sender may leave out or rename anything. Whatever is absent, null or of another type
 * reads as an empty text, as an empty list or as undefined, so that no payload is an error.
 */
export class Payload {
  readonly raw: unknown
  private readonly longest: number

  /** `longest`: units of a text that are read. */
  constructor(raw: unknown, longest = MAX_TEXT_LENGTH) {
    this.raw = raw
    this.longest = longest
  }

  /** Returns the value at a path of keys and positions. */
  at(...path: readonly Key[]): Payload {
    let value = this.raw
    for (const key of path) value = ownValue(value, key)
    return path.length === 0 ? this : new Payload(value, this.longest)
  }

  /** Returns a text, or a number or boolean as one; '' for all else. It is cut where no message would show it. */
  text(...path: readonly Key[]): string {
    const { raw } = this.at(...path)
    if (typeof raw === 'string') return raw.slice(0, this.longest).toWellFormed().replace(NOT_TEXT, '')
    return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : ''
  }

  /** Returns the first of several texts at keys of this value that is not empty; '' without one. */
  firstText(...keys: readonly Key[]): string {
    for (const key of keys) {
      const text = this.text(key)
      if (text.trim() !== '') return text
    }
    return ''
  }

  /** Returns a finite number, also one that is written as text; undefined for all else. */
  number(...path: readonly Key[]): number | undefined {
    const { raw } = this.at(...path)
    const number = typeof raw === 'string' && raw.trim() !== '' && raw.length < 50 ? Number(raw) : raw
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }

  /** Returns the items of a list; [] for all else. */
  list(...path: readonly Key[]): readonly Payload[] {
    const { raw } = this.at(...path)
    return Array.isArray(raw) ? raw.map((item) => new Payload(item, this.longest)) : []
  }

  /** Returns the entries of an object; [] for all else. */
  entries(...path: readonly Key[]): readonly (readonly [string, Payload])[] {
    const { raw } = this.at(...path)
    return isObject(raw)
      ? Object.entries(raw).map(([key, value]) => [key, new Payload(value, this.longest)] as const)
      : []
  }

  /** Whether there is anything but null. */
  has(...path: readonly Key[]): boolean {
    return this.at(...path).raw != null
  }

  isTrue(...path: readonly Key[]): boolean {
    return this.at(...path).raw === true
  }
}

/** Returns what a value itself has under a key, nothing of what all objects have. */
function ownValue(value: unknown, key: Key): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<Key, unknown>>)[key]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns what a table has under a name of the sender's, which may be `constructor`; undefined where it has nothing. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
