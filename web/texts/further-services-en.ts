import {
  APPS_SCRIPT,
  BEARER_JSON,
  BEARER_YAML,
  DATADOG,
  NAGIOS,
  NOTIFIER,
  TOPIC_CONTENT,
  TOPIC_YAML,
  ZABBIX_PARAMETERS,
  ZABBIX_SCRIPT,
  ZENDESK,
} from './service-codes.ts'
import type { ServiceGuides } from './service-guide.ts'

/** English texts about further services. */
export const furtherServicesEn: ServiceGuides = {
  asana: {
    about: 'Changes of tasks in a project, as ids and links.',
    steps: [
      'Make the webhook by Asana’s API, `POST https://app.asana.com/api/1.0/webhooks`: its pages have no form for it.',
      'Give it the id of the project as `resource`, and the address as `target`.',
      'Asana then sends its secret, which the bot tells you in a direct message.',
    ],
    secret: 'the secret that Asana sends once, and the bot tells you',
  },
  aws_sns: {
    about: 'Notifications of a topic, and alarms of CloudWatch.',
    steps: [
      'In the topic, choose Create subscription, with HTTPS as the protocol.',
      'Enter the address as Endpoint, leave raw message delivery off, and create it.',
      'Open the link in the message that arrives, which confirms the subscription.',
    ],
  },
  azuredevops: {
    about: 'Pushes, pull requests, builds, releases and work items.',
    steps: [
      'In the project, open Project settings → Service hooks → Create subscription → Web Hooks.',
      'Choose the event and its filters.',
      'Enter the address as URL, and press Finish.',
    ],
    secret: 'the field Basic authentication password of the subscription',
  },
  bitbucket3: {
    about: 'Pushes, pull requests and comments in Bitbucket Data Center and Server.',
    steps: [
      'In the repository, open Repository settings → Webhooks → Create webhook.',
      'Enter a name, and the address as URL.',
      'Choose the events, and press Create.',
    ],
    secret: 'the field Secret of the webhook',
  },
  clickup: {
    about: 'Changes of tasks, as ids and links, and tasks that automations report.',
    steps: [
      'For one list, add an automation with the action Call webhook, and the address as its URL.',
      'For a whole workspace, make a webhook by ClickUp’s API, `POST https://api.clickup.com/api/v2/team/TEAM/webhook`, with the address as `endpoint`.',
      'Choose the events.',
    ],
    secret: 'the `secret` in the answer of ClickUp’s API',
  },
  datadog: {
    about: 'Monitors that alert and recover, and events.',
    steps: [
      'Open Integrations → Webhooks → New, and enter the address as URL.',
      `As Payload enter: ${DATADOG}`,
      'Write `@webhook-NAME`, with the name of the webhook, into the message of a monitor.',
    ],
    secret: `Custom Headers of the webhook: ${BEARER_JSON}`,
  },
  freshdesk: {
    about: 'Tickets that are opened, changed or answered.',
    steps: [
      'Open Admin → Workflows → Automations, and make a rule for new tickets or for updates.',
      'As its action choose Trigger webhook, with POST, the address as URL, and JSON as the encoding.',
      'Choose the simple content with the fields of the ticket, and save.',
    ],
    secret: 'the password of the action, after Requires authentication',
  },
  google_calendar: {
    about: 'Events of a calendar that a script posts, and Google’s own notices that something has changed.',
    steps: [
      'At script.google.com, make a script with the service Calendar, and a trigger of the kind From calendar.',
      `Let it post each changed event: ${APPS_SCRIPT}`,
      'Or make a channel by `events.watch` of Google’s API, with the address as `address`.',
    ],
    secret: 'the `token` of the channel, or a header `X-Goog-Channel-Token` of the script',
  },
  heroku: {
    about: 'Releases, builds and other changes of apps.',
    steps: [
      'In the app, open More → View webhooks → Create Webhook.',
      'Enter a name, and the address as Payload URL.',
      'Choose the events, and press Add Webhook.',
    ],
    secret: 'the field Secret of the webhook',
  },
  homeassistant: {
    about: 'Whatever an automation reports.',
    steps: [
      `In \`configuration.yaml\`, add a notifier below \`notify:\`: ${NOTIFIER}, and the address as \`resource\`.`,
      `With \`data:\` and ${TOPIC_YAML} below it, choose the topic.`,
      'Restart Home Assistant, and use the action `notify.chat` in an automation.',
    ],
    secret: `the notifier’s \`headers:\` with ${BEARER_YAML}`,
  },
  hubspot: {
    about: 'Changes of contacts, companies, deals and tickets.',
    steps: [
      'In a private app, open Webhooks, and enter the address as Target URL.',
      'Press Create subscription, and choose the objects and events.',
      'Activate the subscriptions, and save the app.',
    ],
    secret: 'the Client secret of the app, below Auth',
  },
  ifttt: {
    about: 'Whatever an applet reports.',
    steps: [
      'Make an applet with any trigger, and Webhooks → Make a web request as the action.',
      'Enter the address as URL, with POST and application/json.',
      `As Body enter: ${TOPIC_CONTENT}`,
    ],
  },
  intercom: {
    about: 'Conversations, contacts and tickets.',
    steps: [
      'In the Developer Hub, make an app, and open Configure → Webhooks.',
      'Enter the address as the endpoint URL.',
      'Choose the topics, and save.',
    ],
    secret: 'the Client secret of the app, below Basic information',
  },
  jenkins: {
    about: 'Builds that start and end.',
    steps: [
      'Install the plugin Notification.',
      'In a job, below Job Notifications, press Add Endpoint, with JSON as the format and HTTP as the protocol.',
      'Enter the address as URL, choose All Events, and save.',
    ],
  },
  nagios: {
    about: 'Problems and recoveries of hosts and services, also of Icinga and Naemon.',
    steps: [
      `Define a command for services: ${NAGIOS}`,
      'Define another one for hosts, with `HOSTSTATE` and `HOSTOUTPUT` in place of those of the service.',
      'Name them in a contact, as `service_notification_commands` and `host_notification_commands`.',
    ],
  },
  newrelic: {
    about: 'Issues that are opened, acknowledged and closed.',
    steps: [
      'Open Alerts → Destinations → Webhook, and enter the address as Endpoint URL.',
      'In a workflow, add the channel Webhook with that destination.',
      'Keep the default payload, and activate the workflow.',
    ],
    secret: 'Authentication of the destination: the password, or the bearer token',
  },
  notion: {
    about: 'Changes of pages, databases and comments, as links, and pages that automations report.',
    steps: [
      'In a database, add an automation with the action Send webhook, and the address as URL.',
      'Or open the Webhooks of an integration at notion.so/my-integrations, and create a subscription with the address.',
      'Notion then sends a token, which the bot tells you in a direct message; enter it there.',
    ],
    secret: 'the token that the bot has told you',
  },
  opsgenie: {
    about: 'Alerts, and what is done about them.',
    steps: [
      'Open Settings → Integrations → Add integration → Webhook.',
      'Enter the address as Webhook URL, and turn on Add alert description and Add alert details.',
      'Choose the actions, and turn on the integration.',
    ],
    secret: `a custom header of the integration: ${BEARER_YAML}`,
  },
  pingdom: {
    about: 'Checks that go down and up.',
    steps: [
      'Open Integrations → Add integration → Webhook.',
      'Enter a name, and the address as URL.',
      'Choose the integration in the checks.',
    ],
  },
  redmine: {
    about: 'Issues that are opened, changed and deleted.',
    steps: [
      'With Redmine’s own webhooks, open My account → Webhooks → New webhook.',
      'With the plugin redmine_webhook, open Settings → WebHook of the project.',
      'Enter the address as URL, and save.',
    ],
    secret: 'the field Secret of Redmine’s own webhooks',
  },
  rss: {
    about: 'New entries of feeds, by a service that posts them as JSON.',
    steps: [
      'At a service such as RSS.app or Superfeedr, add the feed.',
      'Enter the address as its webhook, with JSON as the format.',
      'Or let a script of yours post a JSON Feed with the new entries.',
    ],
    secret: 'the secret of a service that signs with `X-Hub-Signature-256`',
  },
  sonarqube: {
    about: 'Quality gates of projects.',
    steps: [
      'Open Project Settings → Webhooks, or Administration → Configuration → Webhooks for all projects.',
      'Press Create, and enter a name, and the address as URL.',
      'Save it; the next analysis is reported.',
    ],
    secret: 'the field Secret of the webhook',
  },
  splunk: {
    about: 'Alerts, each with its first result.',
    steps: [
      'Save a search as an alert, or edit one.',
      'Below Trigger Actions, add Webhook, and enter the address as URL.',
      'Save the alert.',
    ],
  },
  statuspage: {
    about: 'Incidents, maintenances and components of a status page.',
    steps: [
      'On the status page, press Subscribe to updates, and choose the webhook.',
      'Enter the address, and your mail address.',
      'Press Subscribe.',
    ],
  },
  teamcity: {
    about: 'Builds that start and end.',
    steps: [
      'In the parameters of the root project, set `teamcity.internal.webhooks.enable` to `true`, and `teamcity.internal.webhooks.url` to the address.',
      'In a project, set `teamcity.internal.webhooks.events` to `BUILD_STARTED;BUILD_FINISHED;BUILD_INTERRUPTED`.',
      'Or install the plugin tcWebHooks, and add the address below WebHooks of a project, with JSON as the format.',
    ],
    secret: '`teamcity.internal.webhooks.password`, beside any `teamcity.internal.webhooks.username`',
  },
  travis: {
    about: 'Builds of branches and pull requests.',
    steps: [
      'In `.travis.yml`, add `webhooks:` below `notifications:`.',
      'Below it, write the address, encrypted by `travis encrypt` if the repository is public.',
      'Commit the file.',
    ],
  },
  trello: {
    about: 'Cards, lists and people of a board.',
    steps: [
      'Make an API key and a token at trello.com/power-ups/admin.',
      'Post to `https://api.trello.com/1/webhooks`: `key`, `token`, the id of the board as `idModel`, and the address as `callbackURL`.',
      'Trello asks for the address, and answers with the webhook.',
    ],
    secret: 'the Secret beside the API key',
  },
  zabbix: {
    about: 'Problems that begin and end.',
    steps: [
      `Open Alerts → Media types → Create media type, with Webhook as the type, and as parameters: ${ZABBIX_PARAMETERS}`,
      `As its script enter: ${ZABBIX_SCRIPT}`,
      'Give the media type to a user, and make an action that notifies them.',
    ],
  },
  zapier: {
    about: 'Whatever a Zap reports.',
    steps: [
      'Make a Zap with any trigger, and Webhooks by Zapier → POST as the action.',
      'Enter the address as URL, and JSON as Payload Type.',
      'As Data enter `topic`, and `content`, which is Markdown.',
    ],
    secret: `Headers of the action: ${BEARER_YAML}`,
  },
  zendesk: {
    about: 'Tickets that are opened, changed or answered.',
    steps: [
      'Open Admin Center → Apps and integrations → Webhooks → Create webhook, and choose Trigger or automation.',
      'Enter the address as Endpoint URL, with POST and JSON.',
      `In a trigger, add the action Notify active webhook, with the body: ${ZENDESK}`,
    ],
    secret: 'the Signing secret that Zendesk shows with the webhook',
  },
}
