import { readImagePath } from '../domain/images/public-image.ts'
import type { Environment } from './environment.ts'
import { findRealm } from './find-realm.ts'
import { fromStore } from './from-store.ts'
import { FOR_ANY_PAGE } from './security-headers.ts'

const YEAR_SECONDS = 365 * 86_400

/** GET /user_avatars/…: avatars, custom emoji, icons. They are loaded without credentials. */
export async function servePublicImage(request: Request, env: Environment): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  }
  const url = new URL(request.url)
  const image = readImagePath(url.pathname)
  const realm = image && (await findRealm(env.DB, url))
  const stored = image && realm?.id === image.realmId ? await firstStored(env.UPLOADS, image.keys) : null
  if (!image || !stored) return new Response('There is no such image.', { status: 404 })
  return new Response(request.method === 'HEAD' ? null : stored.body, {
    headers: {
      'Content-Type': image.contentType,
      'Content-Length': String(stored.size),
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
      ...FOR_ANY_PAGE,
    },
  })
}

async function firstStored(bucket: R2Bucket, keys: readonly string[]): Promise<R2ObjectBody | null> {
  for (const key of keys) {
    const stored = await fromStore(() => bucket.get(key))
    if (stored) return stored
  }
  return null
}
