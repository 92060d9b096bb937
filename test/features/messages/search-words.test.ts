import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['ann'] } })

async function found(words: string): Promise<string[]> {
  const { messages } = expectSuccess(
    await ann.api.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      apply_markdown: false,
      narrow: [{ operator: 'search', operand: words }],
    }),
  )
  return messages.map(({ content }: { content: string }) => content)
}

describe('a search', () => {
  it('finds words as typed, in any language: running does not find run', async () => {
    await sendTo(ann, channel.id, 'sport', 'They run home.')
    await sendTo(ann, channel.id, 'sport', 'They were running home.')
    expect(await found('running')).toEqual(['They were running home.'])
  })

  it('finds parts of words: runwa finds runway', async () => {
    await sendTo(ann, channel.id, 'travel', 'The runway is closed.')
    expect(await found('runwa')).toEqual(['The runway is closed.'])
  })

  it('finds even the most common words', async () => {
    await sendTo(ann, channel.id, 'words', 'Whatever the weather')
    expect(await found('the weather')).toEqual(['Whatever the weather'])
  })
})
