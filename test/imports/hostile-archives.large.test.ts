import { describe, expect, it } from 'vitest'
import { ImportRefusedError } from '../../src/imports/import-reader.ts'
import { filesOfTar } from '../../src/imports/tar.ts'
import { entriesOf } from '../../src/imports/zip.ts'
import { collected } from './collected.ts'
import { FORMATS } from './hostile-formats.ts'
import { readArchive } from './read-archive.ts'
import { header } from './tar-builder.ts'
import { archiveOf, zipOf } from './zip-builder.ts'

const MILLION = 1_000_000

describe.each(FORMATS)('40 megabytes of one message in the format %s', (_, { reader, message, archive }) => {
  it('are one problem', async () => {
    const messages = [message('one', 1), message('x'.repeat(40_000_000), 2), message('three', 3)]
    const read = await readArchive(reader, archiveOf(archive(messages)))
    expect(read.contents()).toEqual(['one', 'three'])
    expect(read.of('problem')).toHaveLength(1)
  })
})

describe('An archive of a million files is refused in words', () => {
  it('as a ZIP, whatever its end says', async () => {
    const claimed = collected(entriesOf(archiveOf(zipOf([], { isLarge: true, count: MILLION }))))
    await expect(claimed).rejects.toThrow('more than 500000 files')
    const files = Array.from({ length: 510_000 }, () => ({ name: 'a', isStored: true }))
    const reading = collected(entriesOf(archiveOf(zipOf(files, { isLarge: true, count: 1 }))))
    await expect(reading).rejects.toThrow(ImportRefusedError)
    await expect(reading).rejects.toThrow('longer than it says')
  }, 60_000)

  it('as a tar archive', async () => {
    const one = header('a', 0, '0')
    const bytes = new Uint8Array(510_000 * one.length + 1024)
    for (let at = 0; at < 510_000; at += 1) bytes.set(one, at * one.length)
    await expect(collected(filesOfTar(archiveOf(bytes)))).rejects.toThrow('more than 500000 files')
  }, 60_000)
})
