import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LocalServer } from '../../scripts/local-server.ts'
import { differencesOf } from './check-run.ts'
import { actions, perform } from './commands.ts'
import { type LocalOrganization, openOrganization, startModelServer, succeed } from './local-organization.ts'
import { startRun, WITHOUT_POLICIES } from './model-run.ts'

/** `SEED=` repeats what a seed did; `SEQUENCES=` says how many (npm run test:nightly: at least 1,000). */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const SEQUENCES = Number(process.env.SEQUENCES ?? 50)

/** A directory that grows for ever would be what is measured. */
const SEQUENCES_IN_ONE_ORGANIZATION = 10

let server: LocalServer
beforeAll(async () => {
  server = await startModelServer()
}, 60_000)
afterAll(() => server?.stop())

let organization: LocalOrganization
let begun = 0

async function nextOrganization(): Promise<LocalOrganization> {
  if (begun % SEQUENCES_IN_ONE_ORGANIZATION === 0) {
    organization = await openOrganization(server)
    await succeed(organization.owner, 'PATCH', '/realm/user_settings_defaults', WITHOUT_POLICIES)
    await succeed(organization.owner, 'PATCH', '/settings', WITHOUT_POLICIES)
  }
  begun += 1
  return organization
}

it(
  `${SEQUENCES} sequences leave users with what the model says`,
  async () => {
    console.log(`SEED=${SEED} SEQUENCES=${SEQUENCES}`)
    await fc.assert(
      fc.asyncProperty(actions, async (sequence) => {
        const run = await startRun(await nextOrganization())
        for (const action of sequence) await perform(run, action)
        expect(await differencesOf(run)).toEqual([])
      }),
      { seed: SEED, numRuns: SEQUENCES, endOnFailure: true, interruptAfterTimeLimit: SEQUENCES * 20_000 },
    )
  },
  SEQUENCES * 30_000,
)
