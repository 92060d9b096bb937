import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { KeptState } from '../../scripts/keep-state.ts'
import { PROJECT } from '../../scripts/project.ts'
import { fromJson } from './json.ts'

/** Kept states of earlier builds (scripts/keep-state.ts), by the number of the last step of their schema. */
const FOLDER = join(PROJECT, 'test/kept-states')

export const KEPT_STATES = readdirSync(FOLDER).filter((name) => name.endsWith('.br'))

/** Unpacks a kept state into a folder of its own. */
export function unpackKeptState(name: string): { stateDir: string; state: KeptState } {
  const stateDir = mkdtempSync(join(tmpdir(), 'parley-kept-'))
  const packed = brotliDecompressSync(readFileSync(join(FOLDER, name)))
  const end = packed.indexOf('\n')
  const state = fromJson<KeptState>(packed.subarray(0, end).toString())
  let at = end + 1
  for (const { path, size } of state.files) {
    const file = join(stateDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, packed.subarray(at, at + size))
    at += size
  }
  return { stateDir, state }
}
