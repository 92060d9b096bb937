import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ImportRefusedError } from '../../src/imports/import-reader.ts'
import { mattermostReader } from '../../src/imports/mattermost-reader.ts'
import { publicServerReader } from '../../src/imports/public-server-reader.ts'
import { FORMATS, type Format, mattermostFiles, publicServerFiles, slackFiles } from './hostile-formats.ts'
import { type ReadArchive, readArchive } from './read-archive.ts'
import { slack } from './slack-export.ts'
import { header, tarOf } from './tar-builder.ts'
import { archiveOf, type ZipFile, zipOf } from './zip-builder.ts'

/** Reads an archive; the refusal in its words, if it is refused. */
async function readOrRefusal(format: Format, bytes: Uint8Array): Promise<ReadArchive | string> {
  try {
    const archive = archiveOf(bytes)
    return (await format.reader.recognises(archive, { at: 0, looked: 0 }))
      ? await readArchive(format.reader, archive)
      : 'unknown'
  } catch (error) {
    // Lines of the neutral form are what they are, and others see what is no record.
    const isPassedOn =
      format.reader.name === 'neutral' && /^not a neutral record/.test(String((error as Error).message))
    if (error instanceof ImportRefusedError || isPassedOn) return (error as Error).message
    throw error
  }
}

describe.each(FORMATS)('A hostile archive of the format %s', (_, format) => {
  const { reader, message } = format
  const good = [message('one', 1), message('two', 2)]

  it('may have one message nested absurdly deep', async () => {
    const deep = `${'{"a":['.repeat(100_000)}${']}'.repeat(100_000)}`
    const read = await readArchive(reader, archiveOf(format.archive([good[0]!, deep, good[1]!])))
    expect(read.contents()).toEqual(['one', 'two'])
    expect(read.of('problem').some(({ kind }) => /not readable|nested too deep/.test(kind))).toBe(true)
  })

  it('loses one message alone that is cut off, where each begins a line', async () => {
    const lines = ['one', 'two', 'three'].map((text, at) => `\n  ${message(text, at + 1)}`)
    const cut = lines[1]!.slice(0, -4)
    const read = await readArchive(reader, archiveOf(format.archive([lines[0]!, cut, lines[2]!])))
    expect(read.contents()).toEqual(['one', 'three'])
    expect(read.of('problem').length).toBeLessThan(3)
  })

  it('may end anywhere', async () => {
    const bytes = format.archive(good)
    for (let end = 1; end < bytes.length; end += Math.ceil(bytes.length / 40)) {
      const read = await readOrRefusal(format, bytes.slice(0, end))
      expect(typeof read === 'string' || read.contents().length < 2 || end > bytes.length / 2).toBe(true)
    }
  })

  it('may have any bytes changed', async () => {
    const bytes = format.archive(good)
    const changes = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const changed = bytes.slice()
        for (const [at, byte] of list) changed[at] = byte
        const read = await readOrRefusal(format, changed)
        expect(typeof read === 'string' || read.of('message').length <= 3).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

const ZIPS = [
  ['Slack', slack, slackFiles, FORMATS[0]![1].message, '__uploads/F1/'],
  ['Mattermost', mattermostReader, mattermostFiles, FORMATS[1]![1].message, 'data/'],
] as const

describe.each(ZIPS)('A hostile ZIP of the format %s', (_, reader, filesWith, message, uploads) => {
  const files = filesWith([message('one', 1)])
  const read = (more: readonly ZipFile[], first: readonly ZipFile[] = files) =>
    readArchive(reader as typeof slack, archiveOf(zipOf([...first, ...more])))

  it('does not give files that are links, or lead out of it', async () => {
    const found = await read([
      { name: `${uploads}../../../etc/passwd`, content: 'x' },
      { name: `/${uploads}a`, content: 'x' },
      { name: `${uploads}link`, content: '/etc/passwd', claims: { mode: 0o120777 } },
    ])
    expect(found.contents()).toEqual(['one'])
    expect(found.of('file')).toEqual([])
    expect(found.of('problem').map(({ detail }) => detail)).toContain(
      `${uploads}link is a link to another file`,
    )
  })

  it('has each file once', async () => {
    const found = await read([
      { name: `${uploads}a`, content: 'x' },
      { name: `${uploads}a`, content: 'y' },
    ])
    expect(found.of('problem').map(({ detail }) => detail)).toContain(`${uploads}a is there twice`)
  })

  it('is refused if it unpacks to too much as a whole', async () => {
    const bomb = Array.from({ length: 20 }, (_, at) => ({
      name: `${uploads}${at}`,
      content: 'x',
      claims: { size: 60 * 1024 * 1024 },
    }))
    await expect(read(bomb)).rejects.toThrow('unpacks to more than 100 times its size')
  })

  it('says which file has another checksum', async () => {
    const broken = files.map((file) =>
      /2014|jsonl/.test(file.name) ? { ...file, claims: { checksum: 7 } } : file,
    )
    const found = await read([], broken)
    expect(found.of('problem')).toMatchObject([
      { kind: 'not readable', detail: 'the file is damaged: its checksum is another one' },
    ])
  })
})

describe('A hostile tar archive', () => {
  const message = FORMATS[2]![1].message
  const files = publicServerFiles([message('one', 1)])
  const read = (bytes: Uint8Array) => readArchive(publicServerReader as typeof slack, archiveOf(bytes))
  /** The archive with these records before its end. */
  const withRecords = (...records: Buffer[]) =>
    new Uint8Array(Buffer.concat([tarOf(files).subarray(0, -1024), ...records, Buffer.alloc(1024)]))

  it('does not give links, devices, or names that lead out of it', async () => {
    const found = await read(
      withRecords(
        header('zulip-export/messages-000002.json', 0, '2'),
        header('zulip-export/messages-000003.json', 0, '1'),
        header('zulip-export/messages-000004.json', 0, '3'),
        header('zulip-export/../../messages-000005.json', 0, '0'),
        header('/zulip-export/messages-000006.json', 0, '0'),
      ),
    )
    expect(found.contents()).toEqual(['one'])
    expect(found.problems()).toEqual({})
  })

  it('has each file once', async () => {
    const found = await read(
      withRecords(
        header('zulip-export/messages-000001.json', 0, '0'),
        header('zulip-export/uploads/2/a', 0, '0'),
        header('zulip-export/uploads/2/a', 0, '0'),
      ),
    )
    expect(found.contents()).toEqual(['one'])
    expect(
      found
        .of('problem')
        .map(({ detail }) => detail)
        .sort(),
    ).toEqual(['zulip-export/messages-000001.json is there twice', 'zulip-export/uploads/2/a is there twice'])
  })

  it('is refused where a header is none', async () => {
    const broken = header('zulip-export/messages-000002.json', 0, '0')
    broken[3] = 0x41
    await expect(read(withRecords(broken))).rejects.toThrow('is damaged')
    for (const size of ['-5', 'x', '99999999999999999999', '9999999999']) {
      const pax = Buffer.alloc(512)
      pax.write(`20 size=${size}\n`)
      await expect(
        read(withRecords(header('pax', 512, 'x'), pax, header('zulip-export/a', 0, '0'))),
      ).rejects.toThrow('is damaged')
    }
  })
})
