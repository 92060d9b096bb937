import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

async function render(content: string, user = ann): Promise<string> {
  return expectSuccess(await user.api.post('/messages/render', { content })).rendered
}

async function rendered(content: string): Promise<string> {
  return expectSuccess(await ann.api.post('/messages/render', { content })).rendered
}

describe('POST /messages/render', () => {
  it('gives the HTML of a message, and sends nothing', async () => {
    const queue = await openQueue(ben)
    expect(await render('hello @**Ben**, *quick*')).toBe(
      `<p>hello <span class="user-mention" data-user-id="${ben.id}">@Ben</span>, <em>quick</em></p>`,
    )
    expect(await queue.events()).toEqual([])
  })

  it('shows a time that is none as it was written', async () => {
    expect(await render('at <time:*noon* or so>')).toBe('<p>at &lt;time:*noon* or so&gt;</p>')
    expect(await render('at <time:2024-03-07T15:00:00Z>')).toBe(
      '<p>at <time datetime="2024-03-07T15:00:00Z">2024-03-07T15:00:00Z</time></p>',
    )
  })

  it('gives nothing for an empty text', async () => {
    expect(await render('')).toBe('')
  })

  it('cuts what is too long', async () => {
    expect(await render('x'.repeat(10_050))).toContain('[message truncated]')
  })

  it('does not link to channels hidden from the caller', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    expect(await render(`#**${secret.name}**`)).toContain('data-stream-id')
    expect(await render(`#**${secret.name}**`, ben)).not.toContain('data-stream-id')
  })

  it('does not link to a private channel that the caller has left', async () => {
    const secret = await buildChannel([ann, ben], { invite_only: true })
    expect(await render(`#**${secret.name}**`, ben)).toContain('data-stream-id')
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [secret.name] }))
    expect(await render(`#**${secret.name}**`, ben)).not.toContain('data-stream-id')
  })

  it('refuses a request without content, and one without credentials', async () => {
    expect((await ann.api.post('/messages/render')).body.var_name).toBe('content')
    expect((await realm.anonymous.post('/messages/render', { content: 'x' })).status).toBe(401)
  })

  it('reads UTC-5 in a time with POSIX’s sign: five hours less', async () => {
    expect(await rendered('<time:2026-06-05 22:30 UTC-5>')).toContain('datetime="2026-06-05T17:30:00Z"')
    expect(await rendered('<time:2026-06-05 22:30 -05:00>')).toContain('datetime="2026-06-06T03:30:00Z"')
  })

  it('links to a TIFF, and shows no picture', async () => {
    expect(await rendered('https://pictures.example/plan.tiff')).toBe(
      '<p><a href="https://pictures.example/plan.tiff">https://pictures.example/plan.tiff</a></p>',
    )
  })
})
