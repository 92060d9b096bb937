import { declared, type Words } from './declaration.ts'

const CHECK: Words = {
  says: '{{current_state | words | as: icon}} [{{check_name | default: "A check"}}]({{check_params.full_url | or: check_params.url}}) {{current_state | words | as: did}}{{? since {{state_changed_timestamp | time}}?}}',
  quotes: '{{long_description | or: description}}',
  facts: {
    Check: '{{check_type}}',
    Host: '{{check_params.hostname}}',
    Importance: '{{importance_level | words}}',
    Note: '{{custom_message}}',
    Tags: '{{tags | join}}',
  },
}

/** Checks of Pingdom. Source: docs/interface/webhooks.md#services. */
export const pingdom = declared({
  name: 'pingdom',
  displayName: 'Pingdom',
  event: '{{current_state | words}}',
  id: '{{?{{check_id}} {{current_state}} {{state_changed_timestamp}}?}}',
  topic: '{{check_name}}',
  // The first link is the monitored site's.
  linksElsewhere: true,
  events: { down: CHECK, up: CHECK, unconfirmed: null, failing: CHECK, success: CHECK, paused: CHECK },
  tables: {
    icon: {
      down: ':alert:',
      failing: ':alert:',
      up: ':checkbox:',
      success: ':checkbox:',
      paused: ':pause_button:',
    },
    did: {
      down: 'is down',
      failing: 'is failing',
      up: 'is up',
      success: 'succeeds again',
      paused: 'is paused',
    },
  },
})
