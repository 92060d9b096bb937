/** Limit of a text in UTF-16 units: more than a message may have. */
const MAX_TEXT_LENGTH = 25_000
/** Characters forbidden in messages, or never used on purpose in a text. */
const NOT_TEXT = /\0/g

type Key = string | number

/**
 * A value of a payload, about which nothing is guaranteed: the sender may leave out or rename anything. Values that are absent, null or
 * of another type read as an empty text, an empty list or undefined, so no payload is an error.
 */
export class Payload {
  readonly raw: unknown
  private readonly longest: number

  /** `longest`: limit of a text, in UTF-16 units. */
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

  /** Returns a text, or a number or boolean as one; '' for all else. It is cut to what a message could show. */
  text(...path: readonly Key[]): string {
    const { raw } = this.at(...path)
    if (typeof raw === 'string') return raw.slice(0, this.longest).toWellFormed().replace(NOT_TEXT, '')
    return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : ''
  }

  /** Returns the first non-empty text among these keys; '' without one. */
  firstText(...keys: readonly Key[]): string {
    for (const key of keys) {
      const text = this.text(key)
      if (text.trim() !== '') return text
    }
    return ''
  }

  /** Returns a finite number, which may be written as text; undefined for all else. */
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

  /** Whether the value is anything but null. */
  has(...path: readonly Key[]): boolean {
    return this.at(...path).raw != null
  }

  isTrue(...path: readonly Key[]): boolean {
    return this.at(...path).raw === true
  }
}

/** Returns a value's own property, never an inherited one. */
function ownValue(value: unknown, key: Key): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<Key, unknown>>)[key]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a table's own entry for a name chosen by the sender, which may be `constructor`; undefined without one. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
