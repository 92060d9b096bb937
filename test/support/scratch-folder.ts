import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux has files in memory. */
const IN_MEMORY = '/dev/shm'
const NAME = /^parley-tests-(\d+)$/
/** A run of all tests takes 1 GB. */
const BYTES_NEEDED = 4 * 2 ** 30

/**
 * Has all that tests store in memory, where there is room: a test waits for a hundred writes, and a disk's are a fifth of the run. What runs
 * that were killed have left behind is deleted. Long tests store too much.
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
