/** Messages of an export of the public server, with what each person has done with them. */
import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import { Buckets } from '../buckets.ts'
import type { Known } from '../import-reader.ts'
import type { JsonItem } from '../json-items.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'
import { editsIn, ofUnlisted, rewritten } from '../server-texts.ts'
import { reactionsOf } from './realm.ts'

const [READ, STARRED] = [1, 2] as const
const USER_MESSAGES = 'zerver_usermessage'
const MAX_TEXT = 1_000_000

/** Notes what people have done with messages of a file that is read in sections: it stands behind them. */
export async function* noteMarks(
  items: AsyncIterable<JsonItem>,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const marks = new Buckets('marks', known)
  for await (const { list, number, value, fault } of items) {
    if (list !== USER_MESSAGES) continue
    const row = new Payload(value, MAX_TEXT)
    const message = row.number('message')
    if (fault !== undefined || message === undefined || row.text('user_profile') === '') {
      yield badMark(number, fault)
      continue
    }
    for (const mark of marksIn(row)) await marks.add(message, [row.text('user_profile').slice(0, 40), mark])
  }
  await marks.store()
}

function badMark(entry: number, fault: string | undefined): NeutralRecord {
  return fault === undefined
    ? { type: 'problem', kind: 'bad row', detail: `${USER_MESSAGES} without a message or a user`, entry }
    : { type: 'problem', kind: 'not readable', detail: fault, entry }
}

type Mark = 'starred' | 'unread'

function marksIn(row: Payload): Mark[] {
  const flags = row.number('flags_mask') ?? READ
  return [
    ...((flags & STARRED) !== 0 ? ['starred' as const] : []),
    ...((flags & READ) === 0 ? ['unread' as const] : []),
  ]
}

/**
 * Yields the messages of one file, which has a thousand, and what people have done with them behind them; of a section of a file, messages of
 * which that is noted.
 */
export async function* ofMessages(
  items: AsyncIterable<JsonItem>,
  known: Known,
  isSection: boolean,
): AsyncGenerator<NeutralRecord> {
  const messages: { readonly row: Payload; readonly entry: number }[] = []
  const [starred, unread] = [new Map<string, string[]>(), new Map<string, string[]>()]
  const mark = (message: string, user: string, as: string) =>
    add(as === 'starred' ? starred : unread, message, user)
  for await (const { list, number, value, fault } of items) {
    // These of a section were noted before.
    if (list === USER_MESSAGES && isSection) continue
    const row = new Payload(value, MAX_TEXT)
    if (list === USER_MESSAGES && (row.text('message') === '' || row.text('user_profile') === ''))
      yield badMark(number, fault)
    else if (fault !== undefined)
      yield { type: 'problem', kind: 'not readable', detail: fault, entry: number }
    else if (list === 'zerver_message') messages.push({ row, entry: number })
    else if (list === USER_MESSAGES)
      for (const as of marksIn(row)) mark(row.text('message'), row.text('user_profile'), as)
  }
  const ids = messages.flatMap(({ row }) => row.number('id') ?? [])
  if (isSection)
    for await (const item of new Buckets('marks', known).of(ids))
      mark(item.text(0), item.text(1), item.text(2))
  const reactions = await reactionsOf(ids, known)
  const name = (await known.get('realm', 'host')) ?? ''
  const isOwn = (host: string) => name !== '' && host.startsWith(`${name}.`)
  for (const { row, entry } of messages) {
    const id = row.text('id')
    const place = await placeOf(row, known)
    const sent = row.number('date_sent')
    if (id === '' || !place || sent === undefined || sent <= 0 || row.text('sender') === '') {
      yield { type: 'problem', kind: place ? 'bad message' : 'message without a place', detail: id, entry }
      continue
    }
    const people = 'to' in place ? place.to : [row.text('sender')]
    for (const person of people) yield* ofUnlisted(person, `User ${person}`, known)
    const { behind, ...where } = place
    const missed = behind.filter(([user, last]) => Number(id) > last && user !== row.text('sender'))
    if (missed.length > 0) unread.set(id, [...(unread.get(id) ?? []), ...missed.map(([user]) => user)])
    const edits = editsOf(row)
    const edited = row.number('last_edit_time')
    yield {
      type: 'message',
      id,
      sender: row.text('sender'),
      time_ms: sent * 1_000,
      content: await rewritten(row.text('content'), isOwn, known),
      ...where,
      ...(edited !== undefined && { edited_ms: edited * 1_000 }),
      ...(edits.length > 0 && { edits }),
      ...listed('reactions', reactions.get(id)),
      ...listed('starred_by', starred.get(id)),
      ...listed('unread_by', unread.get(id)),
    }
  }
}

function listed<Key extends string, Item>(key: Key, list: Item[] | undefined): Partial<Record<Key, Item[]>> {
  return list ? ({ [key]: list } as Record<Key, Item[]>) : {}
}

function add(map: Map<string, string[]>, message: string, user: string): void {
  const list = map.get(message) ?? []
  if (list.length === 0) map.set(message, list)
  list.push(user)
}

type Place = ({ channel: string; topic: string } | { to: string[] }) & {
  /** People to whom it came while they were away, with the last message before that. */
  behind: (readonly [user: string, last: number])[]
}

async function placeOf(row: Payload, known: Known): Promise<Place | undefined> {
  const text = await known.get('recipient', row.text('recipient'))
  if (text === undefined) return undefined
  const recipient = new Payload(parseJson(text))
  const behind = recipient.list('behind').map((one) => [one.text(0), one.number(1) ?? 0] as const)
  if (recipient.number('type') === 2)
    return { channel: recipient.text('id'), topic: row.text('subject'), behind }
  const people = recipient.list('people').map((person) => person.text())
  return { to: [...new Set([...people, row.text('sender')])], behind }
}

function editsOf(row: Payload): NonNullable<RecordOf<'message'>['edits']> {
  const text = row.text('edit_history')
  if (text === '') return []
  try {
    return editsIn(new Payload(parseJson(text), MAX_TEXT))
  } catch {
    return []
  }
}
