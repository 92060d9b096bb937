import type { RealmAnswer, RealmCall } from '../../core/call.ts'
import { ApiError, NonexistentSubdomainError } from '../../core/errors.ts'
import type { PasswordHasher } from '../../core/password-hasher.ts'
import { readForm as readFormEntries } from '../input/read-form.ts'
import { holdingMemory } from '../request/admission-control.ts'
import {
  credentialsOf,
  knownBrowserOf,
  type SessionOfBrowser,
  sessionOf,
} from '../request/browser-session.ts'
import { callRealm } from '../request/call-realm.ts'
import type { Environment } from '../request/environment.ts'
import { findRealm, forgetRealm } from '../request/find-realm.ts'
import { passwordHasher } from '../request/password-hasher.ts'
import { requestSource } from './handle-request.ts'

export type PageOutcome = RealmAnswer['outcome']

interface AskOptions {
  /** Options of the call, as in `RealmCall`. */
  readonly rehearse?: boolean
  readonly counted?: boolean
  /** The browser that asks, for an operation that is not open to anyone. */
  readonly session?: SessionOfBrowser
}

/** Asks the organization at the host of one of our pages. */
export async function askRealm(
  request: Request,
  env: Environment,
  operation: string,
  value: object,
  options: AskOptions = {},
): Promise<PageOutcome> {
  try {
    return await ask(request, env, operation, value, options)
  } catch (error) {
    if (error instanceof NonexistentSubdomainError) forgetRealm(env.DB, new URL(request.url))
    if (error instanceof ApiError) return { ok: false, error: error.toWire() }
    throw error
  }
}

/** Asks as `askRealm` does, and returns the answer. @throws ApiError when the organization refuses */
export async function askOrRefuse<Answer>(
  request: Request,
  env: Environment,
  operation: string,
  value: object,
  options: AskOptions = {},
): Promise<Answer> {
  const asked = await askRealm(request, env, operation, value, options)
  if (!asked.ok) throw ApiError.fromWire(asked.error)
  return asked.value as Answer
}

/** Reads and rehearsals may be repeated. */
async function ask(
  request: Request,
  env: Environment,
  operation: string,
  value: object,
  { session, ...options }: AskOptions,
): Promise<PageOutcome> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  if (!realm) throw new NonexistentSubdomainError()
  const browser = await knownBrowserOf(request, env)
  const former = await sessionOf(request)
  const call: RealmCall = {
    ...options,
    operation,
    credentials: credentialsOf(session),
    parameters: { ok: true, value },
    source: {
      ...requestSource(request, url, env),
      ...(session ? { session: session.digest } : {}),
      ...(browser ? { browser } : {}),
      ...(former ? { formerSession: former.digest } : {}),
    },
    host: realm.host,
  }
  const { outcome } = await callRealm(
    env,
    realm,
    call,
    request.method !== 'POST' || options.rehearse === true,
  )
  return outcome
}

/** Returns what hashes passwords of the organization at this host. @throws NonexistentSubdomainError without one */
export async function hasherFor(request: Request, env: Environment): Promise<PasswordHasher> {
  const realm = await findRealm(env.DB, new URL(request.url))
  if (!realm) throw new NonexistentSubdomainError()
  return passwordHasher(env, realm)
}

/** Reads the fields of a posted form. A missing or non-text field is ''. A body that is not a form has no fields. */
export async function readForm<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const form = await holdingMemory(async (memory) => new Map(await readFormEntries(request, memory)))
  const entries = names.map((name) => {
    const value = form.get(name)
    return [name, typeof value === 'string' ? value : '']
  })
  return Object.fromEntries(entries) as Record<Name, string>
}
