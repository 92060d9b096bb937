import type { RealmCall } from '../../core/call.ts'
import { allowsWebPublic } from '../../core/deployment-settings.ts'
import { NonexistentSubdomainError } from '../../core/errors.ts'
import { findAvatarStep } from '../../features/avatars/avatars.ts'
import { findPublicAvatarStep } from '../../features/spectators/spectators.ts'
import { keyOrSession } from '../browser-session.ts'
import { callRealm } from '../call-realm.ts'
import type { Environment } from '../environment.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { findRealm } from '../find-realm.ts'
import { requestSource } from '../handle-request.ts'
import { respondFailure } from '../respond.ts'

type AvatarRequest = Request & { readonly params: Record<string, string> }

/**
 * GET /avatar/{id or address}[/medium]: redirects to the picture of a user, for clients that do not know its
 * address. Source: docs/interface/users.md#avatar.
 */
export async function redirectToAvatar(request: AvatarRequest, env: Environment): Promise<Response> {
  try {
    const url = new URL(request.url)
    const realm = await findRealm(env.DB, url)
    if (!realm) throw new NonexistentSubdomainError()
    const credentials = await keyOrSession(request)
    // Below /api/v1 everything but log-in needs a key.
    const isSpectator =
      credentials.kind === 'none' && url.pathname.startsWith('/avatar/') && allowsWebPublic(env)
    const call: RealmCall = {
      operation: isSpectator ? findPublicAvatarStep.operation : findAvatarStep.operation,
      credentials,
      parameters: {
        ok: true,
        value: { user: decoded(request.params.user!), medium: url.pathname.endsWith('/medium') },
      },
      source: requestSource(request, url, env),
      host: realm.host,
    }
    const { outcome } = await callRealm(env, realm, call, true)
    if (!outcome.ok) throw await explainRefusal(env, realm.id, call, outcome.error)
    const { url: location } = outcome.value as { url: string }
    return new Response(null, {
      status: 302,
      headers: {
        Location: location,
        'Cache-Control': 'private, max-age=300',
        // Two people may use one browser, one after the other.
        Vary: 'Authorization, Cookie',
      },
    })
  } catch (error) {
    return respondFailure('avatar', error)
  }
}

/** Decodes a part of an address. One that cannot be decoded is an address that nobody has. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
