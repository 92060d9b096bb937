import { BYTES_AT_ONCE } from '../../core/budgets.ts'
import { fromJson, type JsonText, type QuotedText, quotedText } from '../../core/json.ts'
import {
  absentBody,
  type BodyRanges,
  type BodyVersion,
  byDatabase,
  type MessageBody,
  type MessageText,
  type TextForm,
  type WantedBody,
} from '../../core/message-bodies.ts'
import { fromNearest, fromPrimary } from './ask-d1.ts'

/** Bytes up to which the source and HTML of a message together count as short: half of BYTES_AT_ONCE holds a thousand of them. */
export const SHORT_BODY = 2_000

/** The length of a body, in bytes. */
const LENGTH = 'octet_length(content) + octet_length(rendered_content) + octet_length(edit_history)'

/** A body that is wanted in at least this version, since an older one is out of date. Without a version: as the primary has it. */
export type WantedAtLeast = WantedBody & Partial<Pick<BodyVersion, 'version'>>

/** Asks a copy of D1, or the primary. */
type Ask = <Answer>(read: (from: Pick<D1DatabaseSession, 'prepare'>) => Promise<Answer>) => Promise<Answer>

/** Locations of an organization's bodies: its ranges, and the databases by their numbers. */
export interface BodyLocations {
  readonly ranges: BodyRanges
  database(number: number): D1Database
}

/** The columns that every reading of bodies has. */
type Read = Pick<MessageBody, 'id' | 'version'>

/**
 * Fetches bodies of one realm's messages (`fetchMessageBodies`) from all their databases in parallel. Each
 * database gets a share of what may be held at once, in proportion to its messages.
 */
export function fetchBodiesFrom(
  locations: BodyLocations,
  realmId: number,
  wanted: readonly WantedAtLeast[],
): Promise<Map<number, MessageBody>> {
  return readFromAll(WHOLE_BODIES, locations, realmId, wanted)
}

/** Fetches one text of each, as `fetchBodiesFrom` fetches bodies. */
export function fetchTextsFrom(
  locations: BodyLocations,
  realmId: number,
  wanted: readonly WantedAtLeast[],
  form: TextForm,
): Promise<Map<number, MessageText>> {
  return readFromAll(ONE_TEXT[form], locations, realmId, wanted)
}

async function readFromAll<Body extends Read>(
  reading: BodyReading<Body>,
  { ranges, database }: BodyLocations,
  realmId: number,
  wanted: readonly WantedAtLeast[],
): Promise<Map<number, Body>> {
  if (ranges.length === 0) return readNearest(reading, database(0), realmId, wanted, BYTES_AT_ONCE)
  const found = await Promise.all(
    byDatabase(ranges, wanted, ({ id }) => id).map(([number, own]) =>
      readNearest(reading, database(number), realmId, own, shareOf(own, wanted)),
    ),
  )
  return new Map(found.flatMap((bodies) => [...bodies]).sort(([a], [b]) => a - b))
}

/** Returns the share of the bodies held at once for some of the messages, in UTF-16 units. */
export function shareOf(own: readonly unknown[], all: readonly unknown[]): number {
  return Math.floor((BYTES_AT_ONCE * own.length) / all.length)
}

/**
 * Fetches bodies of one realm's messages from one database: as many as fit into `space` (see BodyReader). Bodies that D1 does not have get
 * version -1. The nearest copy of D1 is asked first, and the primary for those that the copy lacks in the wanted version or a later one.
 * Two rows are read for a short body, six for others.
 */
export function fetchMessageBodies(
  db: D1Database,
  realmId: number,
  wanted: readonly WantedAtLeast[],
  space = BYTES_AT_ONCE,
): Promise<Map<number, MessageBody>> {
  return readNearest(WHOLE_BODIES, db, realmId, wanted, space)
}

