import * as v from 'valibot'
import { BadRequestError, ServiceUnavailableError, UnauthorizedError } from '../core/errors.ts'
import { useOrganizationTicket } from '../d1/organization-tickets.ts'
import { enterRealm } from '../d1/realms.ts'
import { foundAlready } from '../domain/realm/found-realm.ts'
import { requirePasswordLength } from '../domain/users/password-rules.ts'
import { hashPassword, verifyPassword } from '../endpoints/users/password-hash.ts'
import { readJson } from './bounded-body.ts'
import { whenReachable } from './call-realm.ts'
import { type Environment, realmObject } from './environment.ts'
import { respondFailure, respondSuccess } from './respond.ts'
import { sha256Hex } from './sha256.ts'

const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

const foundingForm = v.object({
  ticket: v.string(),
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(40)),
  host: v.pipe(v.string(), v.toLowerCase(), v.regex(HOST)),
  string_id: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{0,40}$/))),
  owner: v.object({
    email: v.pipe(v.string(), v.trim(), v.email()),
    full_name: v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(100)),
    password: v.string(),
  }),
})

/**
 * POST /setup/organizations: founds an organization. It takes a one-time ticket that was entered in D1 for
 * this host before, so whoever administers the account may do it and no secret has to be configured. Repeated
 * with another ticket (after a failure half-way) it goes on where it stopped; once the organization is there, the
 * founder's password gives the key again, and nothing else does.
 */
export async function setUpOrganization(request: Request, env: Environment): Promise<Response> {
  try {
    const parsed = v.safeParse(foundingForm, await readJson(request))
    if (!parsed.success) throw new BadRequestError(describe(parsed.issues[0]))
    const { ticket, name, host, owner } = parsed.output
    requirePasswordLength(owner.password)
    const now = Math.floor(Date.now() / 1_000)
    if (!(await useOrganizationTicket(env.DB, { digest: await sha256Hex(ticket), host }, now))) {
      throw new UnauthorizedError('Invalid ticket')
    }
    const stringId = parsed.output.string_id ?? host.split('.')[0]!
    const realm = await enterRealm(env.DB, { host, stringId, name, createdAt: now })
    const { id, createdAt } = realm
    const passwordHash = await hashPassword(owner.password)
    const identity = { id, host, stringId: realm.stringId, createdAt }
    const founding = { name, owner: { email: owner.email, fullName: owner.full_name, passwordHash } }
    const found = (checkedHash?: string) =>
      whenReachable(true, () => realmObject(env, id).found(identity, { ...founding, checkedHash }))
    let outcome = await found()
    if (outcome.isOther) throw new ServiceUnavailableError()
    if (!outcome.founded) {
      const { hash } = outcome
      if (!(await verifyPassword(owner.password, hash)) || hash === null) throw foundAlready()
      outcome = await found(hash)
    }
    // The password was changed while it was checked.
    if (!outcome.founded) throw foundAlready()
    return await respondSuccess({ realm_id: id, ...outcome.founded })
  } catch (error) {
    return respondFailure('set-up-organization', error)
  }
}

function describe(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`
}
