import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { useRealm } from '../support/use-realm.ts'

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

async function rendered(content: string): Promise<string> {
  return expectSuccess(await ann.api.post('/messages/render', { content })).rendered
}

describe('What differs on purpose, or from what one expects', () => {
  it('a search finds words as typed, in any language: `running` does not find `run`', async () => {
    await sendTo(ann, channel.id, 'sport', 'They run home.')
    await sendTo(ann, channel.id, 'sport', 'They were running home.')
    expect(await found('running')).toEqual(['They were running home.'])
  })

  it('and it finds parts of words: `run` finds `running`', async () => {
    await sendTo(ann, channel.id, 'travel', 'The runway is closed.')
    expect(await found('runwa')).toEqual(['The runway is closed.'])
  })

  it('and no word is too common to be searched for', async () => {
    await sendTo(ann, channel.id, 'words', 'Whatever the weather')
    expect(await found('the weather')).toEqual(['Whatever the weather'])
  })

  it('`UTC-5` in a time has POSIX’s sign, as on the public server: five hours less', async () => {
    expect(await rendered('<time:2026-06-05 22:30 UTC-5>')).toContain('datetime="2026-06-05T17:30:00Z"')
    expect(await rendered('<time:2026-06-05 22:30 -05:00>')).toContain('datetime="2026-06-06T03:30:00Z"')
  })

  it('a TIFF is a link and no picture', async () => {
    expect(await rendered('https://pictures.example/plan.tiff')).toBe(
      '<p><a href="https://pictures.example/plan.tiff">https://pictures.example/plan.tiff</a></p>',
    )
  })
})
