import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { allRoutes } from '../support/inside-router.ts'
import { neverEvict } from '../support/never-evict.ts'
import { authorization, fetchPath, postFiles, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

neverEvict()

/** Paths whose answers any cache may keep, since they are the same for everybody. */
const PUBLIC = [/^\/user_avatars\/\d/, /^\/static\//, /^\/emoji-data\.json$/, /^\/favicon\.ico$/]

/** Paths that are for scripts of other origins too, as long as no session opens them. */
const OPEN = [/^\/api\/v1\//, /^\/(avatar|thumbnail|user_uploads|external_content)\//]

function problemsOf(path: string, { headers, status }: Response): string[] {
  const named = (name: string) => headers.get(name) ?? ''
  const policy = named('content-security-policy').split('; ')
  const isOpen = OPEN.some((pattern) => pattern.test(path))
  const isPublic = status === 200 && PUBLIC.some((pattern) => pattern.test(path))
  const rules: Record<string, boolean> = {
    nosniff: named('x-content-type-options') === 'nosniff',
    'nothing from elsewhere': policy.includes("default-src 'none'"),
    'no script but our own files': policy.every(
      (rule) => !rule.startsWith('script-src') || rule === "script-src 'self'",
    ),
    'in no frame': policy.includes("frame-ancestors 'none'") && named('x-frame-options') === 'DENY',
    // Our own pages have forms, which a sandbox forbids.
    'apart, if no page of ours':
      policy.includes('sandbox') || policy.some((rule) => rule.startsWith('form-action')),
    'no referrer': named('referrer-policy') === 'no-referrer',
    'own window': named('cross-origin-opener-policy') === 'same-origin',
    'not embedded':
      named('cross-origin-resource-policy') === (isPublic || isOpen ? 'cross-origin' : 'same-origin'),
    'never with credentials': !headers.has('access-control-allow-credentials'),
    'read by scripts only where they may ask':
      headers.has('access-control-allow-origin') === (isPublic || isOpen),
    'not kept': isPublic || /\b(no-store|private)\b/.test(named('cache-control')),
    'one value each': [...headers.keys()].every(
      (name) => name === 'set-cookie' || !named(name).includes('nosniff,'),
    ),
    https: named('strict-transport-security') === 'max-age=31536000',
  }
  return Object.keys(rules).filter((name) => !rules[name])
}

/** Returns an address for every route, each of the API's once. */
function addresses(): { method: string; path: string }[] {
  const routes = allRoutes().filter(({ path }) => !/^\/json\/[^*]/.test(path))
  return routes.flatMap(({ method, path: form }) => {
    const path = form
      .replace(/:\w+_id(_str)?\b/g, '1')
      .replace(/:\w+\+?/g, 'x')
      .replace(/\*$/, 'x')
    const methods = method === 'ALL' ? ['GET', 'DELETE', 'OPTIONS'] : [method]
    return methods.map((each) => ({ method: each, path: path.startsWith('/') ? path : `/${path}` }))
  })
}

async function ask(url: string, method: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await askWorker(new Request(url, { method, headers, redirect: 'manual' }))
  await response.arrayBuffer()
  return response
}

describe('every route answers with security headers', () => {
  it('for every caller and every status', async () => {
    const found: string[] = []
    const all = addresses()
    expect(all.length).toBeGreaterThan(300)
    for (const { method, path } of all) {
      // With a key only requests that change nothing are made, not even the key.
      for (const headers of method === 'GET' ? [{}, authorization(ann)] : [{}]) {
        const response = await ask(`https://${realm.host}${path}`, method, headers)
        const problems = problemsOf(path, response)
        if (problems.length > 0) found.push(`${method} ${path} ${response.status}: ${problems.join(', ')}`)
      }
    }
    expect(found).toEqual([])
  })

  it('without an organization, with a wrong key, for unknown routes and invalid bodies', async () => {
    const me = '/api/v1/users/me'
    const wrong = authorization({ ...ann, apiKey: 'x'.repeat(32) })
    const [here, nowhere] = [`https://${realm.host}`, 'https://nowhere.test']
    for (const [host, path, headers] of [
      [nowhere, '/', {}],
      [nowhere, me, {}],
      [here, me, wrong],
      [here, me, { Authorization: 'Bearer x' }],
      [here, '/%00', {}],
      [here, '/api/v1/messages/99999999999999999999', {}],
    ] as const) {
      expect(problemsOf(path, await ask(`${host}${path}`, 'GET', headers))).toEqual([])
    }
  })

  it('for files: uploads, thumbnails, ranges, temporary URLs and avatars', async () => {
    const path = await upload(ann, { name: 'a.txt', type: 'text/plain', content: 'words' })
    const { url } = expectSuccess(await ann.api.get(path))
    const pixel = Uint8Array.from(atob(PIXEL), (char) => char.charCodeAt(0))
    const picture = { name: 'a.png', type: 'image/png', content: pixel }
    const { avatar_url } = expectSuccess(await postFiles(ann, '/users/me/avatar', [picture]))
    const https = `https://${realm.host}`
    const kept = { ...authorization(ann), 'If-None-Match': '' }
    const first = await ask(`${https}${path}`, 'GET', authorization(ann))
    kept['If-None-Match'] = first.headers.get('etag')!
    const answers: [string, number, Response][] = [
      [path, 200, first],
      [path, 304, await ask(`${https}${path}`, 'GET', kept)],
      [path, 206, await ask(`${https}${path}`, 'GET', { ...authorization(ann), Range: 'bytes=0-1' })],
      [path, 416, await ask(`${https}${path}`, 'GET', { ...authorization(ann), Range: 'bytes=9-' })],
      [path, 403, await ask(`${https}${path}`, 'GET')],
      [path, 200, await ask(`${https}${path}?download=1`, 'GET', authorization(ann))],
      [url, 200, await ask(`${https}${url}`, 'GET')],
      [`/avatar/${ann.id}`, 302, await ask(`${https}/avatar/${ann.id}`, 'GET', authorization(ann))],
      [avatar_url, 200, await ask(new URL(avatar_url, https).href, 'GET')],
    ]
    for (const [address, status, response] of answers) {
      expect([address, response.status, problemsOf(address, response)]).toEqual([address, status, []])
    }
  })

  it('with Strict-Transport-Security only over https', async () => {
    const response = await fetchPath(realm, '/')
    await response.arrayBuffer()
    expect(response.headers.has('strict-transport-security')).toBe(false)
  })
})

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
