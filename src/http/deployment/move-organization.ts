import * as v from 'valibot'
import { INTERFACE_VERSION } from '../../core/call.ts'
import {
  BadRequestError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
  UnauthorizedError,
} from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { findRealmByHost, moveRealm, useOrganizationTicket } from '../../store/d1/realms.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { forgetRealm } from '../request/find-realm.ts'
import { sha256Hex } from '../request/sha256.ts'

export const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

const host = v.pipe(v.string(), v.toLowerCase(), v.regex(HOST))
const moveForm = v.object({ ticket: v.string(), move_from: host, host })
type MoveForm = v.InferOutput<typeof moveForm>

export function isMove(entered: unknown): entered is MoveForm {
  return v.is(moveForm, entered)
}

/**
 * Moves an organization to another host: that of its Worker, when an account with another name has taken it over. It takes a ticket for the new
 * host, as founding does, and may be repeated: the object moves first, and answers nobody until D1 lists it there too. Sessions of browsers and
 * passkeys are of the old host, and people log in again.
 */
export async function moveOrganization(
  env: Environment,
  { ticket, move_from: from, host: to }: MoveForm,
): Promise<{ readonly realm_id: number }> {
  const now = Math.floor(Date.now() / 1_000)
  const digest = await sha256Hex(`move\n${from}\n${ticket}`)
  if (!(await useOrganizationTicket(env.DB, { digest, host: to }, now)))
    throw new UnauthorizedError('Invalid ticket')
  const [realm, present] = await Promise.all([findRealmByHost(env.DB, from), findRealmByHost(env.DB, to)])
  if (present) throw new BadRequestError('There is an organization at this host already.')
  if (!realm) throw new NonexistentSubdomainError()
  const hasMoved = await whenReachable(true, () =>
    realmObject(env, realm).moveToHost(INTERFACE_VERSION, from, to),
  )
  if (!hasMoved) throw new ServiceUnavailableError()
  await moveRealm(env.DB, realm, to)
  for (const each of [from, to]) forgetRealm(env.DB, new URL(`http://${each}`))
  log('info', 'An organization has moved to another host', { realm_id: realm.id, host: to })
  return { realm_id: realm.id }
}
