import { parseJson } from '../../core/json.ts'
import { nameKey } from '../../core/names.ts'
import type { RealmIdentity } from '../../core/realm-transaction.ts'
import { WEBHOOK_INTERFACE } from '../../model/bots/bot-rules.ts'
import type { BotService } from '../../store/bots/bot-setting-rows.ts'
import type { WebhookCall, WebhookMessage } from '../../store/bots/webhook-call-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

/** The body of a call to an outgoing webhook. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the answer does not matter, since it is not sent as a message. */
  readonly ignoresAnswer?: true
}

/** Returns the request in the bot's format; undefined for a direct message where the format has none. */
export function webhookRequest(
  realm: RealmIdentity,
  bot: User,
  service: BotService,
  call: WebhookCall,
): WebhookRequest | undefined {
  const isForm = service.interface === WEBHOOK_INTERFACE.form
  if (isForm && 'message' in call && call.message.stream_id === undefined) return undefined
  const body = isForm
    ? formOf(realm, bot, service, call).toString()
    : JSON.stringify(jsonOf(bot, service, call))
  return {
    url: service.url,
    headers: { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body,
    ...('event' in call ? { ignoresAnswer: true } : {}),
  }
}

function jsonOf(bot: User, { token }: BotService, call: WebhookCall): object {
  const head = { bot_email: bot.deliveryEmail, bot_full_name: bot.fullName, trigger: call.cause, token }
  return 'event' in call
    ? { ...head, event: call.event }
    : { ...head, data: call.message.content, message: call.message }
}

/** Returns the fields that another chat service posts, whose ids begin with a letter for their kind. */
function formOf(realm: RealmIdentity, bot: User, { token }: BotService, call: WebhookCall): URLSearchParams {
  return new URLSearchParams({
    token,
    team_id: `T${realm.id}`,
    team_domain: realm.host,
    ...('event' in call
      ? { timestamp: String(call.event.timestamp), event: JSON.stringify(call.event) }
      : fieldsOfMessage(bot, call.message)),
    trigger_word: call.cause,
    service_id: String(bot.id),
  })
}

/** A leading mention of the bot is the command, like the other service's commands with a slash. */
function fieldsOfMessage(bot: User, message: WebhookMessage): Record<string, string> {
  const text = textAfterMention(bot, message.content)
  return {
    channel_id: `C${message.stream_id}`,
    channel_name: String(message.display_recipient),
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: text ?? message.content,
    ...(text === undefined ? {} : { command: `/${bot.fullName}` }),
  }
}

/** A mention with a name, an id, or both. */
const LEADING_MENTION = /^\s*@\*\*([^*|]*)(?:\|(\d+))?\*\*/

/** Returns what follows the mention of the bot at the beginning of a message; undefined without one. */
function textAfterMention(bot: User, content: string): string | undefined {
  const [mention, name, id] = LEADING_MENTION.exec(content) ?? []
  if (mention === undefined) return undefined
  const isOfBot = id === undefined ? nameKey(name!) === nameKey(bot.fullName) : Number(id) === bot.id
  return isOfBot ? content.slice(mention.length).trim() : undefined
}

/** An answer of a webhook, to be sent as a message of the bot. */
export interface WebhookReply {
  readonly content: string
  readonly widget_content?: string
}

/** Reads an answer; undefined when there is nothing to send. @throws SyntaxError when it is not a JSON object. */
export function readWebhookReply(answer: string): WebhookReply | undefined {
  if (answer.trim() === '') return undefined
  const data = parseJson(answer) as Readonly<Record<string, unknown>> | null
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new SyntaxError('not an object')
  }
  if (data.response_not_required === true) return undefined
  const content = [data.content, data.response_string, data.text].find((one) => typeof one === 'string')
  if (typeof content !== 'string' || content.trim() === '') return undefined
  const { widget_content } = data
  return widget_content === undefined
    ? { content }
    : {
        content,
        widget_content: typeof widget_content === 'string' ? widget_content : JSON.stringify(widget_content),
      }
}
