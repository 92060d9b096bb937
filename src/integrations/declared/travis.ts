import { declared, type Words } from './declaration.ts'

const BUILD: Words = {
  says: '{{status_message | words | as: icon}} [Build{{? #{{number}}?}}]({{build_url}}) {{status_message | words | as: did}}{{? for PR [#{{pull_request_number}} {{pull_request_title}}]({{compare_url}})?}}{{? for {{message | line | code}}?}}{{? ([{{commit | first: 7}}]({{compare_url}}))?}}{{? by {{author_name}}?}}',
}

/** Builds of Travis CI. Source: docs/interface/webhooks.md#services. */
export const travis = declared({
  name: 'travis',
  displayName: 'Travis CI',
  event: '{{type}}',
  id: '{{?{{id}} {{status_message}}?}}',
  topic: ['{{repository.name}}', '{{branch}}'],
  branch: '{{branch}}',
  events: { push: BUILD, pull_request: BUILD, api: BUILD, cron: BUILD },
  tables: {
    icon: {
      passed: ':check:',
      fixed: ':check:',
      broken: ':cross_mark:',
      failed: ':cross_mark:',
      'still failing': ':cross_mark:',
      errored: ':cross_mark:',
      canceled: ':prohibited:',
      pending: ':hourglass:',
      '*': '',
    },
    did: {
      passed: 'passed',
      fixed: 'passed again',
      broken: 'is broken',
      failed: 'failed',
      'still failing': 'is still failing',
      errored: 'ended with an error',
      canceled: 'was canceled',
      pending: 'has started',
      '*': 'has changed',
    },
  },
})
