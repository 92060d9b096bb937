import { receiveWebhookEndpoint, type SentWebhookMessage } from '../features/integrations/receive-webhook.ts'
import { receiveBody } from './input/arrived-request.ts'
import { bodyLimitOf } from './input/body-limit.ts'
import type { RawParameters } from './input/read-parameters.ts'
import { handleRequest } from './operations/handle-request.ts'
import { holdingMemory } from './request/admission-control.ts'
import type { Environment } from './request/environment.ts'
import type { PageRequest } from './request/request-url.ts'
import { NEVER_CACHE } from './request/security-headers.ts'

/**
 * Incoming webhooks at addresses in the format of other chats, for programs that accept no others. The last part is the key of a bot,
 * whose messages go to its default channel. Source: docs/interface/webhooks.md#addresses-of-other-chats.
 */

/** Slack's names for our refusals. Programs check the status; the word is for people. */
const SLACK_ERRORS: Readonly<Record<string, readonly [status: number, word: string]>> = {
  INVALID_API_KEY: [403, 'invalid_token'],
  USER_DEACTIVATED: [403, 'invalid_token'],
  UNAUTHORIZED: [403, 'invalid_token'],
  STREAM_DOES_NOT_EXIST: [404, 'channel_not_found'],
  CHANNEL_IS_ARCHIVED: [410, 'channel_is_archived'],
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: [400, 'invalid_payload'],
  BAD_REQUEST: [400, 'invalid_payload'],
}

/** Values of `wait` that Discord libraries send. */
const TRUE: ReadonlySet<string> = new Set(['true', 'True', '1'])

/** `POST /services/T…/B…/KEY`. */
export async function serveSlackHook(request: PageRequest, env: Environment): Promise<Response> {
  const response = await post('slack_incoming', request, env)
  const { code, status } = await answerOf(response)
  if (code === undefined) return inText('ok', response, 200)
  const [as, word] = SLACK_ERRORS[code] ?? [status, code.toLowerCase()]
  return inText(word, response, as)
}

/** `POST /api/webhooks/{id}/{token}`. With `?wait=true` the answer is a message, as from Discord. */
export async function serveDiscordHook(request: PageRequest, env: Environment): Promise<Response> {
  const response = await post('discord_incoming', request, env)
  const { code, msg, status, message_id, ...sent } = await answerOf(response)
  if (code === undefined) {
    const headers = new Headers(response.headers)
    headers.set('Cache-Control', NEVER_CACHE)
    if (message_id !== undefined) {
      return new Response(discordMessage({ message_id, ...sent }, request), { headers })
    }
    return new Response(null, { status: 204, headers: { 'Cache-Control': NEVER_CACHE } })
  }
  const isSilent = status === 200
  const [as, number] = code === 'INVALID_API_KEY' ? [401, 50_027] : isSilent ? [400, 50_006] : [status, 0]
  const headers = new Headers(response.headers)
  return new Response(JSON.stringify({ message: msg, code: number }), { status: as, headers })
}

/** Returns a message with the fields that programs read; a direct message names the channel of the address. */
function discordMessage(sent: Partial<SentWebhookMessage>, { params }: PageRequest): string {
  const webhook = String(params.id)
  const { message_id, channel_id, sender_full_name, content, timestamp = 0 } = sent
  return JSON.stringify({
    id: String(message_id),
    type: 0,
    webhook_id: webhook,
    channel_id: String(channel_id ?? webhook),
    author: { id: webhook, username: sender_full_name, discriminator: '0000', avatar: null, bot: true },
    content,
    timestamp: new Date(1_000 * timestamp).toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    flags: 0,
  })
}

function post(integration: string, request: PageRequest, env: Environment): Promise<Response> {
  const endpoint = receiveWebhookEndpoint
  const address = new URL(request.url)
  return holdingMemory(async (memory) => {
    const arrived = await receiveBody(request, address, memory, bodyLimitOf(endpoint))
    const apiKey = String(request.params.key)
    const matched = {
      endpoint,
      asked: { request, address },
      arrived: { ...arrived, apiKey, read: async () => withAddress(await arrived.read(), apiKey) },
      path: { integration },
      isByBrowser: false,
    }
    return handleRequest(matched, env)
  })
}

/** Adds what the address says to the parameters. */
function withAddress(raw: RawParameters, key: string): RawParameters {
  const { wait, ...named } = Object.fromEntries(raw.values)
  const values = new Map([
    ...Object.entries(named),
    // Discord accepts more spellings of a boolean than our API.
    ...(TRUE.has(String(wait)) ? [['wait', 'true'] as const] : []),
    ['api_key', key],
    ['to_default_channel', 'true'],
  ])
  return { ...raw, values }
}

/** The body of the answer, for a refusal or a success. */
interface Answer extends Partial<SentWebhookMessage> {
  readonly status: number
  /** Undefined after a success. */
  readonly code?: string
  readonly msg?: string
}

async function answerOf(response: Response): Promise<Answer> {
  const answer = (await response.clone().json()) as Omit<Answer, 'status'>
  return { ...answer, status: response.status }
}

function inText(text: string, { headers }: Response, status: number): Response {
  const retryAfter = headers.get('retry-after')
  return new Response(text, {
    status,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': NEVER_CACHE,
      ...(retryAfter === null ? {} : { 'Retry-After': retryAfter }),
    },
  })
}
