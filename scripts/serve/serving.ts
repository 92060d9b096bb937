/**
 * The server on a machine of one's own, for production: the deployed Worker with D1, objects and files in a state folder, behind a proxy that
 * ends TLS (docs/own-machine.md). Everything that it writes to its output is JSON, a line each.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Cron } from 'croner'
import type { WorkerBundle } from '../build.ts'
import { type LocalServer, startLocalServer } from '../local-server.ts'
import { makeSetUpLink } from '../organizations.ts'
import { settingsFrom } from '../settings.ts'
import { answerCopies } from './copy-requests.ts'

/** What a release consists of: the Worker, and the folder of the page. */
export interface Release {
  readonly bundle: WorkerBundle
  readonly page: string
}

export interface ServingOptions extends Release {
  readonly stateDir: string
  readonly listen: string
  readonly port: number
  /** The host name for which a link is printed while there is no organization. */
  readonly host: string | undefined
}

export interface Serving {
  /** Ends the server in order: requests and polls are answered, and texts written. */
  end(): Promise<void>
}

type MiniflareWorker = Awaited<ReturnType<LocalServer['runtime']['getWorker']>>

interface ScheduledWorker {
  scheduled(event: { readonly cron: string; readonly scheduledTime: Date }): Promise<unknown>
}

/** Milliseconds that the Worker has to end in order (src/own-machine/worker.ts) before it is killed. */
const END_MS = 10_000
/** Milliseconds after which the process exits in any case: what is unfinished is done at the next start. */
const MOST_MS = 15_000

/** Serves until it is ended, by its caller or a signal. */
export async function serve(options: ServingOptions): Promise<Serving> {
  const endKey = randomBytes(32).toString('hex')
  const began = performance.now()
  const server = await startLocalServer({
    bundle: options.bundle,
    page: options.page,
    port: options.port,
    host: options.listen,
    stateDir: options.stateDir,
    vars: {
      LOG: 'all',
      ...settingsFrom(process.env),
      TRUSTED_PROXIES: process.env.TRUSTED_PROXIES ?? '',
      END_KEY: endKey,
    },
  })
  const crons = startCrons(server, options.bundle)
  answerCopies(server)
  say('The server listens', {
    url: server.url,
    state: server.stateDir,
    ready_ms: Math.round(performance.now() - began),
  })
  if (options.host !== undefined) await offerSetUp(server, options.host)
  const end = async () => {
    for (const cron of crons) cron.stop()
    await endInOrder(server, endKey)
    await server.stop()
  }
  endOnSignals(end)
  return { end }
}

function endOnSignals(end: () => Promise<void>): void {
  let isEnding = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Miniflare would kill workerd at once. It still does when this process exits.
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (!isEnding) void Promise.race([end(), setTimeout(MOST_MS)]).finally(() => process.exit(0))
      isEnding = true
    })
  }
}

/** Writes a line of the log. */
function say(what: string, facts: object = {}): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), level: 'info', what, ...facts }))
}

/** Has polls answered and texts written, unless that takes too long. Nothing is lost then either: it is done at the next start. */
async function endInOrder(server: LocalServer, endKey: string): Promise<void> {
  try {
    await fetch(`${server.url}/own-machine/end`, {
      headers: { 'x-own-machine-key': endKey },
      signal: AbortSignal.timeout(END_MS),
    })
  } catch (error) {
    say('The server does not end in order', { error: String(error) })
  }
}

/** Runs what wrangler.toml has the platform run at times: Miniflare does not. */
function startCrons(server: LocalServer, { workerOptions }: WorkerBundle): Cron[] {
  const { cronTriggers = [] } = workerOptions as { cronTriggers?: readonly string[] }
  return cronTriggers.map(
    (cron) =>
      new Cron(cron, { timezone: 'UTC', protect: true }, async () => {
        const worker = (await server.runtime.getWorker()) as MiniflareWorker & ScheduledWorker
        await worker.scheduled({ cron, scheduledTime: new Date() })
      }),
  )
}

/** Prints a link that founds the first organization, as long as there is none. */
async function offerSetUp(server: LocalServer, host: string): Promise<void> {
  const database = await server.runtime.getD1Database('DB')
  const known = await database.prepare('SELECT 1 FROM realm LIMIT 1').first()
  if (known) return
  const link = await makeSetUpLink(`https://${host}`, host, (sql) => database.prepare(sql).run())
  say('Found your organization with this link, once, within a week', { link })
}
