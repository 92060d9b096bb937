import { createHash, createHmac } from 'node:crypto'
import type { Example } from '../example.ts'
import { ALERTMANAGER_EXAMPLES } from './alertmanager.ts'
import { ASANA_EXAMPLES } from './asana.ts'
import { AWS_SNS_EXAMPLES } from './aws-sns.ts'
import { AZUREDEVOPS_EXAMPLES } from './azuredevops.ts'
import { BITBUCKET2_EXAMPLES } from './bitbucket2.ts'
import { BITBUCKET3_EXAMPLES } from './bitbucket3.ts'
import { CIRCLECI_EXAMPLES } from './circleci.ts'
import { CLICKUP_EXAMPLES } from './clickup.ts'
import { CLOUDFLARE_EXAMPLES } from './cloudflare.ts'
import { DATADOG_EXAMPLES } from './datadog.ts'
import { DISCORD_INCOMING_EXAMPLES } from './discord-incoming.ts'
import { FRESHDESK_EXAMPLES } from './freshdesk.ts'
import { FORGEJO_EXAMPLES, GITEA_EXAMPLES, GOGS_EXAMPLES } from './gitea.ts'
import { GITHUB_EXAMPLES } from './github.ts'
import { GITLAB_EXAMPLES } from './gitlab.ts'
import { GOOGLE_CALENDAR_EXAMPLES } from './google-calendar.ts'
import { GRAFANA_EXAMPLES } from './grafana.ts'
import { HEROKU_EXAMPLES } from './heroku.ts'
import { HOMEASSISTANT_EXAMPLES } from './homeassistant.ts'
import { HUBSPOT_EXAMPLES } from './hubspot.ts'
import { IFTTT_EXAMPLES } from './ifttt.ts'
import { INTERCOM_EXAMPLES } from './intercom.ts'
import { JENKINS_EXAMPLES } from './jenkins.ts'
import { JIRA_EXAMPLES } from './jira.ts'
import { JSON_EXAMPLES } from './json.ts'
import { LINEAR_EXAMPLES } from './linear.ts'
import { NAGIOS_EXAMPLES } from './nagios.ts'
import { NETLIFY_EXAMPLES } from './netlify.ts'
import { NEWRELIC_EXAMPLES } from './newrelic.ts'
import { NOTION_EXAMPLES } from './notion.ts'
import { OPSGENIE_EXAMPLES } from './opsgenie.ts'
import { PAGERDUTY_EXAMPLES } from './pagerduty.ts'
import { PINGDOM_EXAMPLES } from './pingdom.ts'
import { REDMINE_EXAMPLES } from './redmine.ts'
import { RSS_EXAMPLES } from './rss.ts'
import { SENTRY_EXAMPLES } from './sentry.ts'
import { SLACK_INCOMING_EXAMPLES } from './slack-incoming.ts'
import { SONARQUBE_EXAMPLES } from './sonarqube.ts'
import { SPLUNK_EXAMPLES } from './splunk.ts'
import { STATUSPAGE_EXAMPLES } from './statuspage.ts'
import { STRIPE_EXAMPLES } from './stripe.ts'
import { TEAMCITY_EXAMPLES } from './teamcity.ts'
import { TEMPLATE_EXAMPLES } from './template.ts'
import { TRAVIS_EXAMPLES } from './travis.ts'
import { TRELLO_EXAMPLES } from './trello.ts'
import { UPTIMEROBOT_EXAMPLES } from './uptimerobot.ts'
import { ZABBIX_EXAMPLES } from './zabbix.ts'
import { ZAPIER_EXAMPLES } from './zapier.ts'
import { ZENDESK_EXAMPLES } from './zendesk.ts'

