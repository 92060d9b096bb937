import { runDurableObjectAlarm } from 'cloudflare:test'
import { applyEvent } from '../reference-model/apply-event.ts'
import { type ClientState, openClient } from '../reference-model/client-state.ts'
import { compareStates } from '../reference-model/comparable-state.ts'
import { differencesBetween } from '../reference-model/differences.ts'
import { type ClientQueue, succeed } from '../reference-model/person.ts'
import { accountsInD1, expectedAccounts } from '../support/accounts-in-d1.ts'
import { realmStub } from '../support/api.ts'
import { bodyDatabase } from '../support/body-database.ts'
import type { TestRealm } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import type { Json } from '../support/json.ts'
import { stopObject } from '../support/stop-object.ts'
import { world } from '../support/world.ts'
import type { FaultRun } from './actions.ts'
import type { PatientPerson } from './patient-person.ts'

/** A client that has listened to everything: its state, and the messages in their order of arrival. */
export interface Listener {
  readonly person: PatientPerson
  readonly queue: ClientQueue
  readonly state: ClientState
  readonly heard: number[]
}

/** Gets the events that wait for a client and applies them to its state. */
export async function listen(
  { queue, state, heard }: Listener,
  options: { wait?: boolean } = {},
): Promise<void> {
  for (const event of await queue.events(options)) {
    applyEvent(state, event)
    if (event.type === 'message') heard.push(event.message.id)
  }
}

/** Number of rounds of the alarm, enough for everything that was put off. */
const ROUNDS = 60

/** Lets the organization finish its pending work without any faults; returns whether nothing is left. */
async function settle(realm: TestRealm): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    // Wakes the object, if it was stopped.
    await inRealm(realm, () => {})
    await runDurableObjectAlarm(realmStub(realm.id))
    if ((await unfinished(realm)).length === 0) return true
    await scheduler.wait(20)
  }
  return false
}

/** A message may be sent ten minutes late. */
const STEP_SECONDS = 300

/** Moves the clock to this distance from the platform's clock (seconds), with alarms as they come due. */
export async function passTime(realm: TestRealm, until: number): Promise<void> {
  // An alarm that was lost is set again when the object wakes up, as it does after each deployment.
  await inRealm(realm, (_, state) => stopObject(state, 'the end of the faults')).catch(() => {})
  while (world.clockOffset < until) {
    world.clockOffset += STEP_SECONDS
    await inRealm(realm, () => {})
    await runDurableObjectAlarm(realmStub(realm.id))
  }
}

/** Returns descriptions of due jobs and of writes that D1 does not have. */
async function unfinished(realm: TestRealm): Promise<string[]> {
  return inRealm(realm, ({ parts }) => {
    const { sql, projector } = parts
    const jobs = sql
      .all<{ kind: string; key: string }>(
        `SELECT kind, key FROM job WHERE due_at <= ?`,
        Math.floor(parts.now()),
      )
      .map(({ kind, key }) => `the job ${kind} ${key} is due`)
    const writes = sql.all(`SELECT id FROM log WHERE id > ? AND writes IS NOT NULL`, projector.projected)
    return writes.length === 0 ? jobs : [...jobs, `D1 lacks ${writes.length} entries`]
  })
}

/** Returns descriptions of everything that is wrong after a run. No faults may happen meanwhile. */
export async function findingsOf(
  run: FaultRun,
  realm: TestRealm,
  listeners: readonly Listener[],
): Promise<string[]> {
  const findings = [
    ...(await stuck(realm)),
    ...(await lostOrDoubled(run, listeners)),
    ...(await personalThings(run)),
    ...(await filesAndMail(run, realm)),
    ...(await missingInD1(realm)),
    ...(await differentAccounts(realm)),
  ]
  for (const listener of listeners)
    findings.push(...(await differencesOf(listener)), ...(await miscounted(listener)))
  return findings
}

async function stuck(realm: TestRealm): Promise<string[]> {
  return (await settle(realm)) ? [] : ['After a while of calm: ', ...(await unfinished(realm))]
}

async function lostOrDoubled(run: FaultRun, listeners: readonly Listener[]): Promise<string[]> {
  const findings: string[] = []
  const byContent = new Map<string, number[]>()
  for (const { person } of listeners) {
    for (const { id, content } of await allMessages(person, { apply_markdown: false })) {
      const ids = byContent.get(content) ?? []
      if (!ids.includes(id)) byContent.set(content, [...ids, id])
    }
  }
  for (const [id, content] of run.said) {
    const ids = byContent.get(content) ?? []
    if (ids.join() !== String(id))
      findings.push(`Message ${id} was acknowledged, and is found as [${ids.join()}]`)
  }
  for (const content of run.scheduled) {
    const { length } = byContent.get(content) ?? []
    if (length !== 1) findings.push(`A scheduled message was sent ${length} times`)
  }
  for (const ids of byContent.values()) {
    for (const id of ids) if (run.deleted.has(id)) findings.push(`Message ${id} was deleted, and is there`)
  }
  for (const { heard, person } of listeners) {
    const isInOrder = heard.every((id, index) => index === 0 || id > heard[index - 1]!)
    if (!isInOrder) findings.push(`${person.id} heard of messages in the order ${heard.join()}`)
  }
  return findings
}

