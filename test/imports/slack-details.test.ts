import { describe, expect, it } from 'vitest'
import { readArchive } from './read-archive.ts'
import { exportFiles, readMessages, said, slack, slackChannel } from './slack-export.ts'
import { archiveOf, zipOf } from './zip-builder.ts'

const text = async (written: string, more: object = {}) =>
  (await readMessages(said(written, more))).contents()[0]

describe('A message of Slack', () => {
  it.each([
    ['<mailto:ada@example.com|ada@example.com>', 'ada@example.com'],
    ['<mailto:ada@example.com|write to Ada>', '[write to Ada](mailto:ada@example.com)'],
    ['<tel:+49123|call (now)>', '[call (now)](tel:+49123)'],
    ['<mailto:a@b.example?subject=(x)|it>', '[it](mailto:a@b.example?subject=%28x%29)'],
  ])('keeps the address behind a label: %s', async (written, expected) => {
    expect(await text(written)).toBe(expected)
  })

  it('keeps the addresses of buttons', async () => {
    const button = (label: string, url?: string) => ({
      ...{ type: 'button', text: { type: 'plain_text', text: label }, url },
    })
    const actions = {
      type: 'actions',
      elements: [button('Open &lt;all&gt;', 'https://a.example/1'), button('Approve')],
    }
    const menu = { type: 'overflow', options: [button('Docs', 'https://a.example/2')] }
    const section = {
      type: 'section',
      text: { type: 'mrkdwn', text: 'Built' },
      accessory: button('Log', 'https://a.example/3'),
    }
    expect(await text('Built', { blocks: [section, actions, { type: 'actions', elements: [menu] }] })).toBe(
      'Built\n\n[Log](https://a.example/3)\n\n[Open &lt;all&gt;](https://a.example/1)\n\n[Docs](https://a.example/2)',
    )
    const attachment = {
      text: 'Failed',
      actions: [{ type: 'button', text: 'Retry', url: 'https://a.example/4' }],
    }
    expect(await text('', { attachments: [attachment] })).toBe('Failed\n\n[Retry](https://a.example/4)')
  })

  it('knows names of emoji that Slack has given up', async () => {
    const read = await readMessages(
      said(':simple_smile:', { reactions: [{ name: 'simple_smile', users: ['U1'], count: 1 }] }),
    )
    expect(read.contents()).toEqual([':slight_smile:'])
    expect(read.of('message')[0]!.reactions).toEqual([
      { user: 'U1', emoji: 'slight_smile', kind: 'unicode', code: '1f642' },
    ])
  })
})

describe('An archive with Latin-1', () => {
  it('is read by its names all the same, which the report lists', async () => {
    const files = exportFiles({
      'channels.json': [slackChannel('C1', 'général')],
      'général/2014-06-12.json': [said('bonjour')],
    }).map((file) => ({ ...file, claims: { encoding: 'latin1' as const } }))
    const read = await readArchive(slack, archiveOf(zipOf(files)))
    expect(read.contents()).toEqual(['bonjour'])
    expect(read.of('channel').map(({ name }) => name)).toEqual(['général'])
    expect(read.of('problem').map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'file name that is no UTF-8: général/2014-06-12.json',
    ])
  })

  it('in its texts is read, and each of them is listed', async () => {
    const users = Buffer.from(
      '[{"id": "U1", "team_id": "T1", "profile": {"real_name": "Jos\u00e9"}}]',
      'latin1',
    )
    const files = exportFiles({}).map((file) =>
      file.name === 'users.json' ? { ...file, content: users } : file,
    )
    const read = await readArchive(slack, archiveOf(zipOf(files)))
    expect(read.of('user')[0]).toMatchObject({ id: 'U1', full_name: 'José' })
    expect(read.of('problem')).toMatchObject([
      { kind: 'text that is no UTF-8', file: 'users.json', entry: 1 },
    ])
  })
})
