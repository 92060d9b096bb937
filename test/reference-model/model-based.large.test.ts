import fc, { type RunDetails } from 'fast-check'
import { it } from 'vitest'
import { differencesOf } from './check-run.ts'
import { type Action, actions, perform } from './commands/index.ts'
import { startRun } from './model-run.ts'
import { useModelServer } from './use-model-server.ts'

/**
 * `SEED=` repeats what a seed did; `SEQUENCES=` says how many (npm run test:nightly: at least 1,000; `npm test`, which has little
 * time: 4); `REPLAY=` goes straight to the sequence that a failed run found, which it names.
 */
const { REPLAY } = process.env
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const SEQUENCES = Number(process.env.SEQUENCES ?? (process.env.WHOLE_SUITE ? 4 : 10))

/** The time for making a failing sequence as short as possible. */
const SHRINKING_MS = 120_000

const nextOrganization = useModelServer()

/** The actions of the last sequence that failed; the shortest one when fast-check is done. */
let account: readonly string[] = []
let failedAt = 0

async function check(sequence: readonly Action[]): Promise<void> {
  const run = await startRun(await nextOrganization())
  let differences: readonly string[]
  try {
    for (const action of sequence) await perform(run, action)
    differences = await differencesOf(run)
  } catch (error) {
    differences = [error instanceof Error && error.cause ? `${error} (${error.cause})` : String(error)]
  }
  if (differences.length === 0) return
  account = ['What was done:', ...run.done, '', 'The server | the model:', ...differences]
  failedAt ||= Date.now()
  throw new Error(differences[0])
}

/** When it is short enough, or the time is up, no more sequences are tried. */
function checkInTime(sequence: readonly Action[]): Promise<void> {
  return failedAt > 0 && Date.now() - failedAt > SHRINKING_MS ? Promise.resolve() : check(sequence)
}

async function report(details: RunDetails<[readonly Action[]]>): Promise<void> {
  const { failed, seed, counterexamplePath, numRuns, numShrinks } = details
  if (!failed) return
  const again = `SEED=${seed} REPLAY=${counterexamplePath} npx vitest run --project node test/reference-model/model-based.large.test.ts`
  const found = `Sequence ${numRuns} fails; shortened ${numShrinks} times. Again: ${again}`
  throw new Error([found, '', ...account].join('\n'))
}

it(
  `${SEQUENCES} sequences leave users with what the model expects`,
  async () => {
    console.log(`SEED=${SEED} SEQUENCES=${SEQUENCES}`)
    const from = REPLAY === undefined ? {} : { path: REPLAY, endOnFailure: true }
    await fc.assert(fc.asyncProperty(actions, checkInTime), {
      seed: SEED,
      numRuns: SEQUENCES,
      asyncReporter: report,
      ...from,
    })
  },
  SEQUENCES * 20_000 + 2 * SHRINKING_MS,
)
