import { CHANGES_OF_COMMIT, PAGE_OF_ROWS } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { type RecordOf, SETTINGS_LEFT_BEHIND } from '../../imports/neutral.ts'
import { withIds } from '../../imports/references.ts'
import { mayAccessChannelContent } from '../../rules/channel-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { flagBitsOf, putFlagBitsOfMessages } from '../../store/messages/flags/flag-rows.ts'
import { FLAG_BIT, MESSAGE_BIT, UNREAD_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessages, newestMessageId } from '../../store/messages/message-rows.ts'
import { firstIdOfImport } from '../../store/messages/message-time-rows.ts'
import { insertMutedUser, isMutedBy } from '../../store/muted-users/muted-user-rows.ts'
import {
  insertAlertWords,
  insertSavedSnippet,
  listNavigationViews,
  putNavigationView,
} from '../../store/personal/personal-rows.ts'
import { NO_STATUS, putStatus } from '../../store/presence/presence-and-status-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { putUserTopic, TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import {
  checkUserSetting,
  USER_SETTING_NAMES,
  USER_SETTINGS,
  type UserSettingName,
} from '../../store/users/settings/user-settings.ts'
import { changeUser, findUser } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { scopeAtHand } from '../messages/flags/unread-messages.ts'
import { MAX_MESSAGE_LENGTH } from '../messages/text/compose.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { lineUpTo, textUpTo, topicNamed } from './fit-text.ts'
import { isOwn, NOT_ALLOWED, takesOwn } from './import-rights.ts'
import {
  type ImportWork,
  notePersonal,
  noteTarget,
  takesPersonal,
  targetOf,
  unlessRefused,
} from './import-work.ts'
import { isLeftOut } from './write-channel.ts'
import { emojiOf } from './write-emoji.ts'

/** Personal data of users. An account that somebody else has here keeps its own. */

const MAX_WORD_LENGTH = 100
const MAX_TITLE_LENGTH = 60

/** Returns the account of a person. One who was not imported is listed. */
function personOf(
  tx: RealmTransaction,
  work: ImportWork,
  { type, user }: { type: string; user: string },
): number | undefined {
  const id = targetOf(tx, work, 'user', user)
  if (id === undefined) work.tally.problem(`${type} of an unknown person`, user)
  return id
}

/** Returns the account of a person that takes what people have for themselves. Another's is listed: only they may change it. */
export function accountFor(
  tx: RealmTransaction,
  work: ImportWork,
  record: { type: string; user: string },
): number | undefined {
  const id = personOf(tx, work, record)
  if (id === undefined || takesOwn(tx, work, record.user, id)) return id
  work.tally.problem(
    NOT_ALLOWED,
    `${record.type} of ${findUser(tx.sql, id)!.fullName}: only they may change it`,
  )
  return undefined
}

export function writeUserTopic(tx: RealmTransaction, work: ImportWork, record: RecordOf<'user_topic'>): void {
  const userId = accountFor(tx, work, record)
  const channelId = targetOf(tx, work, 'channel', record.channel)
  if (userId === undefined) return
  const channel = channelId === undefined ? undefined : findChannel(tx.sql, channelId)
  const isKnown = channel && (isOwn(tx, work, 'channel', record.channel) || readsChannel(tx, userId, channel))
  if (channelId === undefined || isLeftOut(tx, work, record.channel) || !isKnown) {
    work.tally.count('written', 'topics with a setting left out')
    return
  }
  const name = topicNamed(work, record.topic)
  if (topicPolicy(tx.sql, userId, channelId, name) !== TOPIC_POLICY.none) return
  if (!hasRoom(tx, 'topicSettings', userId)) {
    work.tally.problem('no room for more topics with a setting', name)
    return
  }
  putUserTopic(tx.sql, { userId, channelId, name, policy: TOPIC_POLICY[record.policy], updatedAt: tx.now })
  notePersonal(tx, work, record, { userId, of: [channelId, name, TOPIC_POLICY[record.policy]] })
  work.tally.count('written', 'topics with a setting')
}

function readsChannel({ sql, now }: RealmTransaction, userId: number, channel: Channel): boolean {
  const actor = actorOf(sql, findUser(sql, userId)!, now)
  return mayAccessChannelContent(actor, channel, isSubscribed(sql, channel.id, userId))
}

export function writeMutedUser(tx: RealmTransaction, work: ImportWork, record: RecordOf<'muted_user'>): void {
  const userId = accountFor(tx, work, record)
  const mutedId = personOf(tx, work, { type: record.type, user: record.muted })
  if (userId === undefined || mutedId === undefined || userId === mutedId) return
  if (isMutedBy(tx.sql, mutedId, userId)) return
  if (!hasRoom(tx, 'mutedUsers', userId)) {
    work.tally.problem('no room for more muted people', record.user)
    return
  }
  insertMutedUser(tx.sql, userId, { id: mutedId, timestamp: tx.now }, newestMessageId(tx.sql))
  notePersonal(tx, work, record, { userId, of: [mutedId] })
  work.tally.count('written', 'muted people')
}

