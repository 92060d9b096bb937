import { waitUntil } from 'cloudflare:workers'
import { deployedAt } from '../../core/deployed-at.ts'
import { log } from '../../core/log.ts'
import type { Environment } from '../environment.ts'
import { sha256Hex } from '../sha256.ts'

/** The cache in which the edge keeps pages, in this part of the world. On `workers.dev` it keeps nothing. */
const CACHE = 'public-pages'
/** Seconds for which a page is kept. A kept page is shown only if a new one would be the same. */
const KEPT_SECONDS = 86_400

/**
 * Returns the digest of all that a page is made of: pages with the same digest are the same. `facts`: the
 * realm object's present answer, with the versions of the texts.
 */
export async function digestOfPage(
  env: Environment,
  page: { readonly realmId: number; readonly url: URL },
  facts: unknown,
): Promise<string> {
  const { realmId, url } = page
  const whole = JSON.stringify([realmId, url.origin, deployedAt(env), facts])
  return (await sha256Hex(whole)).slice(0, 32)
}

/** Returns the page with this digest, if the edge has it. */
export async function keptPage(url: URL, digest: string): Promise<string | undefined> {
  try {
    const kept = await (await caches.open(CACHE)).match(keyOf(url, digest))
    return kept && (await kept.text())
  } catch (error) {
    log('warn', 'The cache of the edge cannot be read', { error })
    return undefined
  }
}

/** Stores a page. That only saves work, and nobody waits for it. */
export function keepPage(url: URL, digest: string, page: string): void {
  const response = new Response(page, { headers: { 'Cache-Control': `public, max-age=${KEPT_SECONDS}` } })
  waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.put(keyOf(url, digest), response))
      .catch(() => {}),
  )
}

function keyOf({ origin }: URL, digest: string): string {
  return `${origin}/public-pages/${digest}`
}
