import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { sendTo, untilProjected } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: { subscribers: ['owner', 'ann', 'ben'], invite_only: true } } },
)
neverEvict()
useReliableD1()

describe('a page of hundreds of short messages', () => {
  it('has the text of each, in either form', async () => {
    const sources = Array.from(
      { length: 210 },
      (_, at) => `number ${at}: "é\\"\nnext line \u2028 ${'x'.repeat(at % 7)}.`,
    )
    const ids: number[] = []
    for (const source of sources) ids.push(await sendTo(ann, channel.name, 'topic', source))
    await untilProjected(realm, ids)
    const narrow = [{ operator: 'channel', operand: channel.id }]
    for (const apply_markdown of [true, false]) {
      const asked = { anchor: 'newest', num_before: 300, num_after: 0, narrow, apply_markdown }
      const { messages } = expectSuccess(await ben.api.get('/messages', asked))
      const shown = messages.filter(({ id }: { id: number }) => ids.includes(id))
      expect(shown.map(({ content }: { content: string }) => content)).toEqual(
        apply_markdown ? sources.map((_, at) => expect.stringContaining(`number ${at}: "é`)) : sources,
      )
    }
  })
})
