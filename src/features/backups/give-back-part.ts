import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, jsonInteger, pathInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { beginReading } from '../../model/backups/begin-reading.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { normaliseTopic } from '../../model/messages/text/compose.ts'
import { type BackupPart, listGivenBack } from '../../store/backups/reading-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

/** Parts of one answer. */
const PARTS_SHOWN = 20

/**
 * Begins to give messages of a backup back that are not there today: of a channel, of one of its topics, or of a person. They get their former
 * ids, which nothing else ever gets. Source: docs/interface/administration.md#give-back-a-part-of-a-backup.
 */
export const giveBackPartEndpoint = defineEndpoint({
  operation: 'give-back-part',
  route: 'POST /backups/:backup_id/parts',
  access: 'owner',
  needsProof: true,
  growsObject: true,
  params: {
    backup_id: pathInteger,
    stream_id: described(v.optional(jsonInteger), 'The channel, which the caller may read today.'),
    topic: described(
      v.optional(textUpTo(NAME_LENGTH)),
      'Only this topic of the channel, by its name today or in the backup.',
    ),
    user_id: described(
      v.optional(jsonInteger),
      'In place of a channel, a person: the messages that they had sent.',
    ),
  },
  returns: v.object({ id: v.number() }),
  apply(tx, caller, { backup_id, ...named }) {
    return { id: beginReading(tx, caller, backup_id, partOf(tx, caller, named)) }
  },
  audit: ({ params }) => ({
    action: 'backup_part_given_back',
    details: {
      backup_id: params.backup_id,
      ...(params.stream_id === undefined ? {} : { stream_id: params.stream_id }),
      ...(params.user_id === undefined ? {} : { user_id: params.user_id }),
    },
  }),
})

interface NamedPart {
  readonly stream_id?: number | undefined
  readonly topic?: string | undefined
  readonly user_id?: number | undefined
}

function partOf(tx: RealmReads, caller: Caller, { stream_id, topic, user_id }: NamedPart): BackupPart {
  if ((stream_id === undefined) === (user_id === undefined) || (user_id !== undefined && topic !== undefined))
    throw new BadRequestError('Name either a channel, with or without a topic, or a user.')
  if (stream_id !== undefined) {
    const { id } = requireReadableChannel(tx.sql, caller, stream_id)
    return { channelId: id, topic: topic === undefined ? null : normaliseTopic(topic) }
  }
  const user = findUser(tx.sql, user_id!)
  if (!user || user.isSystemBot) throw new BadRequestError('No such user')
  return { userId: user.id }
}

/** Lists the newest parts that were given back, the newest first. Source: docs/interface/administration.md#give-back-a-part-of-a-backup. */
export const getGivenBackPartsEndpoint = defineEndpoint({
  operation: 'get-given-back-parts',
  route: 'GET /backups/:backup_id/parts',
  access: 'owner',
  params: { backup_id: pathInteger },
  returns: v.object({
    parts: v.array(
      v.object({
        id: v.number(),
        acting_user_id: v.number(),
        began_at: v.number(),
        finished_at: v.nullable(v.number()),
        failed_at: v.nullable(v.number()),
        counts: v.object({
          messages: v.number(),
          files: v.number(),
          left_alone: v.number(),
          hidden: v.number(),
          of_deleted_people: v.number(),
          without_text: v.number(),
          missing_files: v.number(),
          files_without_room: v.number(),
        }),
      }),
    ),
  }),
  query: (tx, _caller, { backup_id }) => ({
    parts: listGivenBack(tx.sql, { backupId: backup_id, limit: PARTS_SHOWN }).map(
      ({ id, askedBy, beganAt, finishedAt, failedAt, counts }) => ({
        id,
        acting_user_id: askedBy,
        began_at: beganAt,
        finished_at: finishedAt,
        failed_at: failedAt,
        counts: {
          messages: counts.messages ?? 0,
          files: counts.files ?? 0,
          left_alone: counts.left_alone ?? 0,
          hidden: counts.hidden ?? 0,
          of_deleted_people: counts.of_deleted_people ?? 0,
          without_text: counts.without_text ?? 0,
          missing_files: counts.missing_files ?? 0,
          files_without_room: counts.files_without_room ?? 0,
        },
      }),
    ),
  }),
})
