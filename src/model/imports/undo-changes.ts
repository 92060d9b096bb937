import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { changeChannel, findChannel, findChannelByName } from '../../store/channels/channel-rows.ts'
import {
  type ImportChange,
  putMembersAtSource,
  takeLastChanges,
} from '../../store/imports/import-change-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { findThing, putFacts } from '../../store/imports/imported-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { putInTopic } from '../../store/messages/move/message-move-rows.ts'
import { openTopic, topicKey } from '../../store/messages/topic-rows.ts'
import {
  deleteReaction,
  findReaction,
  hasReactions,
  insertReaction,
  settleReactions,
} from '../../store/reactions/reaction-rows.ts'
import { findAttachmentsAt, putLink } from '../../store/uploads/attachment-rows.ts'
import { deleteMembers, insertMembers } from '../../store/user-groups/membership-rows.ts'
import { findGroup, findGroupNamed, renameGroup } from '../../store/user-groups/user-group-rows.ts'
import { changeUser, findUser, findUsers } from '../../store/users/user-rows.ts'
import { openAccount } from '../accounts/close-account.ts'
import { noteEmptiedTopics } from '../editing/delete-messages.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { joinChannel } from '../subscriptions/join-and-announce.ts'
import { releaseOthers } from '../uploads/claim-attachments.ts'
import { setArchived } from './update-channel.ts'
import { markReactions } from './update-message.ts'
import { restoreText } from './write-edits.ts'

/** Changes that one commit takes back: each may wait for a text. */
const CHANGES_AT_ONCE = 20

/**
 * Takes back the last of what an import has changed of things that were here, except where somebody has changed it since. Returns undefined when
 * nothing is left.
 */
export function undoChanges(tx: RealmTransaction, imported: RealmImport): string | undefined {
  const changes = takeLastChanges(tx.sql, imported.id, CHANGES_AT_ONCE)
  for (const change of changes) undoChange(tx, imported, change)
  return changes.length < CHANGES_AT_ONCE ? undefined : 'more'
}

function undoChange(tx: RealmTransaction, imported: RealmImport, change: ImportChange): void {
  const { sql } = tx
  const sourceId = imported.sourceId!
  switch (change.kind) {
    case 'user name':
      if (findUser(sql, change.id)?.fullName === change.to)
        changeUser(sql, change.id, { fullName: change.from })
      return
    case 'channel name':
      if (findChannel(sql, change.id)?.name === change.to && !findChannelByName(sql, change.from))
        changeChannel(sql, change.id, { name: change.from })
      return
    case 'group name':
      if (findGroup(sql, change.id)?.name === change.to && !findGroupNamed(sql, change.from))
        renameGroup(sql, change.id, change.from)
      return
    case 'group members':
      if (!findGroup(sql, change.id)) return
      deleteMembers(sql, change.id, change.added)
      insertMembers(sql, change.id, [...findUsers(sql, change.removed).keys()])
      return
    case 'account closed': {
      const user = findUser(sql, change.id)
      if (user?.isActive === false) openAccount(tx, user)
      return
    }
    case 'channel archived': {
      const channel = findChannel(sql, change.id)
      if (channel?.isArchived === change.isArchived) setArchived(tx, channel, !change.isArchived)
      if (change.isDefault) changeChannel(sql, change.id, { isDefault: true })
      return
    }
    case 'left': {
      const channel = findChannel(sql, change.id)
      const users = findUsers(sql, change.userIds)
      if (channel) joinChannel(tx, channel, [...users.keys()])
      return
    }
    case 'members':
      putMembersAtSource(sql, sourceId, change.type, change.id, IdSet.of(change.members))
      return
    case 'facts':
      putFacts(sql, { sourceId, type: change.type, id: change.id }, change.facts)
      return
    case 'topic':
      undoTopic(tx, change)
      return
    case 'reactions':
      undoReactions(tx, change)
      return
    case 'text':
      undoText(tx, sourceId, change)
  }
}

type Change<Kind extends ImportChange['kind']> = Extract<ImportChange, { kind: Kind }>

function undoTopic(tx: RealmTransaction, { id, from, to }: Change<'topic'>): void {
  const message = findMessage(tx.sql, id)
  const present = message && topicOfMessage(tx.sql, message)
  const recipient = message && recipientOf(message.recipientId)
  if (!present || recipient?.kind !== 'channel' || topicKey(present.name) !== topicKey(to)) return
  putInTopic(tx.sql, id, openTopic(tx.sql, recipient.id, from), from)
  noteEmptiedTopics(tx, [present.id])
}

function undoReactions(tx: RealmTransaction, { id, added, removed }: Change<'reactions'>): void {
  const { sql } = tx
  if (!findMessage(sql, id)) return
  settleReactions(sql, id)
  for (const one of added) deleteReaction(sql, { messageId: id, ...one })
  for (const one of removed)
    if (!findReaction(sql, id, one.userId, one)) insertReaction(sql, { messageId: id, ...one })
  markReactions(tx, id, hasReactions(sql, id))
}

/** A path of an upload in HTML. */
const UPLOADS = /\/user_uploads\/([^"'<>\s]+)/g

function undoText(tx: RealmTransaction, sourceId: number, change: Change<'text'>): void {
  const { sql } = tx
  const message = findMessage(sql, change.id)
  if (message?.version !== change.version) return
  const restored = restoreText(tx, message, tx.bodyOf(message), change)
  const thing = { sourceId, type: 'message', id: change.of } as const
  const known = findThing(sql, thing)
  if (!restored || !known) return
  putFacts(sql, thing, { ...known, version: restored.version })
  const paths = [...restored.html.matchAll(UPLOADS)].map(([, path = '']) => path)
  releaseOthers(tx, message.id, paths)
  for (const { id } of findAttachmentsAt(sql, paths)) putLink(sql, id, message.id)
}