export function writeAlertWord(tx: RealmTransaction, work: ImportWork, record: RecordOf<'alert_word'>): void {
  const userId = accountFor(tx, work, record)
  const word = lineUpTo(work, record.word, MAX_WORD_LENGTH, 'alert_word.word')
  if (userId === undefined || word === '') return
  if (!hasRoom(tx, 'alertWords', userId)) work.tally.problem('no room for more alert words', record.user)
  else if (insertAlertWords(tx.sql, userId, [word])) {
    notePersonal(tx, work, record, { userId, of: [word] })
    work.tally.count('written', 'alert words')
  }
}

export function writeSnippet(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'saved_snippet'>,
): void {
  if (targetOf(tx, work, 'saved_snippet', record.id) !== undefined) return
  const userId = accountFor(tx, work, record)
  if (userId === undefined) return
  const content = textUpTo(work, record.content, MAX_MESSAGE_LENGTH, 'saved_snippet.content')
  const title = lineUpTo(work, record.title, MAX_TITLE_LENGTH, 'saved_snippet.title') || 'Imported'
  if (content === '') return
  if (!hasRoom(tx, 'snippets', userId)) {
    work.tally.problem('no room for more saved snippets', title)
    return
  }
  const { id } = insertSavedSnippet(tx.sql, userId, { title, content, date_created: Math.floor(tx.now) })
  noteTarget(tx, work, 'saved_snippet', record.id, id, 'saved snippets')
}

const MAX_STATUS_LENGTH = 60

/** Gives an account its status, once custom emoji are there. */
export function writeStatus(tx: RealmTransaction, work: ImportWork, person: RecordOf<'user'>): void {
  if (person.status === undefined && person.status_emoji === undefined) return
  const userId = targetOf(tx, work, 'user', person.id)
  if (userId === undefined || !takesPersonal(tx, work, person.id, userId)) return
  const text = lineUpTo(work, person.status ?? '', MAX_STATUS_LENGTH, 'user.status')
  putStatus(tx.sql, userId, { ...NO_STATUS, ...statusEmoji(tx, work, person), status_text: text })
}

function statusEmoji(tx: RealmTransaction, work: ImportWork, { status_emoji, full_name }: RecordOf<'user'>) {
  if (status_emoji === undefined) return undefined
  return unlessRefused(work, 'unknown emoji', full_name, () => emojiOf(tx, work, status_emoji))
}

/** Gives an account the person's settings of the source. An account that was here keeps its own. */
export function writeUserSettings(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'user_settings'>,
): void {
  const { tally } = work
  const userId = accountFor(tx, work, record)
  if (userId === undefined || !takesPersonal(tx, work, record.user, userId)) return
  const user = findUser(tx.sql, userId)!
  const settings: Record<string, unknown> = { ...user.settings }
  const edited = new Set(user.editedSettings)
  for (const [given, value] of Object.entries(record.settings)) {
    const name = USER_SETTING_NAMES.find((one) => one === given)
    if (!name || SETTINGS_LEFT_BEHIND.has(name)) {
      tally.count('passedOver', `user_settings ${given}`)
      continue
    }
    unlessRefused(work, 'setting that cannot be used', given, () => {
      const checked = checkUserSetting(name, value)
      if (checked !== (settings[name] ?? USER_SETTINGS[name].default)) edited.add(name)
      settings[name] = checked
    })
  }
  const differing = Object.entries(settings).filter(
    ([name, value]) => USER_SETTINGS[name as UserSettingName]?.default !== value,
  )
  changeUser(tx.sql, userId, { settings: Object.fromEntries(differing), editedSettings: [...edited] })
  tally.count('written', 'people with their settings')
}

const MAX_NAME_LENGTH = 100
const MAX_FRAGMENT_LENGTH = 1_000

