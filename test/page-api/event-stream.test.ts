import { describe, expect, it } from 'vitest'
import { NetworkError } from '../../web/api/errors.ts'
import type { ApiEvent, Cursor } from '../../web/api/event-source.ts'
import { type Socket, streamingSource } from '../../web/api/event-stream.ts'

class FakeSocket implements Socket {
  readonly cursor: Cursor
  readonly sent: string[] = []
  isClosed = false
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null

  constructor(cursor: Cursor) {
    this.cursor = cursor
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.isClosed = true
  }

  hear(data: string): void {
    this.onmessage?.({ data } as MessageEvent)
  }

  frame(...ids: number[]): void {
    this.hear(
      JSON.stringify({ queue_id: this.cursor.queueId, events: ids.map((id) => ({ id, type: 'test' })) }),
    )
  }

  end(code: number): void {
    this.onclose?.({ code } as CloseEvent)
  }
}

function build() {
  let now = 0
  const timers: { at: number; act: () => void }[] = []
  const sockets: FakeSocket[] = []
  const polls: boolean[] = []
  let polled: ApiEvent[] = []
  const source = streamingSource({
    open: (cursor) => {
      sockets.push(new FakeSocket(cursor))
      return sockets.at(-1)!
    },
    poll: async (_cursor, { mayBeEmpty }) => {
      polls.push(mayBeEmpty)
      return polled
    },
    now: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), 1)
    },
  })
  return {
    sockets,
    polls,
    ask: (lastEventId: number, mayBeEmpty = false, signal = new AbortController().signal) =>
      source({ queueId: 'q', lastEventId }, { signal, mayBeEmpty }),
    answerPolls: (events: ApiEvent[]) => {
      polled = events
    },
    pass(ms: number) {
      now += ms
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.act()
      }
    },
  }
}

const ids = (events: readonly ApiEvent[]) => events.map(({ id }) => id)

describe('events over a stream', () => {
  it('come in their order, over one socket, and are acknowledged once a second', async () => {
    const { ask, sockets, pass } = build()
    const first = ask(5)
    const [socket] = sockets
    expect(socket!.cursor).toEqual({ queueId: 'q', lastEventId: 5 })
    socket!.frame()
    socket!.frame(6, 7)
    expect(ids(await first)).toEqual([6, 7])
    socket!.frame(8)
    expect(ids(await ask(7))).toEqual([8])
    expect(socket!.sent).toEqual([])
    pass(1_000)
    socket!.frame(9)
    expect(ids(await ask(8))).toEqual([9])
    expect(socket!.sent).toEqual(['{"last_event_id":8}'])
    expect(sockets.length).toBe(1)
  })

  it('are acknowledged at once when there are many', async () => {
    const { ask, sockets } = build()
    const first = ask(0)
    sockets[0]!.hear(JSON.stringify({ events: [{ id: 1, type: 'test', text: 'x'.repeat(100_000) }] }))
    await first
    void ask(1)
    expect(sockets[0]!.sent).toEqual(['{"last_event_id":1}'])
  })

  it('come by an immediate poll when a stream ends, then by another stream', async () => {
    const { ask, sockets, polls, pass } = build()
    const asked = ask(0)
    sockets[0]!.frame()
    pass(6_000)
    sockets[0]!.end(1013)
    expect(await asked).toEqual([])
    expect(polls).toEqual([true])
    void ask(0)
    expect(sockets.length).toBe(2)
  })

  it('that are too large for a socket come by a poll', async () => {
    const { ask, sockets, polls, answerPolls } = build()
    answerPolls([{ id: 1, type: 'long' }])
    const asked = ask(0)
    sockets[0]!.end(4001)
    expect(ids(await asked)).toEqual([1])
    expect(polls).toEqual([false])
  })

  it('that came before the end are not lost', async () => {
    const { ask, sockets } = build()
    const asked = ask(0)
    sockets[0]!.frame(1)
    sockets[0]!.end(1006)
    expect(ids(await asked)).toEqual([1])
  })

  it('come by polls for a while after several streams failed', async () => {
    const { ask, sockets, polls, pass } = build()
    for (let time = 0; time < 3; time += 1) {
      const asked = ask(0)
      sockets[time]!.end(1006)
      await asked
    }
    await ask(0)
    expect([sockets.length, polls]).toEqual([3, [true, true, true, false]])
    pass(300_000)
    void ask(0)
    expect(sockets.length).toBe(4)
  })

  it('come over a socket that is pinged, and closed when it does not answer', async () => {
    const { ask, sockets, polls, pass } = build()
    const asked = ask(0)
    const [socket] = sockets
    socket!.frame()
    pass(50_000)
    expect(socket!.sent).toEqual(['ping'])
    socket!.hear('pong')
    pass(10_000)
    expect(socket!.isClosed).toBe(false)
    pass(40_000)
    pass(10_000)
    expect(socket!.isClosed).toBe(true)
    await asked
    expect(polls).toEqual([true])
  })

  it('stop when the caller cancels', async () => {
    const { ask, sockets } = build()
    const leaving = new AbortController()
    const asked = ask(0, false, leaving.signal)
    leaving.abort()
    await expect(asked).rejects.toThrow(NetworkError)
    expect(sockets[0]!.isClosed).toBe(true)
  })
})
