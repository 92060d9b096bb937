import { alertmanager } from './alertmanager.ts'
import { bitbucket2 } from './bitbucket2.ts'
import { bitbucket3 } from './bitbucket3.ts'
import { cloudflare } from './cloudflare.ts'
import { asana } from './declared/asana.ts'
import { awsSns } from './declared/aws-sns.ts'
import { azuredevops } from './declared/azuredevops.ts'
import { circleci } from './declared/circleci.ts'
import { clickup } from './declared/clickup.ts'
import { datadog } from './declared/datadog.ts'
import { freshdesk } from './declared/freshdesk.ts'
import { googleCalendar } from './declared/google-calendar.ts'
import { heroku } from './declared/heroku.ts'
import { homeassistant } from './declared/homeassistant.ts'
import { hubspot } from './declared/hubspot.ts'
import { ifttt } from './declared/ifttt.ts'
import { intercom } from './declared/intercom.ts'
import { jenkins } from './declared/jenkins.ts'
import { nagios } from './declared/nagios.ts'
import { newrelic } from './declared/newrelic.ts'
import { notion } from './declared/notion.ts'
import { opsgenie } from './declared/opsgenie.ts'
import { pingdom } from './declared/pingdom.ts'
import { redmine } from './declared/redmine.ts'
import { rss } from './declared/rss.ts'
import { sonarqube } from './declared/sonarqube.ts'
import { splunk } from './declared/splunk.ts'
import { statuspage } from './declared/statuspage.ts'
import { teamcity } from './declared/teamcity.ts'
import { travis } from './declared/travis.ts'
import { trello } from './declared/trello.ts'
import { uptimerobot } from './declared/uptimerobot.ts'
import { zabbix } from './declared/zabbix.ts'
import { zapier } from './declared/zapier.ts'
import { zendesk } from './declared/zendesk.ts'
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

/** All integrations, in alphabetical order of their names. */
export const INTEGRATIONS: readonly Integration[] = [
  alertmanager,
  asana,
  awsSns,
  azuredevops,
  bitbucket2,
  bitbucket3,
  circleci,
  clickup,
  cloudflare,
  datadog,
  discordIncoming,
  forgejo,
  freshdesk,
  gitea,
  github,
  gitlab,
  gogs,
  googleCalendar,
  grafana,
  heroku,
  homeassistant,
  hubspot,
  ifttt,
  intercom,
  jenkins,
  jira,
  json,
  linear,
  nagios,
  netlify,
  newrelic,
  notion,
  opsgenie,
  pagerduty,
  pingdom,
  redmine,
  rss,
  sentry,
  slackIncoming,
  sonarqube,
  splunk,
  statuspage,
  stripe,
  teamcity,
  template,
  travis,
  trello,
  uptimerobot,
  zabbix,
  zapier,
  zendesk,
]

const byName: ReadonlyMap<string, Integration> = new Map(INTEGRATIONS.map((one) => [one.name, one]))

export function findIntegration(name: string): Integration | undefined {
  return byName.get(name)
}
