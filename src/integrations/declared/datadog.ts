import { secretInAuthorization } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const told: Words = {
  says: '{{transition | words | as: icon}} [{{title | or: monitor | default: "An event"}}]({{link}})',
  // Datadog puts its Markdown between lines of percent signs.
  quotes: '{{body | after: "%%%" | before: "%%%"}}',
  facts: { Host: '{{hostname}}', Priority: '{{priority}}', Tags: '{{tags | first: 250}}' },
}

/** Alerts and events of Datadog. Source: docs/interface/webhooks.md#services. */
export const datadog = declared({
  name: 'datadog',
  displayName: 'Datadog',
  event: '{{transition | or: event_type | words}}',
  id: '{{?{{id}} {{last_updated | or: date}}?}}',
  topic: '{{monitor | or: hostname | or: org.name}}',
  needs: '{{title | or: monitor | or: body}}',
  ...secretInAuthorization(),
  events: {
    triggered: told,
    're triggered': told,
    warn: told,
    're warn': told,
    'no data': told,
    're no data': told,
    renotify: told,
    recovered: told,
  },
  otherwise: told,
  tables: {
    icon: {
      triggered: ':alert:',
      're triggered': ':alert:',
      renotify: ':alert:',
      warn: ':warning:',
      're warn': ':warning:',
      'no data': ':question:',
      're no data': ':question:',
      recovered: ':checkbox:',
      '*': '',
    },
  },
})
