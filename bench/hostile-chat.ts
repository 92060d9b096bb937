/**
 * Runs two people who write to each other without a pause during an attack, and measures how long the slowest message took to arrive. One of
 * them also asks the object for a row, again after each answer: no turn of the object takes longer than the slowest of these answers, which
 * separates turns that the profiler's samples show as one. They have a process of their own, so that they do not wait
 * for the attacker's work in this one: the threads of a process wait for each other when its memory grows or shrinks, and the attacker's
 * client, which transfers hundreds of megabytes, has a low priority.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ApiClient } from '../scripts/api-client.ts'

/** Milliseconds between two messages. */
const CHAT_EVERY_MS = 40

/** Milliseconds between two requests for the row. */
const ASK_EVERY_MS = 2

interface Account {
  readonly email: string
  readonly api_key: string
}

interface Talk {
  readonly url: string
  readonly writer: Account
  readonly reader: Account
}

/** A message to the process: who the two are, and when they begin and end. */
type Asked = Talk | 'begin' | 'end'

/** A message from the process: that the two have begun, the waits at the end, or a failure. */
type Said = { readonly begun: true } | Waits | { readonly failed: string }

/** Milliseconds. */
export interface Waits {
  /** The longest time until a message was acknowledged and had arrived, or a request for the row was answered. */
  readonly longestWaitMs: number
  /** The longest times of each kind: the answer to a send, the event for the other user, the answer to a request for the row. */
  readonly slowestMs: { readonly answer: number; readonly event: number; readonly question: number }
  /** The longest time in which this process, which only waits, did not run. Others on this machine did not run either. */
  readonly standstillMs: number
  /** The upper bound of the longest time without an answer of the object. */
  readonly longestSilenceMs: number
}

export interface Chat {
  /** Resolves when the two have begun to write. */
  begin(): Promise<void>
  end(): Promise<Waits>
  stop(): Promise<unknown>
}

/** The process has the priority that this one has now. */
export function openChat(writer: ApiClient, reader: ApiClient): Chat {
  const talk: Talk = { url: writer.url, writer: accountOf(writer), reader: accountOf(reader) }
  const child = fork(fileURLToPath(import.meta.url), [TALK])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const ask = (request: Asked) => child.send(request)
  ask(talk)
  const answer = (request: Asked) => {
    const said = new Promise<Said>((resolve, reject) => {
      child.once('message', (message: Said) => {
        if ('failed' in message) reject(new Error(message.failed))
        else resolve(message)
      })
      void ended.then(() => reject(new Error('The two chatting users have stopped')))
    })
    ask(request)
    return said
  }
  return {
    async begin() {
      await answer('begin')
    },
    end: () => answer('end') as Promise<Waits>,
    stop() {
      child.kill()
      return ended
    },
  }
}

/** The argument that makes this file run as the process of the two. */
const TALK = 'talk'

export function accountOf(client: ApiClient): Account {
  const [email, api_key] = atob(client.authorization().Authorization!.replace('Basic ', '')).split(':')
  return { email: email!, api_key: api_key! }
}

async function talkUntil(
  { url, writer, reader }: Talk,
  isOver: () => boolean,
  onBegun: () => void,
): Promise<Waits> {
  const [from, to] = [new ApiClient(url, writer), new ApiClient(url, reader)]
  const { user_id } = await to.call<{ user_id: number }>('GET', '/users/me')
  const { queue_id, last_event_id } = await to.call<{ queue_id: string; last_event_id: number }>(
    'POST',
    '/register',
    { event_types: ['message'], fetch_event_types: [] },
  )
  const endWatch = watchStandstill()
  onBegun()
  const asking = askUntil(from, isOver)
  let cursor = last_event_id
  const slowest = { answer: 0, event: 0 }
  do {
    const began = performance.now()
    const note = (what: 'answer' | 'event') => {
      slowest[what] = Math.max(slowest[what], performance.now() - began)
    }
    const message = { type: 'direct', to: [user_id], content: 'Are you there?' }
    const [, { events }] = await Promise.all([
      again(() => from.call('POST', '/messages', message)).finally(() => note('answer')),
      // Waits for it, as clients do.
      again(() =>
        to.call<{ events: { id: number }[] }>('GET', '/events', { queue_id, last_event_id: cursor }),
      ).finally(() => note('event')),
    ])
    cursor = events.at(-1)?.id ?? cursor
    await new Promise((resolve) => setTimeout(resolve, CHAT_EVERY_MS))
  } while (!isOver())
  await again(() => to.call('DELETE', '/events', { queue_id }))
  const slowestMs = { ...slowest, question: await asking }
  const longestWaitMs = Math.max(...Object.values(slowestMs))
  return {
    longestWaitMs,
    slowestMs,
    standstillMs: endWatch(),
    longestSilenceMs: slowestMs.question + ASK_EVERY_MS,
  }
}

/** Milliseconds between two checks of the clock. */
const LOOK_EVERY_MS = 2

/** Returns a function that stops the checks, and returns the longest time between two of them, in ms. */
function watchStandstill(): () => number {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    return longest
  }
}

/** Returns the time of the slowest answer, in ms. */
async function askUntil(client: ApiClient, isOver: () => boolean): Promise<number> {
  let slowest = 0
  while (!isOver()) {
    const began = performance.now()
    await again(() => client.call('GET', '/users/me/alert_words'))
    slowest = Math.max(slowest, performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  return slowest
}

/** Retries, because the local runtime also closes connections of others when it has read too much on one. */
export async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === 3 || !(error instanceof TypeError)) throw error
    }
  }
}

/** Runs a chat at each request to begin, until the request to end. */
function talkAsAsked(): void {
  let talk: Talk
  let isOver = false
  let talked: Promise<Said>
  const say = (said: Said) => process.send!(said)
  // The parent process is gone.
  process.on('disconnect', () => process.exit())
  process.on('message', async (asked: Asked) => {
    if (typeof asked === 'object') {
      talk = asked
      return
    }
    isOver = asked === 'end'
    if (isOver) return say(await talked)
    const begun = new Promise<Said>((resolve) => {
      talked = talkUntil(
        talk,
        () => isOver,
        () => resolve({ begun: true }),
      ).catch((error: unknown) => ({ failed: String(error) }))
    })
    say(await Promise.race([begun, talked]))
  })
}

if (process.argv[2] === TALK) talkAsAsked()