async function readNearest<Body extends Read>(
  reading: BodyReading<Body>,
  db: D1Database,
  realmId: number,
  wanted: readonly WantedAtLeast[],
  space: number,
): Promise<Map<number, Body>> {
  const near = await fetchFrom(
    reading,
    (read) => fromNearest(db, read),
    realmId,
    wanted.filter(({ version }) => version !== undefined),
    space,
  )
  const behind = wanted.filter(({ id, version }) => {
    if (version === undefined) return true
    const body = near.get(id)
    return body !== undefined && body.version < version
  })
  if (behind.length === 0) return near
  for (const { id } of behind) near.delete(id)
  const room = space - [...near.values()].reduce((sum, body) => sum + reading.lengthOf(body), 0)
  const now = await fetchFrom(reading, (read) => fromPrimary(db, read), realmId, behind, room)
  return new Map([...near, ...now].sort(([a], [b]) => a - b))
}

async function fetchFrom<Body extends Read>(
  reading: BodyReading<Body>,
  ask: Ask,
  realmId: number,
  wanted: readonly WantedBody[],
  space: number,
): Promise<Map<number, Body>> {
  const { short, others } = divide(wanted, space)
  const room = space - short.length * SHORT_BODY
  const [found, fitting] = await Promise.all([
    fetchShortBodies(reading, ask, realmId, short),
    fetchFittingBodies(reading, ask, realmId, others, room),
  ])
  if (found.size === wanted.length) return found
  // Bodies that have grown since, and bodies that are not there.
  const left = short.filter((id) => !found.has(id))
  const grown = await fetchFittingBodies(reading, ask, realmId, left, room)
  return new Map([...found, ...fitting, ...grown])
}

/** Divides the wanted bodies into short and other ones. No more count as short than fit into half of `space`, whatever their flags say. */
function divide(wanted: readonly WantedBody[], space: number): { short: number[]; others: number[] } {
  const short: number[] = []
  const others: number[] = []
  for (const { id, isShort } of wanted) {
    const isIn = isShort === true && short.length * SHORT_BODY < space / 2
    ;(isIn ? short : others).push(id)
  }
  return { short, others }
}

/**
 * Short bodies that come in one row, as JSON: in rows of their own a hundred take a fifth of a millisecond more. However
 * many characters are escaped, they stay below the 2 MB of a value.
 */
const SHORT_BODIES_IN_A_ROW = 100

/** Returns the query of short bodies in one row; `ids`: the table of their ids. */
function bodiesInARow<Body extends Read>({ together }: BodyReading<Body>, ids: string): string {
  return `SELECT ${together} AS bodies
    FROM ${ids} AS wanted CROSS JOIN message_body ON realm_id = ?1 AND message_id = wanted.value WHERE ${LENGTH} <= ?3`
}

