import type { Example } from '../example.ts'

export const DISCORD_INCOMING_EXAMPLES: readonly Example[] = [
  {
    what: 'content and an embed',
    body: {
      username: 'CI',
      content: '**Build** <@123> <t:1700000000:R>',
      embeds: [
        {
          title: 'Job 7',
          url: 'https://ci.example/7',
          description: 'All green.',
          fields: [{ name: 'Branch', value: 'main' }],
          footer: { text: 'ci' },
        },
      ],
    },
    messages: [
      {
        topic: 'CI',
        text: '**Build** @someone <time:2023-11-14T22:13:20Z>\n\n[Job 7](https://ci.example/7)\n\nAll green.\n\n**Branch**: main\n\nci',
      },
    ],
  },
  {
    what: 'content in a form',
    form: { content: 'Build **7** <#5>', username: 'CI', avatar_url: 'https://ci.example/logo.png' },
    messages: [{ topic: 'CI', text: 'Build **7** #channel' }],
  },
  {
    what: 'JSON in a form, as programs with files send it',
    form: {
      payload_json: JSON.stringify({
        username: 'CI',
        content: 'The log',
        attachments: [{ id: 0, filename: 'log.txt' }],
      }),
    },
    messages: [{ topic: 'CI', text: 'The log' }],
  },
  { what: 'a form without content', form: { username: 'CI' }, unsupported: 'message without content' },
  { what: 'nothing', body: {}, unsupported: 'message without content' },
]
