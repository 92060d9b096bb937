/**
 * Performs a play as a conversation: every speaker is a user who polls an event queue without a pause, and every line is a message over HTTP.
 * Everything that arrives is recorded with its time.
 * `judgePerformance` judges afterwards whether it was right.
 */
import { ApiClient, type ParameterValue } from './api-client.ts'
import type { PlayConversation, PlayLine } from './demo-play.ts'
import { type LiveEvent, LiveQueue } from './live-queue.ts'
import type { CreatedOrganization } from './organizations.ts'

/** A line as one listener received it. */
export interface Heard {
  readonly messageId: number
  readonly senderId: number
  readonly text: string
  readonly conversation: PlayConversation
  /** `performance.now()` */
  readonly at: number
}

export interface Performance {
  readonly lines: readonly PlayLine[]
  /** The message of each line, and when its send began (`performance.now()`). */
  readonly sent: readonly { readonly messageId: number; readonly at: number }[]
  /** Everything that each user received, in the order of arrival. */
  readonly heard: ReadonlyMap<string, readonly Heard[]>
  readonly userIds: ReadonlyMap<string, number>
}

/** A user who is in no channel and no conversation, and must receive nothing. */
export const OUTSIDER = 'the owner'

const PATIENCE_MS = 10_000

interface Company {
  readonly clients: ReadonlyMap<string, ApiClient>
  readonly userIds: ReadonlyMap<string, number>
}

/**
 * @param onLine called when all its listeners have received the line, or when the wait for them has ended.
 * @throws {Error} when the server refuses a request.
 */
export async function performPlay(
  url: string,
  organization: CreatedOrganization,
  lines: readonly PlayLine[],
  onLine: (line: PlayLine, deliveriesMs: readonly number[]) => void,
): Promise<Performance> {
  const company = await gather(url, organization, lines)
  const heard = new Map<string, Heard[]>([...company.clients.keys()].map((name) => [name, []]))
  const queues: LiveQueue[] = []
  for (const [name, client] of company.clients) {
    const mine = heard.get(name) as Heard[]
    const queue = await LiveQueue.open(client, { event_types: ['message'] }, (event, at) =>
      mine.push(heardOf(event, at)),
    )
    queues.push(queue)
  }
  const sent: { messageId: number; at: number }[] = []
  for (const line of lines) {
    const at = performance.now()
    const messageId = await speak(company, line)
    sent.push({ messageId, at })
    onLine(line, await waitUntilHeard(heard, line, messageId, at))
  }
  await Promise.all(queues.map((queue) => queue.stop()))
  return { lines, sent, heard, userIds: company.userIds }
}

async function gather(
  url: string,
  organization: CreatedOrganization,
  lines: readonly PlayLine[],
): Promise<Company> {
  const owner = new ApiClient(url, organization)
  const clients = new Map([[OUTSIDER, owner]])
  const userIds = new Map([[OUTSIDER, organization.user_id]])
  for (const name of new Set(lines.flatMap(({ present }) => present))) {
    const email = `${name.toLowerCase()}@example.com`
    const full_name = name.charAt(0) + name.slice(1).toLowerCase()
    const { user_id } = await owner.call<{ user_id: number }>('POST', '/users', {
      email,
      full_name,
      password: 'elsinore castle',
    })
    userIds.set(name, user_id)
    clients.set(name, await owner.logIn(email))
  }
  for (const [channel, people] of channelsOf(lines)) {
    const [first] = people
    await clients.get(first as string)?.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: channel }],
      principals: people.map((name) => userIds.get(name) as number),
    })
  }
  return { clients, userIds }
}

function channelsOf(lines: readonly PlayLine[]): Map<string, readonly string[]> {
  return new Map(
    lines.flatMap(({ conversation, present }) =>
      conversation.kind === 'channel' ? [[conversation.channel, present]] : [],
    ),
  )
}

async function speak({ clients, userIds }: Company, line: PlayLine): Promise<number> {
  const { conversation, present, speaker, text } = line
  const address: Record<string, ParameterValue> =
    conversation.kind === 'channel'
      ? { type: 'channel', to: conversation.channel, topic: conversation.topic }
      : { type: 'direct', to: present.map((name) => userIds.get(name) as number) }
  const client = clients.get(speaker) as ApiClient
  const { id } = await client.call<{ id: number }>('POST', '/messages', { ...address, content: text })
  return id
}

/** Waits for a line's listeners. Returns the delivery times in ms of those who have received it when the wait ends. */
async function waitUntilHeard(
  heard: ReadonlyMap<string, readonly Heard[]>,
  { present }: PlayLine,
  messageId: number,
  sentAt: number,
): Promise<number[]> {
  for (;;) {
    const arrivals = present.flatMap(
      (name) => heard.get(name)?.findLast((line) => line.messageId === messageId)?.at ?? [],
    )
    if (arrivals.length === present.length || performance.now() - sentAt > PATIENCE_MS) {
      return arrivals.map((at) => at - sentAt)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

function heardOf(event: LiveEvent, at: number): Heard {
  const message = event.message as {
    id: number
    sender_id: number
    content: string
    type: 'stream' | 'private'
    display_recipient: string
    subject: string
  }
  return {
    messageId: message.id,
    senderId: message.sender_id,
    text: message.content,
    conversation:
      message.type === 'stream'
        ? { kind: 'channel', channel: message.display_recipient, topic: message.subject }
        : { kind: 'group' },
    at,
  }
}
