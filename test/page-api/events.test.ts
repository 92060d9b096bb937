import { describe, expect, it } from 'vitest'
import {
  type Api,
  type ApiEvent,
  type Connection,
  EventLoop,
  type EventLoopOptions,
} from '../../web/api/index.ts'
import { ScriptedServer } from './build.ts'

const lost = new TypeError('fetch failed')
const REGISTERED = { body: { queue_id: 'q1', last_event_id: -1, event_queue_longpoll_timeout_seconds: 90 } }
const REGISTERED_AGAIN = { body: { queue_id: 'q2', last_event_id: -1 } }
const NO_QUEUE = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID: q1' } }

const events = (...ids: number[]) => ({ body: { events: ids.map((id) => ({ id, type: 'heartbeat' })) } })
const CLOSED = { body: { events: [{ id: 9, type: 'realm', op: 'deactivated' }] } }
const ENDED = { status: 401, body: { code: 'UNAUTHORIZED', msg: 'Not logged in' } }

/** Runs until the server says that the session has ended, or the organization is closed. */
function follow(server: ScriptedServer, facts: Partial<EventLoopOptions> = {}) {
  const snapshots: string[] = []
  const heard: number[] = []
  const connections: Connection[] = []
  const api: Api = server.api()
  const loop = new EventLoop({
    api,
    register: { apply_markdown: true },
    onSnapshot: ({ queue_id }) => snapshots.push(queue_id),
    onEvents: (some) => heard.push(...some.map(({ id }) => id)),
    onConnection: (connection) => connections.push(connection),
    ...facts,
  })
  return { api, loop, snapshots, heard, connections, ran: loop.run() }
}

const cursors = (server: ScriptedServer) =>
  server.asked
    .filter(({ method }) => method === 'GET')
    .map(({ fields }) =>
      ['queue_id', 'last_event_id', 'dont_block'].map((name) => fields.get(name)).join(' '),
    )

