import type { Example } from '../example.ts'

const payload = {
  name: 'Nightly *build*',
  url: 'https://ci.example/jobs/7?a=1&b=2',
  started: 1_700_000_000_000,
  failed: [{ test: 'one' }, { test: 'two' }],
  note: null,
}

export const TEMPLATE_EXAMPLES: readonly Example[] = [
  {
    what: 'any JSON, with a template',
    body: payload,
    template: {
      topic: '{{name}}',
      text: '[{{name}}]({{url}}) began {{started | time}}. Failed:\n{{failed | list: test}}\n\nNote: {{note | default: "none"}}',
    },
    messages: [
      {
        topic: 'Nightly *build*',
        text: '[Nightly &#42;build&#42;](https://ci.example/jobs/7?a=1&b=2) began <time:2023-11-14T22:13:20Z>. Failed:\n* one\n* two\n\nNote: none',
      },
    ],
  },
  {
    what: 'any JSON, with no template yet',
    body: { ok: true },
    template: { topic: '', text: '' },
    messages: [{ topic: 'Template', text: '```json\n{\n  "ok": true\n}\n```' }],
  },
]
