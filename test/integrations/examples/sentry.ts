import type { Example } from '../example.ts'

const resource = (name: string) => ({ 'Sentry-Hook-Resource': name, 'Request-ID': `sentry-${name}` })
const installation = { uuid: '7a485448-a9e2-4c85-8a3c-4f44175783c9' }
const actor = { type: 'user', id: 789, name: 'Ada' }
const application = { type: 'application', id: 'sentry', name: 'Sentry' }
const issue = {
  id: '1170820242',
  shortId: 'ENGINE-1',
  title: 'TypeError: wheel is not a function',
  culprit: 'turn(src/engine.js)',
  level: 'error',
  status: 'unresolved',
  platform: 'javascript',
  web_url: 'https://sentry.example/issues/1170820242/',
  permalink: null,
  project: { id: '1', name: 'Engine', slug: 'engine' },
  metadata: { type: 'TypeError', value: 'wheel is not a function' },
  assignedTo: null as object | null,
  firstSeen: '2026-11-02T10:40:42.231000Z',
}
const event = {
  title: 'ZeroDivisionError: division by zero',
  web_url: 'https://sentry.example/issues/2/events/3/',
  level: 'error',
  platform: 'python',
  culprit: 'engine in divide',
  datetime: '2026-11-02T10:41:00.000000Z',
  exception: {
    values: [
      {
        type: 'ZeroDivisionError',
        value: 'division by zero',
        stacktrace: {
          frames: [
            { filename: 'main.py', lineno: 1, context_line: 'run()' },
            {
              filename: 'engine.py',
              lineno: 18,
              function: 'divide',
              pre_context: ['', 'def divide(a, b):'],
              context_line: '    return a / b',
              post_context: ['', 'divide(1, 0)'],
            },
          ],
        },
      },
    ],
  },
}