describe('the event loop', () => {
  it('registers, and passes on each event once, in order', async () => {
    const server = new ScriptedServer(REGISTERED, events(0, 2), events(3), ENDED)
    const { ran, snapshots, heard, connections } = follow(server)
    await ran
    expect(snapshots).toEqual(['q1'])
    expect(heard).toEqual([0, 2, 3])
    expect(cursors(server)).toEqual(['q1 -1 false', 'q1 2 false', 'q1 3 false'])
    expect(connections.map(({ kind }) => kind)).toEqual(['live', 'session ended'])
  })

  it('keeps its cursor when answers are lost, and asks again at once', async () => {
    const server = new ScriptedServer(REGISTERED, events(0), lost, lost, events(0, 1), ENDED)
    const { ran, heard, connections } = follow(server)
    await ran
    expect(heard).toEqual([0, 1])
    expect(cursors(server)).toEqual(['q1 -1 false', 'q1 0 false', 'q1 0 true', 'q1 0 true', 'q1 1 false'])
    expect(connections).toMatchObject([
      { kind: 'live' },
      { kind: 'waiting', said: undefined, until: 750 },
      { kind: 'waiting', said: undefined, until: 2_250 },
      { kind: 'live' },
      { kind: 'session ended' },
    ])
  })

  it('reports that the browser is offline', async () => {
    const server = new ScriptedServer(REGISTERED, lost, ENDED)
    server.isOnline = false
    const { ran, connections } = follow(server)
    await ran
    expect(connections.map(({ kind }) => kind)).toEqual(['live', 'offline', 'session ended'])
  })

  it('waits as long as the server’s Retry-After says', async () => {
    const busy = {
      status: 503,
      headers: { 'Retry-After': '9' },
      body: { code: 'SERVICE_UNAVAILABLE', msg: 'Later.' },
    }
    const server = new ScriptedServer(REGISTERED, busy, ENDED)
    const { ran, connections } = follow(server)
    await ran
    expect(server.waits).toEqual([9_250])
    expect(connections[1]).toMatchObject({ kind: 'waiting', said: 'Later.' })
  })

  it('registers again when its queue is gone', async () => {
    const server = new ScriptedServer(REGISTERED, events(5), NO_QUEUE, REGISTERED_AGAIN, events(0), ENDED)
    const { ran, snapshots, heard, connections } = follow(server)
    await ran
    expect(snapshots).toEqual(['q1', 'q2'])
    expect(heard).toEqual([5, 0])
    expect(cursors(server).at(-1)).toBe('q2 0 false')
    expect(connections.map(({ kind }) => kind)).toEqual(['live', 'connecting', 'live', 'session ended'])
  })

  it('resumes the same queue after a log-in', async () => {
    const server = new ScriptedServer(REGISTERED, events(0), ENDED)
    const { api, loop, ran, heard, snapshots } = follow(server)
    await ran
    server.add(events(1), ENDED)
    api.session.bind()
    await loop.run()
    expect(snapshots).toEqual(['q1'])
    expect(heard).toEqual([0, 1])
  })

  it('ends when any other request learns that the session has ended', async () => {
    const server = new ScriptedServer(REGISTERED, 'never', ENDED)
    const { api, ran, connections } = follow(server)
    await expect.poll(() => server.asked.length).toBe(2)
    await api.post('/typing').catch(() => {})
    await ran
    expect(connections.map(({ kind }) => kind)).toEqual(['live', 'session ended'])
    expect(server.asked).toHaveLength(3)
  })

  it('waits with growing pauses, up to a maximum', async () => {
    const server = new ScriptedServer(REGISTERED, ...Array(12).fill(lost), ENDED)
    await follow(server).ran
    expect(server.waits.slice(0, 4)).toEqual([750, 1_500, 3_000, 6_000])
    expect(Math.max(...server.waits)).toBe(22_500)
  })

  it('polls again at once on request, for a connection that may be dead', async () => {
    const server = new ScriptedServer(REGISTERED, 'never', events(0), ENDED)
    const { loop, ran, heard } = follow(server)
    await new Promise((resolve) => setTimeout(resolve))
    loop.retry()
    await ran
    expect(heard).toEqual([0])
    expect(server.waits).toEqual([])
    expect(cursors(server)).toEqual(['q1 -1 false', 'q1 -1 true', 'q1 0 false'])
  })

  it('stops when cancelled, without another event', async () => {
    const server = new ScriptedServer(REGISTERED, 'never')
    const { loop, ran, connections } = follow(server)
    await new Promise((resolve) => setTimeout(resolve))
    loop.stop()
    await ran
    expect(connections.map(({ kind }) => kind)).toEqual(['live'])
  })

  it('ends when the organization is deactivated', async () => {
    const server = new ScriptedServer(REGISTERED, CLOSED)
    const { ran, heard, connections } = follow(server)
    await ran
    expect(heard).toEqual([9])
    expect(connections.at(-1)).toEqual({ kind: 'stopped', reason: 'organization closed' })
  })

  it('does not move its cursor past events that could not be applied', async () => {
    const server = new ScriptedServer(REGISTERED, events(0, 1))
    const onEvents = () => {
      throw new Error('A fault of ours')
    }
    const { loop, ran } = follow(server, { onEvents })
    await expect(ran).rejects.toThrow('A fault of ours')
    expect(loop.cursor).toEqual({ queueId: 'q1', lastEventId: -1 })
  })

  it('accepts events from any transport', async () => {
    const server = new ScriptedServer(REGISTERED)
    const asked: string[] = []
    const rounds: ApiEvent[][] = [[{ id: 3, type: 'x' }], [{ id: 4, type: 'realm', op: 'deactivated' }]]
    const { ran, heard } = follow(server, {
      source: async ({ queueId, lastEventId }) => {
        asked.push(`${queueId} ${lastEventId}`)
        return rounds.shift()!
      },
    })
    await ran
    expect(asked).toEqual(['q1 -1', 'q1 3'])
    expect(heard).toEqual([3, 4])
  })
})
