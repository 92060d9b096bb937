import * as v from 'valibot'
import { proxiesPictures } from '../../core/deployment-settings.ts'
import { nearTrip, noteOfRequest } from '../../core/request-record.ts'
import {
  PLACEHOLDER,
  type PlaceholderName,
  WEB_CLIENT_ASSETS,
  type WebClientDescription,
  webClientDescription,
} from '../../core/web-client.ts'
import type { Assets, Environment } from '../request/environment.ts'
import type { PageRequest } from '../request/request-url.ts'

/** A client built elsewhere and served at `/` in place of our own page. */
export interface WebClient extends WebClientDescription {
  /** The client's page: text, with placeholders filled for each reader. */
  readonly page: readonly (string | { readonly placeholder: PlaceholderName })[]
}

/** The web client, by the assets of a deployment, which are fixed while it runs; null if there is none. */
const known = new WeakMap<Assets, WebClient | null>()

/** Finds the deployed web client. The result is kept, not its promise: that of a request that has ended never resolves. */
export async function findWebClient({ ASSETS }: Environment): Promise<WebClient | undefined> {
  if (!ASSETS) return undefined
  const found = known.get(ASSETS)
  if (found !== undefined) return found ?? undefined
  const client = await readWebClient(ASSETS)
  known.set(ASSETS, client ?? null)
  return client
}

async function readWebClient(assets: Assets): Promise<WebClient | undefined> {
  const [description, page] = await Promise.all([
    readAsset(assets, `${WEB_CLIENT_ASSETS}/client.json`),
    readAsset(assets, `${WEB_CLIENT_ASSETS}/index.html`),
  ])
  if (!description || !page) return undefined
  const parts = (await page.text())
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 0 ? part : { placeholder: part as PlaceholderName }))
  const snapshots = parts.filter((part) => typeof part !== 'string' && part.placeholder === 'page_params')
  // A page has one snapshot, and one queue that continues it. Deploying any other number is refused.
  if (snapshots.length !== 1)
    throw new Error('The page of the web client has no one placeholder for its parameters')
  return { ...v.parse(webClientDescription, await description.json()), page: parts }
}

/** Content-Security-Policy sources of GIF providers, which browsers ask directly. */
const GIF_HOSTS = {
  giphy: { search: 'https://api.giphy.com', pictures: 'https://*.giphy.com' },
  tenor: { search: 'https://tenor.googleapis.com', pictures: 'https://media.tenor.com' },
} as const

/** Returns where browsers search for GIFs and load previews: only the providers with a key in this deployment. */
export function gifHosts({ GIPHY_API_KEY, TENOR_API_KEY }: Environment): {
  readonly search: readonly string[]
  readonly pictures: readonly string[]
} {
  const hosts = [GIPHY_API_KEY ? GIF_HOSTS.giphy : [], TENOR_API_KEY ? GIF_HOSTS.tenor : []].flat()
  return { search: hosts.map(({ search }) => search), pictures: hosts.map(({ pictures }) => pictures) }
}

/**
 * Returns the Content-Security-Policy: scripts of this origin, and inline styles, since clients set them on elements. Pictures of other
 * servers come through this one, but clients themselves build Gravatar addresses, play videos from their own servers, and ask GIF
 * providers. A client declares in its description what else it needs.
 */
export function policyOf({ content_security_policy }: WebClient, env: Environment): string {
  const gifs = gifHosts(env)
  const pictures = proxiesPictures(env) ? ['https://secure.gravatar.com', ...gifs.pictures] : ['https:']
  const policy = [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: ${pictures.join(' ')}`,
    ...(gifs.search.length > 0 ? [`connect-src 'self' ${gifs.search.join(' ')}`] : []),
    "media-src 'self' blob: https:",
    "font-src 'self' data:",
    'frame-src https://www.youtube.com https://player.vimeo.com',
    "worker-src 'self' blob:",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return content_security_policy ?? policy.join('; ')
}

/** A path of plain names: none leads upwards or is hidden. */
const FILE_PATH = /^(?:\/[\w@+~=,-][\w@+~=,.-]*)+$/
/** Files served in another form, or not at all. */
const OWN_FILES = new Set(['/index.html', '/client.json'])
/** A name with a digest always has the same content. */
const DIGEST = /[.-][0-9a-f]{8,64}\.\w+$/
const YEAR_SECONDS = 365 * 86_400

/** GET of any other path: a file of the web client, if it exists. */
export async function serveWebClientFile(
  request: PageRequest,
  env: Environment,
): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  if (!env.ASSETS || !FILE_PATH.test(pathname) || OWN_FILES.has(pathname)) return undefined
  const client = await findWebClient(env)
  if (!client) return undefined
  noteOfRequest({ operation: 'web-client-file' })
  const tag = request.headers.get('if-none-match')
  const file = await readAsset(env.ASSETS, WEB_CLIENT_ASSETS + pathname, tag)
  if (!file) return undefined
  const headers = new Headers({
    'Content-Type': contentTypeOf(pathname),
    // A worker has the policy of the response that delivered its script.
    'Content-Security-Policy': policyOf(client, env),
    'Cache-Control': DIGEST.test(pathname) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  })
  const ownTag = file.headers.get('etag')
  if (ownTag !== null) headers.set('ETag', ownTag)
  return new Response(file.body, { status: file.status, headers })
}

/** Reads an asset, unless the browser already has it under this tag: then the answer is 304. */
export async function readAsset(
  assets: Assets | undefined,
  path: string,
  tag: string | null = null,
): Promise<Response | undefined> {
  if (!assets) return undefined
  // The host does not matter.
  const asked = new Request(`https://assets.invalid${path}`, {
    headers: tag === null ? {} : { 'If-None-Match': tag },
  })
  const answer = await nearTrip(() => assets.fetch(asked))
  if (answer.status === 200 || answer.status === 304) return answer
  await answer.body?.cancel()
  return undefined
}

const BY_ENDING: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  mjs: 'text/javascript; charset=utf-8',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
}

/** The content type of a client's file, by its name. */
export function contentTypeOf(path: string): string {
  return BY_ENDING[path.split('.').at(-1)!.toLowerCase()] ?? 'application/octet-stream'
}
