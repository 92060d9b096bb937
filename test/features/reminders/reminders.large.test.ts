import { expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { insertReminder } from '../../support/inside-rows.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { idsIn, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

const MORE = 30
const PAUSE = 300

/** An organization in which a user has more reminders about one message than one commit removes, and one about the next message. */
async function arrange() {
  const { realm, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
  const room = await buildChannel([realm.owner, ann, ben])
  const message = await sendTo(ann, room.id, 'plans', 'zqx')
  const next = await sendTo(ann, room.id, 'plans', 'zqx')
  const ids = await changeRealm(realm, (tx) =>
    [...Array<number>(CHANGES_OF_COMMIT + MORE).fill(message), next].map((messageId) => {
      const texts = { content: 'a message', renderedContent: '<p>a message</p>', note: '' }
      const dueAt = Math.floor(tx.now) + PAUSE
      const id = insertReminder(tx.sql, { userId: ben.id, messageId, ...texts, origin: tx.origin, dueAt })
      tx.schedule({ kind: 'deliver-reminder', key: String(id), dueAt })
      return id
    }),
  )
  const queue = await openQueue(ben, { event_types: ['reminders', 'message'] })
  const removed = async () =>
    (await queue.eventsOf('reminders', 'remove')).map(({ reminder_id }) => reminder_id as number)
  const listed = async () =>
    (expectSuccess(await ben.api.get('/reminders')).reminders as { reminder_id: number }[]).map(
      ({ reminder_id }) => reminder_id,
    )
  const jobs = () =>
    inRealm(realm, ({ parts }) =>
      parts.sql.all(`SELECT kind, key FROM job WHERE kind IN ('deliver-reminder', 'finish-change')`),
    )
  return { realm, ben, room, message, ids: ids.slice(0, -1), last: ids.at(-1)!, removed, listed, jobs }
}

it('a reminder that is due before it is removed is not delivered', async () => {
  const { realm, ben, message, removed, listed, jobs } = await arrange()
  const before = await idsIn(ben, [['is', 'dm']])
  expectSuccess(await realm.owner.api.delete(`/messages/${message}`))
  expect(await removed()).toHaveLength(CHANGES_OF_COMMIT)
  await changeRealm(realm, (tx) =>
    tx.unschedule({ kind: 'finish-change', key: `remove-reminders:${message}` }),
  )
  await runAlarms(realm, 1, PAUSE)
  await runAlarms(realm, MORE, 1)
  expect(await removed()).toHaveLength(MORE + 1)
  expect(await listed()).toEqual([])
  expect(await jobs()).toEqual([])
  // The one about the other message was delivered.
  expect(await idsIn(ben, [['is', 'dm']])).toHaveLength(before.length + 1)
})
