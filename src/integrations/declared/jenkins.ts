import { declared, type Words } from './declaration.ts'

const BUILD = '[{{display_name | or: name | default: "A job"}}{{? #{{build.number}}?}}]({{build.full_url}})'
const ENDED: Words = {
  says: `{{build.status | as: icon}} Build ${BUILD} {{build.status | as: did}}`,
  facts: {
    Branch: '{{build.scm.branch | after: "origin/"}}',
    Commit: '{{build.scm.commit | first: 12 | code}}',
    Changes: '{{build.scm.changes | join}}',
    Notes: '{{build.notes}}',
  },
}

/** Builds of Jenkins, by its Notification plugin. Source: docs/interface/webhooks.md#services. */
export const jenkins = declared({
  name: 'jenkins',
  displayName: 'Jenkins',
  event: '{{build.phase | words}}',
  // The plugin posts that a build has ended twice, before and after what follows it.
  id: '{{?{{build.full_url}} {{build.queue_id}} {{build.phase | as: moment}}?}}',
  topic: '{{display_name | or: name}}',
  branch: '{{build.scm.branch | after: "origin/"}}',
  events: {
    queued: null,
    started: {
      says: `:hourglass: Build ${BUILD} has started{{? for {{build.scm.branch | after: "origin/"}}?}}`,
    },
    completed: ENDED,
    finalized: ENDED,
  },
  tables: {
    moment: { COMPLETED: 'end', FINALIZED: 'end' },
    icon: {
      SUCCESS: ':check:',
      FAILURE: ':cross_mark:',
      UNSTABLE: ':warning:',
      ABORTED: ':prohibited:',
      '*': '',
    },
    did: {
      SUCCESS: 'succeeded',
      FAILURE: 'failed',
      UNSTABLE: 'is unstable',
      ABORTED: 'was aborted',
      NOT_BUILT: 'was not built',
      '*': 'has ended',
    },
  },
})
