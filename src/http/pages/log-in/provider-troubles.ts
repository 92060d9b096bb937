import type { AuthTexts } from '../../../../texts/compiled/auth.ts'
import { ApiError, RateLimitHitError } from '../../../core/errors.ts'
import {
  findLoginProviderStep,
  noteFailedProviderLoginStep,
} from '../../../features/login-providers/log-in-with-provider.ts'
import type { FoundLoginProvider } from '../../../model/login-providers/find-login-provider.ts'
import type { ProviderRefusal } from '../../../model/login-providers/proven-person.ts'
import { respondAuthPage } from '../../html/auth-page.ts'
import { html } from '../../html/html.ts'
import { refusalIn, textsOfRequest } from '../../html/texts-of-request.ts'
import { askOrRefuse, askRealm } from '../../operations/ask-realm.ts'
import type { AskedProvider } from '../../providers/ask-provider.ts'
import { ProviderError } from '../../providers/provider-calls.ts'
import type { Environment } from '../../request/environment.ts'
import { findRealm } from '../../request/find-realm.ts'
import { retryLater } from '../../request/respond.ts'
import { respondTooMany } from './login-answers.ts'

/** Why a login at a provider failed. The page has one sentence for each cause, which says what to do. */
export type Trouble =
  | ProviderRefusal
  | 'unreachable'
  | 'declined'
  | 'invalid'
  /** The provider does not exist, or is off. */
  | 'unknown'
  /** It was started too long ago, or by another browser. */
  | 'expired'

const STATUS: Partial<Record<Trouble, number>> = {
  unreachable: 503,
  declined: 400,
  invalid: 400,
  unknown: 404,
  expired: 400,
}
const FORBIDDEN = 403

/** Ends a log-in at a provider. */
export class TroubleError extends Error {
  readonly trouble: Trouble
  /** The provider's display name, and the address that it gives for the user. */
  readonly about: { readonly name: string; readonly email: string }

  constructor(trouble: Trouble, about: { readonly name?: string; readonly email?: string | null } = {}) {
    super(trouble)
    this.trouble = trouble
    this.about = { name: about.name ?? '', email: about.email ?? '' }
  }

  /** Returns the refusal for a request by script. */
  toApiError(request: Request): ApiError {
    const sentence = troubleIn(textsOfRequest(request), this)
    return new ApiError('BAD_REQUEST', sentence, {}, STATUS[this.trouble] ?? FORBIDDEN)
  }
}

function troubleIn({ provider: { troubles } }: AuthTexts, { trouble, about }: TroubleError): string {
  switch (trouble) {
    case 'no_account':
    case 'address_not_allowed':
    case 'not_connected':
      return troubles[trouble](about)
    case 'unconfirmed_account':
      return troubles[trouble](about.email)
    default: {
      const text = troubles[trouble]
      return typeof text === 'string' ? text : text(about.name)
    }
  }
}

/** Returns the provider with this name in addresses. @throws TroubleError; ApiError */
export async function askedProvider(
  request: Request,
  env: Environment,
  slug: string,
): Promise<AskedProvider> {
  const url = new URL(request.url)
  const { operation } = findLoginProviderStep
  const { provider } = await askOrRefuse<FoundLoginProvider>(request, env, operation, { slug })
  const realm = await findRealm(env.DB, url)
  if (!provider || !realm) throw new TroubleError('unknown')
  return { provider, env, realmId: realm.id, url }
}

/**
 * Runs a part of a login at a provider. If the provider is at fault, users are told what to do, and administrators, in the audit log,
 * what is wrong.
 * @throws TroubleError; the errors of that part
 */
export async function atProvider<Value>(
  request: Request,
  { provider, env }: AskedProvider,
  part: () => Promise<Value>,
): Promise<Value> {
  try {
    return await part()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const params = { provider_id: provider.id, problem: `${error.problem}: ${error.detail}` }
    await askRealm(request, env, noteFailedProviderLoginStep.operation, params)
    throw new TroubleError(error.problem, { name: provider.displayName })
  }
}

/** Answers with a page, also when the login fails. */
export async function onPage(request: Request, respond: () => Promise<Response>): Promise<Response> {
  const texts = textsOfRequest(request)
  try {
    return await respond()
  } catch (thrown) {
    const error = thrown instanceof TroubleError ? thrown.toApiError(request) : thrown
    if (!(error instanceof ApiError)) throw error
    if (error instanceof RateLimitHitError) return respondTooMany(request, error)
    const body = html`<p class="refusal" role="alert">${refusalIn(texts, error)}</p>
<p class="auth-on"><a class="button button-main" href="/login/">${texts.provider.again}</a></p>`
    return retryLater(respondAuthPage(texts, texts.logIn.title, body, error.status), error)
  }
}