async function personalThings(run: FaultRun): Promise<string[]> {
  const found: string[] = []
  for (const person of run.people) {
    const { drafts } = await succeed(person, 'GET', '/drafts')
    found.push(...drafts.map(({ content }: Json) => `${person.id} ${content}`))
  }
  return run.drafts
    .filter((draft) => found.filter((one) => one === draft).length !== 1)
    .map((draft) => `A draft is not there once: ${draft}`)
}

async function filesAndMail(run: FaultRun, realm: TestRealm): Promise<string[]> {
  const findings: string[] = []
  for (const [url, { content, owner }] of run.files) {
    const read = await owner.read(url)
    if (read !== content) findings.push(`The file ${url} reads ${read.slice(0, 100)}`)
  }
  const { sent, waiting } = await inRealm(realm, ({ parts }) => ({
    sent: parts.sql.all<{ recipient: string }>(`SELECT recipient FROM email WHERE sent_at IS NOT NULL`),
    waiting: parts.sql.all(`SELECT id FROM email WHERE sent_at IS NULL`),
  }))
  const reached = new Set(sent.map(({ recipient }) => recipient))
  for (const email of run.invited) if (!reached.has(email)) findings.push(`${email} has got no mail`)
  if (waiting.length > 0) findings.push(`${waiting.length} mails wait`)
  return findings
}

/** The index and the bodies must have the same messages, and the search as many. */
async function missingInD1(realm: TestRealm): Promise<string[]> {
  const index = await inRealm(realm, ({ parts }) =>
    parts.sql.all<{ id: number }>(`SELECT id FROM message_index ORDER BY id`).map(({ id }) => id),
  )
  const { results } = await bodyDatabase
    .prepare('SELECT message_id AS id FROM message_body WHERE realm_id = ? ORDER BY id')
    .bind(realm.id)
    .all<{ id: number }>()
  const bodies = results.map(({ id }) => id)
  return index.join() === bodies.join() ? [] : [`The index has [${index.join()}], D1 has [${bodies.join()}]`]
}

async function differentAccounts(realm: TestRealm): Promise<string[]> {
  const [stored, expected] = [await accountsInD1(realm), await expectedAccounts(realm)]
  return differencesBetween(stored, expected).map((one) => `accounts, D1 | the object: ${one}`)
}

async function differencesOf(listener: Listener): Promise<string[]> {
  const { person, state } = listener
  await listen(listener)
  const fresh = await openClient(person, state.form)
  const { applied, fresh: expected } = compareStates(state, fresh.state)
  await fresh.queue.end()
  return differencesBetween(applied, expected).map((one) => `${person.id}, events | snapshot: ${one}`)
}

/** Compares the snapshot's unread messages with the flags of all messages and with a narrow; returns the differences. */
async function miscounted({ person, state }: Listener): Promise<string[]> {
  const { unread_msgs } = await succeed(person, 'POST', '/register', {
    ...state.form.options,
    fetch_event_types: ['message', 'update_message_flags'],
    client_capabilities: state.form.capabilities,
  })
  const listed = ['streams', 'pms', 'huddles'].flatMap((kind) =>
    unread_msgs[kind].flatMap((one: Json) => one.unread_message_ids),
  )
  const idsOf = (messages: Json[]) => messages.map(({ id }: Json) => id)
  const flagged = idsOf((await allMessages(person)).filter(({ flags }) => !flags.includes('read')))
  const narrowed = idsOf(await allMessages(person, { narrow: [{ operator: 'is', operand: 'unread' }] }))
  const ascending = (ids: number[]) => ids.sort((a, b) => a - b).join()
  const counts = [ascending(listed), ascending(flagged), ascending(narrowed)]
  return new Set(counts).size === 1
    ? []
    : [`${person.id} has unread: register [${counts[0]}], flags [${counts[1]}], narrow [${counts[2]}]`]
}

async function allMessages(person: PatientPerson, params: Json = {}): Promise<Json[]> {
  const page = { anchor: 'newest', num_before: 5_000, num_after: 0, ...params }
  return (await succeed(person, 'GET', '/messages', page)).messages
}
