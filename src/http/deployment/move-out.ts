import { createHash, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { INTERFACE_VERSION, type RealmAnswer } from '../../core/call.ts'
import {
  ApiError,
  BadRequestError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
  UnauthorizedError,
} from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { findRealmByHost } from '../../store/d1/realms.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { readWithTicket } from './verify-organization.ts'

const leavingForm = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase()),
  // The address that people are told; null: it stays after all. Absent: only asks.
  to: v.optional(v.nullable(v.pipe(v.string(), v.url(), v.regex(/^https?:/), v.maxLength(300)))),
  // MOVE_TOKEN: whoever has it gets the key of this deployment.
  token: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
})

/**
 * POST /setup/moves-out: closes an organization that moves to another server, or opens it again; and says where it stands, for the
 * administrator of the deployment's account. It takes a ticket entered in D1 for this host. Source: docs/moving.md.
 */
export async function moveOut(request: Request, env: Environment): Promise<Response> {
  try {
    const { host, to, token } = await readWithTicket(leavingForm, request, env)
    if (token !== undefined) requireMoveToken(env, token)
    const realm = await findRealmByHost(env.DB, host)
    if (!realm) throw new NonexistentSubdomainError()
    const outcome = (await whenReachable(true, async () =>
      realmObject(env, realm).leaveServer(INTERFACE_VERSION, host, to),
    )) as RealmAnswer['outcome'] | undefined
    if (outcome === undefined) throw new ServiceUnavailableError()
    if (!outcome.ok) throw ApiError.fromWire(outcome.error)
    const standing = outcome.value as { readonly to: string; readonly isAway: boolean } | null
    if (token !== undefined)
      log('warn', 'SECRETS_KEY was given to whoever has MOVE_TOKEN', { organization: host })
    return await respondSuccess({
      realm_id: realm.id,
      to: standing?.to ?? null,
      is_away: standing?.isAway ?? false,
      ...(token === undefined ? {} : { secrets_key: env.SECRETS_KEY ?? null }),
    })
  } catch (error) {
    return respondFailure('move-out', error)
  }
}

/** A ticket shows who may write D1, which has no secrets: only the token shows who may set the Worker's. */
function requireMoveToken({ MOVE_TOKEN }: Environment, given: string): void {
  if (!MOVE_TOKEN) throw new BadRequestError('MOVE_TOKEN is not set on this server.')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(given), digest(MOVE_TOKEN))) throw new UnauthorizedError('Invalid token')
}
