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
  { what: 'nothing', body: {}, unsupported: 'message without content' },
]
