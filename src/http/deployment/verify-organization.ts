import * as v from 'valibot'
import { INTERFACE_VERSION } from '../../core/call.ts'
import {
  BadRequestError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
  UnauthorizedError,
} from '../../core/errors.ts'
import type { Verified } from '../../features/verification/verify-realm.ts'
import { bodyDatabaseName, listBodyDatabases, measureDatabase } from '../../store/d1/body-databases.ts'
import { findRealmByHost, isOrganizationTicket, measureD1 } from '../../store/d1/realms.ts'
import { readJson } from '../input/arriving-body.ts'
import { whenReachable } from '../request/call-realm.ts'
import { type Environment, realmObject } from '../request/environment.ts'
import { jurisdictionOf } from '../request/realm-location.ts'
import { respondFailure, respondSuccess } from '../request/respond.ts'
import { sha256Hex } from '../request/sha256.ts'

const verification = v.object({
  ticket: v.pipe(v.string(), v.maxLength(200)),
  host: v.pipe(v.string(), v.maxLength(253), v.toLowerCase()),
  after: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(20)))),
  repair: v.optional(v.boolean(), false),
})

/** The finding if D1 lists an organization whose object is empty. The operator must decide which of them is right. */
const NOTHING_LEFT = {
  findings: [
    {
      check: 'organization',
      what: 'its object',
      problem:
        'is empty: it was deleted, or its founding broke off; with a past time in realm.delete_after the rest of it is deleted in the next night',
      repaired: false,
    },
  ],
  next: null,
}

/**
 * Reads a request that carries a ticket entered in D1 for this host, which only the administrator of the deployment's account can make.
 * @throws BadRequestError, UnauthorizedError
 */
export async function readWithTicket<Form extends { readonly ticket: string; readonly host: string }>(
  form: v.GenericSchema<unknown, Form>,
  request: Request,
  { DB }: Environment,
): Promise<Form> {
  const parsed = v.safeParse(form, await readJson(request))
  if (!parsed.success) throw new BadRequestError(`${v.getDotPath(parsed.issues[0]) ?? 'body'} is not valid`)
  const { ticket, host } = parsed.output
  const now = Math.floor(Date.now() / 1_000)
  if (!(await isOrganizationTicket(DB, { digest: await sha256Hex(ticket), host }, now))) {
    throw new UnauthorizedError('Invalid ticket')
  }
  return parsed.output
}

/**
 * POST /setup/verify: an owner's POST /api/v1/realm/verify, for the administrator of the deployment's account. It takes a ticket entered
 * in D1 for this host, good for any number of calls until it expires.
 */
export async function verifyOrganization(request: Request, env: Environment): Promise<Response> {
  try {
    const { host, after, repair } = await readWithTicket(verification, request, env)
    const realm = await findRealmByHost(env.DB, host)
    if (!realm) throw new NonexistentSubdomainError()
    const verified = (await whenReachable(true, async () =>
      realmObject(env, realm).verify(INTERFACE_VERSION, { after, repair, host }),
    )) as Verified | null | undefined
    if (verified === undefined) throw new ServiceUnavailableError()
    const { location, jurisdiction } = realm
    const ofD1 = measureD1(env.DB).then(
      (measured) => measured.region,
      () => null,
    )
    const [region, texts] = await Promise.all([ofD1, regionsOfTexts(env)])
    const place = {
      ...{ location, jurisdiction, d1_region: region },
      ...{ d1_for_texts: texts, stores_jurisdiction: jurisdictionOf(env) },
    }
    return await respondSuccess({ ...(verified ?? NOTHING_LEFT), place })
  } catch (error) {
    return respondFailure('verify-organization', error)
  }
}

/** Lists the databases for texts besides `DB`, each with the region that answered; null if it is missing or unreadable. */
function regionsOfTexts(env: Environment): Promise<{ name: string; region: string | null }[]> {
  return Promise.all(
    listBodyDatabases(env)
      .slice(1)
      .map(async ({ number, db }) => {
        const region = await measureDatabase(db).then(
          (measured) => measured.region,
          () => null,
        )
        return { name: bodyDatabaseName(number), region }
      }),
  )
}
