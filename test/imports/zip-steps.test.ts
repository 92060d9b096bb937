import { describe, expect, it } from 'vitest'
import { discordReader, discordReaderOf } from '../../src/imports/discord-reader.ts'
import type { ImportReader, ImportUnit } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import { mattermostReader, mattermostReaderOf } from '../../src/imports/mattermost-reader.ts'
import { slackReader, slackReaderOf } from '../../src/imports/slack-reader.ts'
import { discordFiles, mattermostFiles } from './hostile-formats.ts'
import { readArchive } from './read-archive.ts'
import { exportFiles, said, slackChannel } from './slack-export.ts'
import { archiveOf, type ZipFile, zipOf } from './zip-builder.ts'

const MEBIBYTE = 1024 * 1024
const SIZES = { read: 16 * MEBIBYTE, divided: 64 * MEBIBYTE }
const T = 1_402_560_000
const slackMessage = (number: number) =>
  JSON.stringify({ type: 'message', user: 'U1', text: `text ${number}`, ts: `${T + number}.000100` })
const post = (number: number) =>
  JSON.stringify({
    type: 'post',
    post: {
      team: 'main',
      channel: 'dev',
      user: 'ada',
      message: `text ${number}`,
      create_at: T * 1_000 + number,
    },
  })
const discordMessage = (number: number) =>
  JSON.stringify({
    id: String(number),
    type: 'Default',
    timestamp: new Date((T + number) * 1_000).toISOString(),
    content: `text ${number}`,
    author: { id: '7', name: 'ada' },
  })
const stored = (name: string): ZipFile => ({ name, content: name, isStored: true })

const sorted = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).toSorted()

interface Case {
  readonly reader: ImportReader
  /** A reader whose steps list so many entries. */
  cut(listed: number): ImportReader
  readonly files: readonly ZipFile[]
  /** The name of a file with which messages come, by its number. */
  attached(number: number): string
  readonly texts: readonly string[]
}

const CASES: readonly (readonly [name: string, of: Case])[] = [
  [
    'Slack',
    {
      reader: slackReader as ImportReader,
      cut: (listed) => slackReaderOf({ listed, days: listed }) as ImportReader,
      files: exportFiles({
        'channels.json': [slackChannel('C1', 'general'), slackChannel('C2', 'lab')],
        'lab/2014-06-13.json': `[${slackMessage(4)}]`,
        'general/2014-06-14.json': `[${slackMessage(3)}]`,
        'general/2014-06-12.json': `[${slackMessage(1)}]`,
        'lab/2014-06-12.json': `[${slackMessage(5)}]`,
        'general/2014-06-13.json': `[${slackMessage(2)}]`,
        'canvases.json': [],
      }).toReversed(),
      attached: (number) => `__uploads/F${number}/a.txt`,
      texts: ['text 1', 'text 2', 'text 3', 'text 5', 'text 4'],
    },
  ],
  [
    'Mattermost',
    {
      reader: mattermostReader as ImportReader,
      cut: (listed) => mattermostReaderOf(listed) as ImportReader,
      files: mattermostFiles([post(1), post(2)]),
      attached: (number) => `data/${number}/a.txt`,
      texts: ['text 1', 'text 2'],
    },
  ],
  [
    'Discord',
    {
      reader: discordReader as ImportReader,
      cut: (listed) => discordReaderOf({ ...SIZES, listed }) as ImportReader,
      files: [...discordFiles('a', [discordMessage(1)]), ...discordFiles('b', [discordMessage(2)])],
      attached: (number) => `media/${number}.txt`,
      texts: ['text 1', 'text 2'],
    },
  ],
]

describe.each(CASES)('A ZIP of the format %s', (_, { reader, cut, files, attached, texts }) => {
  const more = Array.from({ length: 7 }, (_each, at) => stored(attached(at)))
  const faulty = [
    stored(attached(3)),
    { ...stored(attached(8)), claims: { mode: 0o120777 } },
    { ...stored(attached(9)), name: attached(9).replace('9', '9'.repeat(1_000)) },
  ]
  const all = [...more, ...files, ...faulty]

  it('says the same however few entries a step lists', async () => {
    const whole = await readArchive(reader, archiveOf(zipOf(all)))
    expect(whole.contents()).toEqual(texts)
    expect(whole.problems()['file of the archive']).toBe(3)
    for (const listed of [1, 2, all.length]) {
      const steps: unknown[] = []
      const watched: ImportReader = {
        ...cut(listed),
        read(archive, unit: ImportUnit, context) {
          if (unit.kind === 'survey') steps.push(unit.position)
          return cut(listed).read(archive, unit, context)
        },
      }
      // The engine sorts messages by time.
      expect(sorted((await readArchive(watched, archiveOf(zipOf(all)))).records)).toEqual(
        sorted(whole.records),
      )
      // The last one finds the end.
      expect(steps).toHaveLength(Math.floor(all.length / listed) + 1)
    }
  })

  it('is known by its first 10,000 entries, of however many', async () => {
    const many = Array.from({ length: 11_000 }, (_each, at) => stored(attached(at)))
    const archive = archiveOf(zipOf([...many, ...files]))
    expect((await findReaderOf(archive))?.name).toBe(reader.name)
    const read = await readArchive(reader, archive)
    expect(read.contents()).toEqual(texts)
    expect(read.problems()['file of the archive']).toBeUndefined()
  })

  it('is refused in words where all else is missing', async () => {
    const many = Array.from({ length: 10_000 }, (_each, at) => stored(attached(at)))
    await expect(readArchive(reader, archiveOf(zipOf(many)))).rejects.toThrow(
      /^The (?:export|archive) has no /,
    )
  })
})

