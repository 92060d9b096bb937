import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonInteger, pathInteger, wordOf } from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { DAY, WEEK } from '../../core/time.ts'
import { keptUntil } from '../../model/backups/kept-backups.ts'
import { beginErasure } from '../../model/erasure/begin-erasure.ts'
import { requireNoAccountHeld } from '../../model/holds/held.ts'
import { requireUser } from '../../model/users/visibility/visible-users.ts'
import { listBackups } from '../../store/backups/backup-rows.ts'
import { KEPT_SECONDS } from '../../store/dead-letters/dead-letter-rows.ts'
import { type Erasure, lastErasureOf, listErasures } from '../../store/erasure/erasure-rows.ts'
import { listFinishedExports } from '../../store/exports/export-rows.ts'
import { isOnlyOwner, isOnlyPerson, listBotsOwnedBy } from '../../store/users/user-rows.ts'

/** Erases a person. Source: docs/interface/users.md#erase-a-person. */
export const eraseUserEndpoint = defineEndpoint({
  operation: 'erase-user',
  route: 'POST /users/:user_id/erase',
  access: 'owner',
  needsProof: true,
  params: {
    user_id: pathInteger,
    messages: described(
      wordOf(['keep', 'remove']),
      'Whether messages stay, as of a deleted user, or are removed with reactions and votes.',
    ),
  },
  returns: v.object({ id: described(v.number(), 'Of the erasure.') }),
  apply(tx, caller, { user_id, messages }) {
    const user = requireUser(tx.sql, user_id)
    if (user.botType !== null) throw new BadRequestError('No such user')
    if (user.isActive && (isOnlyOwner(tx.sql, user) || isOnlyPerson(tx.sql, user)))
      throw new BadRequestError('Cannot erase the only organization owner')
    requireNoAccountHeld(tx.sql, [user, ...listBotsOwnedBy(tx.sql, user.id)])
    if (lastErasureOf(tx.sql, user.id)?.finishedAt === null)
      throw new BadRequestError('This person is being erased.')
    return { id: beginErasure(tx, user, { askedBy: caller.user.id, askedAt: tx.now, messages }) }
  },
  audit: ({ params, value }) => ({
    action: 'user_erased',
    details: { user_id: params.user_id, erasure_id: value.id },
  }),
})

/** Erasures in one answer. */
const ERASURES_AT_ONCE = 100

const counts = v.record(v.string(), v.number())

/** Lists erasures with their certificates, the newest first. Source: docs/interface/users.md#erase-a-person. */
export const getErasuresEndpoint = defineEndpoint({
  operation: 'get-erasures',
  route: 'GET /realm/erasures',
  access: 'owner',
  params: {
    before: described(
      v.optional(jsonInteger),
      `Only those with a lower id; there are ${ERASURES_AT_ONCE} in an answer at most.`,
    ),
  },
  returns: v.object({
    erasures: v.array(
      v.object({
        id: v.number(),
        user_id: v.number(),
        bot_ids: v.array(v.number()),
        acting_user_id: v.nullable(v.number()),
        messages: v.string(),
        asked_at: described(v.number(), 'UNIX seconds, as all times.'),
        finished_at: v.nullable(v.number()),
        object: described(counts, 'Rows that were removed or overwritten, by their tables.'),
        d1: described(counts, 'The same of D1.'),
        files: v.object({ uploads: v.number(), bytes: v.number(), pictures: v.number() }),
        held: v.object({ messages: v.number(), files: v.number() }),
        log_until: v.number(),
        listed_at: v.nullable(v.number()),
        backups: v.array(v.object({ id: v.number(), taken_at: v.number(), kept_until: v.number() })),
        exports: v.array(v.object({ id: v.number(), kept_until: v.number() })),
      }),
    ),
  }),
  query: (view, _caller, { before = Number.MAX_SAFE_INTEGER }) => ({
    erasures: listErasures(view.sql, before, ERASURES_AT_ONCE).map((erasure) => certificateOf(view, erasure)),
  }),
})

/** What the removed things are that are no rows of the object. */
const NO_ROWS: ReadonlySet<string> = new Set(['file_bytes', 'held_files', 'held_messages', 'pictures'])

/** Returns what was removed where, and what is still there, without anything about the person but the id. */
function certificateOf({ sql, now }: Pick<RealmView, 'sql' | 'now'>, erasure: Erasure) {
  const { removed, finishedAt } = erasure
  const count = (what: string) => removed[what] ?? 0
  const before = finishedAt ?? now
  const texts = count('message_index')
  const taken = listBackups(sql).flatMap(({ id, takenAt, finishedAt: made, ...kept }) =>
    takenAt !== null && made !== null ? [{ id, takenAt, keptUntil: kept.keptUntil ?? 0 }] : [],
  )
  const until = keptUntil(taken)
  return {
    id: erasure.id,
    user_id: erasure.userId,
    bot_ids: erasure.accounts.slice(1),
    acting_user_id: erasure.askedBy,
    messages: erasure.messages,
    asked_at: erasure.askedAt,
    finished_at: finishedAt,
    object: Object.fromEntries(Object.entries(removed).filter(([what]) => !NO_ROWS.has(what))),
    d1: { account: count('user'), message_body: texts, message_search: texts },
    files: { uploads: count('attachment'), bytes: count('file_bytes'), pictures: count('pictures') },
    held: { messages: count('held_messages'), files: count('held_files') },
    log_until: before + WEEK + DAY,
    listed_at: erasure.listedAt,
    backups: taken
      .filter(({ takenAt }) => takenAt <= before)
      .map((one) => ({
        id: one.id,
        taken_at: one.takenAt,
        kept_until: Math.max(until.get(one.id) ?? before, one.keptUntil),
      })),
    exports: listFinishedExports(sql)
      .filter((exported) => exported.finishedAt! <= before)
      .map((exported) => ({ id: exported.id, kept_until: exported.finishedAt! + KEPT_SECONDS })),
  }
}
