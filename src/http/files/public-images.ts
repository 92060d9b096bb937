import type { RealmCall } from '../../core/call.ts'
import { allowsWebPublic } from '../../core/deployment-settings.ts'
import { NonexistentSubdomainError } from '../../core/errors.ts'
import type { FileBucket, FileContent } from '../../core/file-bucket.ts'
import { fromStore } from '../../core/file-store.ts'
import { findAvatarStep, findImagesStep } from '../../features/avatars/avatars.ts'
import { findPublicAvatarStep } from '../../features/spectators/spectators.ts'
import { bucketOf } from '../../store/d1/bucket.ts'
import type { RealmRecord } from '../../store/d1/realms.ts'
import { readImagePath } from '../../store/images/public-image.ts'
import { askOrRefuse } from '../operations/ask-realm.ts'
import { requestSource } from '../operations/handle-request.ts'
import { keyOrSession } from '../request/browser-session.ts'
import { callRealm, explainRefusal } from '../request/call-realm.ts'
import type { Environment } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import { decoded, type PageRequest } from '../request/request-url.ts'
import { respondFailure } from '../request/respond.ts'
import { FOR_ANY_PAGE } from '../request/security-headers.ts'
import { edgeCopy, keepEdgeCopy } from '../storage/stored-files.ts'
import { isReading, respondOnlyReading } from './serve-file.ts'

const YEAR_SECONDS = 365 * 86_400

/** GET /user_avatars/…: avatars, custom emoji and icons, all loaded without credentials. */
export async function servePublicImage(request: Request, env: Environment): Promise<Response> {
  if (!isReading(request)) return respondOnlyReading()
  const url = new URL(request.url)
  const image = readImagePath(url.pathname)
  const realm = image && (await findRealm(env.DB, url))
  if (!image || !realm || (await imagesOf(request, env, realm)) !== image.realmId) return respondNoImage()
  const picture = await pictureOf(bucketOf(env), image.keys)
  if (!picture) return respondNoImage()
  if (request.method === 'HEAD') await picture.body?.cancel()
  return new Response(request.method === 'HEAD' ? null : picture.body, {
    headers: {
      'Content-Type': image.contentType,
      'Content-Length': picture.length,
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      ...FOR_ANY_PAGE,
    },
  })
}

/** Returns the edge's copy of the first key, else the first key that the store has. */
async function pictureOf(bucket: FileBucket, keys: readonly string[]) {
  const copy = await edgeCopy(keys[0]!)
  if (copy) return { body: copy.body, length: copy.headers.get('content-length')! }
  const stored = await firstStored(bucket, keys)
  if (!stored) return undefined
  if (stored.key === keys[0]) keepEdgeCopy(bucket, stored.key, stored.size)
  return { body: stored.body, length: String(stored.size) }
}

/** What objects have confirmed, by the ids of their organizations in D1: their host, and whose pictures they show. */
const confirmed = new Map<number, { readonly host: string; readonly imagesOf: number }>()
const MAX_CONFIRMED = 5_000

/**
 * Returns the organization whose pictures are shown at a host: for a copy of a backup, that which it is a copy of. The object is asked once: the
 * store knows only ids, and D1 may have reused one after it was restored from a backup.
 */
async function imagesOf(request: Request, env: Environment, { id, host }: RealmRecord): Promise<number> {
  const known = confirmed.get(id)
  if (known?.host === host) return known.imagesOf
  const { images_of } = await askOrRefuse<{ images_of: number }>(request, env, findImagesStep.operation, {})
  if (confirmed.size >= MAX_CONFIRMED) confirmed.clear()
  confirmed.set(id, { host, imagesOf: images_of })
  return images_of
}

function respondNoImage(): Response {
  return new Response('There is no such image.', { status: 404 })
}

async function firstStored(bucket: FileBucket, keys: readonly string[]): Promise<FileContent | null> {
  for (const key of keys) {
    const stored = await fromStore(() => bucket.get(key))
    if (stored) return stored
  }
  return null
}

/** GET /avatar/{id or address}[/medium]: redirects to a user's picture, for clients that do not know its address. */
export async function redirectToAvatar(request: PageRequest, env: Environment): Promise<Response> {
  try {
    const url = new URL(request.url)
    const realm = await findRealm(env.DB, url)
    if (!realm) throw new NonexistentSubdomainError()
    const credentials = await keyOrSession(request)
    const user = request.params.user!
    // Under /api/v1 everything except login needs a key.
    const isSpectator =
      credentials.kind === 'none' && url.pathname.startsWith('/avatar/') && allowsWebPublic(env)
    const call: RealmCall = {
      operation: isSpectator ? findPublicAvatarStep.operation : findAvatarStep.operation,
      credentials,
      parameters: {
        ok: true,
        value: { user: decoded(user) ?? user, medium: url.pathname.endsWith('/medium') },
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
        // Several users may use the same browser.
        Vary: 'Authorization, Cookie',
      },
    })
  } catch (error) {
    return respondFailure('avatar', error)
  }
}
