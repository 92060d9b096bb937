/** What `npm run preflight` checks of a server anywhere, in this order: each as a client, or as whoever runs it, sees it. */
import { createECDH, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { withinTime } from '../../src/core/within-time.ts'
import { ApiClient } from '../api-client.ts'
import { drawInitials } from '../draw-initials.ts'
import { sendFromServer } from '../send-test-mail.ts'
import {
  CHANNEL,
  type Checked,
  expectThat,
  heads,
  ONLY_WITH,
  openQueue,
  openStream,
  poll,
  refusedWith,
  send,
  sourceOf,
  TOPIC,
  timed,
  untilHeard,
  uploaded,
} from './steps.ts'

const MINUTE_MS = 60_000
/** What a message may take over an event stream. */
const STREAM_MS = 30_000

interface Check {
  readonly name: string
  /** Returns a figure worth keeping, as text, if there is one. @throws {Error} that says what is wrong */
  run(on: Checked): Promise<unknown>
}

export const CHECKS: readonly Check[] = [
  {
    name: 'the Worker answers, and reaches D1',
    run: ({ owner }) => timed(() => refusedWith(owner.fetch('/health', {}), 200)),
  },
  {
    name: 'the first page has its policy',
    run: async ({ owner }) => {
      const page = await refusedWith(owner.fetch('/', {}), 200)
      expectThat(
        (page.headers.get('content-security-policy') ?? '').includes("default-src 'none'"),
        'it has no policy',
      )
    },
  },
  {
    name: 'files of the page are kept for ever',
    run: async ({ owner }) => {
      const html = await (await owner.fetch('/', {})).text()
      const [file] = /\/page\/[\w.-]+-[\w-]{8}\.js/.exec(html) ?? []
      expectThat(file !== undefined, 'the page names no script')
      const script = await refusedWith(owner.fetch(file!, {}), 200)
      expectThat(/immutable/.test(script.headers.get('cache-control') ?? ''), 'a script is not kept')
    },
  },
  {
    name: 'the documentation is served',
    run: async ({ owner }) => void (await refusedWith(owner.fetch('/docs/', {}), 200)),
  },
  {
    name: 'the description of the API is served',
    run: async ({ owner }) => void (await refusedWith(owner.fetch('/api/v1/openapi.json', {}), 200)),
  },
  {
    name: 'what only operators may see does not exist for others',
    run: async ({ owner }) => void (await refusedWith(owner.fetch('/metrics', {}), 404)),
  },
  {
    name: 'the owner logs in with a password',
    run: ({ owner, url, password }) =>
      timed(() => new ApiClient(url).call('POST', '/fetch_api_key', { username: owner.email!, password })),
  },
  {
    name: 'a wrong password is refused',
    run: async ({ owner, url }) => {
      const body = new URLSearchParams({ username: owner.email!, password: 'not this one' })
      await refusedWith(new ApiClient(url).fetch('/api/v1/fetch_api_key', { method: 'POST', body }), 401)
    },
  },
  {
    name: 'a key that does not exist is refused',
    run: async ({ owner, url }) => {
      const stranger = new ApiClient(url, { email: owner.email!, api_key: 'x'.repeat(32) })
      await refusedWith(stranger.fetch('/api/v1/users/me', { headers: heads(stranger) }), 401)
    },
  },
  {
    name: 'a channel is made',
    run: async ({ owner }) =>
      void (await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: CHANNEL }] })),
  },
  { name: 'a message is sent', run: ({ owner }) => timed(() => send(owner, 'sent')) },
  {
    name: 'a message is read as it was sent',
    run: async ({ owner }) => {
      const { id } = await send(owner, '**read** it')
      expectThat((await sourceOf(owner, id)) === '**read** it', 'it has another text')
    },
  },
  {
    name: 'a send that is repeated counts once',
    run: async ({ owner }) => {
      const body = new URLSearchParams({ type: 'channel', to: CHANNEL, topic: TOPIC, content: 'once' })
      const headers = { ...heads(owner), 'Idempotency-Key': crypto.randomUUID() }
      const post = async () =>
        (await (await owner.fetch('/api/v1/messages', { method: 'POST', headers, body })).json()) as {
          id: number
        }
      const [first, second] = [await post(), await post()]
      expectThat(first.id === second.id, 'it was sent twice')
    },
  },
  {
    name: 'a message is edited',
    run: async ({ owner }) => {
      const { id } = await send(owner, 'before')
      await owner.call('PATCH', `/messages/${id}`, { content: 'after' })
      expectThat((await sourceOf(owner, id)) === 'after', 'it has the text of before')
    },
  },
  {
    name: 'a message is deleted',
    run: async ({ owner }) => {
      const { id } = await send(owner, 'doomed')
      await owner.call('DELETE', `/messages/${id}`)
      await refusedWith(owner.fetch(`/api/v1/messages/${id}`, { headers: heads(owner) }), 400)
    },
  },
  {
    name: 'a reaction is added',
    run: async ({ owner }) =>
      void (await owner.call('POST', `/messages/${(await send(owner, 'nice')).id}/reactions`, {
        emoji_name: 'tada',
      })),
  },
  {
    name: 'twenty sends at once are all there, each once',
    run: ({ owner }) =>
      timed(async () => {
        const sent = await Promise.all(Array.from({ length: 20 }, (_, at) => send(owner, `at once ${at}`)))
        expectThat(new Set(sent.map(({ id }) => id)).size === 20, 'some have the same id')
      }),
  },
  {
    name: 'the text of a message comes to D1',
    run: async ({ owner, query }) => {
      const { id } = await send(owner, 'in D1')
      for (let second = 0; second < 30; second += 1) {
        const { results } = await query(
          `SELECT message_id AS name FROM message_body WHERE message_id = ${id}`,
        )
        if (results.length > 0) return `within ${second + 1} s`
        await setTimeout(1_000)
      }
      throw new Error('it is not there after half a minute')
    },
  },
  {
    name: 'a message is found by its words',
    run: async ({ owner }) => {
      const { id } = await send(owner, 'a velocipede in the yard')
      const params = {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        narrow: [{ operator: 'search', operand: 'velocipede' }],
      }
      const { messages } = await owner.call<{ messages: { id: number }[] }>('GET', '/messages', params)
      expectThat(
        messages.some((one) => one.id === id),
        'the search does not have it',
      )
    },
  },
  {
    name: 'a poll that waits gets a message',
    run: async ({ owner }) => {
      const queue = await openQueue(owner)
      const heard = untilHeard(owner, queue, 'to the poll')
      await setTimeout(1_000)
      return timed(async () => {
        await send(owner, 'to the poll')
        await heard
      })
    },
  },
  {
    name: 'a quiet queue is polled for long, and then gets a message',
    run: async ({ owner, pollMinutes }) => {
      const queue = await openQueue(owner)
      const until = Date.now() + pollMinutes * MINUTE_MS
      let polls = 0
      while (Date.now() < until) {
        await poll(owner, queue)
        polls += 1
      }
      await send(owner, 'after the quiet')
      await untilHeard(owner, queue, 'after the quiet')
      return `${polls} polls in ${pollMinutes} min`
    },
  },
  {
    name: 'what was just sent is read, ten times',
    run: async ({ owner }) => {
      for (let time = 0; time < 10; time += 1) {
        const { id } = await send(owner, `time ${time}`)
        expectThat((await sourceOf(owner, id)) === `time ${time}`, 'it has another text')
      }
    },
  },
  {
    name: 'an event stream gets a message',
    run: async ({ owner }) => {
      const { heard, close } = await openStream(owner, 'to the stream')
      return timed(async () => {
        await send(owner, 'to the stream')
        await withinTime(STREAM_MS, heard)
      }).finally(close)
    },
  },
  {
    name: 'a quiet event stream gets a message after its object has slept',
    run: async ({ owner, sleep }) => {
      const { heard, close } = await openStream(owner, 'after the sleep')
      try {
        await sleep()
        await send(owner, 'after the sleep')
        await withinTime(STREAM_MS, heard)
      } finally {
        close()
      }
    },
  },
  {
    name: 'an object that has slept has everything',
    run: async ({ owner, sleep }) => {
      const { id } = await send(owner, 'before the sleep')
      await sleep()
      expectThat((await sourceOf(owner, id)) === 'before the sleep', 'it has another text')
    },
  },
  {
    name: 'an alarm sends a scheduled message',
    run: async ({ owner }) => {
      const queue = await openQueue(owner)
      const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000) + 10
      const { stream_id } = await owner.call<{ stream_id: number }>('GET', '/get_stream_id', {
        stream: CHANNEL,
      })
      await owner.call('POST', '/scheduled_messages', {
        ...{ type: 'channel', to: stream_id, topic: TOPIC, content: 'by an alarm' },
        scheduled_delivery_timestamp,
      })
      await untilHeard(owner, queue, 'by an alarm')
      return `${(Date.now() / 1_000 - scheduled_delivery_timestamp).toFixed(1)} s late`
    },
  },
  { name: 'a file is uploaded', run: ({ owner }) => timed(() => uploaded(owner, 'Up Load')) },
  {
    name: 'a file is read, and a range of it',
    run: async ({ owner }) => {
      const url = await uploaded(owner, 'Ra Nge')
      const whole = new Uint8Array(
        await (await refusedWith(owner.fetch(url, { headers: heads(owner) }), 200)).arrayBuffer(),
      )
      const headers = { ...heads(owner), Range: 'bytes=10-19' }
      const part = new Uint8Array(await (await refusedWith(owner.fetch(url, { headers }), 206)).arrayBuffer())
      expectThat(Buffer.from(part).equals(Buffer.from(whole.subarray(10, 20))), 'the range has other bytes')
    },
  },
  {
    name: 'a range beyond the end of a file is refused',
    run: async ({ owner }) => {
      const url = await uploaded(owner, 'En D')
      await refusedWith(owner.fetch(url, { headers: { ...heads(owner), Range: 'bytes=99999999-' } }), 416)
    },
  },
  {
    name: 'nobody reads a file without a key',
    run: async ({ owner, url }) =>
      void (await refusedWith(new ApiClient(url).fetch(await uploaded(owner, 'No Body'), {}), 403)),
  },
  {
    name: 'a picture gets a thumbnail',
    run: async ({ owner }) => {
      const path = (await uploaded(owner, 'Th Umb')).replace('/user_uploads/', '/user_uploads/thumbnail/')
      const made = await refusedWith(owner.fetch(`${path}/300x200.webp`, { headers: heads(owner) }), 200)
      expectThat(made.headers.get('content-type') === 'image/webp', 'it is sent as it is')
    },
  },
  {
    name: 'a person gets a picture',
    run: async ({ owner }) =>
      void (await owner.upload('POST', '/users/me/avatar', drawInitials('Pre Flight'))),
  },
  {
    name: 'the organization is exported',
    run: async ({ owner }) => {
      const { id } = await owner.call<{ id: number }>('POST', '/export/realm')
      interface Listed {
        exports: { id: number; export_url: string | null; pending: boolean }[]
      }
      for (let second = 0; second < 120; second += 1) {
        const { exports } = await owner.call<Listed>('GET', '/export/realm')
        const found = exports.find((one) => one.id === id)
        if (found && !found.pending) {
          expectThat(found.export_url !== null, 'the export has failed')
          await refusedWith(owner.fetch(new URL(found.export_url!).pathname, {}), 200)
          return `within ${second + 1} s`
        }
        await setTimeout(1_000)
      }
      throw new Error('it is not finished after two minutes')
    },
  },
  {
    name: 'a browser signs up for push, and off',
    run: async ({ owner }) => {
      const { public_key } = await owner.call<{ public_key: string }>('GET', '/web_push/key')
      expectThat(Buffer.from(public_key, 'base64url').length === 65, 'its key is none of P-256')
      const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/preflight'
      await owner.call('POST', '/web_push/subscriptions', {
        endpoint,
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      })
      await owner.call('DELETE', '/web_push/subscriptions', { endpoint })
    },
  },
  {
    name: 'a test mail is handed over',
    run: async ({ url, host, query, mailTo }) =>
      mailTo === undefined
        ? `${ONLY_WITH}--mail-to`
        : `to ${await sendFromServer(url, query, { host, to: mailTo })}`,
  },
  {
    name: 'what is no JSON is refused',
    run: async ({ owner }) => {
      const body = new URLSearchParams({ subscriptions: '{' })
      await refusedWith(
        owner.fetch('/api/v1/users/me/subscriptions', { method: 'POST', headers: heads(owner), body }),
        400,
      )
    },
  },
  {
    name: 'a path that does not exist gets 404',
    run: async ({ owner }) =>
      void (await refusedWith(owner.fetch('/api/v1/nothing', { headers: heads(owner) }), 404)),
  },
  {
    name: 'who asks too much is told when to come back, and may then',
    run: async ({ owner }) => {
      for (let asked = 0; asked < 20; asked += 1) {
        const many = await Promise.all(
          Array.from({ length: 50 }, () => owner.fetch('/api/v1/users/me', { headers: heads(owner) })),
        )
        const refused = many.find(({ status }) => status === 429)
        if (!refused) continue
        const seconds = Number(refused.headers.get('retry-after'))
        await setTimeout((seconds + 1) * 1_000)
        await refusedWith(owner.fetch('/api/v1/users/me', { headers: heads(owner) }), 200)
        return `after ${50 * (asked + 1)} requests, for ${Math.ceil(seconds)} s`
      }
      throw new Error('a thousand requests were answered')
    },
  },
]
