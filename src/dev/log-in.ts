import { defineStep } from '../api/define-endpoint.ts'
import { digest, entered } from '../api/step-types.ts'
import { BadRequestError } from '../core/errors.ts'
import { askOrRefuse, askRealm, readForm } from '../http/operations/ask-realm.ts'
import { successWith } from '../http/pages/log-in/login-answers.ts'
import { cookiesOf, newSession, requireOwnOrigin } from '../http/request/browser-session.ts'
import type { Environment } from '../http/request/environment.ts'
import { respondFailure, respondSuccess } from '../http/request/respond.ts'
import { addBrowserSession } from '../model/users/login/sessions.ts'
import { findUserByEmail, listUsers } from '../store/users/user-rows.ts'

/** Starts a session for anybody, by address alone. */
export const devLogInStep = defineStep({
  operation: 'dev-log-in',
  access: 'anyone',
  params: { username: entered, digest },
  audit: { because: 'It is deployed nowhere.' },
  apply(tx, { source }, { username, digest }) {
    const user = findUserByEmail(tx.sql, username)
    if (!user?.isActive || user.botType !== null) throw new BadRequestError('Enter a valid email address.')
    const proof = { method: 'development' } as const
    addBrowserSession(tx, source, { userId: user.id, digest, proof })
    return { user_id: user.id }
  },
})

/** Lists the accounts that one may log in to: people, owners first, guests last. */
export const devPeopleStep = defineStep({
  operation: 'dev-people',
  access: 'anyone',
  audit: { because: 'It is deployed nowhere.' },
  apply(tx) {
    const people = listUsers(tx.sql).filter((user) => user.isActive && user.botType === null)
    return {
      people: people
        .sort((a, b) => a.role - b.role || a.id - b.id)
        .slice(0, MAX_PEOPLE)
        .map(({ id, deliveryEmail, fullName, role }) => ({
          user_id: id,
          email: deliveryEmail,
          full_name: fullName,
          role,
        })),
    }
  },
})

/** The login page is not a directory: a seeded organization may have thousands of people. */
const MAX_PEOPLE = 40

/** GET /dev/people: the accounts that the login page offers when anyone may log in as any of them. */
export async function listPeople(request: Request, env: Environment): Promise<Response> {
  try {
    return await respondSuccess(await askOrRefuse(request, env, devPeopleStep.operation, {}))
  } catch (error) {
    return respondFailure('dev-people', error)
  }
}

/**
 * Adds the cookies of a new session to an answer that gives out the key of a person: the public development server logs a client in with
 * POST /dev_fetch_api_key, and some go on with the cookies alone. Pages of other sites get none.
 */
export async function withSession(request: Request, env: Environment, answer: Response): Promise<Response> {
  if (!answer.ok || !isFromOwnPage(request)) return answer
  const { email } = (await answer.clone().json()) as { readonly email: string }
  const session = await newSession()
  const value = { username: email, digest: session.digest }
  const { ok } = await askRealm(request, env, devLogInStep.operation, value)
  // A bot has no sessions.
  if (!ok) return answer
  const response = new Response(answer.body, answer)
  for (const cookie of await cookiesOf(session, new URL(request.url))) {
    response.headers.append('Set-Cookie', cookie)
  }
  return response
}

function isFromOwnPage(request: Request): boolean {
  try {
    requireOwnOrigin(request)
    return true
  } catch {
    return false
  }
}

/** POST /dev/log_in (`username`): starts a session for the browser with one click on the login page. */
export async function logInAsAnybody(request: Request, env: Environment): Promise<Response> {
  try {
    requireOwnOrigin(request)
    const { username } = await readForm(request, ['username'])
    const session = await newSession()
    await askOrRefuse(request, env, devLogInStep.operation, { username, digest: session.digest })
    return await successWith(await cookiesOf(session, new URL(request.url)))
  } catch (error) {
    return respondFailure('dev-log-in', error)
  }
}
