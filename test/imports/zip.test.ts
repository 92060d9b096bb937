import { describe, expect, it } from 'vitest'
import { ImportRefusedError } from '../../src/imports/import-reader.ts'
import { bytesOf, contentOf, entriesOf, entryAt, isZip, ZipEntryError } from '../../src/imports/zip.ts'
import { collected } from './collected.ts'
import { archiveOf, type ZipFile, zipOf } from './zip-builder.ts'

async function readAll(blocks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const block of blocks) parts.push(block)
  return Buffer.concat(parts).toString()
}

async function entries(bytes: Uint8Array) {
  return collected(entriesOf(archiveOf(bytes)))
}

/** Returns the content of the only entry. */
async function only(file: ZipFile): Promise<string> {
  const archive = archiveOf(zipOf([file]))
  const [entry] = await collected(entriesOf(archive))
  return readAll(contentOf(archive, entry!))
}

describe('A ZIP archive', () => {
  it('has names in UTF-8, whether or not it says so', async () => {
    const [entry] = await entries(zipOf([{ name: 'büro/2024-01-01.json' }]))
    expect(entry!.name).toBe('büro/2024-01-01.json')
  })

  it('is read entry by entry, packed or not, with a comment behind it', async () => {
    const text = '{"a":1}'.repeat(100_000)
    const archive = archiveOf(
      zipOf([{ name: 'a/' }, { name: 'a/b', content: text }, { name: 'c', content: 'x', isStored: true }], {
        comment: 'made by hand PK\u0005\u0006',
      }),
    )
    expect(await isZip(archive)).toBe(true)
    const found = await collected(entriesOf(archive))
    expect(found.map(({ name, size }) => [name, size])).toEqual([
      ['a/', 0],
      ['a/b', text.length],
      ['c', 1],
    ])
    expect(await readAll(contentOf(archive, found[1]!))).toBe(text)
    expect(await readAll(contentOf(archive, await entryAt(archive, found[2]!.from)))).toBe('x')
  })

  it('may have numbers of 64 bits', async () => {
    const bytes = zipOf(
      [
        { name: 'a', content: 'one' },
        { name: 'b', content: 'two' },
      ],
      { isLarge: true },
    )
    const archive = archiveOf(bytes)
    const found = await collected(entriesOf(archive))
    expect(await readAll(contentOf(archive, found[1]!))).toBe('two')
  })

  it('gives any range of an entry', async () => {
    const text = Array.from({ length: 50_000 }, (_, at) => String(at)).join(' ')
    for (const isStored of [true, false]) {
      const archive = archiveOf(zipOf([{ name: 'first' }, { name: 'a', content: text, isStored }]))
      const [, entry] = await collected(entriesOf(archive))
      const bytes = await bytesOf(archive, entry!)
      const range = async (from: number, to: number) => Buffer.from(await bytes.read(from, to)).toString()
      expect(bytes.size).toBe(text.length)
      for (const [from, to] of [
        [0, 10],
        [10, 100_000],
        [200_000, 200_010],
        [5, 20],
        [text.length - 3, text.length + 50],
      ] as const) {
        expect(await range(from, to)).toBe(text.slice(from, to))
      }
    }
  })

  it('of many entries is read without all of it', async () => {
    const bytes = zipOf(
      Array.from({ length: 10_000 }, (_, at) => ({
        name: `general/${at}.json`,
        content: 'x'.repeat(300),
        isStored: true,
      })),
    )
    const archive = archiveOf(bytes)
    expect(await collected(entriesOf(archive))).toHaveLength(10_000)
    expect(archive.reads).toBeLessThan(bytes.length / 3)
  })
})

describe('A hostile or broken archive', () => {
  const refusal = async (bytes: Uint8Array) =>
    entries(bytes).then(
      () => 'read',
      (error: unknown) => (error instanceof ImportRefusedError ? error.message : String(error)),
    )

  it('is refused in words that say what to do', async () => {
    const whole = zipOf([{ name: 'a', content: 'x' }])
    expect(await refusal(whole.slice(0, whole.length - 10))).toContain('its end is missing')
    expect(await refusal(new Uint8Array())).toContain('its end is missing')
    expect(await refusal(zipOf([], { count: 1_000_000, isLarge: true }))).toContain('more than 500000 files')
    const broken = whole.slice()
    broken[whole.length - 22 - 47] = 0
    expect(await refusal(broken)).toContain('damaged')
  })

  it('is refused if its entries lie upon each other', async () => {
    const overlapping = Array.from({ length: 50 }, (_, at) => ({
      name: `bomb${at}`,
      content: 'x'.repeat(10),
      isStored: true,
      claims: { headerAt: 0, packedSize: 5_000, size: 5_000 },
    }))
    expect(await refusal(zipOf(overlapping))).toContain('its files overlap')
  })

  it('does not give entries that are encrypted, links, or lead out of it', async () => {
    const fault = async (file: ZipFile) => {
      const [entry] = await entries(zipOf([file]))
      await expect(only(file)).rejects.toThrow(ZipEntryError)
      return entry!.fault
    }
    expect(await fault({ name: 'a', claims: { flags: 1 } })).toBe('is encrypted')
    expect(await fault({ name: 'a', claims: { mode: 0o120777 } })).toBe('is a link to another file')
    for (const name of ['../a', 'a/../../b', '/etc/passwd', 'C:\\a', 'a\\..\\b']) {
      expect(await fault({ name })).toBe('has a name that leads out of the archive')
    }
    expect(await fault({ name: 'a', claims: { method: 14 } })).toContain('(14)')
  })

  it('unpacks no more than it says, and nothing absurd', async () => {
    const content = 'x'.repeat(1_000)
    await expect(only({ name: 'a', content, claims: { size: 999 } })).rejects.toThrow('is larger than')
    await expect(only({ name: 'a', content, claims: { size: 1_001 } })).rejects.toThrow('is shorter than')
    await expect(only({ name: 'a', content, claims: { size: 1e9 } })).rejects.toThrow('unpacks to too much')
    await expect(only({ name: 'a', content, isStored: true, claims: { method: 8 } })).rejects.toThrow(
      'is damaged',
    )
  })
})