export const SENTRY_EXAMPLES: readonly Example[] = [
  {
    what: 'a new issue',
    headers: resource('issue'),
    body: { action: 'created', actor: application, data: { issue }, installation },
    messages: [
      {
        topic: 'TypeError: wheel is not a function',
        text: 'New issue [ENGINE-1 TypeError: wheel is not a function](https://sentry.example/issues/1170820242/):\n\n* Project: engine\n* Level: error\n* Platform: javascript\n* Where: `turn(src/engine.js)`\n* When: <time:2026-11-02T10:40:42.231000Z>',
      },
    ],
  },
  {
    what: 'an issue that somebody has resolved',
    headers: resource('issue'),
    body: { action: 'resolved', actor, data: { issue: { ...issue, status: 'resolved' } }, installation },
    messages: [
      {
        topic: 'TypeError: wheel is not a function',
        text: 'Ada resolved issue [ENGINE-1 TypeError: wheel is not a function](https://sentry.example/issues/1170820242/).',
      },
    ],
  },
  {
    what: 'an issue with an assignee',
    headers: resource('issue'),
    body: {
      action: 'assigned',
      actor,
      data: { issue: { ...issue, assignedTo: { type: 'team', id: '5', name: 'core *team*' } } },
      installation,
    },
    messages: [
      {
        topic: 'TypeError: wheel is not a function',
        text: 'Ada assigned issue [ENGINE-1 TypeError: wheel is not a function](https://sentry.example/issues/1170820242/) to core &#42;team&#42;.',
      },
    ],
  },
  {
    what: 'an issue that happens again',
    headers: resource('issue'),
    body: { action: 'unresolved', actor: application, data: { issue }, installation },
    messages: [
      {
        topic: 'TypeError: wheel is not a function',
        text: 'Sentry reopened issue [ENGINE-1 TypeError: wheel is not a function](https://sentry.example/issues/1170820242/).',
      },
    ],
  },
  {
    what: 'a comment',
    headers: resource('comment'),
    body: {
      action: 'created',
      actor,
      data: {
        comment: 'It is the *wheel*.',
        comment_id: 1234,
        issue_id: 1170820242,
        project_slug: 'engine',
        timestamp: '2026-11-02T10:50:00.000000Z',
      },
      installation,
    },
    messages: [
      {
        topic: 'engine / comments',
        text: 'Ada commented on issue 1170820242 of engine:\n\n~~~ quote\nIt is the *wheel*.\n~~~',
      },
    ],
  },
  {
    what: 'an alert about an issue',
    headers: resource('event_alert'),
    body: {
      action: 'triggered',
      actor: application,
      data: { event, triggered_rule: 'Errors of the engine' },
      installation,
    },
    messages: [
      {
        topic: 'ZeroDivisionError: division by zero',
        text: 'Alert **Errors of the engine** was triggered by [ZeroDivisionError: division by zero](https://sentry.example/issues/2/events/3/):\n\n* Level: error\n* Platform: python\n* Where: `engine in divide`\n* When: <time:2026-11-02T10:41:00Z>\n\nIn `engine.py` at line 18:\n\n```\n\ndef divide(a, b):\n    return a / b\n\ndivide(1, 0)\n```',
      },
    ],
  },
  {
    what: 'an error',
    headers: resource('error'),
    body: {
      action: 'created',
      actor: application,
      data: { error: { ...event, exception: null } },
      installation,
    },
    messages: [
      {
        topic: 'ZeroDivisionError: division by zero',
        text: 'New error [ZeroDivisionError: division by zero](https://sentry.example/issues/2/events/3/):\n\n* Level: error\n* Platform: python\n* Where: `engine in divide`\n* When: <time:2026-11-02T10:41:00Z>',
      },
    ],
  },
  {
    what: 'an alert about a metric',
    headers: resource('metric_alert'),
    body: {
      action: 'critical',
      actor: application,
      data: {
        description_title: 'Critical: Too many errors',
        description_text: '1000 events in the last 10 minutes\nFilter: level:error',
        web_url: 'https://sentry.example/alerts/5/',
        metric_alert: {
          title: 'Too many errors',
          alert_rule: { name: 'Too many errors', aggregate: 'count()' },
        },
      },
      installation,
    },
    messages: [
      {
        topic: 'Too many errors',
        text: ':alert: [Critical: Too many errors](https://sentry.example/alerts/5/):\n\n~~~ quote\n1000 events in the last 10 minutes\nFilter: level:error\n~~~',
      },
    ],
  },
  {
    what: 'a metric that is well again',
    headers: resource('metric_alert'),
    body: {
      action: 'resolved',
      data: { web_url: 'https://sentry.example/alerts/5/', metric_alert: { title: 'Too many errors' } },
    },
    messages: [
      {
        topic: 'Too many errors',
        text: ':checkbox: [Resolved: Too many errors](https://sentry.example/alerts/5/).',
      },
    ],
  },
  {
    what: 'an installation',
    headers: resource('installation'),
    body: { action: 'created', actor, data: { installation: { status: 'installed' } }, installation },
    messages: [{ topic: 'Sentry', text: 'Sentry webhook has been successfully configured by Ada.' }],
  },
  {
    what: 'an event of the older plugin',
    body: {
      project_name: 'Engine',
      level: 'warning',
      url: 'https://sentry.example/issues/4/',
      culprit: 'turn',
      message: 'The wheel is slow',
      event: { title: 'The wheel is slow' },
    },
    messages: [
      {
        topic: 'The wheel is slow',
        text: 'New event [The wheel is slow](https://sentry.example/issues/4/):\n\n* Project: Engine\n* Level: warning\n* Where: `turn`',
      },
    ],
  },
  {
    what: 'an issue with odd values',
    headers: resource('issue'),
    body: {
      action: 'created',
      data: {
        issue: {
          ...issue,
          title: '@**all** [x](https://evil.example) `#`\n# 标题',
          culprit: '`🦀`',
          project: 7,
        },
      },
    },
    messages: [
      {
        topic: '@**all** [x](https://evil.example) `#` # 标题',
        text: 'New issue [ENGINE-1 @&#42;&#42;all&#42;&#42; &#91;x&#93;(https://evil.example) &#96;#&#96; # 标题](https://sentry.example/issues/1170820242/):\n\n* Level: error\n* Platform: javascript\n* Where: `` `🦀` ``\n* When: <time:2026-11-02T10:40:42.231000Z>',
      },
    ],
  },
  {
    what: 'an action without messages',
    headers: resource('seer'),
    body: { action: 'root_cause_completed', data: {} },
    unsupported: 'seer_root_cause_completed',
  },
  {
    what: 'nothing that is known',
    body: { event: null, message: null },
    unsupported: 'unknown',
  },
]
