/**
 * How a second process asks the running server for a copy of its state: it leaves a request in the state folder and sends SIGUSR2. The server
 * makes the copy, since a killed command must not leave a workerd that stands still.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromJson } from '../json.ts'
import type { LocalServer } from '../local-server.ts'
import { isAlive, type RunningServer } from '../state-folder.ts'
import { type CopyReport, copyState } from './state-copies.ts'

const REQUEST = 'copy-request.json'
const ANSWER = 'copy-answer.json'
const LOOK_MS = 50

type Answer = CopyReport | { readonly error: string }

/** Makes the copies that are asked for while the server runs. */
export function answerCopies({ stateDir, runtimePid }: Pick<LocalServer, 'stateDir' | 'runtimePid'>): void {
  process.on('SIGUSR2', () => {
    const request = join(stateDir, REQUEST)
    if (!existsSync(request)) return
    const { to } = fromJson<{ to: string }>(readFileSync(request, 'utf8'))
    rmSync(request)
    writeWhole(
      join(stateDir, ANSWER),
      answerTo(() => copyState(stateDir, to, runtimePid())),
    )
  })
}

function answerTo(copy: () => CopyReport): Answer {
  try {
    return copy()
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/**
 * Asks the server for a copy, and waits for it.
 * @throws {Error} with the server's reason.
 */
export async function requestCopy(stateDir: string, server: RunningServer, to: string): Promise<CopyReport> {
  const answer = join(stateDir, ANSWER)
  rmSync(answer, { force: true })
  writeWhole(join(stateDir, REQUEST), { to })
  process.kill(server.pid, 'SIGUSR2')
  while (!existsSync(answer)) {
    await new Promise((done) => setTimeout(done, LOOK_MS))
    if (!isAlive(server.pid)) throw new Error('The server ended before the copy was made.')
  }
  const made = fromJson<Answer>(readFileSync(answer, 'utf8'))
  rmSync(answer)
  if ('error' in made) throw new Error(made.error)
  return made
}

/** Writes a file that is there as a whole, or not at all. */
function writeWhole(file: string, content: object): void {
  writeFileSync(`${file}.part`, JSON.stringify(content))
  renameSync(`${file}.part`, file)
}
