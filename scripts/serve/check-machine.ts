/** What may be wrong with a machine, or with the settings, before the server starts on it. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { freemem, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { settingProblems } from '../check-settings.ts'
import { requireFreePort } from '../local-server.ts'
import { settingsFrom } from '../settings.ts'
import { findRunningServer } from '../state-folder.ts'

/** What one check has found: `problem` if something is wrong. */
export interface Finding {
  readonly what: string
  readonly problem?: string
  /** What was measured. */
  readonly fact?: string
}

interface Machine {
  readonly stateDir: string
  readonly listen: string
  readonly port: number
}

const MIB = 1024 * 1024
const LEAST = { memoryMib: 512, diskMib: 1024, files: 4096 } as const
/** Types of file systems of other machines (statfs): NFS, SMB, CIFS, 9p, FUSE. SQLite's locks and its log need a local one. */
const REMOTE = new Set([0x6969, 0x517b, 0xff534d42, 0x01021997, 0x65735546])

/** Checks the machine. Nothing is changed. */
export async function checkMachine(machine: Machine): Promise<Finding[]> {
  const folder = existing(machine.stateDir)
  const disk = statfsSync(folder)
  const freeMib = Math.floor((disk.bavail * disk.bsize) / MIB)
  const memoryMib = Math.floor(totalmem() / MIB)
  const files = openFiles()
  return [
    finding('workerd starts', runtimeProblem()),
    finding('certificates', certificates() ? undefined : 'workerd needs some: install ca-certificates'),
    finding('state folder', folderProblem(folder), machine.stateDir),
    finding(
      'file system is local',
      REMOTE.has(disk.type) ? 'SQLite needs a disk of this machine' : undefined,
    ),
    finding(
      'free disk',
      freeMib < LEAST.diskMib ? `less than ${LEAST.diskMib} MiB` : undefined,
      `${freeMib} MiB`,
    ),
    finding(
      'memory',
      memoryMib < LEAST.memoryMib ? `less than ${LEAST.memoryMib} MiB` : undefined,
      `${memoryMib} MiB, ${Math.floor(freemem() / MIB)} free`,
    ),
    finding(
      'open files',
      files < LEAST.files ? `the limit is below ${LEAST.files}: one for each connection` : undefined,
      `${files}`,
    ),
    finding('port', await portProblem(machine), `${machine.listen}:${machine.port}`),
    ...settingProblems(settingsFrom(process.env)).map((problem) => ({ what: 'setting', problem })),
  ]
}

function finding(what: string, problem: string | undefined, fact?: string): Finding {
  return { what, ...(problem === undefined ? {} : { problem }), ...(fact === undefined ? {} : { fact }) }
}

function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path))
}

function runtimeProblem(): string | undefined {
  const { default: workerd } = createRequire(import.meta.url)('workerd') as { default: string }
  const { status, stderr, error } = spawnSync(workerd, ['--version'], { encoding: 'utf8' })
  if (status === 0) return undefined
  return `it needs glibc 2.35 or newer: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`
}

/** Whether there are certificates of authorities where workerd looks for them. */
function certificates(): boolean {
  const files = [
    '/etc/ssl/certs/ca-certificates.crt',
    '/etc/pki/tls/certs/ca-bundle.crt',
    '/etc/ssl/cert.pem',
  ]
  return [...files, process.env.SSL_CERT_FILE ?? ''].some(existsSync)
}

function folderProblem(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch {
    return `${folder} cannot be written by this user`
  }
}

/** Returns the limit of open files of this process. */
function openFiles(): number {
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'utf8') : ''
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
}

async function portProblem({ stateDir, listen, port }: Machine): Promise<string | undefined> {
  if (existsSync(stateDir) && (await findRunningServer(stateDir))) return undefined
  return requireFreePort({ host: listen, port }).then(
    () => undefined,
    (error: Error) => error.message,
  )
}