/** The examples of each integration, by its name. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  alertmanager: ALERTMANAGER_EXAMPLES,
  bitbucket2: BITBUCKET2_EXAMPLES,
  circleci: CIRCLECI_EXAMPLES,
  cloudflare: CLOUDFLARE_EXAMPLES,
  discord_incoming: DISCORD_INCOMING_EXAMPLES,
  forgejo: FORGEJO_EXAMPLES,
  gitea: GITEA_EXAMPLES,
  github: GITHUB_EXAMPLES,
  gitlab: GITLAB_EXAMPLES,
  gogs: GOGS_EXAMPLES,
  grafana: GRAFANA_EXAMPLES,
  jira: JIRA_EXAMPLES,
  json: JSON_EXAMPLES,
  linear: LINEAR_EXAMPLES,
  netlify: NETLIFY_EXAMPLES,
  pagerduty: PAGERDUTY_EXAMPLES,
  sentry: SENTRY_EXAMPLES,
  slack_incoming: SLACK_INCOMING_EXAMPLES,
  stripe: STRIPE_EXAMPLES,
  template: TEMPLATE_EXAMPLES,
  jenkins: JENKINS_EXAMPLES,
  azuredevops: AZUREDEVOPS_EXAMPLES,
  travis: TRAVIS_EXAMPLES,
  teamcity: TEAMCITY_EXAMPLES,
  sonarqube: SONARQUBE_EXAMPLES,
  heroku: HEROKU_EXAMPLES,
  aws_sns: AWS_SNS_EXAMPLES,
  zapier: ZAPIER_EXAMPLES,
  ifttt: IFTTT_EXAMPLES,
  homeassistant: HOMEASSISTANT_EXAMPLES,
  datadog: DATADOG_EXAMPLES,
  newrelic: NEWRELIC_EXAMPLES,
  opsgenie: OPSGENIE_EXAMPLES,
  statuspage: STATUSPAGE_EXAMPLES,
  pingdom: PINGDOM_EXAMPLES,
  zabbix: ZABBIX_EXAMPLES,
  nagios: NAGIOS_EXAMPLES,
  splunk: SPLUNK_EXAMPLES,
  zendesk: ZENDESK_EXAMPLES,
  freshdesk: FRESHDESK_EXAMPLES,
  intercom: INTERCOM_EXAMPLES,
  hubspot: HUBSPOT_EXAMPLES,
  trello: TRELLO_EXAMPLES,
  asana: ASANA_EXAMPLES,
  notion: NOTION_EXAMPLES,
  clickup: CLICKUP_EXAMPLES,
  google_calendar: GOOGLE_CALENDAR_EXAMPLES,
  rss: RSS_EXAMPLES,
  redmine: REDMINE_EXAMPLES,
  bitbucket3: BITBUCKET3_EXAMPLES,
  uptimerobot: UPTIMEROBOT_EXAMPLES,
}

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/** Returns a JSON Web Signature with a key that both sides have. */
export function jws(head: object, claims: object, secret: string): string {
  const parts = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${parts}.${createHmac('sha256', secret).update(parts).digest('base64url')}`
}

/** A post of a service, and the secret that both sides have. `at`: UNIX seconds. */
interface Signed {
  readonly body: string
  readonly secret: string
  readonly at: number
  /** The address to which it is posted. */
  readonly address: string
}
type Signer = (post: Signed) => Readonly<Record<string, string>>

/** Services that log in with the secret as the password. */
const basic: Signer = ({ secret }) => ({
  Authorization: `Basic ${Buffer.from(`parley:${secret}`).toString('base64')}`,
})
/** Services that send the secret in a header that one may choose. */
const bearer: Signer = ({ secret }) => ({ Authorization: `Bearer ${secret}` })

/** How services sign, written as their documentation says it: the headers of a post. */
export const SIGNERS: Readonly<Record<string, Signer>> = {
  asana: ({ body, secret }) => ({ 'X-Hook-Signature': hex(secret, body) }),
  azuredevops: basic,
  bitbucket2: ({ body, secret }) => ({ 'X-Hub-Signature': `sha256=${hex(secret, body)}` }),
  circleci: ({ body, secret }) => ({ 'circleci-signature': `v1=${hex(secret, body)}` }),
  cloudflare: ({ secret }) => ({ 'cf-webhook-auth': secret }),
  gitea: ({ body, secret }) => ({ 'X-Gitea-Signature': hex(secret, body) }),
  forgejo: ({ body, secret }) => ({ 'X-Forgejo-Signature': hex(secret, body) }),
  gogs: ({ body, secret }) => ({ 'X-Gogs-Signature': hex(secret, body) }),
  gitlab: ({ secret }) => ({ 'X-Gitlab-Token': secret }),
  github: ({ body, secret }) => ({ 'X-Hub-Signature-256': `sha256=${hex(secret, body)}` }),
  grafana: ({ body, secret, at }) => ({
    'X-Grafana-Alerting-Timestamp': String(at),
    'X-Grafana-Alerting-Signature': hex(secret, `${at}:${body}`),
  }),
  jira: ({ body, secret }) => ({ 'X-Hub-Signature': `sha256=${hex(secret, body)}` }),
  linear: ({ body, secret }) => ({ 'Linear-Signature': hex(secret, body) }),
  netlify: ({ body, secret }) => {
    const digest = createHash('sha256').update(body).digest('hex')
    return {
      'X-Webhook-Signature': jws({ alg: 'HS256', typ: 'JWT' }, { iss: 'netlify', sha256: digest }, secret),
    }
  },
  pagerduty: ({ body, secret }) => ({
    'X-PagerDuty-Signature': `v1=${hex('an older secret', body)},v1=${hex(secret, body)}`,
  }),
  sentry: ({ body, secret, at }) => ({
    'Sentry-Hook-Signature': hex(secret, body),
    'Sentry-Hook-Timestamp': String(at),
  }),
  bitbucket3: ({ body, secret }) => ({ 'X-Hub-Signature': `sha256=${hex(secret, body)}` }),
  clickup: ({ body, secret }) => ({ 'X-Signature': hex(secret, body) }),
  datadog: bearer,
  freshdesk: basic,
  google_calendar: ({ secret }) => ({ 'X-Goog-Channel-Token': secret }),
  heroku: ({ body, secret }) => ({
    'Heroku-Webhook-Hmac-SHA256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
  homeassistant: bearer,
  hubspot: ({ body, secret }) => ({
    'X-HubSpot-Signature': createHash('sha256').update(`${secret}${body}`).digest('hex'),
  }),
  intercom: ({ body, secret }) => ({
    'X-Hub-Signature': `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
  }),
  newrelic: basic,
  notion: ({ body, secret }) => ({ 'X-Notion-Signature': `sha256=${hex(secret, body)}` }),
  opsgenie: bearer,
  redmine: ({ body, secret }) => ({ 'X-Redmine-Signature-256': `sha256=${hex(secret, body)}` }),
  rss: ({ body, secret }) => ({ 'X-Hub-Signature-256': `sha256=${hex(secret, body)}` }),
  sonarqube: ({ body, secret }) => ({ 'X-Sonar-Webhook-HMAC-SHA256': hex(secret, body) }),
  teamcity: basic,
  trello: ({ body, secret, address }) => ({
    'X-Trello-Webhook': createHmac('sha1', secret).update(`${body}${address}`).digest('base64'),
  }),
  zapier: bearer,
  zendesk: ({ body, secret, at }) => {
    const timestamp = new Date(at * 1_000).toISOString().replace('.000Z', 'Z')
    return {
      'X-Zendesk-Webhook-Signature-Timestamp': timestamp,
      'X-Zendesk-Webhook-Signature': createHmac('sha256', secret)
        .update(timestamp + body)
        .digest('base64'),
    }
  },
  stripe: ({ body, secret, at }) => ({
    'Stripe-Signature': `t=${at},v1=${hex('an older secret', `${at}.${body}`)},v1=${hex(secret, `${at}.${body}`)},v0=x`,
  }),
}
