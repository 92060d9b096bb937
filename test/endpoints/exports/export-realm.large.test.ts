import { beforeEach, describe, expect, it } from 'vitest'
import { enterMessages } from '../../support/entered-messages.ts'
import { finishExport, ids, keepAlarmsAway, startExport } from '../../support/exports.ts'
import { buildChannel } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

beforeEach(keepAlarmsAway)

describe('an export of very long messages', () => {
  const { realm: of } = useRealm()

  it('contains each of them once', async () => {
    const room = await buildChannel([of.owner])
    const long = { channelId: room.id, topic: 'long', count: 300, length: 10_000 }
    const entered = await enterMessages(of, of.owner, long)
    const { all } = await finishExport(of, await startExport(of.owner))
    const found = all('messages', 'messages').filter(({ stream_id }) => stream_id === room.id)
    expect(ids(found)).toEqual(expect.arrayContaining(entered))
    expect(new Set(ids(found)).size).toBe(found.length)
    for (const { id, content } of found.slice(-300)) expect(content).toBe(String(id).padEnd(10_000))
  })
})
