/** What `npm run preflight -- --remote` checks besides, of what only the platform has. */
import { setTimeout } from 'node:timers/promises'
import type { CloudflareAccount, Jurisdiction } from '../cloudflare-account.ts'
import type { Config } from '../deployment-config.ts'
import { type Checked, expectThat, openQueue, poll, send } from './steps.ts'

/** A deployment in an account. */
export interface Deployed {
  readonly account: CloudflareAccount
  readonly config: Config
  readonly jurisdiction: Jurisdiction
  /** Deploys another version of the same code. */
  deployAgain(): Promise<unknown>
}

interface PlatformCheck {
  readonly name: string
  /** As that of other checks. */
  run(on: Checked, deployed: Deployed): Promise<unknown>
}

/** Sends all the time while something is done, and expects everything that was acknowledged, once. */
async function sendWhile({ owner }: Checked, text: string, work: () => Promise<unknown>): Promise<string> {
  const queue = await openQueue(owner)
  const sent: string[] = []
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  // It is awaited below; until then a failure is nobody's.
  working.catch(() => {})
  for (let number = 1; !isOver; number += 1) {
    const content = `${text} ${number}.`
    // A send that was not acknowledged may be there or not.
    await send(owner, content).then(
      () => sent.push(content),
      () => {},
    )
    await setTimeout(500)
  }
  await working
  const heard: string[] = []
  const timesHeard = (content: string) => heard.filter((one) => one.includes(content)).length
  for (let polls = 0; polls < 20 && sent.some((content) => timesHeard(content) === 0); polls += 1) {
    heard.push(...(await poll(owner, queue)))
  }
  const wrong = sent.filter((content) => timesHeard(content) !== 1)
  expectThat(
    wrong.length === 0,
    `${wrong.length} of ${sent.length} acknowledged messages did not come, or twice`,
  )
  expectThat(sent.length > 0, 'no message was acknowledged')
  return `${sent.length} messages`
}

export const PLATFORM_CHECKS: readonly PlatformCheck[] = [
  {
    name: 'the Worker has all its bindings, and a key for secrets',
    run: async (_on, { account, config }) => {
      const bound = await account.bindingsOf(config.name)
      const wanted = [
        ...config.d1_databases.map(({ binding }) => binding),
        ...config.durable_objects.bindings.map(({ name }) => name),
      ]
      const missing = wanted.filter((name) => !bound?.has(name))
      expectThat(missing.length === 0, `it lacks ${missing.join(', ')}`)
      expectThat((await account.secretsOf(config.name)).includes('SECRETS_KEY'), 'it has no SECRETS_KEY')
      return bound?.has('UPLOADS') ? 'files are in R2' : 'files are in D1'
    },
  },
  {
    name: 'D1 has read replication',
    run: async (_on, { account, config }) => {
      for (const database of await databasesOf(account, config)) {
        expectThat(await account.isReplicated(database), `${database.name} has none`)
      }
    },
  },
  {
    name: 'databases and buckets are in the jurisdiction',
    run: async (_on, { account, config, jurisdiction }) => {
      for (const { name, jurisdiction: place } of await databasesOf(account, config)) {
        expectThat((place ?? undefined) === jurisdiction, `${name} is in ${place ?? 'none'}`)
      }
      for (const { bucket_name: name } of (await account.hasR2()) ? (config.r2_buckets ?? []) : []) {
        expectThat(await account.hasBucket(name, jurisdiction), `${name} is elsewhere`)
      }
      return jurisdiction ?? 'none was asked for'
    },
  },
  {
    name: 'sends go on while a version is deployed, and none is lost',
    run: (on, { deployAgain }) => sendWhile(on, 'while deploying', deployAgain),
  },
  {
    name: 'two versions at once serve everybody, and none is lost',
    run: async (on, { account, config, deployAgain }) => {
      const earlier = await account.newestVersion(config.name)
      await deployAgain()
      const later = await account.newestVersion(config.name)
      expectThat(earlier !== later, 'no other version was deployed')
      return sendWhile(on, 'two versions', async () => {
        await account.serve(config.name, { [earlier]: 50, [later]: 50 })
        await setTimeout(on.pollMinutes > 0 ? 30_000 : 3_000)
        await account.serve(config.name, { [later]: 100 })
      })
    },
  },
  {
    name: 'an earlier version comes back, and none is lost',
    run: async (on, { account, config, deployAgain }) => {
      const earlier = await account.newestVersion(config.name)
      await deployAgain()
      return sendWhile(on, 'going back', async () => {
        await account.serve(config.name, { [earlier]: 100 })
        expectThat((await account.newestVersion(config.name)) === earlier, 'the later one is still there')
        await setTimeout(on.pollMinutes > 0 ? 30_000 : 3_000)
      })
    },
  },
]

async function databasesOf(account: CloudflareAccount, { d1_databases }: Config) {
  const names = new Set(d1_databases.map(({ database_name: name }) => name))
  const found = (await account.databases()).filter(({ name }) => names.has(name))
  expectThat(found.length === names.size, `the account has ${found.length} of ${names.size} databases`)
  return found
}
