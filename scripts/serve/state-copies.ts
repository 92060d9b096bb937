/**
 * Copies of a state folder. While a server runs, its workerd stands still as long as the databases are copied, so all of them are of one
 * moment: the state that `kill -9` would leave then, from which every start continues (docs/reliability.md). Files do not change once
 * they are there, and are copied before.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { openStateDir, STATE_MARK } from '../state-folder.ts'

/** The folder of the state itself. */
const STATE = 'v3'
/** The folder of the copies that upgrades and restores make first. */
export const COPIES = 'copies'

/** A database, with its log and the index of that. */
const DATABASE = /\.sqlite(?:-wal|-shm)?$/

export interface CopyReport {
  readonly bytes: number
  /** Milliseconds in which the server stood still. */
  readonly pauseMs: number
}

/**
 * Copies the state into a folder that must not exist. A copy that is cut off has no mark, and nothing takes it for one.
 * @param runtimePid the workerd of the server that has it open, if one has.
 */
export function copyState(from: string, to: string, runtimePid?: number): CopyReport {
  if (existsSync(to)) throw new Error(`${to} exists already. Choose another folder.`)
  const isDatabase = (path: string) => DATABASE.test(path)
  let bytes = copyFiles(from, to, (path) => !isDatabase(path))
  const began = performance.now()
  if (runtimePid !== undefined) process.kill(runtimePid, 'SIGSTOP')
  try {
    bytes += copyFiles(from, to, isDatabase)
    // What was uploaded since.
    bytes += copyFiles(from, to, (path) => !isDatabase(path) && !existsSync(join(to, STATE, path)))
  } finally {
    if (runtimePid !== undefined) process.kill(runtimePid, 'SIGCONT')
  }
  const pauseMs = runtimePid === undefined ? 0 : performance.now() - began
  copyFileSync(join(from, STATE_MARK), join(to, STATE_MARK))
  return { bytes, pauseMs: Math.round(pauseMs) }
}

function copyFiles(from: string, to: string, isWanted: (path: string) => boolean): number {
  const root = join(from, STATE)
  let bytes = 0
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const path = source.slice(root.length + 1)
    if (!entry.isFile() || !isWanted(path)) continue
    const target = join(to, STATE, path)
    mkdirSync(dirname(target), { recursive: true })
    bytes += copyIfThere(source, target)
  }
  return bytes
}

/** A file may be deleted meanwhile. A file system that can makes the copy without copying. */
function copyIfThere(source: string, target: string): number {
  try {
    copyFileSync(source, target, constants.COPYFILE_FICLONE)
    return statSync(target).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** Puts a copy into the place of the state. What was there is kept as a copy itself. */
export function restoreState(copy: string, stateDir: string): { readonly kept: string | undefined } {
  requireCopy(copy)
  const draft = join(stateDir, COPIES, `${moment()}-restoring`)
  if (existsSync(stateDir)) openStateDir(stateDir)
  copyState(copy, draft)
  const hasState = existsSync(join(stateDir, STATE))
  const kept = hasState ? join(stateDir, COPIES, `${moment()}-before-restore`) : undefined
  if (kept !== undefined) {
    mkdirSync(kept)
    renameSync(join(stateDir, STATE), join(kept, STATE))
    renameSync(join(stateDir, STATE_MARK), join(kept, STATE_MARK))
  }
  renameSync(join(draft, STATE), join(stateDir, STATE))
  renameSync(join(draft, STATE_MARK), join(stateDir, STATE_MARK))
  rmSync(draft, { recursive: true })
  return { kept }
}

/** @throws {Error} for a folder that is no whole copy. */
export function requireCopy(copy: string): void {
  if (!existsSync(join(copy, STATE_MARK)) || !existsSync(join(copy, STATE))) {
    throw new Error(`${copy} is no whole copy of a state.`)
  }
}

/** Lists the copies beside the state, the newest first. */
export function listCopies(stateDir: string): string[] {
  const folder = join(stateDir, COPIES)
  if (!existsSync(folder)) return []
  const whole = readdirSync(folder).filter((name) => existsSync(join(folder, name, STATE_MARK)))
  return whole
    .sort()
    .toReversed()
    .map((name) => join(folder, name))
}

/** The time as the beginning of a folder's name. */
export function moment(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(':', '-')
}
