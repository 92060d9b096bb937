import type { Example } from '../example.ts'

export const SLACK_INCOMING_EXAMPLES: readonly Example[] = [
  {
    what: 'a text in Slack’s markup',
    body: {
      channel: '#builds',
      icon_emoji: ':robot:',
      text: '*Build* <https://ci.example/7|#7> of _main_ ~failed~ &amp; `a &lt; b` for <@U1|ada> &lt;now&gt; <!channel>',
    },
    messages: [
      {
        topic: 'builds',
        text: ':robot: **Build** [#7](https://ci.example/7) of *main* ~~failed~~ & `a < b` for @ada <now> @channel',
      },
    ],
  },
  {
    what: 'blocks and attachments',
    isShown: true,
    form: {
      payload: JSON.stringify({
        text: 'fallback',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Deploy' } },
          {
            type: 'section',
            text: { type: 'mrkdwn', text: '*done*' },
            fields: [{ type: 'mrkdwn', text: 'by Ada' }],
          },
          { type: 'divider' },
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: 'see ', style: { bold: true } },
                  { type: 'link', url: 'https://ci.example', text: 'CI' },
                ],
              },
            ],
          },
        ],
        attachments: [
          {
            title: 'Job',
            title_link: 'https://ci.example/8',
            fields: [{ title: 'State', value: 'green' }],
            ts: '1700000000.5',
          },
        ],
      }),
    },
    messages: [
      {
        topic: '(no topic)',
        text: '## Deploy\n\n**done**\n\nby Ada\n\n----\n\n**see** [CI](https://ci.example/)\n\n[Job](https://ci.example/8)\n\n**State**: green\n\n<time:2023-11-14T22:13:20Z>',
      },
    ],
  },
  {
    what: 'a text above attachments',
    body: {
      channel: '#builds',
      icon_emoji: ':robot:',
      text: '*Build* failed',
      attachments: [{ color: 'danger', title: 'Job', title_link: 'https://ci.example/8', text: '3 tests' }],
    },
    messages: [
      {
        topic: 'builds',
        text: ':robot: **Build** failed\n\n[Job](https://ci.example/8)\n\n3 tests',
      },
    ],
  },
  {
    what: 'attachments alone',
    body: { attachments: [{ text: '3 tests' }] },
    messages: [{ topic: '(no topic)', text: '3 tests' }],
  },
  { what: 'nothing', body: { channel: '#builds' }, unsupported: 'message without text' },
]
