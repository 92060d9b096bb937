import { connectAfterLoginStep } from '../../../features/login-providers/login-identities.ts'
import { askRealm } from '../../operations/ask-realm.ts'
import type { Environment } from '../../request/environment.ts'
import { endFlow, type FlowKind, keepFlow, keptFlow } from '../../request/sealed-flow.ts'
import { type Destination, LOGIN_PATH, queryFor } from './login-end.ts'

/**
 * A person who has come from a provider, with whom their account is not connected yet: they log in once as before, which connects it. The
 * browser keeps, sealed, with whom. Source: docs/interface/login.md#an-account-that-has-been-used.
 */
interface NewMember {
  readonly provider_id: number
  readonly issuer: string
  readonly subject: string
  /** The account with the address that the provider gives. */
  readonly user_id: number
  /** The provider's display name, and the address that it gives. */
  readonly name: string
  readonly email: string
}

const CONNECTION_FLOW: FlowKind = { cookie: 'login_connection', purpose: 'log-in under way' }

/** Sends the browser to the login page, which says what a login is for now. */
export async function respondLogInFirst(
  request: Request,
  env: Environment,
  destination: Destination,
  newMember: NewMember,
): Promise<Response> {
  const location = `${LOGIN_PATH}/${queryFor({ ...destination, connects: true })}`
  const cookie = await keepFlow(request, env, CONNECTION_FLOW, newMember)
  return new Response(null, {
    status: 302,
    headers: { Location: location, 'Set-Cookie': cookie, 'Cache-Control': 'no-store' },
  })
}

/** Returns who is to be connected by a login to this destination; undefined if nobody is. */
export async function newMemberIn(
  request: Request,
  env: Environment,
  { connects }: Destination,
): Promise<NewMember | undefined> {
  return connects ? keptFlow<NewMember>(request, env, CONNECTION_FLOW) : undefined
}

/** Follows a login: connects the account, if it is that of the person who has come, once. The login is good whether that works or not. */
export async function connectAfterLogin(
  request: Request,
  env: Environment,
  destination: Destination,
  userId: number,
  response: Response,
): Promise<Response> {
  const newMember = await newMemberIn(request, env, destination)
  if (!newMember) return response
  const { provider_id, issuer, subject, user_id } = newMember
  if (user_id === userId) {
    const params = { provider_id, issuer, subject, user_id }
    await askRealm(request, env, connectAfterLoginStep.operation, params, { counted: true })
  }
  response.headers.append('Set-Cookie', endFlow(request, CONNECTION_FLOW))
  return response
}
