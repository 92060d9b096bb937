import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { normaliseTopic } from '../../model/messages/send/message-text.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import {
  type ChoiceType,
  findChoices,
  findNoAccount,
  findUnread,
} from '../../store/imports/import-choice-rows.ts'
import type { ImportMapping } from '../../store/imports/import-progress.ts'
import { type RealmImport, writeMapping } from '../../store/imports/import-rows.ts'

/** Characters of all decisions: they are one value of a row, which each run of the import reads. */
const MAX_MAPPING_LENGTH = 500_000

/**
 * Changes what an import makes of the things of its archive: what a key of the change names replaces what was decided before.
 * @throws BadRequestError where it names what is not in the archive, or not here
 */
export function decideMapping(
  tx: RealmTransaction,
  { id, mapping, progress }: RealmImport,
  change: Partial<ImportMapping>,
): void {
  if (progress?.stage === 'recognise' || progress?.stage === 'read') {
    throw new BadRequestError('This import is still being read')
  }
  if (progress?.stage !== 'wait') throw new BadRequestError('This import is being written already')
  requireRead(tx, id, 'user', change.users)
  requireRead(tx, id, 'channel', change.channels)
  requireRead(tx, id, 'profile_field', change.profile_fields)
  requireAccounts(tx, change.users)
  requireChannels(tx, id, change.channels)
  const { topic } = change
  const decided = {
    ...mapping,
    ...change,
    ...(topic === undefined ? {} : { topic: normaliseTopic(topic) }),
  }
  if (JSON.stringify(decided).length > MAX_MAPPING_LENGTH) {
    throw new BadRequestError('These are more decisions than an import can have')
  }
  writeMapping(tx.sql, id, decided)
}

const NAME_OF_TYPE: Readonly<Record<ChoiceType, string>> = {
  user: 'person',
  channel: 'channel',
  profile_field: 'profile field',
}

function requireRead(
  { sql }: RealmTransaction,
  importId: number,
  type: ChoiceType,
  mapped: Readonly<Record<string, unknown>> = {},
): void {
  const unread = findUnread(sql, importId, type, Object.keys(mapped))
  if (unread === undefined) return
  throw new BadRequestError(`The archive has no ${NAME_OF_TYPE[type]} with the id ${JSON.stringify(unread)}`)
}

function requireAccounts({ sql }: RealmTransaction, users: ImportMapping['users'] = {}): void {
  if (findNoAccount(sql, [...new Set(Object.values(users))]) !== undefined)
    throw new BadRequestError('No such user')
}

/** What was private there never comes to be where others read it. */
function requireChannels(
  { sql }: RealmTransaction,
  importId: number,
  channels: ImportMapping['channels'] = {},
): void {
  const choices = findChoices(sql, importId, 'channel', Object.keys(channels))
  for (const { id, name, kind } of choices) {
    const channel = findChannel(sql, channels[id]!)
    if (!channel || channel.isArchived) throw new BadRequestError('Invalid channel ID')
    if (kind === 'private' && !channel.isPrivate) {
      throw new BadRequestError(
        `The channel ${JSON.stringify(name)} is private: it can only go into a private one`,
      )
    }
  }
}
