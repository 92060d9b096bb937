import { INTERFACE_VERSION } from '../../core/call.ts'
import { ServiceUnavailableError } from '../../core/errors.ts'
import type { CopyPlan } from '../../model/backups/plan-copy.ts'
import { createdAlready } from '../../model/realm/create-realm.ts'
import {
  findRealmById,
  insertOrganizationTicket,
  insertRealm,
  type RealmRecord,
} from '../../store/d1/realms.ts'
import { whenReachable } from './call-realm.ts'
import { type Environment, realmObject } from './environment.ts'
import { sha256Hex } from './sha256.ts'

/** Seconds for which the link of an owner into a copy is valid: filling it takes some minutes. */
const LINK_SECONDS = 3_600

/**
 * Makes a copy for an owner, below the organization's host, and a link by which this owner enters it. Again, it makes another link.
 * `origin`: of the owner's request.
 */
export async function makeCopyForOwner(
  env: Environment,
  realmId: number,
  plan: CopyPlan,
  { origin, email }: { readonly origin: string; readonly email: string },
): Promise<{ readonly url: string }> {
  const realm = await findRealmById(env.DB, realmId)
  if (!realm) throw new ServiceUnavailableError()
  const host = `backup-${plan.backupId}.${realm.host}`
  await makeCopy(env, realm, plan, host)
  const url = new URL(origin)
  url.hostname = host
  const ticket = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  const digest = await sha256Hex(`owner link\n${email}\n${ticket}`)
  const createdAt = Date.now() / 1_000
  await insertOrganizationTicket(env.DB, { digest, host }, { createdAt, validSeconds: LINK_SECONDS })
  return { url: `${url.origin}/accounts/owner-link/${ticket}?email=${encodeURIComponent(email)}` }
}

/** Enters the copy in D1, and has its object begin to fill itself. Repeated, it changes nothing. */
export async function makeCopy(
  env: Environment,
  { location, jurisdiction, stringId }: RealmRecord,
  plan: CopyPlan,
  host: string,
): Promise<RealmRecord> {
  const record = await insertRealm(env.DB, {
    host,
    stringId: `${stringId}-backup-${plan.backupId}`.slice(0, 40),
    name: plan.name,
    createdAt: Math.floor(Date.now() / 1_000),
    location,
    jurisdiction,
  })
  const { id, createdAt } = record
  const identity = {
    id,
    host,
    stringId: record.stringId,
    createdAt,
    location,
    jurisdiction,
    copyOf: plan.facts,
  }
  const isThere = await whenReachable(true, () =>
    realmObject(env, record).beginCopy(INTERFACE_VERSION, identity, plan),
  )
  if (!isThere) throw createdAlready()
  return record
}
