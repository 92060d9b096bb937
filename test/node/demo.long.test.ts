import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OUTSIDER, type Performance, performPlay } from '../../scripts/demo-performance.ts'
import { readPlay } from '../../scripts/demo-play.ts'
import { judgePerformance } from '../../scripts/judge-performance.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { createOrganization } from '../../scripts/organizations.ts'

const SLOW = 60_000

describe('the script of the demo', () => {
  it('has a speaker for each line, three people, two channels and a group conversation', () => {
    const lines = readPlay()
    expect(lines.length).toBeGreaterThanOrEqual(150)
    expect(new Set(lines.map(({ speaker }) => speaker))).toEqual(
      new Set(['MARCELLUS', 'BERNARDO', 'HORATIO']),
    )
    const channels = lines.flatMap(({ conversation }) =>
      conversation.kind === 'channel' ? [conversation.channel] : [],
    )
    expect(new Set(channels)).toEqual(new Set(['the platform', 'affairs of state']))
    expect(lines.some(({ conversation }) => conversation.kind === 'group')).toBe(true)
  })
})

describe('a conversation over HTTP and live queues', () => {
  let server: LocalServer
  let played: Performance
  // Every eighth line of every scene is taken, so all conversations and people are in it.
  const lines = readPlay().filter((_, index) => index % 8 === 0)

  beforeAll(async () => {
    server = await startLocalServer({ vars: { RATE_LIMITS: 'off' } })
    const database = await server.runtime.getD1Database('DB')
    const owner = { email: 'author@example.com', full_name: 'The Author', password: 'a public domain' }
    const organization = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
      name: 'Elsinore',
      host: 'localhost',
      owner,
    })
    played = await performPlay(server.url, organization, lines, () => {})
  }, SLOW)
  afterAll(() => server?.stop())

  it('reaches every recipient in order, exactly once', () => {
    const { complaints, expected, received } = judgePerformance(played)
    expect(complaints).toEqual([])
    expect(received).toBe(expected)
    expect(expected).toBe(lines.reduce((sum, { present }) => sum + present.length, 0))
  })

  it('fails its check when a line is lost, repeated, late, misdirected or changed', () => {
    const horatio = played.heard.get('HORATIO') ?? []
    const [first, second, ...rest] = horatio
    if (!first || !second) throw new Error('Horatio heard too little')
    const reportOf = (name: string, lines: typeof horatio) =>
      judgePerformance({ ...played, heard: new Map([...played.heard, [name, lines]]) })
    expect(reportOf('HORATIO', [second, ...rest])).toMatchObject({ lost: 1, twice: 0, outOfOrder: 0 })
    expect(reportOf('HORATIO', [first, first, second, ...rest])).toMatchObject({ lost: 0, twice: 1 })
    expect(reportOf('HORATIO', [second, first, ...rest])).toMatchObject({ lost: 0, outOfOrder: 1 })
    expect(reportOf('HORATIO', [{ ...first, text: 'Alas' }, second, ...rest])).toMatchObject({ wrong: 1 })
    expect(reportOf(OUTSIDER, [first])).toMatchObject({ wrong: 1 })
  })
})
