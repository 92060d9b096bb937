import { createHmac } from 'node:crypto'
import { BadRequestError } from '../../core/errors.ts'
import type { StoreContents } from '../../core/other-stores.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { NoSecretsKeyError } from '../../core/sealed-secret.ts'
import { digestedTables } from '../../store/backups/copied-tables.ts'
import type { Key } from '../../store/key-pages.ts'
import { messageVersionsWithin } from '../../store/messages/message-rows.ts'
import { lineOfBody } from './backup-form.ts'
import { nextRows } from './chunk-of-rows.ts'

/** The digest of rows whose keys follow one another, or of texts. */
interface PartDigest {
  /** The table; `texts` for texts. */
  readonly of: string
  /** The key after which the part begins; [] for the first one. */
  readonly after: Key
  readonly count: number
  readonly digest: string
}

/** Where a page begins: in a table, after a key. */
export type DigestPosition = Omit<PartDigest, 'count' | 'digest'>

export interface DigestPage {
  readonly parts: readonly PartDigest[]
  /** Where the next page begins; null if this is the last one. */
  readonly next: DigestPosition | null
}

/** The section of the texts, which is the last one. */
const TEXTS = 'texts'
/** Rows after which a page ends with the part that they are in. */
const ROWS_AT_ONCE = 1_000
/** Ids of messages whose texts are one part, which begins at a multiple of it. */
const IDS_OF_PART = 512

/**
 * Returns a page of the digest of the whole organization: what backups have of it. Parts of a table end at the same keys whatever rows are
 * before them, so the same rows have the same parts.
 * @throws NoSecretsKeyError (400), BadRequestError for a position that no page has named
 */
export function digestOfOrganization(view: RealmReads, position: DigestPosition | undefined): DigestPage {
  if (position?.of === TEXTS) return digestOfTexts(view, position)
  const { sql } = view
  const key = digestKey(view)
  const tables = digestedTables(sql)
  const first = position ? tables.findIndex(({ table }) => table === position.of) : 0
  if (first < 0) throw new BadRequestError('Invalid of')
  let after = position?.after ?? []
  if (after.length > 0 && after.length !== tables[first]!.keys.length)
    throw new BadRequestError('Invalid after')
  const parts: PartDigest[] = []
  let rows = 0
  for (const table of tables.slice(first)) {
    if (rows >= ROWS_AT_ONCE) return { parts, next: { of: table.table, after: [] } }
    const { lines, last } = nextRows(sql, table, after.length > 0 ? after : null)
    if (lines.length > 0) parts.push(partOf(key, { of: table.table, after }, lines))
    if (last) return { parts, next: { of: table.table, after: last } }
    rows += lines.length
    after = []
  }
  return { parts, next: { of: TEXTS, after: [] } }
}

interface ReadTexts {
  readonly lines: readonly string[]
  /** The last message whose text is in the part; undefined if there are no more messages. */
  readonly last: number | undefined
}

function digestOfTexts(view: RealmReads, { after }: DigestPosition): DigestPage {
  const [above = 0] = after
  if (typeof above !== 'number' || after.length > 1) throw new BadRequestError('Invalid after')
  const key = digestKey(view)
  const { lines, last } = view.fetch('texts', ({ contents }) => readTexts(view, contents, above))
  return {
    parts: lines.length > 0 ? [partOf(key, { of: TEXTS, after }, lines)] : [],
    next: last === undefined ? null : { of: TEXTS, after: [last] },
  }
}

/** Reads the texts of the next part, as many as fit into memory. */
async function readTexts({ sql }: RealmReads, contents: StoreContents, above: number): Promise<ReadTexts> {
  await contents.written()
  const [first] = messageVersionsWithin(sql, { above, upTo: Number.MAX_SAFE_INTEGER, limit: 1 })
  if (!first) return { lines: [], last: undefined }
  const upTo = (Math.floor(first.id / IDS_OF_PART) + 1) * IDS_OF_PART - 1
  const wanted = messageVersionsWithin(sql, { above, upTo, limit: IDS_OF_PART }).map(({ id }) => id)
  const bodies = await contents.bodies(wanted)
  const left = wanted.findIndex((id) => !bodies.has(id))
  const read = left < 0 ? wanted : wanted.slice(0, left)
  return { lines: read.map((id) => lineOfBody(bodies.get(id)!)), last: left < 0 ? upTo : read.at(-1)! }
}

function partOf(key: string, position: DigestPosition, lines: readonly string[]): PartDigest {
  const digest = createHmac('sha256', key).update(lines.join('\n')).digest('hex')
  return { ...position, count: lines.length, digest }
}

/** Returns the key of the digests, which follows from the deployment's: without it nobody can try out what a part says. */
function digestKey({ digestOfAddress }: RealmReads): string {
  const key = digestOfAddress('the digest of an organization')
  if (key === null) throw new NoSecretsKeyError()
  return key
}
