import { createHash, createHmac } from 'node:crypto'
import type { Example } from '../example.ts'
import { ALERTMANAGER_EXAMPLES } from './alertmanager.ts'
import { BITBUCKET2_EXAMPLES } from './bitbucket2.ts'
import { CIRCLECI_EXAMPLES } from './circleci.ts'
import { CLOUDFLARE_EXAMPLES } from './cloudflare.ts'
import { DISCORD_INCOMING_EXAMPLES } from './discord-incoming.ts'
import { FORGEJO_EXAMPLES, GITEA_EXAMPLES, GOGS_EXAMPLES } from './gitea.ts'
import { GITHUB_EXAMPLES } from './github.ts'
import { GITLAB_EXAMPLES } from './gitlab.ts'
import { GRAFANA_EXAMPLES } from './grafana.ts'
import { JIRA_EXAMPLES } from './jira.ts'
import { JSON_EXAMPLES } from './json.ts'
import { LINEAR_EXAMPLES } from './linear.ts'
import { NETLIFY_EXAMPLES } from './netlify.ts'
import { PAGERDUTY_EXAMPLES } from './pagerduty.ts'
import { SENTRY_EXAMPLES } from './sentry.ts'
import { SLACK_INCOMING_EXAMPLES } from './slack-incoming.ts'
import { STRIPE_EXAMPLES } from './stripe.ts'
import { TEMPLATE_EXAMPLES } from './template.ts'
import { UPTIMEROBOT_EXAMPLES } from './uptimerobot.ts'

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
}

/** How services sign, written as their documentation says it: the headers of a post. */
export const SIGNERS: Readonly<Record<string, (post: Signed) => Readonly<Record<string, string>>>> = {
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
  stripe: ({ body, secret, at }) => ({
    'Stripe-Signature': `t=${at},v1=${hex('an older secret', `${at}.${body}`)},v1=${hex(secret, `${at}.${body}`)},v0=x`,
  }),
}
