import { BadNarrowError, BadRequestError } from '../../core/errors.ts'

/** A term as a client sent it, with checked types and unchecked words. */
export interface RawNarrowTerm {
  readonly operator: string
  readonly operand: unknown
  readonly negated?: boolean
}

/** A term of a narrow; all terms must match. Source: docs/interface/reading.md#narrows. */
export interface NarrowTerm {
  /** The operator: one of `OPERATORS`, or an unknown word. */
  readonly operator: string
  readonly operand: Operand
  readonly negated: boolean
}

export type Operand = string | number | readonly number[]

/** Older names of operators. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
])

const TAKES_ID = new Set(['channel', 'id', 'sender', 'mentions', 'group-pm-with', 'dm-including', 'with'])

/** Limit of the terms of a narrow, more than people and clients write: each is tested for every message. */
const MAX_TERMS = 200

/** Limit of the users in all terms about direct conversations, since each is looked up. A conversation has at most 200. */
const MAX_PEOPLE = 500

/** Replaces aliases of operators and refuses operands of the wrong type. */
export function readNarrowTerms(narrow: readonly RawNarrowTerm[]): NarrowTerm[] {
  if (narrow.length > MAX_TERMS) throw new BadNarrowError('too many terms', 'operator combination')
  const terms = narrow.map(({ operator, operand, negated }) => {
    const name = ALIASES.get(operator) ?? operator
    return { operator: name, operand: readOperand(name, operand), negated: negated ?? false }
  })
  const people = terms.reduce((sum, term) => sum + (term.operator === 'dm' ? countNames(term) : 0), 0)
  if (people > MAX_PEOPLE) throw new BadNarrowError('too many people', 'operator combination')
  return terms
}

function countNames({ operand }: Pick<NarrowTerm, 'operand'>): number {
  return typeof operand === 'object' ? operand.length : String(operand).split(',').length
}

function readOperand(operator: string, operand: unknown): Operand {
  if (TAKES_ID.has(operator)) {
    if (typeof operand === 'string' || isInteger(operand)) return operand
    throw new BadRequestError('operand is not a string or integer')
  }
  if (operator === 'dm') {
    if (typeof operand === 'string') return operand
    if (Array.isArray(operand) && operand.every(isInteger)) return operand
    throw new BadRequestError('operand is not a string or an integer list')
  }
  if (typeof operand !== 'string') throw new BadRequestError('operand is not a string')
  if (operator === 'search' && operand.trim() === '') throw new BadRequestError('operand cannot be blank.')
  return operand
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Returns an id, given as a number or as digits; undefined for anything else. */
export function idOperand(operand: Operand): number | undefined {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && /^\d{1,15}$/.test(operand.trim()) ? Number(operand) : undefined
}

/** Needles, in lower case, that a narrow looks for in the source and topic of messages. */
export interface SearchTerms {
  /** Needles that must all be found, each in the source or in the topic. */
  readonly all: readonly string[]
  /** Groups of negated terms: at least one search term of each must be missing. */
  readonly none: readonly (readonly string[])[]
}

/** Limit of the search terms of a search: each costs work for every topic. */
const MAX_SEARCH_TERMS = 30
/** Length of a search term, in UTF-16 units. A longer pasted text is found by its beginning. */
const MAX_NEEDLE_LENGTH = 500

/** Returns the `search` terms of a narrow; undefined without any. @throws BadNarrowError for too many negated words. */
export function searchTermsOf(terms: readonly NarrowTerm[]): SearchTerms | undefined {
  const found = terms.filter(({ operator }) => operator === 'search')
  if (found.length === 0) return undefined
  const none = found
    .filter(({ negated }) => negated)
    .map(({ operand }) => wantedTextsOf(operand))
    .filter((searchTerms) => searchTerms.length > 0)
  // Leaving out wanted words finds more; unwanted ones must not be left out.
  if (new Set(none.flat()).size > MAX_SEARCH_TERMS) {
    throw new BadNarrowError('too many words in negated searches', 'operator combination')
  }
  return {
    all: [
      ...new Set(found.filter(({ negated }) => !negated).flatMap(({ operand }) => wantedTextsOf(operand))),
    ].slice(0, MAX_SEARCH_TERMS),
    none,
  }
}

/** Returns the words, and each quoted text as one search term. */
function wantedTextsOf(operand: NarrowTerm['operand']): string[] {
  const searchTerms: string[] = []
  for (const [, quoted, word] of String(operand).matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const searchTerm = (quoted ?? word ?? '')
      .replaceAll('\0', '')
      .trim()
      .toLowerCase()
      .slice(0, MAX_NEEDLE_LENGTH)
    if (searchTerm !== '') searchTerms.push(searchTerm)
    if (searchTerms.length === MAX_SEARCH_TERMS) break
  }
  return searchTerms
}
