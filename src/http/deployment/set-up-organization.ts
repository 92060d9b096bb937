import * as v from 'valibot'
import { INTERFACE_VERSION } from '../../core/call.ts'
import { BadRequestError, ServiceUnavailableError, UnauthorizedError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { HashingPlace } from '../../core/password-hasher.ts'
import { requireFullName } from '../../model/accounts/full-name-rules.ts'
import { type CreatedRealm, createdAlready, type RealmCreation } from '../../model/realm/create-realm.ts'
import { requirePasswordLength } from '../../model/users/login/password-rules.ts'
import { findRealmByHost, freeHost, insertRealm, useOrganizationTicket } from '../../store/d1/realms.ts'
import { readJson } from '../input/arriving-body.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject, type Whereabouts } from '../request/environment.ts'
import { forgetRealm } from '../request/find-realm.ts'
import { passwordHasher } from '../request/password-hasher.ts'
import { locationFields, locationFor } from '../request/realm-location.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { sha256Hex } from '../request/sha256.ts'
import { HOST, isMove, moveOrganization } from './move-organization.ts'

/** A text whose number of characters is between these limits. */
function lengthOf(min: number, max: number) {
  const problem = `Enter a name of ${min} to ${max} characters`
  return v.pipe(v.string(), v.trim(), v.minLength(min, problem), v.maxLength(max, problem))
}

const creationForm = v.object({
  ticket: v.string(),
  name: lengthOf(1, 40),
  host: v.pipe(v.string(), v.toLowerCase(), v.regex(HOST)),
  string_id: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]{0,40}$/))),
  owner: v.object({
    email: v.pipe(v.string(), v.trim(), v.email('Enter a valid e-mail address')),
    full_name: lengthOf(2, 100),
    password: v.string(),
  }),
  ...locationFields,
})

/**
 * POST /setup/organizations: founds an organization, or moves one (move-organization.ts). It takes a one-time ticket entered in D1 for this host, so only the administrator of
 * the deployment's account can do it, and no secret has to be configured. Repeated with another ticket after a failure half-way, it
 * continues from where it stopped. Once the organization exists, only the founder's password gets the key again.
 */
export async function setUpOrganization(request: Request, env: Environment): Promise<Response> {
  try {
    const entered = await readJson(request)
    if (isMove(entered)) return await respondSuccess(await moveOrganization(env, entered))
    return await respondSuccess(await createOrganization(env, readCreation(entered)))
  } catch (error) {
    return respondFailure('set-up-organization', error)
  }
}

type CreationForm = v.InferOutput<typeof creationForm>

/** Reads the form. @throws BadRequestError for the first error in it */
export function readCreation(entered: unknown): CreationForm {
  const parsed = v.safeParse(creationForm, entered)
  if (!parsed.success) throw new BadRequestError(describe(parsed.issues[0]))
  const { name, owner } = parsed.output
  if (firstUnfitInName(name) !== undefined) throw new BadRequestError('Invalid characters in name!')
  requireFullName(owner.full_name)
  requirePasswordLength(owner.password)
  return parsed.output
}

/**
 * Uses up the ticket, and returns the founder's account. `settings` are those that differ from the defaults.
 * @throws UnauthorizedError without a valid ticket; BadRequestError where an organization already exists, or cannot
 */
export async function createOrganization(
  env: Environment,
  form: CreationForm,
  settings: RealmCreation['settings'] = {},
): Promise<CreatedRealm & { readonly realm_id: number }> {
  const where = locationFor(env, form)
  // After the ticket is used up, the request is not refused because too many wait.
  const place = await passwordHasher(env, where).reserve()
  try {
    return await createAt({ place, where }, env, form, settings)
  } finally {
    place.leave()
  }
}

async function createAt(
  { place, where }: { readonly place: HashingPlace; readonly where: Whereabouts },
  env: Environment,
  { ticket, name, host, owner, string_id }: CreationForm,
  settings: NonNullable<RealmCreation['settings']>,
): Promise<CreatedRealm & { readonly realm_id: number }> {
  const now = Math.floor(Date.now() / 1_000)
  if (!(await useOrganizationTicket(env.DB, { digest: await sha256Hex(ticket), host }, now))) {
    throw new UnauthorizedError('Invalid ticket')
  }
  await takeHost(env, host, now)
  const stringId = string_id ?? host.split('.')[0]!
  const realm = await insertRealm(env.DB, { host, stringId, name, createdAt: now, ...where })
  const { id, createdAt, location, jurisdiction } = realm
  const passwordHash = await place.hash(owner.password)
  const identity = { id, host, stringId: realm.stringId, createdAt, location, jurisdiction }
  const founding = { name, settings, owner: { email: owner.email, fullName: owner.full_name, passwordHash } }
  const found = (checkedHash?: string) =>
    whenReachable(true, () =>
      realmObject(env, realm).found(INTERFACE_VERSION, identity, { ...founding, checkedHash }),
    )
  let outcome = await found()
  if (outcome.isOther) throw new ServiceUnavailableError()
  if (!outcome.founded) {
    const { hash } = outcome
    if (!(await place.verify(owner.password, hash)) || hash === null) throw createdAlready()
    outcome = await found(hash)
  }
  // The password was changed while it was checked.
  if (!outcome.founded) throw createdAlready()
  return { realm_id: id, ...outcome.founded }
}

/** Frees the host where a closed organization is that nobody but its owner has entered; any other keeps it. */
async function takeHost(env: Environment, host: string, now: number): Promise<void> {
  const present = await findRealmByHost(env.DB, host)
  if (!present) return
  const isFree = await whenReachable(true, () =>
    realmObject(env, present).giveUpHost(INTERFACE_VERSION, host),
  )
  if (!isFree) return
  await freeHost(env.DB, present, now)
  forgetRealm(env.DB, new URL(`http://${host}`))
  log('info', 'A closed organization that nobody else had entered was replaced', {
    realm_id: present.id,
    host,
  })
}

function describe(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`
}
