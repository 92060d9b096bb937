/**
 * `npm run restore -- BACKUP --host NEW` opens a backup as a copy to look at, at a host of its own; `npm run restore -- BACKUP --in-place` has it
 * replace the organization; without BACKUP it lists the backups. Each waits for the end.
 *
 * It needs no secret. Like `npm run create-organization`, it writes tickets into the server's D1.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { withLocalD1 } from './local-server.ts'
import { copyBackup, makeOwnerLink, readAnswer, ticketStatement } from './organizations.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run restore                                lists the backups, with their numbers
       npm run restore -- BACKUP --host NEW           opens one as a copy to look at, at the host NEW
       npm run restore -- BACKUP --in-place           has one replace the organization
  --of HOST          the organization's host; localhost if it is left out
  --email EMAIL      of an owner, for whom a link into the copy is printed
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
    kept_until: number | null
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

/** A server, and how to write its D1. */
interface Target {
  /** Address of the server, without a slash at the end. */
  readonly url: string
  write(sql: string): Promise<unknown>
  /** Returns the address of another host of the server. */
  addressOf(host: string): string
}

/** Asks the server about the backups of an organization, with a new ticket when the last one becomes old. */
class Backups {
  readonly #target: Target
  readonly #host: string
  #ticket = { text: '', writtenAt: 0 }

  constructor(target: Target, host: string) {
    this.#target = target
    this.#host = host
  }

  /** @param restored number of a backup that is to replace the organization */
  async ask(restored: number | null = null): Promise<Answer> {
    if (Date.now() - this.#ticket.writtenAt > TICKET_MS) {
      this.#ticket = { text: randomBytes(32).toString('hex'), writtenAt: Date.now() }
      await this.#target.write(ticketStatement(this.#ticket.text, this.#host))
    }
    const response = await fetch(`${this.#target.url}/setup/backups`, {
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

function list({ backups }: Answer): void {
  const made = backups.filter(({ finished_at }) => finished_at !== null)
  if (made.length === 0) console.log('There is no backup yet.')
  for (const { id, taken_at, kept_until, size, contents } of made) {
    if (taken_at === null || !contents) continue
    const { messages, channels, users, files } = contents
    const what = `${messages} messages, ${channels} channels, ${users} people, ${files} files`
    const kept = kept_until === null ? '' : `  kept until ${dayAndTime(kept_until).slice(0, 10)}`
    console.log(
      `${String(id).padStart(4)}  ${dayAndTime(taken_at)}  ${what}  ${Math.ceil(size / 1_000)} kB${kept}`,
    )
  }
}

/**
 * Shows each stage of a restore, and returns how it has ended. While the object restarts the server may not answer.
 * @param isGone whether an answer says that nothing is there any more: a copy that cannot be filled is deleted
 */
async function follow(
  asker: Backups,
  begun: Answer['restore'],
  isGone = (_error: Error) => false,
): Promise<Answer['restore']> {
  let last = ''
  for (let restore = begun; ; ) {
    if (restore?.stage == null || restore.stage === 'stuck') return restore
    if (restore.stage !== last) console.log(restore.stage)
    last = restore.stage
    await setTimeout(ASKED_EVERY_MS)
    restore = await asker.ask().then(
      (answer) => answer.restore,
      (error) => (isGone(error) ? null : restore),
    )
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  damaged: 'Nothing was changed: a part of the backup is missing, or cannot be opened with this SECRETS_KEY.',
  returned: 'A part of the backup was lost meanwhile: the organization is again as it was before.',
  failed: 'Nothing was changed: the store of backups could not be reached.',
}

async function replace(target: Target, host: string, backupId: number): Promise<void> {
  const asker = new Backups(target, host)
  const ended = await follow(asker, (await asker.ask(backupId)).restore)
  if (ended?.stage === 'stuck')
    throw new Error(
      `Parts of backup ${ended.backup_id} are missing as well, so the organization stays closed. Put them back into the store, or restore another backup.`,
    )
  if (ended?.outcome !== 'restored') throw new Error(FAILURES[ended?.outcome ?? 'failed'])
  console.log(`${host} is as backup ${backupId} has it. What was there is in backup ${ended.archive_id}.`)
}

interface Copy {
  readonly host: string
  readonly backupId: number
  readonly copyHost: string
  readonly email: string | undefined
}

async function open(target: Target, { host, backupId, copyHost, email }: Copy): Promise<void> {
  await copyBackup(target, { host, backupId, copyHost })
  const asker = new Backups(target, copyHost)
  const isGone = (error: Error) => error.message.includes('answered 404')
  const ended = await follow(asker, (await asker.ask()).restore, isGone)
  if (ended?.outcome !== 'restored')
    throw new Error(
      'The copy was deleted again: the backup could not be read. The log of the server says why.',
    )
  const url = target.addressOf(copyHost)
  console.log(`Backup ${backupId} of ${host} is open at ${url} for 30 days, for owners alone.`)
  if (email === undefined)
    return console.log(
      `A link by which one enters: npm run owner-link -- --host ${copyHost} --email EMAIL, with --remote online`,
    )
  const link = await makeOwnerLink({ url, host: copyHost, email }, (sql) => target.write(sql))
  console.log(`This link logs the owner ${email} in once, within 15 minutes:\n  ${link}`)
}

async function localTarget(): Promise<Target> {
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running === undefined) throw new Error('Start the server first (`npm start`), since it restores.')
  const bundle = await buildWorker('local')
  const { origin, port } = new URL(running.url)
  return {
    url: origin,
    write: (sql) => withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run()),
    addressOf: (host) => `http://${host}:${port}`,
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string' },
      'in-place': { type: 'boolean', default: false },
      of: { type: 'string', default: 'localhost' },
      email: { type: 'string' },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  const { host: copyHost, 'in-place': inPlace, of: host, email, remote, deployment } = values
  const backupId = positionals.length > 0 ? Number(positionals[0]) : undefined
  const ways = [copyHost !== undefined, inPlace].filter(Boolean).length
  if (
    positionals.length > 1 ||
    (backupId !== undefined && !Number.isInteger(backupId)) ||
    ways !== (backupId === undefined ? 0 : 1) ||
    (email !== undefined && copyHost === undefined) ||
    (remote && host === 'localhost')
  )
    throw new Error(USAGE)
  const target = remote
    ? {
        url: new URL(values.url ?? `https://${host}`).origin,
        write: remoteD1(deployment),
        addressOf: (other: string) => `https://${other}`,
      }
    : await localTarget()
  if (backupId === undefined) return list(await new Backups(target, host).ask())
  if (copyHost === undefined) return replace(target, host, backupId)
  return open(target, { host, backupId, copyHost, email })
}

if (import.meta.main) await main().catch(exitWithError)
