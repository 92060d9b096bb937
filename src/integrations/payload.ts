import { excessOfJson, tryParseJson } from '../core/json.ts'
import { type Allowance, MAX_ITEMS } from './allowance.ts'
import { shortJson } from './short-json.ts'

/** Limit of a text in UTF-16 units: more than a message may have. */
const MAX_TEXT_LENGTH = 25_000
/** Characters forbidden in messages, or never used on purpose in a text. */
const NOT_TEXT = /\0/g

type Key = string | number

/**
 * A value of a payload, about which nothing is guaranteed: the sender may leave out or rename anything. Values that are absent, null or
 * of another type read as an empty text, an empty list or undefined, so no payload is an error.
 *
 * Nothing else hands out values of a post (test/house/foreign-values.test.ts). All values of one post share an allowance: so whatever an
 * integration does with them, and however often, takes a bounded time.
 */
export class Payload {
  readonly raw: unknown
  private readonly longest: number
  private readonly allowance: Allowance | undefined

  /** `longest`: limit of a text, in UTF-16 units. `allowance`: for a post by a stranger; archives are read whole. */
  constructor(raw: unknown, longest = MAX_TEXT_LENGTH, allowance?: Allowance) {
    this.raw = raw
    this.longest = longest
    this.allowance = allowance
  }

  /** Returns a value of a post, of which no more is read than the allowance. */
  static ofPost(raw: unknown, allowance: Allowance): Payload {
    return new Payload(raw, MAX_TEXT_LENGTH, allowance)
  }

  /** Returns the value at a path of keys and positions. */
  at(...path: readonly Key[]): Payload {
    let value = this.raw
    for (const key of path) value = ownValue(value, key)
    return path.length === 0 ? this : this.#of(value)
  }

  /** Returns a text, or a number or boolean as one; '' for all else. It is cut to what a message could show. */
  text(...path: readonly Key[]): string {
    return this.textUpTo(this.longest, ...path)
  }

  /** Returns the beginning of a text, up to this number of UTF-16 units. */
  textUpTo(length: number, ...path: readonly Key[]): string {
    const { raw } = this.at(...path)
    if (typeof raw === 'string') return this.#written(raw, length)
    return typeof raw === 'number' || typeof raw === 'boolean' ? this.#written(String(raw), length) : ''
  }

  /** Returns the value of a text that is JSON itself, or the value as it is. */
  parsed(...path: readonly Key[]): Payload {
    const value = this.at(...path)
    if (typeof value.raw !== 'string') return value
    const text = value.text()
    // The text is cut like any other; how deep it is nested is seen here.
    const parsed = excessOfJson(text, LIMITS_WITHIN) === undefined ? tryParseJson(text) : undefined
    return parsed === undefined ? value : this.#of(parsed)
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
    const number =
      typeof raw === 'string' && raw.length < LONGEST_NUMBER && raw.trim() !== '' ? Number(raw) : raw
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }

  /** Returns the items of a list, of a post the first few hundred; [] for all else. */
  list(...path: readonly Key[]): readonly Payload[] {
    return this.firstItems(this.#most, ...path)
  }

  /** Returns the first items of a list, at most this number; [] for all else. */
  firstItems(most: number, ...path: readonly Key[]): readonly Payload[] {
    const items = listOf(this.at(...path))
    return items.slice(0, this.#given(items, most)).map((item) => this.#of(item))
  }

  /** Returns the last items of a list, at most this number; [] for all else. */
  lastItems(most: number, ...path: readonly Key[]): readonly Payload[] {
    const items = listOf(this.at(...path))
    return items.slice(items.length - this.#given(items, most)).map((item) => this.#of(item))
  }

  /** Returns the length of a list, or the number of keys of an object, however many of them are read; 0 for all else. */
  count(...path: readonly Key[]): number {
    const { raw } = this.at(...path)
    return Array.isArray(raw) ? raw.length : isObject(raw) ? Object.keys(raw).length : 0
  }

  /** Returns the number of items or keys that `list` or `entries` leave out for their number. */
  unread(...path: readonly Key[]): number {
    return Math.max(0, this.count(...path) - this.#most)
  }

  /** Returns the entries of an object, of a post the first few hundred; [] for all else. */
  entries(...path: readonly Key[]): readonly (readonly [string, Payload])[] {
    const { raw } = this.at(...path)
    if (!isObject(raw)) return []
    const object = raw as Readonly<Record<string, unknown>>
    const keys = Object.keys(object)
    return keys
      .slice(0, this.#given(keys, this.#most))
      .map((key) => [this.allowance ? this.#written(key) : key, this.#of(object[key])] as const)
  }

  /** Whether the value is anything but null. */
  has(...path: readonly Key[]): boolean {
    return this.at(...path).raw != null
  }

  isTrue(...path: readonly Key[]): boolean {
    return this.at(...path).raw === true
  }

  isFalse(...path: readonly Key[]): boolean {
    return this.at(...path).raw === false
  }

  /** Returns the value as indented JSON, of which no more is written than this number of code points. */
  json(longest: number): { readonly text: string; readonly isCut: boolean } {
    return shortJson(this.raw, longest)
  }

  /** The one function that hands out a foreign text. */
  #written(raw: string, most = this.longest): string {
    const length = Math.min(raw.length, most)
    return raw
      .slice(0, this.allowance?.characters(length) ?? length)
      .toWellFormed()
      .replace(NOT_TEXT, '')
  }

  get #most(): number {
    return this.allowance ? MAX_ITEMS : Number.POSITIVE_INFINITY
  }

  /** Returns how many of these may be read. */
  #given({ length }: readonly unknown[], most: number): number {
    const wanted = Math.min(length, most)
    return this.allowance?.items(wanted) ?? wanted
  }

  #of(value: unknown): Payload {
    return new Payload(value, this.longest, this.allowance)
  }
}

/** Limits of JSON within a text. */
const LIMITS_WITHIN = { levels: 50, values: MAX_TEXT_LENGTH }

/** Limit of the digits and signs of a number in a text. */
const LONGEST_NUMBER = 50

function listOf({ raw }: Payload): readonly unknown[] {
  return Array.isArray(raw) ? raw : []
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
