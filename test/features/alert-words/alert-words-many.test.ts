import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

// The object whose memory is empty is the one that is asked.
neverEvict()
const { realm, owner, ann, hall } = useRealm({ ann: 'member' }, { channels: { hall: ['owner', 'ann'] } })

/** More words than are read in the turn of a message. */
const MANY = 6_000

it('thousands of alert words are read before the turn of the first message', async () => {
  const [reader] = await insertUsers(realm, 1, hall.id)
  await changeRealm(realm, ({ sql }) => {
    for (let number = 0; number < MANY; number += 1) {
      const [id, word] = [number < MANY - 1 ? ann.id : reader!.id, `word${number}x`]
      sql.run(`INSERT INTO alert_word (user_id, word_key, word) VALUES (?, ?, ?)`, id, word, word)
    }
  })
  const queue = await openQueue(reader!, { event_types: ['message'], fetch_event_types: [] })
  const rows = await inRealm(realm, ({ parts: { storage, sql } }) => {
    const rows: number[] = []
    const { transactionSync } = Object.getPrototypeOf(storage) as DurableObjectStorage
    storage.transactionSync = (closure) => {
      const before = sql.counts.read
      try {
        return transactionSync.call(storage, closure) as ReturnType<typeof closure>
      } finally {
        rows.push(sql.counts.read - before)
      }
    }
    return rows
  })
  await sendTo(owner, hall.id, 'words', `here is word${MANY - 1}x`)
  // The turn that finds out, and that of the message.
  expect(rows).toHaveLength(2)
  expect(rows[1]).toBeLessThan(500)
  const [event] = await queue.eventsOf('message')
  expect(event!.flags).toEqual(['has_alert_word'])
  const { alert_words } = expectSuccess(await reader!.api.get('/users/me/alert_words'))
  expect(alert_words).toEqual([`word${MANY - 1}x`])
})
