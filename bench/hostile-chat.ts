/**
 * Two people who write to each other all the time during an attack, and how long the slowest of their messages took to arrive. One of
 * them also asks the object for a row, again as soon as it is answered: no turn of the object lasts longer than the slowest of these
 * answers, which tells turns apart that the profiler's samples show as one. They have a process of their own, so that they do not wait
 * for the attacker's work in this one: the threads of a process wait for each other where its memory grows or shrinks, and the attacker's
 * client, which takes and sends hundreds of megabytes, gets what others leave of the processors.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ApiClient } from '../scripts/api-client.ts'

/** Milliseconds between two messages. */
const CHAT_EVERY_MS = 40

/** Milliseconds between two questions of the one who asks all the time. */
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

/** What the process is asked: who the two are, and when they begin and end. */
type Asked = Talk | 'begin' | 'end'

/** What it says: that the two have begun, at the end the waits, or what went wrong. */
type Said = { readonly begun: true } | Waits | { readonly failed: string }

/** Milliseconds. */
export interface Waits {
  /** The longest until somebody's message was answered for and had arrived, or somebody's question was answered. */
  readonly longestWaitMs: number
  /** What took longest, each by itself: the answer to the one who sent, the event for the other, the answer to a question. */
  readonly slowestMs: { readonly answer: number; readonly event: number; readonly question: number }
  /** The longest time in which this process, which only waits, did not run at all: nor did others on this machine, then. */
  readonly standstillMs: number
  /** The longest time in which the object answered nobody, at most. */
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
      void ended.then(() => reject(new Error('The two who chat have ended')))
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

/** The argument by which this file knows that it is the process of the two. */
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

/** Milliseconds between two looks at the clock. */
const LOOK_EVERY_MS = 2

/** Returns a function that ends it, and returns the longest time between two looks at the clock, in ms. */
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

/** Lets the two write as often as they are asked to begin, until they are asked to end. */
function talkAsAsked(): void {
  let talk: Talk
  let isOver = false
  let talked: Promise<Said>
  const say = (said: Said) => process.send!(said)
  // Whoever has asked is gone.
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