/** Fetches those of the bodies that are no longer than `SHORT_BODY`. */
async function fetchShortBodies<Body extends Read>(
  reading: BodyReading<Body>,
  ask: Ask,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, Body>> {
  if (ids.length === 0) return new Map()
  const parts = Array.from({ length: Math.ceil(ids.length / SHORT_BODIES_IN_A_ROW) }, (_, at) =>
    ids.slice(at * SHORT_BODIES_IN_A_ROW, (at + 1) * SHORT_BODIES_IN_A_ROW),
  )
  const query =
    parts.length === 1
      ? bodiesInARow(reading, `json_each(?2, '$[0]')`)
      : `SELECT (${bodiesInARow(reading, 'json_each(part.value)')}) AS bodies FROM json_each(?2) AS part`
  const { results } = await ask((from) =>
    from.prepare(query).bind(realmId, JSON.stringify(parts), SHORT_BODY).all<never>(),
  )
  return byId(results.flatMap((row) => reading.readTogether(row)))
}

/** Fetches the first of these bodies that fit, at least one, with one query that reads their lengths before the texts. */
async function fetchFittingBodies<Body extends Read>(
  reading: BodyReading<Body>,
  ask: Ask,
  realmId: number,
  ids: readonly number[],
  room: number,
): Promise<Map<number, Body>> {
  if (ids.length === 0) return new Map()
  const { results } = await ask((from) =>
    from
      .prepare(
        `WITH wanted AS (
           SELECT value AS id, SUM(ifnull(${LENGTH}, 0))
             OVER (ORDER BY value ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
           FROM json_each(?2) LEFT JOIN message_body ON realm_id = ?1 AND message_id = value
         )
         SELECT id AS message_id, ${reading.alone}
         FROM wanted LEFT JOIN message_body ON realm_id = ?1 AND message_id = id
         WHERE ifnull(bytes_before, 0) < ?3`,
      )
      .bind(realmId, JSON.stringify(ids), Math.max(room, 1))
      .all<never>(),
  )
  return byId(results.map((row) => reading.readAlone(row)))
}

function byId<Body extends Read>(bodies: readonly Body[]): Map<number, Body> {
  return new Map(bodies.map((body) => [body.id, body]))
}

/** The columns of bodies that a reading has, and their form. */
interface BodyReading<Body extends Pick<MessageBody, 'id' | 'version'>> {
  /** The value that has many bodies: one, since a query of several parts gets a value for each. */
  readonly together: string
  /** Columns of a body's own row. */
  readonly alone: string
  readTogether(row: never): Body[]
  /** Reads a row that has nulls where there is no body: what replaces it has version -1. */
  readAlone(row: never): Body
  /** The length of what was read, in UTF-16 units. */
  lengthOf(body: Body): number
}

interface BodyRow {
  readonly message_id: number
  /** Null, like all fields below, where there is no body. */
  readonly version: number | null
  readonly content: string
  readonly rendered_content: string
  readonly edit_history: JsonText<unknown[]>
}

type BodyInARow = [
  id: number,
  version: number,
  content: string,
  html: string,
  history: BodyRow['edit_history'],
]

/** Reads the whole body. */
const WHOLE_BODIES: BodyReading<MessageBody> = {
  together: `json_group_array(json_array(message_id, version, content, rendered_content, edit_history))`,
  alone: `version, content, rendered_content, edit_history`,
  readTogether: ({ bodies }: { bodies: JsonText<BodyInARow[]> }) =>
    fromJson(bodies).map(([id, version, content, renderedContent, history]) => ({
      id,
      version,
      content,
      renderedContent,
      editHistory: editsOf(history),
    })),
  readAlone({ message_id: id, version, content, rendered_content, edit_history }: BodyRow) {
    if (version === null) return absentBody(id)
    return { id, version, content, renderedContent: rendered_content, editHistory: editsOf(edit_history) }
  },
  lengthOf: ({ content, renderedContent }) => content.length + renderedContent.length,
}

interface TextRow {
  readonly message_id: number
  readonly version: number | null
  readonly text: QuotedText
  readonly edit_history: JsonText<unknown[]>
}

type Head = [id: number, version: number, history: TextRow['edit_history']]

/** Reads one text of a body, as JSON that SQLite makes: neither parsed nor made here, a page costs a tenth less. */
const ONE_TEXT: Readonly<Record<TextForm, BodyReading<MessageText>>> = {
  content: textReading('content'),
  renderedContent: textReading('rendered_content'),
}

function textReading(column: 'content' | 'rendered_content'): BodyReading<MessageText> {
  return {
    // Each on a line of its own, since JSON has no line breaks within a list of texts or a text.
    together: `json_group_array(json_array(message_id, version, edit_history)) || char(10) ||
      ifnull(group_concat(json_quote(${column}), char(10)), '')`,
    alone: `version, json_quote(${column}) AS text, edit_history`,
    readTogether({ bodies }: { bodies: string }) {
      const [heads, ...texts] = bodies.split('\n')
      return fromJson(heads as JsonText<Head[]>).map(([id, version, history], at) => ({
        id,
        version,
        text: texts[at] as QuotedText,
        editHistory: editsOf(history),
      }))
    },
    readAlone({ message_id: id, version, text, edit_history }: TextRow) {
      if (version === null) return textOf(absentBody(id), 'content')
      return { id, version, text, editHistory: editsOf(edit_history) }
    },
    lengthOf: ({ text }) => text.length,
  }
}

/** Returns one text of a body that is known as a whole. */
export function textOf(body: MessageBody, form: TextForm): MessageText {
  const { id, version, editHistory } = body
  return { id, version, text: quotedText(body[form]), editHistory }
}

/** Most messages have not been edited. */
function editsOf(history: JsonText<unknown[]>): readonly unknown[] {
  return history === '[]' ? [] : fromJson(history)
}
