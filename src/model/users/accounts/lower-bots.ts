import { LARGE_CHANGES_OF_COMMIT } from '../../../core/budgets.ts'
import { fromJson, type JsonText } from '../../../core/json.ts'
import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { isAdministrator, type Role } from '../../../rules/roles.ts'
import { deleteMeta, type MetaKey, readMeta, writeMeta } from '../../../store/meta-rows.ts'
import { changeRoles } from '../../../store/users/accounts/role-rows.ts'
import { findUsers, listBotsOwnedBy, type User } from '../../../store/users/user-rows.ts'
import { renewExportAddresses } from '../../exports/finished-exports.ts'
import { endQueuesOf } from '../login/end-sessions.ts'
import { announceRole } from './announce-role.ts'

/** The job that announces the new role of further bots; its key is the id of their owner. */
export const ANNOUNCE_LOWERED_BOTS = 'announce-lowered-bots'
/** Seconds between two commits of the job. */
const BETWEEN_COMMITS_SECONDS = 1

/** Bots of which one commit finds what each sees then: some 10 ms where there are 5,000 channels. */
const FEW_BOTS = 2

/** Bots, each with the role that it had. */
type Lowered = readonly (readonly [id: number, role: Role])[]

/**
 * Lowers the role of the owner's bots to the owner's new one: a bot may do no more than its owner. Few bots are
 * lowered by `lower`, many all at once: then the bots' own queues end, and other users are notified of some in this
 * commit, and of the rest by the job.
 */
export function lowerBotsOf(tx: RealmTransaction, owner: User, lower: (bot: User) => void): void {
  const bots = listBotsOwnedBy(tx.sql, owner.id).filter(({ role }) => role < owner.role)
  if (bots.length <= FEW_BOTS) {
    for (const bot of bots) lower(bot)
    return
  }
  const ids = bots.map(({ id }) => id)
  endQueuesOf(tx, ids)
  changeRoles(tx.sql, ids, owner.role, tx.lastEventId())
  if (bots.some(isAdministrator)) renewExportAddresses(tx)
  const left = announceNext(
    tx,
    bots.map(({ id, role }) => [id, role]),
  )
  if (left.length === 0) return
  // Some bots of an earlier change may not have been announced yet.
  const before = waiting(tx, owner.id).filter(([id]) => !left.some(([other]) => other === id))
  writeMeta(tx.sql, keyOf(owner.id), JSON.stringify([...before, ...left]))
  tx.schedule({ kind: ANNOUNCE_LOWERED_BOTS, key: String(owner.id), dueAt: tx.now })
}

/** Announces further bots as they are now. Returns when it goes on (UNIX seconds). */
export function announceLoweredBotsByJob(tx: RealmTransaction, key: string): number | undefined {
  const ownerId = Number(key)
  const left = announceNext(tx, waiting(tx, ownerId))
  if (left.length === 0) {
    deleteMeta(tx.sql, keyOf(ownerId))
    return undefined
  }
  writeMeta(tx.sql, keyOf(ownerId), JSON.stringify(left))
  return tx.now + BETWEEN_COMMITS_SECONDS
}

/** Announces as many as one commit does. Returns those that are left. */
function announceNext(tx: RealmTransaction, lowered: Lowered): Lowered {
  const next = lowered.slice(0, LARGE_CHANGES_OF_COMMIT)
  const bots = findUsers(
    tx.sql,
    next.map(([id]) => id),
  )
  for (const [id, role] of next) {
    const bot = bots.get(id)
    if (bot) announceRole(tx, { ...bot, role }, bot)
  }
  return lowered.slice(LARGE_CHANGES_OF_COMMIT)
}

function waiting({ sql }: RealmTransaction, ownerId: number): Lowered {
  const json = readMeta<JsonText<Lowered>>(sql, keyOf(ownerId))
  return json === undefined ? [] : fromJson(json)
}

function keyOf(ownerId: number): MetaKey {
  return `lowered_bots:${ownerId}`
}
