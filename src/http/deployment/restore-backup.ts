import * as v from 'valibot'
import { INTERFACE_VERSION, type RealmAnswer } from '../../core/call.ts'
import { ApiError, NonexistentSubdomainError, ServiceUnavailableError } from '../../core/errors.ts'
import { findRealmByHost } from '../../store/d1/realms.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { readWithTicket } from './verify-organization.ts'

const restoreForm = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase()),
  backup_id: v.optional(v.nullable(v.pipe(v.number(), v.integer())), null),
})

/**
 * POST /setup/backups: an owner's GET /api/v1/backups, and POST /api/v1/backups/{backup_id}/restore if it names one, for the administrator of
 * the deployment's account. It takes a ticket entered in D1 for this host, and answers also while a backup is being restored.
 */
export async function operateBackups(request: Request, env: Environment): Promise<Response> {
  try {
    const { host, backup_id } = await readWithTicket(restoreForm, request, env)
    const realm = await findRealmByHost(env.DB, host)
    if (!realm) throw new NonexistentSubdomainError()
    const outcome = (await whenReachable(backup_id === null, async () =>
      realmObject(env, realm).operateBackups(INTERFACE_VERSION, host, backup_id),
    )) as RealmAnswer['outcome'] | null | undefined
    if (outcome === undefined) throw new ServiceUnavailableError()
    if (outcome === null) throw new NonexistentSubdomainError()
    if (!outcome.ok) throw ApiError.fromWire(outcome.error)
    return await respondSuccess(outcome.value as object)
  } catch (error) {
    return respondFailure('operate-backups', error)
  }
}
