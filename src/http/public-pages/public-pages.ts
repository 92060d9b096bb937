import { waitUntil } from 'cloudflare:workers'
import type { RealmCall } from '../../core/call.ts'
import { allowsWebPublic, deployedAt } from '../../core/deployment-settings.ts'
import { ApiError, NonexistentSubdomainError, type WireError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { DAY } from '../../core/time.ts'
import { getPublicMessagesEndpoint } from '../../features/messages/many-messages.ts'
import type {
  PublicChannelPage,
  PublicChannels,
  PublicTopicPage,
} from '../../features/spectators/spectators.ts'
import {
  listPublicChannelsStep,
  showPublicChannelStep,
  showPublicTopicStep,
} from '../../features/spectators/spectators.ts'
import type { CompleteMessage } from '../../model/messages/in-worker/complete-message.ts'
import { numberIn } from '../html/addresses-of-public-pages.ts'
import { askRealm } from '../operations/ask-realm.ts'
import { finishCall } from '../operations/finish-call.ts'
import { requestSource } from '../operations/handle-request.ts'
import { type Environment, originAt } from '../request/environment.ts'
import { findRealm } from '../request/find-realm.ts'
import type { PageRequest } from '../request/request-url.ts'
import { retryLater } from '../request/respond.ts'
import { sha256Hex } from '../request/sha256.ts'
import { channelPage, channelsPage, plainPage, topicPage } from './contents.ts'
import { publicTexts } from './texts.ts'

/** The Content-Security-Policy of these pages: no script, nothing inline, nothing external. */
const PUBLIC_POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PUBLIC_POLICY,
  // Revalidated, since the page may have been closed.
  'Cache-Control': 'no-cache',
}

type Shown = Response | undefined

/** GET /public: the web-public channels. Undefined, as in the functions below, if the deployment has no public pages. */
export async function showPublicChannels(request: PageRequest, env: Environment): Promise<Shown> {
  const after = numberIn(new URL(request.url).searchParams.get('after') ?? '0')
  return show<PublicChannels>(request, env, {
    operation: listPublicChannelsStep.operation,
    params: after === undefined ? undefined : { after },
    draw: async (found, { origin }) => channelsPage(found, origin, after!),
  })
}

/** GET /public/channel/:channel: its topics. */
export async function showPublicChannel(request: PageRequest, env: Environment): Promise<Shown> {
  const channelId = numberIn(request.params.channel)
  const asked = new URL(request.url).searchParams.get('before')
  const before = asked === null ? null : numberIn(asked)
  return show<PublicChannelPage>(request, env, {
    operation: showPublicChannelStep.operation,
    params: channelId === undefined || before === undefined ? undefined : { channelId, before },
    draw: async (found, { origin }) => channelPage(found, origin, before!),
  })
}

/** GET /public/topic/:message: messages of its topic, starting from this one. */
export async function showPublicTopic(request: PageRequest, env: Environment): Promise<Shown> {
  const messageId = numberIn(request.params.message)
  return show<PublicTopicPage>(request, env, {
    operation: showPublicTopicStep.operation,
    params: messageId === undefined ? undefined : { messageId },
    async draw(found, { origin }) {
      const messages = await completed(request, env, found)
      return messages && topicPage(found, messages, origin)
    },
  })
}

interface Drawn<Found> {
  readonly operation: string
  /** Parameters of the call; undefined for an address that leads nowhere. */
  readonly params: object | undefined
  /** Returns the page; undefined if the organization has changed since. */
  draw(found: Found, at: { readonly origin: string }): Promise<string | undefined>
}

/** How often a page is made again because of changes meanwhile. */
const ATTEMPTS = 3

/**
 * Answers with a page. The organization is asked each time for the facts behind it, with the current settings and channel. Only the
 * rendering is cached, by a digest of everything that it depends on: a closed page is gone at once.
 */