/** Adds a view to a person's sidebar, unless it is there, or refers to what was left out. */
export function writeNavigationView(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'navigation_view'>,
): void {
  const userId = accountFor(tx, work, record)
  if (userId === undefined) return
  const own = withIds(record.fragment, (kind, id) => targetOf(tx, work, kind, id))
  const fragment = own === undefined ? '' : lineUpTo(work, own, MAX_FRAGMENT_LENGTH, 'navigation_view')
  if (fragment === '') {
    work.tally.count('written', 'views of the sidebar left out')
    return
  }
  if (listNavigationViews(tx.sql, userId).some((view) => view.fragment === fragment)) return
  if (!hasRoom(tx, 'views', userId)) {
    work.tally.problem('no room for more views of the sidebar', fragment)
    return
  }
  const { name = null, pinned = false } = record
  putNavigationView(tx.sql, userId, {
    fragment,
    is_pinned: pinned,
    name: name === null ? null : lineUpTo(work, name, MAX_NAME_LENGTH, 'navigation_view.name'),
  })
  notePersonal(tx, work, record, { userId, of: [fragment] })
  work.tally.count('written', 'views of the sidebar')
}

/** Ranges of one record, and messages that are searched for it, the newest first. */
const RANGES = 1_000
const LOOKED_AT = 8 * PAGE_OF_ROWS
/** Limit of a user's unread messages; older ones arrive read. */
const UNREAD_OF_PERSON = 4 * CHANGES_OF_COMMIT

/** Marks imported messages as unread that a user has not read at the source, in the user's channels and conversations. */
export function writeReadState(
  tx: RealmTransaction,
  work: ImportWork,
  { user, unread }: RecordOf<'read_state'>,
): void {
  const { tally } = work
  const userId = targetOf(tx, work, 'user', user)
  if (userId === undefined) {
    tally.problem('read state of an unknown person', user)
    return
  }
  const ranges = unread.slice(-RANGES).flatMap((range) => {
    const [first, last] = typeof range === 'string' ? [range, range] : range
    const ends = [targetOf(tx, work, 'message', first), targetOf(tx, work, 'message', last)] as const
    if (ends[0] !== undefined && ends[1] !== undefined) return [[ends[0], ends[1]] as const]
    tally.count('passedOver', 'read_state.unread[]')
    return []
  })
  // What was here before, only they may mark.
  const from = takesOwn(tx, work, user, userId) ? 0 : firstIdOfImport(tx.sql, work.imported.id)
  const ids = unreadIn(tx, userId, ranges, from)
  if (unread.length > RANGES || ids.length > UNREAD_OF_PERSON)
    tally.problem('more unread messages than are kept', user)
  const kept = ids.slice(0, UNREAD_OF_PERSON)
  const before = flagBitsOf(tx.sql, userId, kept)
  putFlagBitsOfMessages(tx.sql, userId, new Map(kept.map((id) => [id, (before.get(id) ?? 0) | UNREAD_BIT])))
  tally.count('written', 'unread messages', kept.length)
}

/** Messages of one record that get a star. */
const STARS_OF_RECORD = 1_000

/** Stars messages that this import has made for a person. */
export function writeStars(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'starred_messages'>,
): void {
  const { tally } = work
  const userId = personOf(tx, work, record)
  if (userId === undefined) return
  if (record.messages.length > STARS_OF_RECORD) tally.problem('more stars than are kept', record.user)
  const from = firstIdOfImport(tx.sql, work.imported.id)
  const ids = record.messages.slice(0, STARS_OF_RECORD).flatMap((message) => {
    const id = targetOf(tx, work, 'message', message)
    return id !== undefined && id >= from ? [id] : []
  })
  const before = flagBitsOf(tx.sql, userId, ids)
  putFlagBitsOfMessages(
    tx.sql,
    userId,
    new Map(ids.map((id) => [id, (before.get(id) ?? 0) | FLAG_BIT.starred])),
  )
  tally.count('written', 'stars', ids.length)
}

/** Returns the imported messages of the ranges that a user has received, the newest first: at least one more than are kept. */
function unreadIn(
  { sql }: RealmTransaction,
  userId: number,
  ranges: readonly (readonly [first: number, last: number])[],
  from: number,
): number[] {
  const scope = scopeAtHand(sql, findUser(sql, userId)!)
  const found: number[] = []
  const look = (page: readonly number[]) => {
    const came = findMessages(sql, page).filter(
      (message) => (message.bits & MESSAGE_BIT.isImported) !== 0 && scope.isAtHand(message),
    )
    found.push(...came.map(({ id }) => id).reverse())
  }
  let left = LOOKED_AT
  let page: number[] = []
  for (const id of newestFirst(ranges, from)) {
    if (left === 0 || found.length > UNREAD_OF_PERSON) break
    left -= 1
    page.push(id)
    if (page.length < PAGE_OF_ROWS) continue
    look(page)
    page = []
  }
  look(page)
  return found
}

/** Yields the ids of ranges down to `from`. */
function* newestFirst(
  ranges: readonly (readonly [first: number, last: number])[],
  from: number,
): Generator<number> {
  for (const [first, last] of ranges.toSorted(([, one], [, other]) => other - one))
    for (let id = last; id >= Math.max(first, from); id -= 1) yield id
}