it('A thread of Slack is one topic, wherever its days are in the ZIP', async () => {
  const root = said('Root', { reply_count: 2, ts: `${T}.000100`, thread_ts: `${T}.000100` })
  const reply = (day: number) =>
    said(`Reply ${day}`, { ts: `${T + day * 86_400}.000100`, thread_ts: root.ts })
  const files = exportFiles({
    'general/2014-06-14.json': [reply(2)],
    'general/2014-06-13.json': [reply(1)],
    'general/2014-06-12.json': [root],
  })
  const read = await readArchive(
    slackReaderOf({ listed: 1, days: 1 }) as ImportReader,
    archiveOf(zipOf(files)),
  )
  const replies = read.of('message').filter(({ content }) => content.startsWith('Reply'))
  expect(replies.map(({ topic }) => topic)).toEqual(['2014-06-12 Root', '2014-06-12 Root'])
})

it('A step adds no more days of one conversation of Slack than it may', async () => {
  const days = Array.from({ length: 7 }, (_, at) => `general/2014-06-1${at}.json`)
  const files = exportFiles(Object.fromEntries(days.map((day, at) => [day, `[${slackMessage(at)}]`])))
  const added: number[] = []
  const reader = slackReaderOf({ listed: 10, days: 3 }) as ImportReader
  const watched: ImportReader = {
    ...reader,
    read(archive, unit: ImportUnit, context) {
      const add = (found: ImportUnit) => {
        if (unit.kind === 'folders' && found.kind === 'day') added[added.length - 1]! += 1
        context.add(found)
      }
      if (unit.kind === 'folders') added.push(0)
      return reader.read(archive, unit, { ...context, add })
    },
  }
  const read = await readArchive(watched, archiveOf(zipOf(files)))
  expect(read.contents()).toEqual(days.map((_, at) => `text ${at}`))
  expect(added).toEqual([3, 3, 1])
})

it('A ZIP of Discord is listed without opening its files', async () => {
  const attached = Array.from({ length: 40 }, (_, at) => stored(`a/${at}.json`))
  const zip = archiveOf(zipOf([...attached, ...discordFiles('b', [discordMessage(1)])]))
  let [isListing, reads] = [false, 0]
  const reader = discordReader as ImportReader
  const watched: ImportReader = {
    ...reader,
    async *read(archive, unit: ImportUnit, context) {
      isListing = unit.kind === 'survey'
      yield* reader.read(archive, unit, context)
    },
  }
  const counted = {
    ...zip,
    read(from: number, to: number) {
      if (isListing) reads += 1
      return zip.read(from, to)
    },
  }
  expect((await readArchive(watched, counted)).contents()).toEqual(['text 1'])
  // The archive's end, and its list of files.
  expect(reads).toBe(2)
})

it('A day of Slack is read without the entries beside it', async () => {
  const beside = Array.from({ length: 4_000 }, (_, at) => stored(`__uploads/F${at}/${'a'.repeat(100)}`))
  const files = exportFiles({ 'general/2014-06-12.json': `[${slackMessage(1)}]` })
  const zip = archiveOf(zipOf([...files, ...beside]))
  let [isOfDay, bytes] = [false, 0]
  const reader = slackReader as ImportReader
  const watched: ImportReader = {
    ...reader,
    async *read(archive, unit: ImportUnit, context) {
      isOfDay = unit.kind === 'day'
      yield* reader.read(archive, unit, context)
    },
  }
  const counted = {
    ...zip,
    read(from: number, to: number) {
      if (isOfDay) bytes += to - from
      return zip.read(from, to)
    },
  }
  expect((await readArchive(watched, counted)).contents()).toEqual(['text 1'])
  expect(bytes).toBeLessThan(10_000)
})
