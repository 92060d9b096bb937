/** Sets up the participants of the hostile bench, in an organization of a thousand people or of any size. */
import { ApiClient } from '../scripts/api-client.ts'
import { type SeedSize, seededEmail } from '../scripts/seed-organization.ts'
import { SeedPlan } from '../src/dev/seed/seed-plan.ts'
import { type HostileCase, statusOf } from './attacker.ts'
import { accountOf } from './hostile-chat.ts'
import { buildLarge, type LargeOrganization } from './large.ts'
import { buildBenchOrganization } from './organization.ts'
import type { ServerInParts } from './parts.ts'
import { validRequests } from './valid-requests.ts'

/** Who takes part. */
export interface HostileScene {
  /** Two users who write to each other. */
  readonly others: readonly [ApiClient, ApiClient]
  /** A plain member. */
  readonly attacker: ApiClient
  /** Requests that succeed in a large organization. */
  readonly valid: readonly HostileCase[]
}

/** An organization of a thousand people, in which the attacker is in one channel. */
export async function smallScene(server: ServerInParts): Promise<HostileScene> {
  const { client } = await buildBenchOrganization(server)
  const member = (index: number) => client.logIn(`person-${index}@example.com`)
  const others = [await member(0), await member(1)] as const
  return { others, attacker: atSecond(server, await member(2)), valid: [] }
}

/** Returns a client of the same account for the Worker that the others do not use. */
function atSecond({ secondUrl }: ServerInParts, client: ApiClient): ApiClient {
  return new ApiClient(secondUrl, accountOf(client))
}

/** A seeded organization of any size, with the attacker in all of its channels. */
export async function largeScene(server: ServerInParts, size: SeedSize): Promise<HostileScene> {
  const built = await buildLarge(server, size)
  return sceneIn(server, size, built)
}

async function sceneIn(
  server: ServerInParts,
  size: SeedSize,
  { owner: byOthers, seeded, realmId }: LargeOrganization,
): Promise<HostileScene> {
  const person = (number: number) => byOthers.logIn(seededEmail(number))
  const owner = atSecond(server, byOthers)
  const member = atSecond(server, await person(ATTACKER))
  await joinAll(size, seeded.firstUserId + ATTACKER, owner)
  const evict = () => server.evictRealm(realmId)
  const valid = validRequests({ size, seeded, owner, member }).flatMap(({ name, prepare }) => [
    { name: `${name}, valid`, prepare },
    {
      name: `${name}, valid, after an eviction`,
      prepare: async () => {
        const ask = await prepare()
        await untilDone(evict)
        return ask
      },
      begin: () => untilDone(evict),
    },
  ])
  return {
    others: [await person(0), await person(1)],
    attacker: member,
    valid: valid.map(({ prepare, ...one }) => {
      let ask: () => Promise<Response>
      return {
        ...one,
        prepare: async () => {
          ask = await prepare()
        },
        attack: async () => ({ [await statusOf(ask)]: 1 }),
      }
    }),
  }
}

/** The number of tries of an eviction: an object with work of its own, such as mail for ten thousand people, cannot be evicted. */
const TRIES = 30

async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      if (tried === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

/** The number of a seeded person who is neither a guest nor a moderator. */
const ATTACKER = 2

/** A member of a private channel adds the user. */
async function joinAll(size: SeedSize, userId: number, owner: ApiClient): Promise<void> {
  const plan = new SeedPlan(size)
  const numbers = Array.from({ length: size.channels }, (_, at) => at)
  const byAdder = Map.groupBy(numbers, (number) => {
    const { isPrivate, members } = plan.channel(number)
    return isPrivate ? members.find((one) => plan.person(one).role !== 600) : -1
  })
  for (const [adder, channels] of byAdder) {
    if (adder === undefined) continue
    const client = adder === -1 ? owner : await owner.logIn(seededEmail(adder))
    const subscriptions = channels.map((number) => ({ name: plan.channel(number).name }))
    await client.call('POST', '/users/me/subscriptions', { subscriptions, principals: [userId] })
  }
}
