import { furtherServicesEn } from './further-services-en.ts'
import type { ServiceGuides } from './service-guide.ts'
/** English texts about services, by the names of their integrations. docs/integrations.md has them too. */
export const servicesEn: ServiceGuides = {
  ...furtherServicesEn,
  alertmanager: {
    about: 'Alerts of Prometheus that begin and end, joined by their label.',
    steps: [
      'In `alertmanager.yml`, add a receiver with `webhook_configs`, and the address as its `url`.',
      'Name that receiver in `route`.',
      'Reload Alertmanager.',
    ],
  },
  bitbucket2: {
    about: 'Pushes, pull requests, issues, comments and the status of commits in Bitbucket Cloud.',
    steps: [
      'In the repository, open Repository settings → Webhooks → Add webhook.',
      'Enter a title, and the address as URL.',
      'Choose the triggers, and save.',
    ],
    secret: 'the field Secret of the webhook',
  },
  circleci: {
    about: 'Workflows and jobs that have ended.',
    steps: [
      'In the project, open Project Settings → Webhooks → Add Webhook.',
      'Enter a name, and the address as Receiver URL.',
      'Choose the events, and save.',
    ],
    secret: 'the field Secret token of the webhook',
  },
  cloudflare: {
    about: 'Notifications of any kind: health checks, certificates, attacks, builds of Workers.',
    steps: [
      'In the account, open Notifications → Destinations → Webhooks → Create.',
      'Enter a name, and the address as URL.',
      'Add a notification, and choose the webhook as its destination.',
    ],
    secret: 'the field Secret of the webhook',
  },
  discord_incoming: {
    about: 'Messages and embeds of programs that can notify Discord.',
    steps: [
      'In the program, choose Discord as the way of notifying.',
      'Enter the address as Webhook URL. If only addresses of Discord are accepted, choose that form of the address here.',
      'Choose what the program notifies of, and save.',
    ],
  },
  forgejo: {
    about: 'Pushes, branches, pull requests, issues, comments and releases.',
    steps: [
      'In the repository, open Settings → Webhooks → Add webhook → Forgejo.',
      'Enter the address as Target URL, with POST and application/json.',
      'Choose the events, and press Add webhook.',
    ],
    secret: 'the field Secret of the webhook',
  },
  gitea: {
    about: 'Pushes, branches, pull requests, issues, comments and releases.',
    steps: [
      'In the repository, open Settings → Webhooks → Add webhook → Gitea.',
      'Enter the address as Target URL, with POST and application/json.',
      'Choose the events, and press Add webhook.',
    ],
    secret: 'the field Secret of the webhook',
  },
  github: {
    about:
      'Everything that happens in a repository or an organization: code, reviews, issues, checks, alerts.',
    steps: [
      'In the repository or the organization, open Settings → Webhooks → Add webhook.',
      'Enter the address as Payload URL, and choose application/json.',
      'Choose the events, and press Add webhook.',
    ],
    secret: 'the field Secret of the webhook',
  },
  gitlab: {
    about: 'Pushes, merge requests, issues, comments, pipelines, releases and more of a project or a group.',
    steps: [
      'In the project or the group, open Settings → Webhooks → Add new webhook.',
      'Enter the address as URL.',
      'Choose the triggers, and press Add webhook.',
    ],
    secret: 'the field Secret token of the webhook',
  },
  gogs: {
    about: 'Pushes, branches, pull requests, issues, comments and releases.',
    steps: [
      'In the repository, open Settings → Webhooks → Add a new webhook → Gogs.',
      'Enter the address as Payload URL, and choose application/json.',
      'Choose the events, and press Add Webhook.',
    ],
    secret: 'the field Secret of the webhook',
  },
  grafana: {
    about: 'Alerts that begin and end, with their labels and values. Grafana 7 is read too.',
    steps: [
      'Open Alerting → Contact points (since Grafana 13 below Notification configuration), press Add contact point, and choose Webhook as the integration.',
      'Enter the address as URL, press Test, and then Save contact point.',
      'Choose the contact point in a notification policy.',
    ],
    secret:
      'HMAC signature → Secret of the contact point, with `X-Grafana-Alerting-Timestamp` as the timestamp header',
  },
  jira: {
    about: 'Issues, comments, sprints and versions.',
    steps: [
      'As an administrator, open Settings → System → WebHooks → Create a WebHook.',
      'Enter a name, and the address as URL.',
      'Choose the events, and press Create.',
    ],
    secret: 'the field Secret of the webhook',
  },
  json: {
    about: 'Any JSON, as it is. Good for a first look at what a program posts.',
    steps: [
      'In the program, enter the address as the webhook URL, with POST as the method.',
      'As the content type choose `application/json`; as the body an object or a list.',
      'Let it post once, and look at the message.',
    ],
  },
  linear: {
    about: 'Issues, comments, projects and their updates, cycles.',
    steps: [
      'Open Settings → API → Webhooks → New webhook.',
      'Enter a label, and the address as URL.',
      'Choose teams and data change events, and create it.',
    ],
    secret: 'the Signing secret that Linear shows with the webhook',
  },
  netlify: {
    about: 'Deploys that begin, succeed or fail, and forms that visitors have sent.',
    steps: [
      'In the project, open Project configuration → Notifications → Emails and webhooks.',
      'Press Add notification → HTTP POST request.',
      'Choose the event, enter the address as URL to notify, and save.',
    ],
    secret: 'the field JWS secret token of the notification',
  },
  pagerduty: {
    about: 'Incidents: who has them, what is done about them, and how they end.',
    steps: [
      'Open Integrations → Generic Webhooks (v3) → New Webhook.',
      'Enter the address as Webhook URL, and choose what it is for.',
      'Choose the events, and press Add Webhook.',
    ],
    secret: 'the secret that PagerDuty shows once, when the webhook is added',
  },
  sentry: {
    about: 'Issues, errors, comments, and alerts about issues and metrics.',
    steps: [
      'Open Settings → Custom Integrations → Create New Integration → Internal Integration.',
      'Enter the address as Webhook URL, turn on Alert Rule Action, give it Read of Issue & Event, choose the webhooks, and save.',
      'For alerts, choose the integration as an action in Alert Rules.',
    ],
    secret: 'the Client Secret that Sentry shows with the integration',
  },
  slack_incoming: {
    about: 'Messages, blocks and attachments of programs that can notify Slack.',
    steps: [
      'In the program, choose Slack as the way of notifying.',
      'Enter the address as Webhook URL. If only addresses of Slack are accepted, choose that form of the address here.',
      'Choose what the program notifies of, and save.',
    ],
  },
  stripe: {
    about: 'Charges, customers, subscriptions, invoices, payments, payouts and disputes.',
    steps: [
      'Open Workbench → Webhooks → Create new destination.',
      'Choose the events, and Webhook endpoint as the type.',
      'Enter the address as Endpoint URL, and press Create destination.',
    ],
    secret: 'the Signing secret (`whsec_…`) that Stripe shows with the destination',
  },
  template: {
    about: 'Any JSON of any service, as a message by a template that you write.',
    steps: [
      'Copy a post of the service into the sample payload here.',
      'Write the templates of the topic and the text, look at the preview, and save them.',
      'Enter the address as the webhook URL at the service.',
    ],
    secret: 'the signing secret of a service that signs by Standard Webhooks or with `X-Hub-Signature-256`',
  },
  uptimerobot: {
    about: 'Monitors that go down and up, and certificates that expire.',
    steps: [
      'Open Integrations & API → Webhook → Add, and enter the address, followed by `&`, as URL to notify.',
      'Send as JSON: `{"monitorFriendlyName": "*monitorFriendlyName*", "monitorURL": "*monitorURL*", "alertTypeFriendlyName": "*alertTypeFriendlyName*", "alertDetails": "*alertDetails*", "alertDateTime": "*alertDateTime*"}`',
      'Choose the integration in the monitors.',
    ],
  },
}
