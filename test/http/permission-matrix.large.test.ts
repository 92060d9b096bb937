import { describe, expect, it } from 'vitest'
import { BY_DESTINATION, OF_DESTINATION, PEOPLE } from '../permission-matrix/cast.ts'
import { inspectTable, twoOfAKind } from '../permission-matrix/inspect-table.ts'
import { ALL_ENDPOINTS, expectedOf, isVisit, readTable } from '../permission-matrix/read-table.ts'
import { REFUSALS } from '../permission-matrix/refusals.ts'
import { REQUESTS, VISITS } from '../permission-matrix/requests.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { routesBesideEndpoints } from '../support/inside-router.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'

/*
 * The table of permissions (test/permission-matrix/table.ts) compared with the server: every row for each of its
 * destinations, over HTTP, as two of each kind of actor that the row distinguishes. test/http/permission-matrix-in-full.long.test.ts
 * makes the requests as all actors, and test/http/permission-matrix-by-browser.long.test.ts below /json, from browsers that
 * are logged in.
 */

const TABLE = readTable()

neverEvict()
// Without D1, a key of another organization counts as unknown.
useReliableD1()

describe('the permission matrix', () => inspectTable(twoOfAKind))

/** Names of parameters that mean a channel, or messages at some destination. */
const OF_A_DESTINATION =
  /^(stream|message|narrow|subscriptions|messages|msg_ids|message_ids|subscription_data|drafts|to)$|^stream_(ids?|names)$|^(message|channel)_id$|_(stream|channel)_id$|^default_sending_stream$/

/** Endpoints that have such a parameter, but whose rows have no destinations, with the reason. */
const AT_NO_DESTINATION: Readonly<Record<string, string>> = {
  'create-default-stream-group': 'as update-default-stream-group-channels',
  'edit-draft': "the author's alone; into a channel that they have left, in drafts.test.ts",
  'edit-scheduled-message':
    "the author's alone; into a channel that they have left, in scheduled-messages.test.ts",
  'erase-user': 'messages: whether they stay',
  'get-events': 'registers as register-queue does',
  'summarize-messages': 'is not there',
  'update-bot': 'as create-bot; with a channel that the owner has left, in update-bot.test.ts',
}

// A row of table.ts is for what the declaration of an operation does not say; parameters are in requests.ts. Then `npm run permissions`.
describe('the table of permissions', () => {
  const operations = new Set(TABLE.map(({ operation }) => operation))

  it('has every endpoint, and nothing that is none', () => {
    const api = [...operations].filter((operation) => !/^[A-Z]+ \//.test(operation))
    expect(api.toSorted()).toEqual(ALL_ENDPOINTS.map(({ operation }) => operation).toSorted())
  })

  it('has every route outside the API', () => {
    const routes = routesBesideEndpoints()
      .map(({ method, path }) => `${method} ${path || '/'}`)
      // The list of endpoints, HEAD wherever there is GET, and addresses without an endpoint.
      .filter((route) => !/^(ALL \/api\/v1\/|ALL \/json\/|HEAD )/.test(route) && !/^\w+ \*$/.test(route))
    const visits = [...operations].filter((operation) => /^[A-Z]+ \//.test(operation))
    expect(visits.toSorted()).toEqual(routes.toSorted())
  })

  it('has a row for every request, and a visit for every row outside the API', () => {
    const rows = new Set(TABLE.map(({ name }) => name))
    expect(Object.keys(REQUESTS).filter((name) => !rows.has(name))).toEqual([])
    const visits = TABLE.filter(isVisit).map(({ name }) => name)
    expect(Object.keys(VISITS).toSorted()).toEqual(visits.toSorted())
  })

  it('uses every word and every refusal that is defined', () => {
    const words = TABLE.flatMap(({ needs, shows, visitors }) => [
      ...needs.flatMap((need) => need.words),
      ...(shows ?? []),
      ...(visitors?.words ?? []),
    ])
    const refusals = TABLE.flatMap(({ needs, visitors }) => [
      ...needs.map(({ refusal }) => refusal),
      ...(visitors?.refusal ? [visitors.refusal] : []),
    ])
    const withoutAccount = (['deactivated', 'other organization', 'anonymous'] as const).map((actor) =>
      expectedOf(TABLE[0]!, actor, 'public'),
    )
    const defined = [PEOPLE, BY_DESTINATION, OF_DESTINATION].flatMap((those) => Object.keys(those))
    expect([...new Set(words)].toSorted()).toEqual(defined.toSorted())
    expect([...new Set([...refusals, ...withoutAccount])].toSorted()).toEqual(
      Object.keys(REFUSALS).toSorted(),
    )
  })

  it('asks whatever is about channels or messages at all their destinations', () => {
    const about = ({ params }: Endpoint) => Object.keys(params).some((name) => OF_A_DESTINATION.test(name))
    const placed = new Set(TABLE.filter(({ destinations }) => destinations).map(({ operation }) => operation))
    const missing = ENDPOINTS.filter(about)
      .map(({ operation }) => operation)
      .filter((operation) => !placed.has(operation) && !(operation in AT_NO_DESTINATION))
    expect(missing).toEqual([])
  })
})
