import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { addChannels } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'

import { ABSENT, hide } from './absent-and-hidden/hidden-things.ts'
import { type Ask, asksFor, ownFields, shown } from './absent-and-hidden/requests.ts'
import {
  type Fields,
  isGroupSetting,
  LOOKS_LIKE_A_NAME,
  type Name,
  type Names,
  NO_THINGS,
  SHOWN,
  WAYS,
  ways,
} from './absent-and-hidden/ways-to-name.ts'

/** Names are unique: a user who may name a channel learns that a name is taken, and nothing more (docs/decisions/interface.md#stricter-than-the-public-server). */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  'update-stream': ['new_name'],
  subscribe: ['subscriptions'],
  'update-subscriptions': ['add'],
  // The same holds for addresses, which only administrators can try.
  'create-user': ['email'],
}

/** The address of a file reveals that the file exists, but nobody can guess it (reference: 404 and 403). */
const UNGUESSABLE = 'filename'

const { realm, ann, ben, member, guest, ofMember, ofGuest } = useRealm(
  { ann: { email: 'zqx-hidden@example.com' }, ben: 'member', member: 'member', guest: 'guest' },
  { channels: { ofMember: ['owner', 'member'], ofGuest: ['owner', 'guest'] } },
)
let hidden: Names

const { realm: elsewhere, ofOwner } = useRealm({}, { channels: { ofOwner: ['owner'] } })

// A file of thousands of requests: an eviction before each would take minutes.
neverEvict()
beforeAll(async () => {
  // Ids of the other organization must not equal ids of this one by chance.
  await addChannels(
    realm,
    Array.from({ length: 8 }, (_, at) => `noise ${at}`),
  )
  for (let n = 0; n < 60; n += 1) await sendTo(ann, 'general', 'noise')
  hidden = await hide({ realm, ann, ben })
})

const NAMING = ENDPOINTS.filter(({ params }) => Object.keys(params).some((name) => ways(name).length > 0))

it('every parameter that looks like an id or a name is in the table', () => {
  const names = new Set(ENDPOINTS.flatMap(({ params }) => Object.keys(params)))
  const unknown = [...names].filter(
    (name) => LOOKS_LIKE_A_NAME.test(name) && ways(name).length === 0 && !NO_THINGS.has(name),
  )
  expect(unknown).toEqual([])
  expect(Object.keys(WAYS).filter((name) => !names.has(name))).toEqual([])
  expect(NAMING.length).toBeGreaterThan(90)
})

const ASKERS = [
  ['a member who is not in it', () => member, ofMember, false],
  ['a guest', () => guest, ofGuest, false],
  ['the owner of another organization', () => elsewhere.owner, ofOwner, true],
] as const

describe.each(ASKERS)(
  'absent and hidden are the same bytes for %s',
  (_who, asker, ownChannel, isElsewhere) => {
    let own: Fields
    let compared = 0
    beforeAll(async () => {
      const channel = ownChannel.id
      own = ownFields({ channel, message: await sendTo(asker(), channel, 'x', 'my own') })
    })

    /** Returns what differs in the answers about a thing that is hidden, and about none. */
    async function differencesIn(endpoint: Endpoint, parameter: string): Promise<string[]> {
      const differing: string[] = []
      for (const { kind, give } of ways(parameter)) {
        if ((SHOWN.has(kind) || parameter === UNGUESSABLE) && !isElsewhere) continue
        const [there, nowhere] = [hidden, ABSENT].map((names) =>
          asksFor(endpoint, own, give(names[kind])),
        ) as [Ask[], Ask[]]
        // There are many settings, and all are read in one way: each is tried alone.
        const asks = isGroupSetting(parameter) ? there.slice(0, 1) : there
        for (const [index, ask] of asks.entries()) {
          const other = nowhere[index]!
          const seen = await asker().api.request(endpoint.method, ask.path, ask.fields)
          const unseen = await asker().api.request(endpoint.method, other.path, other.fields)
          compared += 1
          const [a, b] = [shown(seen, hidden[kind]), shown(unseen, ABSENT[kind])]
          if (a !== b) differing.push(`${parameter} (${kind}):\n  ${a.slice(0, 300)}\n  ${b.slice(0, 300)}`)
        }
      }
      return differing
    }

    it.each(NAMING.map((endpoint) => [endpoint.operation, endpoint] as const))(
      '%s',
      async (operation, endpoint) => {
        const differing: string[] = []
        for (const parameter of Object.keys(endpoint.params)) {
          if (TAKEN[operation]?.includes(parameter)) continue
          differing.push(...(await differencesIn(endpoint, parameter)))
        }
        expect(differing).toEqual([])
      },
    )

    it('hundreds of pairs were compared', () => {
      expect(compared).toBeGreaterThan(isElsewhere ? 400 : 200)
    })
  },
)

it('a user who may not create channels cannot detect hidden ones by name', async () => {
  const nobody = { new: 3 }
  const closed = { can_create_public_channel_group: nobody, can_create_private_channel_group: nobody }
  expectSuccess(await realm.owner.api.patch('/realm', closed))
  const asks: ((name: Name) => [string, string, Fields])[] = [
    (name) => ['POST', '/channels/create', { name, subscribers: [] }],
    (name) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name }] }],
    (name) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true }],
    (name) => [
      'POST',
      '/users/me/subscriptions',
      { subscriptions: [{ name }], authorization_errors_fatal: false },
    ],
    (name) => ['PATCH', '/users/me/subscriptions', { add: [{ name }] }],
  ]
  for (const user of [member, guest]) {
    for (const ask of asks) {
      const [a, b] = [hidden.channelName, ABSENT.channelName].map(async (name) =>
        shown(await user.api.request(...ask(name)), name),
      )
      expect(await a).toBe(await b)
      expect(await a).toMatch(/^400 /)
    }
  }
})
