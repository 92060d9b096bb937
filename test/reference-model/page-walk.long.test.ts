import fc from 'fast-check'
import { it } from 'vitest'
import { type Action, actions, perform } from './commands/index.ts'
import { startRun } from './model-run.ts'
import {
  catchUp,
  look,
  openWalkingPage,
  unreadDifferences,
  type WalkingPage,
  windowDifferences,
} from './page-walk.ts'
import type { ModelMessage, ReferenceModel } from './reference-model.ts'
import { useModelServer } from './use-model-server.ts'

/** `SEED=` repeats a run; `SEQUENCES=` says how long it is (npm run test:nightly: 200). */
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const SEQUENCES = Number(process.env.SEQUENCES ?? 12)
const nextOrganization = useModelServer()

async function walk(sequence: readonly Action[]): Promise<void> {
  const run = await startRun(await nextOrganization())
  const pages = new Map<number, WalkingPage>()
  for (const action of sequence) {
    for (const person of [run.boss, ...run.people]) {
      if (!run.clients.has(person.id)) pages.delete(person.id)
      else if (!pages.has(person.id)) pages.set(person.id, await openWalkingPage(person))
    }
    const looking = [...pages.values()][action.what % pages.size]!
    await look(looking, { where: action.where, how: action.who + action.what })
    await perform(run, action)
    for (const page of pages.values()) {
      if (!run.clients.has(page.person.id)) continue
      await catchUp(page)
      const differences = await unreadDifferences(page)
      if (page === looking) {
        // docs/interface/messages.md#edit-or-move-a-message: no event is about a message that the user never received, wherever it moves.
        const isReported = (id: number) => {
          const message = run.model.messages.get(id)
          return message !== undefined && isSentTo(run.model, message, page.person.id)
        }
        differences.push(...(await windowDifferences(page, isReported)))
      }
      if (differences.length > 0) {
        throw new Error([...differences, '', 'What was done:', ...run.done].join('\n'))
      }
    }
  }
}

function isSentTo(model: ReferenceModel, message: ModelMessage, userId: number): boolean {
  const { channelId, records, found, given } = message
  if (!records.has(userId) || found.has(userId) || given.has(userId)) return false
  return channelId === undefined || model.channels.get(channelId)!.subscribers.has(userId)
}

it(
  `the page counts as the server does after every step of ${SEQUENCES} walks`,
  async () => {
    console.log(`SEED=${SEED} SEQUENCES=${SEQUENCES}`)
    await fc.assert(fc.asyncProperty(actions, walk), { seed: SEED, numRuns: SEQUENCES, endOnFailure: true })
  },
  SEQUENCES * 30_000,
)
