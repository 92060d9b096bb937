import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { joinedBytes } from '../../src/core/growing-bytes.ts'
import { paddingAfter, TAR_END, tarHeader } from '../../src/model/exports/tar.ts'
import { readTar } from '../support/read-tar.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-tar-'))
afterAll(() => rmSync(folder, { recursive: true }))

const modifiedAt = 1_700_000_000
const files = new Map([
  ['export/empty.txt', ''],
  ['export/plain.json', '{"a": 1}\n'],
  ['export/block.bin', 'x'.repeat(512)],
  ['export/more.bin', 'y'.repeat(513)],
  [`export/uploads/1/ab/0123/${'long-'.repeat(30)}name.txt`, 'a name with no room in the header'],
  ['export/uploads/1/ab/0123/Grüße-日本.txt', 'a name in other scripts'],
])
const archive = new Uint8Array(
  joinedBytes([
    ...[...files].flatMap(([name, text]) => {
      const content = new TextEncoder().encode(text)
      return [
        tarHeader({ name, size: content.length, modifiedAt }),
        content,
        new Uint8Array(paddingAfter(content.length)),
      ]
    }),
    TAR_END,
  ]),
)

describe('an archive', () => {
  it('is unpacked by the system’s own program', () => {
    writeFileSync(join(folder, 'made.tar'), archive)
    execFileSync('tar', ['-xf', 'made.tar'], { cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    for (const [name, text] of files) expect(readFileSync(join(folder, name), 'utf8')).toBe(text)
    expect(statSync(join(folder, 'export/plain.json')).mtimeMs).toBe(modifiedAt * 1_000)
  })

  it('is read by the tests as it was written', () => {
    const read = [...readTar(archive).values()].map(({ name, bytes }) => [
      name,
      new TextDecoder().decode(bytes),
    ])
    expect(new Map(read as [string, string][])).toEqual(files)
  })

  it('holds files of more than eight gibibytes', () => {
    const header = tarHeader({ name: 'huge.bin', size: 2 ** 34, modifiedAt })
    expect(header.length % 512).toBe(0)
    expect(new TextDecoder().decode(header)).toContain(`20 size=${2 ** 34}\n`)
  })
})
