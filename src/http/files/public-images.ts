import { ApiError } from '../../core/errors.ts'
import { fromStore } from '../../core/file-store.ts'
import { findImagesStep } from '../../features/avatars/avatars.ts'
import type { RealmRecord } from '../../store/d1/realms.ts'
import { readImagePath } from '../../store/images/public-image.ts'
import { askRealm } from '../ask-realm.ts'
import type { Environment } from '../environment.ts'
import { findRealm } from '../find-realm.ts'
import { FOR_ANY_PAGE } from '../security-headers.ts'
import { edgeCopy, keepEdgeCopy } from './edge-copies.ts'

const YEAR_SECONDS = 365 * 86_400

/** GET /user_avatars/…: avatars, custom emoji, icons, all loaded without credentials. */
export async function servePublicImage(request: Request, env: Environment): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const url = new URL(request.url)
  const image = readImagePath(url.pathname)
  const realm = image && (await findRealm(env.DB, url))
  if (!image || realm?.id !== image.realmId) return respondNoImage()
  await requireConfirmed(request, env, realm)
  const picture = await pictureOf(env.UPLOADS, image.keys)
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

interface Picture {
  readonly body: ReadableStream | null
  readonly length: string
}

/** Returns the edge's copy of the first of the keys, else the first that the store has. */
async function pictureOf(bucket: R2Bucket, keys: readonly string[]): Promise<Picture | undefined> {
  const copy = await edgeCopy(keys[0]!)
  if (copy) return { body: copy.body, length: copy.headers.get('content-length')! }
  const stored = await firstStored(bucket, keys)
  if (!stored) return undefined
  if (stored.key === keys[0]) keepEdgeCopy(bucket, stored.key, stored.size)
  return { body: stored.body, length: String(stored.size) }
}

/** Hosts of organizations whose objects have confirmed that they are the ones that D1 means, by id. */
const confirmed = new Map<number, string>()
const MAX_CONFIRMED = 5_000

/**
 * Asks the object for that once: the store knows only ids, and D1 may have given one of them again after it
 * was restored from a copy.
 */
async function requireConfirmed(
  request: Request,
  env: Environment,
  { id, host }: RealmRecord,
): Promise<void> {
  if (confirmed.get(id) === host) return
  const outcome = await askRealm(request, env, findImagesStep.operation, {})
  if (!outcome.ok) throw ApiError.fromWire(outcome.error)
  if (confirmed.size >= MAX_CONFIRMED) confirmed.clear()
  confirmed.set(id, host)
}

function respondNoImage(): Response {
  return new Response('There is no such image.', { status: 404 })
}

async function firstStored(bucket: R2Bucket, keys: readonly string[]): Promise<R2ObjectBody | null> {
  for (const key of keys) {
    const stored = await fromStore(() => bucket.get(key))
    if (stored) return stored
  }
  return null
}
