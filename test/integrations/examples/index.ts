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
