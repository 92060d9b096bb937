/**
 * `npm run restore-backup -- [NUMBER] --host HOST` has a backup replace an organization, and waits for the end; without a number it lists the
 * backups.
 *
 * It needs no secret. Like `npm run create-organization`, it writes a ticket into the server's D1.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { withLocalD1 } from './local-server.ts'
import { readAnswer, ticketStatement } from './organizations.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run restore-backup -- [NUMBER] [--host HOST]
  NUMBER             of the backup that replaces the organization; without it the backups are listed
  --remote           in what \`npm run deploy\` put online, not at the local server
  --deployment NAME  the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL          where the deployed server answers, if not at https://HOST`

/** Milliseconds between two questions how far it is, and for which a ticket is used. */
const ASKED_EVERY_MS = 2_000
const TICKET_MS = 480_000

interface Answer {
  backups: {
    id: number
    taken_at: number | null
    finished_at: number | null
    size: number
    contents: { users: number; channels: number; messages: number; files: number } | null
  }[]
  restore: {
    backup_id: number
    began_at: number
    stage: string | null
    outcome: string | null
    archive_id: number | null
  } | null
}

type WriteD1 = (sql: string) => Promise<unknown>

/** Asks the server about the backups of an organization, with a new ticket when the last one becomes old. */
class Backups {
  readonly #url: string
  readonly #host: string
  readonly #write: WriteD1
  #ticket = { text: '', writtenAt: 0 }

  constructor(url: string, host: string, write: WriteD1) {
    this.#url = url
    this.#host = host
    this.#write = write
  }

  /** @param restored number of a backup that is to replace the organization */
  async ask(restored: number | null = null): Promise<Answer> {
    if (Date.now() - this.#ticket.writtenAt > TICKET_MS) {
      this.#ticket = { text: randomBytes(32).toString('hex'), writtenAt: Date.now() }
      await this.#write(ticketStatement(this.#ticket.text, this.#host))
    }
    const response = await fetch(`${this.#url}/setup/backups`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ ticket: this.#ticket.text, host: this.#host, backup_id: restored }),
    })
    return (await readAnswer(response)) as Answer
  }
}

function dayAndTime(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function show({ backups }: Answer): void {
  for (const { id, taken_at, finished_at, size, contents } of backups) {
    if (finished_at === null || taken_at === null || !contents) continue
    const { messages, channels, users, files } = contents
    const what = `${messages} messages, ${channels} channels, ${users} people, ${files} files`
    console.log(`${String(id).padStart(4)}  ${dayAndTime(taken_at)}  ${what}  ${Math.ceil(size / 1_000)} kB`)
  }
}

/** Shows each stage of a restore, and waits for its end. While the object restarts the server may not answer. */
async function follow(asker: Backups, begun: Answer['restore']): Promise<Answer['restore']> {
  let last = ''
  for (let restore = begun; ; ) {
    if (restore?.stage == null) return restore
    if (restore.stage !== last) console.log(restore.stage)
    last = restore.stage
    await setTimeout(ASKED_EVERY_MS)
    restore = await asker.ask().then(
      (answer) => answer.restore,
      () => restore,
    )
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  damaged: 'Nothing was changed: a part of the backup is missing, or cannot be opened with this SECRETS_KEY.',
  failed: 'Nothing was changed: the store of backups could not be reached.',
}

async function run(url: string, host: string, write: WriteD1, backupId: number | null): Promise<void> {
  const asker = new Backups(url, host, write)
  const answer = await asker.ask(backupId)
  if (backupId === null) return show(answer)
  const ended = await follow(asker, answer.restore)
  if (ended?.outcome !== 'restored') throw new Error(FAILURES[ended?.outcome ?? 'failed'])
  console.log(`${host} is as backup ${backupId} has it. What was there is in backup ${ended.archive_id}.`)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string', default: 'localhost' },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  const { host, remote, deployment, url = `https://${host}` } = values
  const backupId = positionals[0] === undefined ? null : Number(positionals[0])
  if (Number.isNaN(backupId) || (remote && host === 'localhost')) throw new Error(USAGE)
  if (remote) return run(new URL(url).origin, host, remoteD1(deployment), backupId)
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running === undefined) throw new Error('Start the server first (`npm start`), since it restores.')
  const bundle = await buildWorker('local')
  const write: WriteD1 = (sql) => withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run())
  return run(new URL(running.url).origin, host, write, backupId)
}

if (import.meta.main) await main().catch(exitWithError)
