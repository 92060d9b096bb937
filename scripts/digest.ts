/**
 * `npm run digest -- FILE`: prints a digest of the content of an archive of an export. Archives with the same content have the same digest,
 * whatever their ids, so it shows whether an import has lost anything.
 */
import { open, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { ImportArchive } from '../src/imports/import-reader.ts'
import { type ArchiveDigest, digestOf } from './archive-digest.ts'
import { exitWithError } from './project.ts'

const USAGE = `Usage: npm run digest -- FILE
  FILE          an archive that an export has made
  --lines FILE  writes what the digest is of, a line for each thing, to be compared by diff`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { lines: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [path] = positionals
  if (values.help || path === undefined) return console.log(USAGE)
  const { whole, sections } = await digestOfFile(path, values.lines !== undefined)
  for (const { name, count, digest } of sections)
    console.log(`${name.padEnd(22)} ${String(count).padStart(9)}  ${digest}`)
  console.log(`${'all'.padEnd(32)}  ${whole}`)
  if (values.lines !== undefined) {
    await writeFile(
      values.lines,
      sections.flatMap(({ name, lines }) => lines.map((line) => `${name} ${line}\n`)).join(''),
    )
  }
}

export async function digestOfFile(path: string, keepsLines = false): Promise<ArchiveDigest> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const archive: ImportArchive = {
      name: basename(path),
      size,
      async read(from, to) {
        const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
        return bytes.subarray(0, bytesRead)
      },
    }
    return await digestOf(archive, { keepsLines })
  } finally {
    await file.close()
  }
}

if (import.meta.main) await main().catch(exitWithError)
