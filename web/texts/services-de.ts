import { furtherServicesDe } from './further-services-de.ts'
import type { ServiceGuides } from './service-guide.ts'

/** German texts about services. What stands on the services' own pages is left in English where they have no German ones. */
export const servicesDe: ServiceGuides = {
  ...furtherServicesDe,
  alertmanager: {
    about: 'Alarme von Prometheus, wenn sie beginnen und enden, nach ihrem Label zusammengefasst.',
    steps: [
      'Füge in `alertmanager.yml` einen Empfänger mit `webhook_configs` hinzu, mit der Adresse als `url`.',
      'Nenne diesen Empfänger in `route`.',
      'Lade Alertmanager neu.',
    ],
  },
  bitbucket2: {
    about: 'Pushes, Pull-Requests, Issues, Kommentare und der Status von Commits in Bitbucket Cloud.',
    steps: [
      'Öffne im Repository „Repository settings → Webhooks → Add webhook“.',
      'Gib einen Titel ein, und die Adresse als URL.',
      'Wähle die Trigger und speichere.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  circleci: {
    about: 'Workflows und Jobs, die zu Ende sind.',
    steps: [
      'Öffne im Projekt „Project Settings → Webhooks → Add Webhook“.',
      'Gib einen Namen ein, und die Adresse als „Receiver URL“.',
      'Wähle die Ereignisse und speichere.',
    ],
    secret: 'das Feld „Secret token“ des Webhooks',
  },
  cloudflare: {
    about: 'Benachrichtigungen jeder Art: Health Checks, Zertifikate, Angriffe, Builds von Workers.',
    steps: [
      'Öffne im Konto „Notifications → Destinations → Webhooks → Create“.',
      'Gib einen Namen ein, und die Adresse als URL.',
      'Füge eine Benachrichtigung hinzu, mit diesem Webhook als Ziel.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  discord_incoming: {
    about: 'Nachrichten und Embeds von Programmen, die Discord benachrichtigen können.',
    steps: [
      'Wähle im Programm Discord als Art der Benachrichtigung.',
      'Gib die Adresse als „Webhook URL“ ein. Nimmt es nur Adressen von Discord an, wähle hier diese Form der Adresse.',
      'Wähle, was das Programm melden soll, und speichere.',
    ],
  },
  forgejo: {
    about: 'Pushes, Branches, Pull-Requests, Issues, Kommentare und Releases.',
    steps: [
      'Öffne im Repository „Einstellungen → Webhooks → Webhook hinzufügen → Forgejo“.',
      'Gib die Adresse als Ziel-URL ein, mit POST und application/json.',
      'Wähle die Ereignisse, und füge den Webhook hinzu.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  gitea: {
    about: 'Pushes, Branches, Pull-Requests, Issues, Kommentare und Releases.',
    steps: [
      'Öffne im Repository „Einstellungen → Webhooks → Webhook hinzufügen → Gitea“.',
      'Gib die Adresse als Ziel-URL ein, mit POST und application/json.',
      'Wähle die Ereignisse, und füge den Webhook hinzu.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  github: {
    about:
      'Alles, was in einem Repository oder einer Organisation geschieht: Code, Reviews, Issues, Checks, Alarme.',
    steps: [
      'Öffne im Repository oder in der Organisation „Settings → Webhooks → Add webhook“.',
      'Gib die Adresse als „Payload URL“ ein, und wähle application/json.',
      'Wähle die Ereignisse, und drücke „Add webhook“.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  gitlab: {
    about:
      'Pushes, Merge-Requests, Issues, Kommentare, Pipelines, Releases und mehr von einem Projekt oder einer Gruppe.',
    steps: [
      'Öffne im Projekt oder in der Gruppe „Settings → Webhooks → Add new webhook“.',
      'Gib die Adresse als URL ein.',
      'Wähle die Trigger, und drücke „Add webhook“.',
    ],
    secret: 'das Feld „Secret token“ des Webhooks',
  },
  gogs: {
    about: 'Pushes, Branches, Pull-Requests, Issues, Kommentare und Releases.',
    steps: [
      'Öffne im Repository „Settings → Webhooks → Add a new webhook → Gogs“.',
      'Gib die Adresse als „Payload URL“ ein, und wähle application/json.',
      'Wähle die Ereignisse, und drücke „Add Webhook“.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  grafana: {
    about: 'Alarme, wenn sie beginnen und enden, mit Labels und Werten. Auch von Grafana 7.',
    steps: [
      'Öffne „Alerting → Contact points“ (seit Grafana 13 unter „Notification configuration“), klicke auf „Add contact point“, und wähle Webhook als „Integration“.',
      'Gib die Adresse als URL ein, drücke „Test“, und speichere.',
      'Wähle den Contact point in einer „Notification policy“.',
    ],
    secret:
      '„HMAC signature → Secret“ des Contact points, mit `X-Grafana-Alerting-Timestamp` als „Timestamp header“',
  },
  jira: {
    about: 'Vorgänge, Kommentare, Sprints und Versionen.',
    steps: [
      'Öffne als Administrator „Einstellungen → System → WebHooks → WebHook erstellen“.',
      'Gib einen Namen ein, und die Adresse als URL.',
      'Wähle die Ereignisse, und erstelle ihn.',
    ],
    secret: 'das Feld „Secret“ des Webhooks',
  },
  json: {
    about: 'Beliebiges JSON, wie es ist. Gut für einen ersten Blick auf das, was ein Programm schickt.',
    steps: [
      'Gib die Adresse im Programm als Webhook-URL ein, mit POST als Methode.',
      'Wähle `application/json` als Format, und als Inhalt ein Objekt oder eine Liste.',
      'Lass es einmal senden, und sieh dir die Nachricht an.',
    ],
  },
  linear: {
    about: 'Issues, Kommentare, Projekte und ihre Updates, Cycles.',
    steps: [
      'Öffne „Settings → API → Webhooks → New webhook“.',
      'Gib eine Bezeichnung ein, und die Adresse als URL.',
      'Wähle Teams und „Data change events“, und erstelle ihn.',
    ],
    secret: 'das „Signing secret“, das Linear beim Webhook zeigt',
  },
  netlify: {
    about: 'Deploys, die beginnen, gelingen oder scheitern, und Formulare von Besuchern.',
    steps: [
      'Öffne im Projekt „Project configuration → Notifications → Emails and webhooks“.',
      'Drücke „Add notification → HTTP POST request“.',
      'Wähle das Ereignis, gib die Adresse als „URL to notify“ ein, und speichere.',
    ],
    secret: 'das Feld „JWS secret token“ der Benachrichtigung',
  },
  pagerduty: {
    about: 'Vorfälle: wer sie hat, was getan wird, und wie sie enden.',
    steps: [
      'Öffne „Integrations → Generic Webhooks (v3) → New Webhook“.',
      'Gib die Adresse als „Webhook URL“ ein, und wähle, wofür er gilt.',
      'Wähle die Ereignisse, und drücke „Add Webhook“.',
    ],
    secret: 'das Geheimnis, das PagerDuty nur einmal zeigt, wenn der Webhook hinzugefügt wird',
  },
  sentry: {
    about: 'Issues, Fehler, Kommentare, und Alarme über Issues und Metriken.',
    steps: [
      'Öffne „Settings → Custom Integrations → Create New Integration → Internal Integration“.',
      'Gib die Adresse als „Webhook URL“ ein, schalte „Alert Rule Action“ ein, gib „Read“ für „Issue & Event“, wähle die Webhooks, und speichere.',
      'Wähle die Integration für Alarme als Aktion in „Alert Rules“.',
    ],
    secret: 'das „Client Secret“, das Sentry bei der Integration zeigt',
  },
  slack_incoming: {
    about: 'Nachrichten, Blöcke und Anhänge von Programmen, die Slack benachrichtigen können.',
    steps: [
      'Wähle im Programm Slack als Art der Benachrichtigung.',
      'Gib die Adresse als „Webhook URL“ ein. Nimmt es nur Adressen von Slack an, wähle hier diese Form der Adresse.',
      'Wähle, was das Programm melden soll, und speichere.',
    ],
  },
  stripe: {
    about: 'Zahlungen, Kunden, Abonnements, Rechnungen, Auszahlungen und Streitfälle.',
    steps: [
      'Öffne „Workbench → Webhooks → Create new destination“.',
      'Wähle die Ereignisse, und „Webhook-Endpoint“ als Art.',
      'Gib die Adresse als „Endpoint-URL“ ein, und erstelle das Ziel.',
    ],
    secret: 'das Signaturgeheimnis (`whsec_…`), das Stripe beim Ziel zeigt',
  },
  template: {
    about: 'Beliebiges JSON eines beliebigen Dienstes, als Nachricht nach einer Vorlage, die du schreibst.',
    steps: [
      'Kopiere, was der Dienst schickt, in das Beispiel hier.',
      'Schreibe die Vorlagen für Thema und Text, sieh dir die Vorschau an, und speichere sie.',
      'Gib die Adresse beim Dienst als Webhook-URL ein.',
    ],
    secret:
      'das Geheimnis eines Dienstes, der nach Standard Webhooks oder mit `X-Hub-Signature-256` signiert',
  },
  uptimerobot: {
    about: 'Monitore, die ausfallen und wiederkommen, und Zertifikate, die ablaufen.',
    steps: [
      'Öffne „Integrations & API → Webhook → Add“, und gib die Adresse, mit `&` dahinter, als „URL to notify“ ein.',
      'Als JSON senden: `{"monitorFriendlyName": "*monitorFriendlyName*", "monitorURL": "*monitorURL*", "alertTypeFriendlyName": "*alertTypeFriendlyName*", "alertDetails": "*alertDetails*", "alertDateTime": "*alertDateTime*"}`',
      'Wähle die Integration in den Monitoren.',
    ],
  },
}
