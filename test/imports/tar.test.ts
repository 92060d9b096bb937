import { describe, expect, it } from 'vitest'
import type { FormatSearch, ImportReader, ImportUnit } from '../../src/imports/import-reader.ts'
import { lookForReader } from '../../src/imports/index.ts'
import { publicServerReader } from '../../src/imports/public-server-reader.ts'
import { fileInTar, filesOfTar, isTar } from '../../src/imports/tar.ts'
import { fromJson } from '../support/json.ts'
import { collected } from './collected.ts'
import { readArchive } from './read-archive.ts'
import { dumpOf } from './rocket-chat-dump.ts'
import { header, tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

describe('A tar archive', () => {
  it('gives its files by their places, also those with long names', async () => {
    const long = `export/${'x'.repeat(150)}.txt`
    const archive = archiveOf(tarOf({ 'a.txt': 'one', [long]: 'two', 'b.txt': 'y'.repeat(200_000) }))
    expect(await isTar(archive)).toBe(true)
    const files = await collected(filesOfTar(archive))
    expect(files.map(({ name, size }) => [name, size])).toEqual([
      ['a.txt', 3],
      [long, 3],
      ['b.txt', 200_000],
    ])
    const bytes = await fileInTar(archive, files[1]!.path)
    expect(Buffer.from(await bytes!.read(0, 10)).toString()).toBe('two')
    expect(await fileInTar(archive, 'a.txt@0+99999999')).toBeUndefined()
    expect(await fileInTar(archive, 'a.txt')).toBeUndefined()
  })

  it('does not give links, or names that lead out of it', async () => {
    const bytes = Buffer.concat([
      header('link', 0, '2'),
      header('../out', 0, '0'),
      header('/etc/passwd', 0, '0'),
      header('fine', 0, '0'),
      Buffer.alloc(1024),
    ])
    expect((await collected(filesOfTar(archiveOf(new Uint8Array(bytes))))).map(({ name }) => name)).toEqual([
      'fine',
    ])
  })

  it('that is cut off is refused', async () => {
    const bytes = tarOf({ a: 'x'.repeat(5_000) })
    await expect(collected(filesOfTar(archiveOf(bytes.slice(0, 2_000))))).rejects.toThrow('ends too early')
  })

  it('of many large files in no known format is looked through in short steps', async () => {
    const archive = filesThenRest('photo.jpg', 5_000)
    const { found, reads } = await searched(archive)
    expect(found).toBeUndefined()
    expect(Math.max(...reads)).toBeLessThan(250)
    expect(reads.length).toBeGreaterThan(10)
    // More than two thousand entries tell nothing.
    expect(reads.reduce((sum, count) => sum + count)).toBeLessThan(3_000)
  })

  it('of Rocket.Chat is known by a database after large files', async () => {
    const { found, reads } = await searched(filesThenRest('uploads/f1', 1_500, dumpOf({})))
    expect(found).toBe('rocket_chat')
    expect(Math.max(...reads)).toBeLessThan(250)
  })

  it('of the public server is listed in steps of few reads', async () => {
    const realm = tarOf({ 'x/realm.json': '{"zerver_realm": [{"string_id": "acme"}]}' })
    const archive = filesThenRest('x/uploads/2/ab/photo.jpg', 1_000, realm)
    const reader = publicServerReader as ImportReader
    const steps: number[] = []
    const watched: ImportReader = {
      ...reader,
      async *read(from, unit: ImportUnit, context) {
        const before = archive.reads
        yield* reader.read(from, unit, context)
        if (unit.kind === 'survey') steps.push(archive.reads - before)
      },
    }
    const read = await readArchive(watched, archive)
    // All but the first have the name of another.
    expect(read.problems()).toEqual({ 'file of the archive': 999 })
    expect(read.of('parley-import')).toMatchObject([{ source: 'public-server:acme' }])
    expect(steps.length).toBeGreaterThan(9)
    expect(Math.max(...steps)).toBeLessThan(120)
  })

  it('with a file of too many extended headers is refused', async () => {
    const long = Buffer.concat([header('long', 5, 'L'), Buffer.from('a.txt'), Buffer.alloc(507)])
    const archive = archiveOf(new Uint8Array(Buffer.concat([...Array(40).fill(long), header('a', 0, '0')])))
    await expect(collected(filesOfTar(archive))).rejects.toThrow('is damaged')
  })
})

const LARGE = 1024 * 1024

/** Returns an archive of many large files of one name, and of another archive after them. It counts reads. */
function filesThenRest(name: string, count: number, rest: Uint8Array = new Uint8Array(1_024)) {
  const entry = Buffer.concat([header(name, LARGE, '0'), Buffer.alloc(LARGE)])
  const end = entry.length * count
  return {
    name: 'files.tar',
    size: end + rest.length,
    reads: 0,
    async read(from: number, to: number) {
      this.reads += 1
      if (from >= end) return rest.slice(from - end, to - end)
      const start = from % entry.length
      return new Uint8Array(entry.subarray(start, start + to - from))
    },
  }
}

/** Looks for the format of an archive. Returns its name, and how often each step has read. */
async function searched(archive: ReturnType<typeof filesThenRest>) {
  const reads: number[] = []
  const step = async (from?: FormatSearch) => {
    const before = archive.reads
    const found = await lookForReader(archive, from)
    reads.push(archive.reads - before)
    return found
  }
  let found = await step()
  while (found && 'reader' in found) found = await step(fromJson(JSON.stringify(found)))
  return { found: found?.name, reads }
}
