import { signedInHex } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const PROJECT =
  '[{{project.name | or: project.key | default: "a project"}}]({{branch.url | or: project.url}})'
const GATE: Words = {
  says: `{{qualityGate.status | as: icon}} Quality gate{{? **{{qualityGate.name}}**?}} of ${PROJECT} {{qualityGate.status | as: did}}`,
  list: {
    of: 'qualityGate.conditions',
    says: '{{metric | words | default: "A condition"}}: {{value | default: "no value"}}{{? ({{status | as: state}}{{?, threshold {{errorThreshold}}?}})?}}',
  },
}

/** Quality gates of SonarQube. Source: docs/interface/webhooks.md#services. */
export const sonarqube = declared({
  name: 'sonarqube',
  displayName: 'SonarQube',
  event: '{{qualityGate.status | or: status}}',
  id: '{{?{{taskId}}?}}',
  topic: ['{{project.name | or: project.key}}', '{{branch.name}}'],
  branch: '{{branch.name}}',
  ...signedInHex('X-Sonar-Webhook-HMAC-SHA256'),
  events: {
    OK: GATE,
    WARN: GATE,
    ERROR: GATE,
    NONE: { says: `${PROJECT} was analysed, without a quality gate` },
    SUCCESS: { says: `${PROJECT} was analysed` },
    FAILED: { says: `:cross_mark: The analysis of ${PROJECT} failed` },
    CANCELLED: { says: `:prohibited: The analysis of ${PROJECT} was cancelled` },
  },
  tables: {
    icon: { OK: ':check:', WARN: ':warning:', ERROR: ':cross_mark:' },
    did: { OK: 'passed', WARN: 'passed with warnings', ERROR: 'failed' },
    state: { OK: 'ok', WARN: 'warning', ERROR: 'failed', NO_VALUE: 'no value', '*': 'unknown' },
  },
})