async function show<Found>(request: PageRequest, env: Environment, page: Drawn<Found>): Promise<Shown> {
  if (!allowsWebPublic(env)) return undefined
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  if (!realm || !page.params) return nothingThere()
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const asked = await askRealm(request, env, page.operation, page.params, { counted: attempt > 1 })
    if (!asked.ok) return refusal(asked.error)
    const digest = await digestOfPage(env, { realmId: realm.id, url }, [
      page.operation,
      page.params,
      asked.value,
    ])
    const headers = { ...HEADERS, ETag: `"${digest}"` }
    if (isKnown(request, digest)) return new Response(null, { status: 304, headers })
    const kept = await keptPage(url, digest)
    const drawn = kept ?? (await page.draw(asked.value as Found, { origin: originAt(url, env) }))
    if (drawn === undefined) continue
    if (kept === undefined) keepPage(url, digest, drawn)
    return new Response(drawn, { headers })
  }
  return refusal(new ApiError('SERVICE_UNAVAILABLE', 'Try again', { 'retry-after': 1 }, 503).toWire())
}

function isKnown({ headers }: Request, digest: string): boolean {
  return (headers.get('if-none-match') ?? '').includes(`"${digest}"`)
}

/** Returns a page's messages with their public texts; undefined if they are no longer those of the first answer. */
async function completed(
  request: PageRequest,
  env: Environment,
  { messages }: PublicTopicPage,
): Promise<readonly CompleteMessage[] | undefined> {
  const url = new URL(request.url)
  const realm = await findRealm(env.DB, url)
  if (!realm) throw new NonexistentSubdomainError()
  const call: RealmCall = {
    operation: getPublicMessagesEndpoint.operation,
    credentials: { kind: 'none' },
    parameters: {
      ok: true,
      value: {
        include_anchor: true,
        num_before: 0,
        num_after: 0,
        narrow: [{ operator: 'channels', operand: 'web-public' }],
        use_first_unread_anchor: false,
        apply_markdown: true,
        allow_empty_topic_name: true,
        message_ids: messages.map(({ facts }) => facts.id),
      },
    },
    source: requestSource(request, url, env),
    host: realm.host,
    counted: true,
  }
  const response = await finishCall({
    endpoint: getPublicMessagesEndpoint,
    env,
    realm,
    call,
    readers: 'own',
    ignored: () => [],
    files: [],
  })
  if (!response.ok) {
    await response.body?.cancel()
    return undefined
  }
  const { messages: complete } = (await response.json()) as { messages: CompleteMessage[] }
  return isSame(messages, complete) ? complete : undefined
}

/** Whether the messages are unchanged between the two answers: not edited, moved or deleted. */
function isSame(asked: PublicTopicPage['messages'], complete: readonly CompleteMessage[]): boolean {
  if (asked.length !== complete.length) return false
  return asked.every(({ facts }, index) => {
    const { content: _, content_type: _type, edit_history: _history, ...others } = complete[index]!
    return JSON.stringify(others) === JSON.stringify(facts)
  })
}

/** Answers with the page of a refusal. A closed page looks like one that never existed. */
function refusal(error: WireError): Response {
  if (error.status !== 429 && error.status !== 503) return nothingThere()
  const texts = publicTexts('en')
  const page = plainPage(texts, texts.tooMuch, texts.tooMuchAbout)
  return retryLater(new Response(page, { status: error.status, headers: HEADERS }), error)
}

function nothingThere(): Response {
  const texts = publicTexts('en')
  return new Response(plainPage(texts, texts.nothing, texts.nothingAbout), {
    status: 404,
    headers: HEADERS,
  })
}

/** The page cache in this Cloudflare location. On `workers.dev` it keeps nothing. */
const CACHE = 'public-pages'
/** Seconds for which a page is cached. A cached page is only used if a new one would be the same. */
const KEPT_SECONDS = DAY

/** Returns the digest of everything that a page depends on. `facts`: the realm object's current answer. */
async function digestOfPage(
  env: Environment,
  page: { readonly realmId: number; readonly url: URL },
  facts: unknown,
): Promise<string> {
  const { realmId, url } = page
  const whole = JSON.stringify([realmId, url.origin, deployedAt(env), facts])
  return (await sha256Hex(whole)).slice(0, 32)
}

/** Returns the page with this digest, if the edge has it. */
async function keptPage(url: URL, digest: string): Promise<string | undefined> {
  try {
    const kept = await (await caches.open(CACHE)).match(keyOf(url, digest))
    return kept && (await kept.text())
  } catch (error) {
    log('warn', 'The edge cache cannot be read', { error })
    return undefined
  }
}

/** Caches a page. It only saves work, and no request waits for it. */
function keepPage(url: URL, digest: string, page: string): void {
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
