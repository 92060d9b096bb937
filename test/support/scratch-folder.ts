import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder that Linux keeps in memory. */
const IN_MEMORY = '/dev/shm'
const NAME = /^parley-tests-(\d+)$/
/** The space that a run of all tests needs: 1 GB. */
const BYTES_NEEDED = 4 * 2 ** 30

/**
 * Puts the tests' storage in memory if there is room: a test waits for a hundred writes, which on a disk take a fifth of the run. Deletes the
 * remains of killed runs. Long tests store too much for this.
 */
export function storeInMemory(): void {
  if (process.env.TMPDIR || process.env.LONG || !existsSync(IN_MEMORY)) return
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  if (bavail * bsize < BYTES_NEEDED) return
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = NAME.exec(name)?.[1]
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(IN_MEMORY, name), { recursive: true, force: true })
  }
  const folder = join(IN_MEMORY, `parley-tests-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
