import { secretInAuthorization } from '../signatures.ts'
import { declared } from './declaration.ts'

const NAME =
  '{{build.buildName | or: payload.buildType.name | or: payload.buildTypeId | default: "of a project"}}'
const BUILD = `[Build ${NAME}{{? #{{build.buildNumber | or: payload.number}}?}}]({{build.buildStatusUrl | or: payload.webUrl}})`
const BRANCH = '{{build.branchDisplayName | or: build.branchName | or: payload.branchName}}'
const RESULT = '{{build.buildResult | or: payload.status | words'
const MORE = `{{? on branch ${BRANCH}?}}{{? (triggered by {{build.triggeredBy | or: payload.triggered.user.username}})?}}`
const ended = {
  says: `${RESULT} | as: icon}} ${BUILD} ${RESULT} | as: did}}${MORE}`,
  facts: { Status: '{{build.buildStatus | or: payload.statusText}}' },
}
const told = (icon: string, done: string) => ({ says: `${icon} ${BUILD} ${done}${MORE}` })

/** Builds of TeamCity, by its own webhooks or the tcWebHooks plugin. Source: docs/interface/webhooks.md#services. */
export const teamcity = declared({
  name: 'teamcity',
  displayName: 'TeamCity',
  event: '{{build.notifyType | or: eventType | as: event}}',
  topic: [
    '{{build.projectName | or: payload.buildType.projectName}}',
    '{{build.buildName | or: payload.buildType.name}}',
  ],
  branch: BRANCH,
  ...secretInAuthorization(),
  events: {
    buildStarted: told(':hourglass:', 'has started'),
    buildFinished: ended,
    buildInterrupted: told(':prohibited:', 'was interrupted'),
    buildSuccessful: null,
    buildFailed: null,
    buildFixed: null,
    buildBroken: null,
    changesLoaded: null,
    beforeBuildFinish: null,
    buildAddedToQueue: null,
    buildRemovedFromQueue: null,
    responsibilityChanged: {
      says: '{{build.text | or: build.message | line | default: "The responsibility for a build has changed"}}',
    },
  },
  tables: {
    event: {
      BUILD_STARTED: 'buildStarted',
      BUILD_FINISHED: 'buildFinished',
      BUILD_INTERRUPTED: 'buildInterrupted',
      BUILD_TYPE_ADDED_TO_QUEUE: 'buildAddedToQueue',
      CHANGES_LOADED: 'changesLoaded',
    },
    icon: {
      success: ':check:',
      failure: ':cross_mark:',
      error: ':cross_mark:',
      running: ':hourglass:',
      '*': '',
    },
    did: {
      success: 'succeeded',
      failure: 'failed',
      error: 'ended with an error',
      running: 'is running',
      '*': 'has ended',
    },
  },
})
