/** Messages of an export of the public server, with their reactions, stars and unread marks. */
import { parseJson } from '../../core/json.ts'
import { Payload } from '../../integrations/payload.ts'
import type { JsonItem } from '../json-items.ts'
import type { Known } from '../known.ts'
import type { Edit, NeutralRecord, Reaction, RecordOf } from '../neutral.ts'
import { ofItems, unreadable } from '../problems.ts'
import { editsIn, listed, ofUnlisted, push, rewritten } from '../server-texts.ts'
import { MessageLists } from '../stored-lists.ts'
import { isOwnHost, onlyOf } from './realm.ts'

const [READ, STARRED] = [1, 2] as const
const USER_MESSAGES = 'zerver_usermessage'
const MAX_TEXT = 1_000_000

/** Notes stars and unread messages of a file that is read in sections, where they come after the messages. */
export async function* noteMarks(
  items: AsyncIterable<JsonItem>,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const marks = new MessageLists('marks', known)
  yield* ofItems(onlyOf(USER_MESSAGES, items), async function* ({ value }) {
    const row = new Payload(value, MAX_TEXT)
    const message = row.number('message')
    const user = row.text('user_profile').slice(0, 40)
    if (message === undefined || user === '') return yield BAD_MARK
    for (const mark of marksIn(row)) await marks.addTo(message, [user, mark])
  })
  await marks.store()
}

const BAD_MARK: RecordOf<'problem'> = {
  type: 'problem',
  kind: 'bad row',
  detail: `${USER_MESSAGES} without a message or a user`,
}

type Mark = 'starred' | 'unread'

function marksIn(row: Payload): Mark[] {
  const flags = row.number('flags_mask') ?? READ
  return [
    ...((flags & STARRED) !== 0 ? ['starred' as const] : []),
    ...((flags & READ) === 0 ? ['unread' as const] : []),
  ]
}

/** Yields the messages of a file of a thousand with their marks, or those of a section of a file, whose marks are noted. */
export async function* ofMessages(
  items: AsyncIterable<JsonItem>,
  known: Known,
  isSection: boolean,
): AsyncGenerator<NeutralRecord> {
  const messages: { readonly row: Payload; readonly entry: number }[] = []
  const [starred, unread] = [new Map<string, string[]>(), new Map<string, string[]>()]
  const mark = (message: string, user: string, as: string) =>
    push(as === 'starred' ? starred : unread, message, user)
  for await (const { list, number, value, fault } of items) {
    // Those of a section are noted already.
    if (list === USER_MESSAGES && isSection) continue
    const row = new Payload(value, MAX_TEXT)
    if (fault !== undefined) yield unreadable(fault, { entry: number })
    else if (list === 'zerver_message') messages.push({ row, entry: number })
    else if (list === USER_MESSAGES) {
      const [message, user] = [row.text('message'), row.text('user_profile')]
      if (message === '' || user === '') yield { ...BAD_MARK, entry: number }
      else for (const as of marksIn(row)) mark(message, user, as)
    }
  }
  const ids = messages.flatMap(({ row }) => row.number('id') ?? [])
  if (isSection)
    for await (const item of new MessageLists('marks', known).ofMessages(ids))
      mark(item.text(0), item.text(1), item.text(2))
  const reactions = await reactionsOf(ids, known)
  const isOwn = await isOwnHost(known)
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
    const edited = row.number('last_edit_time')
    yield {
      type: 'message',
      id,
      sender: row.text('sender'),
      time_ms: sent * 1_000,
      content: await rewritten(row.text('content'), isOwn, known),
      ...where,
      ...(edited !== undefined && { edited_ms: edited * 1_000 }),
      ...listed('edits', editsOf(row)),
      ...listed('reactions', reactions.get(id)),
      ...listed('starred_by', starred.get(id)),
      ...listed('unread_by', unread.get(id)),
    }
  }
}

type Place = ({ channel: string; topic: string } | { to: string[] }) & {
  /** Users who were away for long, with the last message that they have received. */
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

function editsOf(row: Payload): Edit[] {
  const text = row.text('edit_history')
  if (text === '') return []
  try {
    return editsIn(new Payload(parseJson(text), MAX_TEXT))
  } catch {
    return []
  }
}

/** Returns the stored reactions of messages, by the ids of the messages. */
async function reactionsOf(messages: readonly number[], known: Known): Promise<Map<string, Reaction[]>> {
  const found = new Map<string, Reaction[]>()
  for await (const reaction of new MessageLists('reactions', known).ofMessages(messages)) {
    const [id = '', user = '', emoji = '', code = ''] = [0, 1, 2, 3].map((at) => reaction.text(at))
    const isUnicode = reaction.text(4) === 'unicode'
    push(found, id, { user, emoji, kind: isUnicode ? 'unicode' : 'custom', ...(isUnicode && { code }) })
  }
  return found
}
