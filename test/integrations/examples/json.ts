import type { Example } from '../example.ts'

export const JSON_EXAMPLES: readonly Example[] = [
  {
    what: 'any JSON',
    body: { build: 17, state: 'green', by: null },
    messages: [
      { topic: 'JSON', text: '```json\n{\n  "build": 17,\n  "state": "green",\n  "by": null\n}\n```' },
    ],
  },
  {
    what: 'JSON with a fence in it',
    body: ['```'],
    messages: [{ topic: 'JSON', text: '````json\n[\n  "```"\n]\n````' }],
  },
  {
    what: 'JSON that is too long for a message',
    body: ['x'.repeat(10_000)],
    messages: [{ topic: 'JSON', text: `\`\`\`json\n[\n  "${'x'.repeat(9_000 - 5)}\n\`\`\`\n\n[and more]` }],
  },
]
