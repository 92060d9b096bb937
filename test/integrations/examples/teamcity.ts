import type { Example } from '../example.ts'

const build = (notifyType: string, buildResult: string, more: object = {}) => ({
  build: {
    buildStatus: 'Tests failed: 2, passed: 40',
    buildResult,
    buildResultPrevious: 'success',
    buildResultDelta: 'broken',
    notifyType,
    buildFullName: 'Engine :: Nightly',
    buildName: 'Nightly',
    buildId: '17',
    buildTypeId: 'Engine_Nightly',
    projectName: 'Engine',
    projectId: 'Engine',
    buildNumber: '204',
    agentName: 'agent-1',
    agentOs: 'Linux',
    triggeredBy: 'Ada Lovelace',
    message: 'Build Engine :: Nightly has finished',
    text: 'Engine :: Nightly has finished',
    branchName: 'refs/heads/main',
    branchDisplayName: 'main',
    buildStateDescription: 'finished',
    buildStatusUrl: 'https://teamcity.example/viewLog.html?buildId=17',
    rootUrl: 'https://teamcity.example',
    ...more,
  },
})
const own = (eventType: string, status: string) => ({
  eventType,
  payload: {
    id: 17,
    buildTypeId: 'Engine_Nightly',
    number: '204',
    status,
    state: 'finished',
    branchName: 'main',
    webUrl: 'https://teamcity.example/buildConfiguration/Engine_Nightly/17',
    statusText: 'Success',
    buildType: { id: 'Engine_Nightly', name: 'Nightly', projectName: 'Engine', projectId: 'Engine' },
    triggered: { type: 'user', user: { username: 'ada' } },
  },
})

export const TEAMCITY_EXAMPLES: readonly Example[] = [
  {
    what: 'a build that fails',
    isShown: true,
    body: build('buildFinished', 'failure'),
    messages: [
      {
        topic: 'Engine / Nightly',
        text: ':cross_mark: [Build Nightly #204](https://teamcity.example/viewLog.html?buildId=17) failed on branch main (triggered by Ada Lovelace):\n\n* Status: Tests failed: 2, passed: 40',
      },
    ],
  },
  {
    what: 'a build, by TeamCity’s own webhook',
    body: own('BUILD_FINISHED', 'SUCCESS'),
    messages: [
      {
        topic: 'Engine / Nightly',
        text: ':check: [Build Nightly #204](https://teamcity.example/buildConfiguration/Engine_Nightly/17) succeeded on branch main (triggered by ada):\n\n* Status: Success',
      },
    ],
  },
  {
    what: 'a build that has started',
    body: own('BUILD_STARTED', 'SUCCESS'),
    messages: [
      {
        topic: 'Engine / Nightly',
        text: ':hourglass: [Build Nightly #204](https://teamcity.example/buildConfiguration/Engine_Nightly/17) has started on branch main (triggered by ada).',
      },
    ],
  },
  {
    what: 'a build that is stopped',
    body: build('buildInterrupted', 'failure', { triggeredBy: null }),
    messages: [
      {
        topic: 'Engine / Nightly',
        text: ':prohibited: [Build Nightly #204](https://teamcity.example/viewLog.html?buildId=17) was interrupted on branch main.',
      },
    ],
  },
  { what: 'what is said a second time', body: build('buildFailed', 'failure'), messages: [] },
  {
    what: 'a build of a branch that nobody wants to hear of',
    body: own('BUILD_FINISHED', 'SUCCESS'),
    address: { branches: 'next' },
    messages: [],
  },
  {
    what: 'a build without most of its values',
    body: { build: { notifyType: 'buildFinished', buildName: ['a'] } },
    messages: [{ topic: 'TeamCity', text: 'Build of a project has ended.' }],
  },
  { what: 'another event', body: own('AGENT_REMOVED', ''), unsupported: 'AGENT_REMOVED' },
]
