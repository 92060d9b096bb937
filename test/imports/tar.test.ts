import { describe, expect, it } from 'vitest'
import { findReaderOf } from '../../src/imports/index.ts'
import { fileInTar, filesOfTar, isTar } from '../../src/imports/tar.ts'
import { collected } from './collected.ts'
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

  it('of many large files in no known format is read for two thousand', async () => {
    const large = 1024 * 1024
    const entry = Buffer.concat([header('photo.jpg', large, '0'), Buffer.alloc(large)])
    let reads = 0
    const archive = {
      name: 'photos.tar',
      size: entry.length * 5_000,
      async read(from: number, to: number) {
        reads += 1
        const start = from % entry.length
        return new Uint8Array(entry.subarray(start, start + to - from))
      },
    }
    expect(await findReaderOf(archive)).toBeUndefined()
    expect(reads).toBeLessThan(2_200)
  })
})
