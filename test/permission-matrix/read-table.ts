import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import {
  type Actor,
  DESTINATIONS_OF,
  type Destination,
  type DestinationKind,
  isTrueOf,
  WITHOUT_BROWSER,
} from './cast.ts'
import { REFUSALS, type RefusalName } from './refusals.ts'
import { TABLE } from './table.ts'

/** The expected answer: success, success that does not show the destination, or a refusal. */
export type Expected = 'ok' | 'ok, not shown' | RefusalName

interface Need {
  /** Words of the table, of which at least one must be true of the actor. */
  readonly words: readonly string[]
  readonly refusal: RefusalName
}

export interface Row {
  /** The operation id, and after a colon the kind of request. */
  readonly name: string
  readonly operation: string
  readonly section: string
  readonly destinations: DestinationKind | undefined
  /** Whether no account is needed; the needs of the table then hold for everybody. */
  readonly isOpen: boolean
  readonly needs: readonly Need[]
  /** Words for the actors to whom the answer shows the destination. */
  readonly shows: readonly string[] | undefined
  /** The needs of a visitor; undefined if visitors are refused like anybody without a key. */
  readonly visitors: Visitors | undefined
}

interface Visitors {
  readonly words: readonly string[]
  /** The refusal of all others; undefined if they get an answer without what is at the destination. */
  readonly refusal: RefusalName | undefined
}

/** All endpoints, including those that exist only below /json. */
export const ALL_ENDPOINTS: readonly Endpoint[] = ENDPOINTS.flatMap((endpoint) =>
  endpoint.belowJson ? [endpoint, endpoint.belowJson] : [endpoint],
)
const BY_OPERATION = new Map(ALL_ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint]))

/** What each declaration requires of the caller, as the table would say it; null: no account. */
const NEEDS_OF: Readonly<Record<Endpoint['access'], string | null>> = {
  anyone: null,
  spectator: null,
  provisioning: null,
  user: '',
  human: 'human | not for bots',
  bot: 'bot | only for bots',
  member: 'member | not for guests',
  'human-member': 'member | not for guests; human | not for bots',
  administrator: 'administrator | administrators only',
  owner: 'owner | owners only',
}

/** The section of the operations that the table does not name. */
export const BY_DECLARATION = 'Everything else'

/** Endpoints that exist below /json only. */
export const BELOW_JSON_ALONE: ReadonlySet<string> = new Set(['fetch-own-api-key'])

const ROW = /^(?<name>\S.*?)\s+(?:at (?<destinations>\w+)\s+)?(?<rule>(?:=|shows |anybody).*)$/

/**
 * Returns the rows of the table, and one for each other operation, of which its declaration says all.
 * @throws Error for a line that is not a row, or a word that is not defined.
 */
export function readTable(): Row[] {
  let section = ''
  const rows: Row[] = []
  for (const line of TABLE.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3)
    else if (line.trim() !== '') rows.push(readRow(line.trim(), section))
  }
  const names = rows.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`Two rows for ${twice}`)
  const named = new Set(rows.map(({ operation }) => operation))
  const others = ALL_ENDPOINTS.filter(({ operation }) => !named.has(operation)).map(rowOf)
  const { visits = [], requests = [] } = Object.groupBy(rows, (row) => (isVisit(row) ? 'visits' : 'requests'))
  return [...requests, ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1)), ...visits]
}

function rowOf({ operation, access }: Endpoint): Row {
  return readRow(`${operation} ${NEEDS_OF[access] === null ? 'anybody' : '='}`, BY_DECLARATION)
}

function readRow(line: string, section: string): Row {
  const { name, destinations, rule } = ROW.exec(line)?.groups ?? {}
  if (name === undefined || rule === undefined) throw new Error(`No row: ${line}`)
  if (destinations !== undefined && !(destinations in DESTINATIONS_OF))
    throw new Error(`No kind of destinations: ${destinations}`)
  const operation = name.split(': ')[0]!
  const isOpen = rule.startsWith('anybody')
  const declared = BY_OPERATION.get(operation)
  const clauses = [
    ...clausesOf(declared && !isOpen ? NEEDS_OF[declared.access] : null),
    ...clausesOf(rule.replace(/^(=|anybody)/, '')),
  ]
  const shown = clauses.filter((clause) => clause.startsWith('shows '))
  const visitors = clauses.filter((clause) => /^visitors\b/.test(clause))
  if (shown.length > 1 || visitors.length > 1) throw new Error(`Said twice: ${line}`)
  return {
    name,
    operation,
    section,
    destinations: destinations as DestinationKind | undefined,
    isOpen,
    needs: clauses.filter((clause) => !/^(shows|visitors)\b/.test(clause)).map(readNeed),
    shows: shown[0] === undefined ? undefined : wordsOf(shown[0].slice('shows '.length)),
    visitors: visitors[0] === undefined ? undefined : readVisitors(visitors[0].slice('visitors'.length)),
  }
}

function clausesOf(text: string | null): string[] {
  return (text ?? '')
    .split(';')
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
}

function readNeed(clause: string): Need {
  const [who = '', refusal = ''] = clause.split('|').map((part) => part.trim())
  if (!(refusal in REFUSALS)) throw new Error(`No refusal: ${clause}`)
  return { words: wordsOf(who), refusal: refusal as RefusalName }
}

function readVisitors(clause: string): Visitors {
  if (clause.includes('|')) return readNeed(clause)
  return { words: clause.trim() === '' ? [] : wordsOf(clause.trim()), refusal: undefined }
}

function wordsOf(text: string): string[] {
  return text.split(' or ').map((word) => word.trim())
}

/**
 * Returns the answer that the table expects: the first unmet need decides. `byBrowser`: below /json, from a logged-in
 * browser.
 */
export function expectedOf(
  row: Row,
  actor: Actor,
  destination: Destination | undefined,
  byBrowser = BELOW_JSON_ALONE.has(row.operation),
): Expected {
  // Files are opened by browsers that send neither a key nor a cookie (docs/interface/uploads.md#read-a-file).
  const hasEnded = byBrowser && (actor === 'deactivated' || actor === 'other organization')
  const withoutAccount = row.operation === 'ALL /user_uploads/*' && !hasEnded ? 'not their file' : 'no key'
  if (actor === 'visitor') return ofVisitor(row, destination) ?? withoutAccount
  if (!row.isOpen) {
    if (actor === 'anonymous' || (byBrowser && WITHOUT_BROWSER.includes(actor))) return withoutAccount
    if (actor === 'deactivated') return 'account deactivated'
    if (actor === 'other organization') return 'key of another host'
  }
  const isOneOf = (words: readonly string[]) => words.some((word) => isTrueOf(word, actor, destination))
  const missing = row.needs.find(({ words }) => !isOneOf(words))
  if (missing) return missing.refusal
  return row.shows && !isOneOf(row.shows) ? 'ok, not shown' : 'ok'
}

function ofVisitor({ visitors, shows }: Row, destination: Destination | undefined): Expected | undefined {
  if (!visitors) return undefined
  const { words, refusal } = visitors
  if (words.length === 0 || words.some((word) => isTrueOf(word, 'visitor', destination))) return 'ok'
  return refusal ?? (shows ? 'ok, not shown' : undefined)
}

/** Whether a row is outside the API: its name is a method and a path. */
export function isVisit({ operation }: Row): boolean {
  return /^[A-Z]+ \//.test(operation)
}

export function destinationsOf({ destinations }: Row): readonly (Destination | undefined)[] {
  return destinations === undefined ? [undefined] : DESTINATIONS_OF[destinations]
}
