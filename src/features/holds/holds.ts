import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonInteger, pathInteger, trimmedTextUpTo } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { requireUser } from '../../model/users/visibility/visible-users.ts'
import {
  deleteHold,
  findHold,
  findHoldOn,
  type Held,
  type Hold,
  insertHold,
  listHolds,
} from '../../store/holds/hold-rows.ts'
import { findUnfinishedImport } from '../../store/imports/import-rows.ts'

const MAX_HOLDS = 1_000
const MAX_REASON_LENGTH = 1_000

/** Lists what is on hold. Source: docs/interface/administration.md#holds. */
export const getHoldsEndpoint = defineEndpoint({
  operation: 'get-holds',
  route: 'GET /realm/holds',
  access: 'owner',
  returns: v.object({
    holds: v.array(
      v.object({
        id: v.number(),
        user_id: v.nullable(v.number()),
        stream_id: v.nullable(v.number()),
        reason: v.string(),
        acting_user_id: v.number(),
        placed_at: described(v.number(), 'UNIX seconds.'),
      }),
    ),
  }),
  query: ({ sql }) => ({ holds: listHolds(sql).map(present) }),
})

function present({ id, userId, channelId, reason, placedBy, placedAt }: Hold) {
  return {
    id,
    user_id: userId,
    stream_id: channelId,
    reason,
    acting_user_id: placedBy,
    placed_at: placedAt,
  }
}

/** Puts a person or a channel on hold. Source: docs/interface/administration.md#holds. */
export const placeHoldEndpoint = defineEndpoint({
  operation: 'place-hold',
  route: 'POST /realm/holds',
  access: 'owner',
  params: {
    user_id: v.optional(described(jsonInteger, 'A person, or a bot.')),
    stream_id: v.optional(described(jsonInteger, 'A channel, in place of a person.')),
    reason: described(trimmedTextUpTo(MAX_REASON_LENGTH), 'For owners alone.'),
  },
  returns: v.object({ id: v.number() }),
  apply(tx, caller, params) {
    const held = requireHoldable(tx, caller, params)
    if (params.reason === '') throw new BadRequestError('Say why.')
    if (findHoldOn(tx.sql, held)) throw new BadRequestError('This is on hold already.')
    if (listHolds(tx.sql).length >= MAX_HOLDS) throw new BadRequestError('Exceeded rate limit.')
    const progress = findUnfinishedImport(tx.sql)?.progress
    if (progress?.stage === 'check' || progress?.stage === 'undo')
      throw new BadRequestError('An import is being undone: wait until that is over.')
    const placed = { placedBy: caller.user.id, placedAt: Math.floor(tx.now) }
    return { id: insertHold(tx.sql, { ...held, ...placed, reason: params.reason }) }
  },
  audit: ({ params, value }) => ({
    action: 'hold_placed',
    details: { hold_id: value.id, user_id: params.user_id ?? null, stream_id: params.stream_id ?? null },
  }),
})

interface Named {
  readonly user_id?: number | undefined
  readonly stream_id?: number | undefined
}

function requireHoldable(
  { sql }: RealmTransaction,
  caller: Caller,
  { user_id: userId, stream_id: channelId }: Named,
): Held {
  if ((userId === undefined) === (channelId === undefined))
    throw new BadRequestError('Name either a user or a channel.')
  if (userId !== undefined) return { userId: requireUser(sql, userId).id, channelId: null }
  return { userId: null, channelId: requireVisibleChannel(sql, caller, channelId!).id }
}

/** Ends a hold: what has become due meanwhile is deleted with the next run. Source: docs/interface/administration.md#holds. */
export const releaseHoldEndpoint = defineEndpoint({
  operation: 'release-hold',
  route: 'DELETE /realm/holds/:hold_id',
  access: 'owner',
  needsProof: true,
  params: { hold_id: pathInteger },
  apply(tx, _caller, { hold_id }) {
    if (!findHold(tx.sql, hold_id)) throw new BadRequestError('There is no such hold.')
    deleteHold(tx.sql, hold_id)
  },
  audit: {
    before({ sql }, { hold_id }) {
      const hold = findHold(sql, hold_id)
      return () =>
        hold && {
          action: 'hold_released',
          details: { hold_id, user_id: hold.userId, stream_id: hold.channelId },
        }
    },
  },
})
