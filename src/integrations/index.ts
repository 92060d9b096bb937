import { alertmanager } from './alertmanager.ts'
import { bitbucket2 } from './bitbucket2.ts'
import { circleci } from './circleci.ts'
import { cloudflare } from './cloudflare.ts'
import { forgejo, gitea, gogs } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { grafana } from './grafana.ts'
import type { Integration } from './integration.ts'
import { jira } from './jira.ts'
import { json } from './json.ts'
import { linear } from './linear.ts'
import { netlify } from './netlify.ts'
import { discordIncoming, slackIncoming } from './other-chats.ts'
import { pagerduty } from './pagerduty.ts'
import { sentry } from './sentry.ts'
import { stripe } from './stripe.ts'
import { template } from './template.ts'
import { uptimerobot } from './uptimerobot.ts'

/** All integrations, in alphabetical order of their names. */
export const INTEGRATIONS: readonly Integration[] = [
  alertmanager,
  bitbucket2,
  circleci,
  cloudflare,
  discordIncoming,
  forgejo,
  gitea,
  github,
  gitlab,
  gogs,
  grafana,
  jira,
  json,
  linear,
  netlify,
  pagerduty,
  sentry,
  slackIncoming,
  stripe,
  template,
  uptimerobot,
]

const byName: ReadonlyMap<string, Integration> = new Map(INTEGRATIONS.map((one) => [one.name, one]))

export function findIntegration(name: string): Integration | undefined {
  return byName.get(name)
}
