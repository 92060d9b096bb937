import * as v from 'valibot'
import { INTERFACE_VERSION } from '../../core/call.ts'
import { passwordHasher } from '../../http/request/password-hasher.ts'
import { locationFor } from '../../http/request/realm-location.ts'
import type { CreationOutcome } from '../../model/realm/create-realm.ts'
import { insertRealm } from '../../store/d1/realms.ts'
import type { DevEnvironment } from '../realm-object.ts'

/** Limit of the organizations that one request makes. */
const MAX_AT_ONCE = 50

const body = v.object({
  organizations: v.pipe(v.array(v.object({ name: v.string(), host: v.string() })), v.maxLength(MAX_AT_ONCE)),
  /** The owner's account, the same in each of the organizations. */
  owner: v.object({ email: v.string(), full_name: v.string(), password: v.string() }),
})

/** An owner's account, or null if the host already had an organization. */
export interface SeededOwner {
  readonly host: string
  readonly account: { readonly user_id: number; readonly email: string; readonly api_key: string } | null
}

/**
 * POST /dev/organizations: makes many organizations as `POST /setup/organizations` does, but without tickets, and with one password that
 * is hashed once.
 */
export async function createOrganizations(request: Request, env: DevEnvironment): Promise<Response> {
  const parsed = v.safeParse(body, await request.json().catch(() => undefined))
  if (!parsed.success) return Response.json({ result: 'error', msg: 'No organizations' }, { status: 400 })
  const { organizations, owner } = parsed.output
  const whereabouts = locationFor(env, {})
  const passwordHash = await passwordHasher(env, whereabouts).hash(owner.password)
  const founded: SeededOwner[] = []
  for (const { name, host } of organizations) {
    const createdAt = Math.floor(Date.now() / 1_000)
    const stringId = host.split('.')[0]!
    const { id, location, jurisdiction } = await insertRealm(env.DB, {
      host,
      stringId,
      name,
      createdAt,
      ...whereabouts,
    })
    const outcome = (await env.REALM.get(env.REALM.idFromName(`realm-${id}`)).found(
      INTERFACE_VERSION,
      { id, host, stringId, createdAt, location, jurisdiction },
      { name, owner: { email: owner.email, fullName: owner.full_name, passwordHash } },
    )) as CreationOutcome
    founded.push({ host, account: outcome.founded })
  }
  return Response.json({ result: 'success', organizations: founded })
}
