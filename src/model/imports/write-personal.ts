import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { insertAlertWords } from '../../store/alert-words/alert-word-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { insertMutedUser, isMutedBy } from '../../store/muted-users/muted-user-rows.ts'
import { insertSavedSnippet } from '../../store/saved-snippets/saved-snippet-rows.ts'
import { putUserTopic, TOPIC_POLICY, topicPolicy } from '../../store/user-topics/user-topic-rows.ts'
import { MAX_MESSAGE_LENGTH } from '../messages/send/message-text.ts'
import { hasRoom } from '../quotas/within-quota.ts'
import { lineUpTo, textUpTo } from './fit-text.ts'
import { type ImportWork, noteTarget, targetOf } from './import-work.ts'
import { topicNamed } from './message-topic.ts'
import { isLeftOut } from './write-channel.ts'

/** Personal things of users. An account that was here keeps its own. */

const MAX_WORD_LENGTH = 100
const MAX_TITLE_LENGTH = 60

/** Returns the account of a person; undefined, which is listed, for one who was not imported. */
export function personOf(
  tx: RealmTransaction,
  work: ImportWork,
  { type, user }: { type: string; user: string },
): number | undefined {
  const id = targetOf(tx, work, 'user', user)
  if (id === undefined) work.tally.problem(`${type} of an unknown person`, user)
  return id
}

export function writeUserTopic(tx: RealmTransaction, work: ImportWork, record: RecordOf<'user_topic'>): void {
  const userId = personOf(tx, work, record)
  const channelId = targetOf(tx, work, 'channel', record.channel)
  if (userId === undefined) return
  if (channelId === undefined || isLeftOut(tx, work, record.channel) || !findChannel(tx.sql, channelId)) {
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
  work.tally.count('written', 'topics with a setting')
}

export function writeMutedUser(tx: RealmTransaction, work: ImportWork, record: RecordOf<'muted_user'>): void {
  const userId = personOf(tx, work, record)
  const mutedId = personOf(tx, work, { type: record.type, user: record.muted })
  if (userId === undefined || mutedId === undefined || userId === mutedId) return
  if (isMutedBy(tx.sql, mutedId, userId)) return
  if (!hasRoom(tx, 'mutedUsers', userId)) {
    work.tally.problem('no room for more muted people', record.user)
    return
  }
  insertMutedUser(tx.sql, userId, { id: mutedId, timestamp: tx.now }, newestMessageId(tx.sql))
  work.tally.count('written', 'muted people')
}

export function writeAlertWord(tx: RealmTransaction, work: ImportWork, record: RecordOf<'alert_word'>): void {
  const userId = personOf(tx, work, record)
  const word = lineUpTo(work, record.word, MAX_WORD_LENGTH, 'alert_word.word')
  if (userId === undefined || word === '') return
  if (!hasRoom(tx, 'alertWords', userId)) work.tally.problem('no room for more alert words', record.user)
  else if (insertAlertWords(tx.sql, userId, [word])) work.tally.count('written', 'alert words')
}

export function writeSnippet(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'saved_snippet'>,
): void {
  if (targetOf(tx, work, 'saved_snippet', record.id) !== undefined) return
  const userId = personOf(tx, work, record)
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
